//! How long a server that crashed is left alone. Pure: the clock comes in.

use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// So many crashes within [`WINDOW`] and it is not started again by itself.
const MOST: usize = 3;
const WINDOW: Duration = Duration::from_secs(5 * 60);
const SHORTEST: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(10 * 60);
/// One that has run for so long is healthy: earlier crashes are forgotten.
const HEALTHY: Duration = Duration::from_secs(10 * 60);

/// The crashes of one server at one root.
#[derive(Debug, Clone, Default)]
pub(crate) struct Crashes {
    recent: VecDeque<Instant>,
    /// Crashes since it was last healthy.
    streak: u32,
    last: Option<Instant>,
    stopped: bool,
}

/// Whether it may be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum May {
    /// At once.
    Start,
    /// Not before then.
    Wait(Instant),
    /// Only when somebody asks for it (`reload`).
    Stopped,
}

impl Crashes {
    /// It crashed, or could not be started. `ran` is for how long it had run.
    pub(crate) fn crashed(&mut self, now: Instant, ran: Duration) {
        if ran >= HEALTHY {
            self.streak = 0;
        }
        self.streak = self.streak.saturating_add(1);
        self.last = Some(now);
        self.recent.push_back(now);
        self.recent.retain(|at| now.saturating_duration_since(*at) <= WINDOW);
        self.stopped = self.recent.len() >= MOST;
    }

    /// Whether it may be started now. The first crash costs nothing: the next question starts it again.
    pub(crate) fn may_start(&self, now: Instant) -> May {
        if self.stopped {
            return May::Stopped;
        }
        let (Some(last), doubled @ 0..) = (self.last, i64::from(self.streak) - 2) else {
            return May::Start;
        };
        let factor = 1u32 << doubled.min(16);
        let until = last + SHORTEST.saturating_mul(factor).min(LONGEST);
        if now >= until { May::Start } else { May::Wait(until) }
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// How often it crashed since it was last healthy.
    pub(crate) fn count(&self) -> u32 {
        self.streak
    }
}

#[cfg(test)]
mod tests {
    use super::{Crashes, May};
    use std::time::Duration;
    use tokio::time::Instant;

    const SECOND: Duration = Duration::from_secs(1);

    /// Failure 89: one crash bans nobody; a loop is stopped, and only until somebody asks.
    #[test]
    fn a_loop_is_stopped_and_can_be_cleared() {
        let start = Instant::now();
        let mut crashes = Crashes::default();
        assert_eq!(crashes.may_start(start), May::Start);
        crashes.crashed(start, SECOND);
        assert_eq!(crashes.may_start(start), May::Start);
        let second = start + 20 * SECOND;
        crashes.crashed(second, SECOND);
        assert_eq!(crashes.may_start(second), May::Wait(second + 10 * SECOND));
        assert_eq!(crashes.may_start(second + 10 * SECOND), May::Start);
        let third = start + 299 * SECOND;
        crashes.crashed(third, SECOND);
        assert_eq!(crashes.may_start(third + 10_000 * SECOND), May::Stopped);
        crashes.clear();
        assert_eq!((crashes.may_start(third), crashes.count()), (May::Start, 0));
    }

    /// Failure 89: the wait grows to ten minutes and no further.
    #[test]
    fn slow_crashes_are_left_alone_for_longer_and_longer() {
        let mut crashes = Crashes::default();
        let mut now = Instant::now();
        let mut waits = Vec::new();
        for _ in 0..9 {
            crashes.crashed(now, 151 * SECOND);
            waits.push(match crashes.may_start(now) {
                May::Start => 0,
                May::Wait(until) => (until - now).as_secs(),
                May::Stopped => panic!("they are far apart"),
            });
            now += 151 * SECOND;
        }
        assert_eq!(waits, [0, 10, 20, 40, 80, 160, 320, 600, 600]);
    }

    #[test]
    fn a_healthy_run_forgets() {
        let mut crashes = Crashes::default();
        let now = Instant::now();
        crashes.crashed(now, SECOND);
        crashes.crashed(now + 400 * SECOND, SECOND);
        crashes.crashed(now + 2_000 * SECOND, 1_000 * SECOND);
        assert_eq!(crashes.may_start(now + 2_000 * SECOND), May::Start);
        assert_eq!(crashes.count(), 1);
    }
}
