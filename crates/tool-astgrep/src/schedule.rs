//! Spreads work over a few threads until it is done or the call is stopped.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How a caller watches and stops long work.
pub(crate) struct Control<'a> {
    /// Asked often; true ends the work early.
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
    /// Told how many of how many are done, from any thread.
    pub(crate) progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl Control<'_> {
    pub(crate) fn stopped(&self) -> bool {
        (self.stop)()
    }
}

/// The work was stopped before all of it was done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Which items threads take next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// All from the front.
    InTurn,
    /// Half of them from the front, the others from the back, until they meet. Of items sorted by weight the heavy
    /// ones are so begun early and yet stand beside light ones: two of the heaviest at once is what memory peaks at.
    BothEnds,
}

/// Runs `work` once for each item on at most `threads` threads. Each thread has one scratch value.
///
/// Blocks until all threads are done; a panic of one is passed on.
pub(crate) fn each<T: Sync, S>(
    items: &[T],
    order: Order,
    threads: usize,
    control: &Control<'_>,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) + Sync,
) -> Result<(), Stopped> {
    // A ticket is the right to one item, so that the two ends cannot run past each other.
    let tickets = AtomicUsize::new(0);
    let (front, back) = (AtomicUsize::new(0), AtomicUsize::new(items.len()));
    let done = AtomicUsize::new(0);
    let body = |thread: usize| {
        let at_back = order == Order::BothEnds && thread % 2 == 1;
        let mut own = scratch();
        while !control.stopped() && tickets.fetch_add(1, Ordering::Relaxed) < items.len() {
            let at = match at_back {
                true => back.fetch_sub(1, Ordering::Relaxed) - 1,
                false => front.fetch_add(1, Ordering::Relaxed),
            };
            work(&mut own, &items[at]);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            (control.progress)(done, items.len());
        }
    };
    let threads = threads.clamp(1, items.len().max(1));
    std::thread::scope(|scope| {
        let body = &body;
        for thread in 1..threads {
            scope.spawn(move || body(thread));
        }
        body(0);
    });
    if done.into_inner() == items.len() { Ok(()) } else { Err(Stopped) }
}

/// The default number of threads: what the machine has, at most eight.
pub(crate) fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::lock;
    use std::sync::Mutex;

    fn free<'a>() -> Control<'a> {
        Control { stop: &|| false, progress: &|_, _| {} }
    }

    #[test]
    fn every_item_is_done_once_whatever_the_threads() {
        for (threads, order) in [0, 1, 2, 3, 16]
            .into_iter()
            .flat_map(|threads| [(threads, Order::InTurn), (threads, Order::BothEnds)])
        {
            let seen = Mutex::new(Vec::new());
            let items: Vec<usize> = (0..201).collect();
            each(&items, order, threads, &free(), || (), |(), i| seen.lock().unwrap().push(*i))
                .unwrap();
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, items, "{threads} {order:?}");
        }
        each(&[] as &[u8], Order::BothEnds, 4, &free(), || (), |(), _| ()).unwrap();
    }

    #[test]
    fn the_heaviest_stand_beside_the_lightest() {
        let items: Vec<usize> = (0..100).collect();
        let both = std::sync::Barrier::new(2);
        let firsts = Mutex::new(Vec::new());
        let first = |fresh: &mut bool, item: &usize| {
            if std::mem::take(fresh) {
                lock(&firsts).push(*item);
                both.wait();
            }
        };
        each(&items, Order::BothEnds, 2, &free(), || true, first).unwrap();
        let mut firsts = firsts.into_inner().unwrap();
        firsts.sort_unstable();
        assert_eq!(firsts, [0, 99]);
    }

    #[test]
    fn a_stop_ends_it_early_and_says_so() {
        let count = AtomicUsize::new(0);
        let control =
            Control { stop: &|| count.load(Ordering::Relaxed) >= 5, progress: &|_, _| {} };
        let items = vec![(); 1000];
        let end = each(
            &items,
            Order::BothEnds,
            2,
            &control,
            || (),
            |(), ()| {
                count.fetch_add(1, Ordering::Relaxed);
            },
        );
        assert_eq!(end, Err(Stopped));
        assert!(count.into_inner() < 10);
    }

    #[test]
    fn progress_reaches_the_total() {
        let last = AtomicUsize::new(0);
        let control = Control {
            stop: &|| false,
            progress: &|done, total| {
                assert_eq!(total, 50);
                last.fetch_max(done, Ordering::Relaxed);
            },
        };
        each(&[0u8; 50], Order::InTurn, 3, &control, || (), |(), _| ()).unwrap();
        assert_eq!(last.into_inner(), 50);
    }
}
