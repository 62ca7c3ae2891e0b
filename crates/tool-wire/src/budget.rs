//! A budget of time that stops while something else has the turn. The arithmetic is pure: the clock comes in.

use crate::sync::lock;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// Time that runs unless it is paused. Pauses nest.
#[derive(Debug, Clone)]
pub struct Budget {
    limit: Duration,
    /// What was left when it last stopped.
    left: Duration,
    /// Since when it runs; `None` while paused.
    since: Option<Instant>,
    pauses: usize,
}

impl Budget {
    /// Starts to run.
    pub fn start(limit: Duration, now: Instant) -> Self {
        Self { limit, left: limit, since: Some(now), pauses: 0 }
    }

    /// Stops it. Each pause needs its own [`resume`](Self::resume).
    pub fn pause(&mut self, now: Instant) {
        self.left = self.left(now);
        self.since = None;
        self.pauses += 1;
    }

    /// Goes on with what was left, once the last pause ended.
    pub fn resume(&mut self, now: Instant) {
        self.pauses = self.pauses.saturating_sub(1);
        if self.pauses == 0 && self.since.is_none() {
            self.since = Some(now);
        }
    }

    /// Something happened: the whole budget is there again.
    pub fn touch(&mut self, now: Instant) {
        self.left = self.limit;
        if self.since.is_some() {
            self.since = Some(now);
        }
    }

    /// What is left.
    pub fn left(&self, now: Instant) -> Duration {
        match self.since {
            Some(since) => self.left.saturating_sub(now.saturating_duration_since(since)),
            None => self.left,
        }
    }

    /// When it is used up, if nothing happens. `None` while paused.
    fn ends(&self) -> Option<Instant> {
        self.since.map(|since| since + self.left)
    }
}

/// A [`Budget`] that can be waited for and shared.
#[derive(Debug, Clone)]
pub struct IdleBudget {
    shared: Arc<(Mutex<Budget>, Notify)>,
}

impl IdleBudget {
    /// Starts to run.
    pub fn start(limit: Duration) -> Self {
        let budget = Budget::start(limit, Instant::now());
        Self { shared: Arc::new((Mutex::new(budget), Notify::new())) }
    }

    /// Stops it for as long as the guard lives.
    #[must_use = "the budget runs on as soon as the guard is dropped"]
    pub fn pause(&self) -> PauseGuard {
        lock(&self.shared.0).pause(Instant::now());
        self.shared.1.notify_waiters();
        PauseGuard { budget: self.clone() }
    }

    /// Something happened: the whole budget is there again.
    pub fn touch(&self) {
        lock(&self.shared.0).touch(Instant::now());
        self.shared.1.notify_waiters();
    }

    /// What is left.
    pub fn left(&self) -> Duration {
        lock(&self.shared.0).left(Instant::now())
    }

    /// Ends when the budget is used up. Dropping it changes nothing.
    pub async fn used_up(&self) {
        loop {
            // Listens before it looks, so that no change between the two is missed.
            let changed = self.shared.1.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let ends = lock(&self.shared.0).ends();
            match ends {
                None => changed.await,
                Some(ends) if ends <= Instant::now() => return,
                Some(ends) => tokio::select! {
                    () = changed => {}
                    () = tokio::time::sleep_until(ends) => {}
                },
            }
        }
    }
}

/// Holds an [`IdleBudget`] still.
#[derive(Debug)]
pub struct PauseGuard {
    budget: IdleBudget,
}

impl Drop for PauseGuard {
    fn drop(&mut self) {
        lock(&self.budget.shared.0).resume(Instant::now());
        self.budget.shared.1.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_pause_takes_nothing_and_resuming_gives_nothing() {
        let started = Instant::now();
        let budget = IdleBudget::start(10 * SECOND);
        tokio::time::advance(4 * SECOND).await;
        let (outer, inner) = (budget.pause(), budget.pause());
        tokio::time::advance(100 * SECOND).await;
        drop(outer);
        tokio::time::advance(100 * SECOND).await;
        assert_eq!(budget.left(), 6 * SECOND);
        drop(inner);
        budget.used_up().await;
        assert!(started.elapsed() >= 210 * SECOND && started.elapsed() < 211 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn a_touch_gives_all_of_it_again() {
        let budget = IdleBudget::start(10 * SECOND);
        let started = Instant::now();
        let (waiter, touched) = (budget.clone(), budget.clone());
        let waiting = tokio::spawn(async move { waiter.used_up().await });
        tokio::time::sleep(9 * SECOND).await;
        touched.touch();
        waiting.await.unwrap();
        assert!(started.elapsed() >= 19 * SECOND);
    }

    proptest! {
        #[test]
        fn only_time_outside_of_pauses_counts(steps in prop::collection::vec((0u8..3, 0u64..5), 0..60)) {
            let mut now = Instant::now();
            let mut budget = Budget::start(50 * SECOND, now);
            let (mut depth, mut used) = (0usize, 0u64);
            for (step, seconds) in steps {
                match step {
                    0 => { budget.pause(now); depth += 1; }
                    1 if depth > 0 => { budget.resume(now); depth -= 1; }
                    _ => {}
                }
                now += SECOND * u32::try_from(seconds).unwrap();
                if depth == 0 { used += seconds; }
                prop_assert_eq!(budget.left(now), Duration::from_secs(50u64.saturating_sub(used)));
            }
        }
    }
}
