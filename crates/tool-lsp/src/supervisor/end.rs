//! The end of a run: every server is led out, or killed.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use tool_core::{CloseWhy, Closed, Resource};
use tool_wire::Ladder;

use super::Supervisor;

/// Nine seconds are shared out as [`Ladder`] does it; less time shortens every step.
fn ladder(within: Duration) -> Ladder {
    let full = Ladder::default();
    let sum = full.goodbye + full.close + full.terminate + full.kill;
    // A little is kept for what is between the steps.
    let within = within.mul_f64(0.9);
    if within >= sum {
        return full;
    }
    let part = within.as_secs_f64() / sum.as_secs_f64();
    Ladder {
        goodbye: full.goodbye.mul_f64(part),
        close: full.close.mul_f64(part),
        terminate: full.terminate.mul_f64(part),
        kill: full.kill.mul_f64(part),
    }
}

#[async_trait]
impl Resource for Supervisor {
    fn name(&self) -> String {
        "language servers".into()
    }

    async fn close(&self, _why: CloseWhy, within: Duration) -> Closed {
        self.shared.closing.store(true, Ordering::Release);
        let slots = self.shared.all();
        let stops = slots.iter().map(|slot| slot.take().end(ladder(within)));
        let left: Vec<String> = join_all(stops).await.into_iter().flatten().collect();
        if left.is_empty() { Closed::Clean } else { Closed::Left(left.join("; ")) }
    }

    fn abandon(&self) {
        self.shared.closing.store(true, Ordering::Release);
        for slot in self.shared.all() {
            slot.abandon();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ladder;
    use std::time::Duration;
    use tool_wire::Ladder;

    #[test]
    fn a_ladder_fits_its_time() {
        for seconds in [1, 3, 9] {
            let within = Duration::from_secs(seconds);
            let got = ladder(within);
            let sum = got.goodbye + got.close + got.terminate + got.kill;
            assert!(sum < within && sum > within / 2, "{seconds}: {got:?}");
        }
        assert_eq!(ladder(Duration::from_secs(60)).close, Ladder::default().close);
    }
}
