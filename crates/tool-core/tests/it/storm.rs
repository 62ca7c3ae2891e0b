//! Property: whatever is called, stopped and dropped at the same time, every call has exactly one outcome, lanes hold,
//! and the run closes clean.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use proptest::prelude::*;
use tokio::time::{sleep, timeout};
use tool_core::serde_json::json;
use tool_core::{
    CallEvent, CancellationToken, CloseWhy, ErrorKind, RegistryBuilder, Tier, ToolError,
    ToolOutput, ToolView,
};

use crate::support::{build, call, kind, ms, secs, spec, tool};

const TOOLS: [&str; 6] = ["quick", "slow", "panics", "nests", "commits", "nowhere"];

#[derive(Clone, Copy, Debug)]
enum End {
    Wait,
    Cancel(u64),
    Drop(u64),
}

fn plan() -> impl Strategy<Value = Vec<(usize, u64, End)>> {
    let end = prop_oneof![
        2 => Just(End::Wait),
        1 => (0u64..80).prop_map(End::Cancel),
        1 => (0u64..80).prop_map(End::Drop),
    ];
    prop::collection::vec((0..TOOLS.len(), 0u64..60, end), 1..24)
}

/// In an exclusive tool: how many are, and how many there ever were.
#[derive(Clone, Default)]
struct Inside(Arc<AtomicUsize>, Arc<AtomicUsize>);

impl Inside {
    fn enter(&self) -> Leave {
        let now = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        self.1.fetch_max(now, Ordering::SeqCst);
        Leave(self.clone())
    }
}

struct Leave(Inside);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn view(inside: &Inside) -> ToolView {
    let exclusive = |name: &str| spec(name, Tier::Exec).exclusive().teardown_grace(ms(20));
    let (slow, commits) = (inside.clone(), Inside::default());
    build(
        RegistryBuilder::new()
            .tool(tool(spec("quick", Tier::Read), |_| async { Ok(ToolOutput::text("q")) }))
            .tool(tool(exclusive("slow").time_limit(Some(ms(40))), move |cx| {
                let inside = slow.clone();
                async move {
                    let _in = inside.enter();
                    let long = cx.id().number() % 3;
                    cx.or_cancelled(sleep(ms(20 * long + 10))).await?;
                    Ok(ToolOutput::text("s"))
                }
            }))
            .tool(tool(spec("panics", Tier::Write), |_| async {
                sleep(ms(5)).await;
                panic!("as it does")
            }))
            .tool(tool(exclusive("nests"), |cx| async move {
                let inner = cx.call_tool("slow", json!({})).await;
                let same = cx.call_tool("nests", json!({})).await;
                assert!(same.is_error());
                inner.result.map_err(|_| ToolError::failed("inside"))
            }))
            .tool(tool(exclusive("commits"), move |cx| {
                let inside = commits.clone();
                async move {
                    cx.shield("commit", async move {
                        let entered = inside.enter();
                        sleep(ms(30)).await;
                        drop(entered);
                        assert_eq!(
                            inside.1.load(Ordering::SeqCst),
                            1,
                            "the lane waits for a shield"
                        );
                    })
                    .await;
                    Ok(ToolOutput::text("c"))
                }
            })),
    )
}

async fn storm(plan: Vec<(usize, u64, End)>) -> Result<(), TestCaseError> {
    let inside = Inside::default();
    let view = view(&inside);
    let mut events = view.scope().events();
    let calls = plan.into_iter().map(|(which, after, end)| {
        let view = view.clone();
        async move {
            sleep(ms(after)).await;
            let token = CancellationToken::new();
            let request = call(TOOLS[which]).cancel(token.clone());
            match end {
                End::Wait => drop(view.invoke(request).await),
                End::Drop(after) => drop(timeout(ms(after), view.invoke(request)).await),
                End::Cancel(after) => {
                    let stop = async {
                        sleep(ms(after)).await;
                        token.cancel();
                    };
                    tokio::join!(view.invoke(request), stop);
                }
            }
        }
    });
    join_all(calls).await;
    let next = view.invoke(call("slow")).await;
    prop_assert_ne!(kind(&next.result), Some(ErrorKind::Busy), "a lane was left taken");
    let report = view.scope().close(CloseWhy::Finished, secs(10)).await;
    prop_assert!(report.is_clean(), "{report:?}");
    prop_assert!(inside.1.load(Ordering::SeqCst) <= 1, "an exclusive tool ran twice at once");
    prop_assert_eq!(inside.0.load(Ordering::SeqCst), 0);

    let mut open: HashMap<_, usize> = HashMap::new();
    while let Some(event) = events.try_recv() {
        match event {
            CallEvent::Queued { id, .. } => {
                prop_assert_eq!(open.insert(id, 0), None);
            }
            CallEvent::Finished(outcome) => *open.get_mut(&outcome.id).expect("queued first") += 1,
            _ => {}
        }
    }
    prop_assert!(open.values().all(|n| *n == 1), "{open:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn one_outcome_each_and_nothing_left(plan in plan()) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        runtime.block_on(storm(plan))?;
    }
}
