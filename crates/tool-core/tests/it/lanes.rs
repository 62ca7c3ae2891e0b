//! Lanes: alone per conversation and key, bounded waits, no call that waits for itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::time::{Instant, sleep};
use tool_core::serde_json::json;
use tool_core::{
    Args, CallCx, ErrorKind, Lane, RegistryBuilder, RunScope, Tier, Tool, ToolOutput, ToolSpec,
    async_trait,
};

use crate::support::{CallResult, build, call, kind, ms, scope, secs, spec, tool};

fn slow(name: &str, time: std::time::Duration) -> impl Tool + use<> {
    tool(spec(name, Tier::Exec).exclusive().time_limit(None), move |_| async move {
        sleep(time).await;
        Ok(ToolOutput::text("done"))
    })
}

#[tokio::test(start_paused = true)]
async fn an_exclusive_tool_is_alone_in_its_conversation() {
    let most = Arc::new(AtomicUsize::new(0));
    let now = Arc::new(AtomicUsize::new(0));
    let (m, n) = (most.clone(), now.clone());
    let view =
        build(RegistryBuilder::new().tool(tool(spec("one", Tier::Exec).exclusive(), move |_| {
            let (most, now) = (m.clone(), n.clone());
            async move {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                sleep(ms(10)).await;
                now.fetch_sub(1, Ordering::SeqCst);
                Ok(ToolOutput::text("ok"))
            }
        })));
    let (a, b, c) =
        tokio::join!(view.invoke(call("one")), view.invoke(call("one")), view.invoke(call("one")));
    assert!(!a.is_error() && !b.is_error() && !c.is_error());
    assert_eq!(most.load(Ordering::SeqCst), 1);

    // A narrowed view is in the same lane; a worker is a conversation of its own.
    let begun = Instant::now();
    let narrow = view.narrowed(Tier::Exec);
    let worker = view.for_scope(view.scope().child("w1").build());
    tokio::join!(view.invoke(call("one")), narrow.invoke(call("one")), worker.invoke(call("one")));
    assert_eq!(begun.elapsed(), ms(20));
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn two_runs_of_one_conversation_share_its_lanes() {
    let conversation = RunScope::builder("c").build_conversation();
    let run = || {
        let scope = RunScope::builder("other name").within(&conversation).build();
        RegistryBuilder::new().tool(slow("one", secs(5))).build(scope).expect("builds")
    };
    let (a, b) = (run(), run());
    let begun = Instant::now();
    tokio::join!(a.invoke(call("one")), b.invoke(call("one")));
    assert_eq!(begun.elapsed(), secs(10));
    assert_eq!(a.scope().conversation(), b.scope().conversation());
}

#[tokio::test(start_paused = true)]
async fn a_lane_wait_ends_after_a_minute_and_names_the_holder() {
    let view = build(RegistryBuilder::new().tool(slow("one", secs(300))));
    let (first, second) = tokio::join!(view.invoke(call("one")), async {
        sleep(secs(5)).await;
        let begun = Instant::now();
        let outcome = view.invoke(call("one")).await;
        assert_eq!(begun.elapsed(), secs(60));
        outcome
    });
    assert!(!first.is_error());
    assert_eq!(kind(&second.result), Some(ErrorKind::Busy));
    let text = second.render_text();
    assert!(
        text.contains(&format!("`one` (call {}) has been running for 65 s", first.id)),
        "{text}"
    );
    assert_eq!(second.details()["waited_ms"], json!(60_000));
}

#[tokio::test(start_paused = true)]
async fn a_call_never_waits_for_its_own_ancestor() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("eval", Tier::Exec).exclusive(), |cx| async move {
                let begun = Instant::now();
                let same = cx.call_tool("eval", json!({})).await;
                assert_eq!(begun.elapsed(), ms(0), "busy at once");
                let through = cx.call_tool("relay", json!({})).await;
                let other = cx.call_tool("debug", json!({})).await;
                Ok(ToolOutput::text(format!(
                    "{:?} {} {}",
                    kind(&same.result),
                    through.render_text(),
                    other.render_text()
                )))
            }))
            .tool(tool(spec("relay", Tier::Read), |cx| async move {
                let same = cx.call_tool("eval", json!({})).await;
                Ok(ToolOutput::text(format!("{:?}", kind(&same.result))))
            }))
            .tool(slow("debug", ms(1))),
    );
    let outcome = view.invoke(call("eval")).await;
    assert_eq!(outcome.render_text(), "Some(Busy) Some(Busy) done");
}

#[tokio::test(start_paused = true)]
async fn two_chains_that_want_each_others_lane_get_over_it() {
    let cross = |own: &'static str, other: &'static str| {
        tool(spec(own, Tier::Exec).exclusive(), move |cx| async move {
            sleep(ms(10)).await;
            let begun = Instant::now();
            let outcome = cx.call_tool(other, json!({})).await;
            Ok(ToolOutput::text(format!(
                "{:?} {}",
                kind(&outcome.result),
                begun.elapsed().as_secs()
            )))
        })
    };
    let view = build(RegistryBuilder::new().tool(cross("a", "b")).tool(cross("b", "a")));
    let (a, b) = tokio::join!(view.invoke(call("a")), view.invoke(call("b")));
    let texts = [a.render_text(), b.render_text()];
    assert!(texts.contains(&"Some(Busy) 10".to_owned()), "{texts:?}");
}

/// `pause` passes a waiting `continue`.
struct Debugger(ToolSpec);

#[async_trait]
impl Tool for Debugger {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn lane(&self, args: &Args) -> Lane {
        match args.non_blank("op") {
            Some("pause") => Lane::Free,
            _ => self.0.lane.clone(),
        }
    }

    async fn call(&self, _: &CallCx, args: Args) -> CallResult {
        if args.non_blank("op") == Some("continue") {
            sleep(secs(20)).await;
        }
        Ok(ToolOutput::text("ok"))
    }
}

#[tokio::test(start_paused = true)]
async fn one_tool_may_have_calls_in_its_lane_and_beside_it() {
    let schema = json!({
        "type": "object", "required": ["op"], "additionalProperties": false,
        "properties": { "op": { "type": "string", "description": "what" } },
    });
    let debugger = Debugger(ToolSpec::new("debug", Tier::Exec, "Debugs.", schema).exclusive());
    let view = RegistryBuilder::new().tool(debugger).build(scope()).expect("builds");
    let op = |op: &str| view.invoke(tool_core::CallRequest::new("debug", json!({ "op": op })));
    let begun = Instant::now();
    let (_, paused_after, stack_after) = tokio::join!(
        op("continue"),
        async {
            op("pause").await;
            begun.elapsed()
        },
        async {
            op("stack").await;
            begun.elapsed()
        },
    );
    assert_eq!((paused_after, stack_after), (ms(0), secs(20)));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_or_cancelled_waiter_leaves_the_queue() {
    let view = build(RegistryBuilder::new().tool(slow("one", secs(30))));
    let token = tool_core::CancellationToken::new();
    let (first, dropped, cancelled, last) = tokio::join!(
        view.invoke(call("one")),
        tokio::time::timeout(secs(1), view.invoke(call("one"))),
        async {
            let (outcome, ()) =
                tokio::join!(view.invoke(call("one").cancel(token.clone())), async {
                    sleep(secs(2)).await;
                    token.cancel();
                });
            outcome
        },
        async {
            sleep(secs(3)).await;
            view.invoke(call("one")).await
        }
    );
    assert!(dropped.is_err() && !first.is_error() && !last.is_error());
    assert_eq!(kind(&cancelled.result), Some(ErrorKind::Cancelled));
    assert!(cancelled.elapsed < secs(3) && last.elapsed < secs(60));
}

#[tokio::test(start_paused = true)]
async fn a_context_that_outlives_its_call_holds_no_lane() {
    let view = build(RegistryBuilder::new().tool(tool(
        spec("one", Tier::Exec).exclusive(),
        |cx| async move {
            // A careless tool: the task keeps the context for ever.
            tokio::spawn(async move {
                std::future::pending::<()>().await;
                drop(cx);
            });
            Ok(ToolOutput::text("ok"))
        },
    )));
    for _ in 0..2 {
        let outcome = view.invoke(call("one")).await;
        assert_eq!((outcome.is_error(), outcome.elapsed), (false, ms(0)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn lanes_hold_between_threads() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (n, m) = (now.clone(), most.clone());
    let view =
        build(RegistryBuilder::new().tool(tool(spec("one", Tier::Exec).exclusive(), move |_| {
            let (now, most) = (n.clone(), m.clone());
            async move {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                now.fetch_sub(1, Ordering::SeqCst);
                Ok(ToolOutput::text("ok"))
            }
        })));
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let view = view.clone();
            tokio::spawn(async move {
                for _ in 0..100 {
                    assert!(!view.invoke(call("one")).await.is_error());
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no panic");
    }
    assert_eq!((most.load(Ordering::SeqCst), now.load(Ordering::SeqCst)), (1, 0));
}
