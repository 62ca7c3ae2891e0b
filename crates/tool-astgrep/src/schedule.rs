//! Spreads work over a few threads, in the order given, until it is done or the call is stopped.

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

/// Runs `work` once for each item, started in order, on at most `threads` threads. Each thread has one scratch value.
///
/// Blocks until all threads are done; a panic of one is passed on.
pub(crate) fn each<T: Sync, S>(
    items: &[T],
    threads: usize,
    control: &Control<'_>,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) + Sync,
) -> Result<(), Stopped> {
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let body = || {
        let mut own = scratch();
        while !control.stopped() {
            let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            work(&mut own, item);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            (control.progress)(done, items.len());
        }
    };
    let threads = threads.clamp(1, items.len().max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(body);
        }
        body();
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
    use std::sync::Mutex;

    fn free<'a>() -> Control<'a> {
        Control { stop: &|| false, progress: &|_, _| {} }
    }

    #[test]
    fn every_item_is_done_once_whatever_the_threads() {
        for threads in [0, 1, 3, 16] {
            let seen = Mutex::new(Vec::new());
            let items: Vec<usize> = (0..200).collect();
            each(&items, threads, &free(), || (), |(), i| seen.lock().unwrap().push(*i)).unwrap();
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, items);
        }
        each(&[] as &[u8], 4, &free(), || (), |(), _| ()).unwrap();
    }

    #[test]
    fn a_stop_ends_it_early_and_says_so() {
        let count = AtomicUsize::new(0);
        let control =
            Control { stop: &|| count.load(Ordering::Relaxed) >= 5, progress: &|_, _| {} };
        let items = vec![(); 1000];
        let end = each(
            &items,
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
        each(&[0u8; 50], 3, &control, || (), |(), _| ()).unwrap();
        assert_eq!(last.into_inner(), 50);
    }
}
