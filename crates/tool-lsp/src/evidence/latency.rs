//! How long a server took for its verdicts, so that it is given time enough.

use std::collections::VecDeque;
use std::time::Duration;

/// Verdicts that are remembered.
const KEPT: usize = 64;

/// The last latencies of one server.
#[derive(Default, Debug, Clone)]
pub(crate) struct Latencies {
    last: VecDeque<Duration>,
}

impl Latencies {
    pub(crate) fn add(&mut self, took: Duration) {
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back(took);
    }

    /// The time within which `percent` of them came; `None` without any.
    pub(crate) fn percentile(&self, percent: usize) -> Option<Duration> {
        let mut sorted: Vec<Duration> = self.last.iter().copied().collect();
        sorted.sort_unstable();
        let at = (sorted.len() * percent).div_ceil(100).max(1) - 1;
        sorted.get(at).copied()
    }

    /// How long a write may wait: what the harness allows, but never so short that this server is missed for sure. (Some
    /// wait for a second by themselves before they say anything.)
    pub(crate) fn budget(&self, allowed: Duration) -> Duration {
        const LEAST: Duration = Duration::from_millis(1500);
        const MOST: Duration = Duration::from_secs(10);
        let learned = self.percentile(95).map_or(Duration::ZERO, |p95| (p95 * 2).min(MOST));
        allowed.max(LEAST).max(learned)
    }
}
