//! Stops: cancel, limits, grace, races, drops, shields.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::time::{Instant, sleep, timeout};
use tool_core::serde_json::json;
use tool_core::{
    CallEvent, CancellationToken, CloseWhy, ErrorKind, RegistryBuilder, Tier, ToolError, ToolOutput,
};

use crate::support::{Log, build, call, kind, ms, secs, spec, tool};

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_has_its_grace_and_then_is_dropped() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("deaf", Tier::Read).teardown_grace(secs(3)), |_| async {
                sleep(secs(100)).await;
                Ok(ToolOutput::text("never"))
            }))
            .tool(tool(spec("polite", Tier::Read), |cx| async move {
                cx.cancel().cancelled().await;
                sleep(secs(1)).await;
                Err(ToolError::failed("half done").with_partial(ToolOutput::text("3 of 5 files")))
            })),
    );
    for (name, took, said) in [("deaf", secs(4), ""), ("polite", secs(2), "half done")] {
        let token = CancellationToken::new();
        let begun = Instant::now();
        let (outcome, ()) = tokio::join!(view.invoke(call(name).cancel(token.clone())), async {
            sleep(secs(1)).await;
            token.cancel();
        });
        assert_eq!(
            kind(&outcome.result),
            Some(ErrorKind::Cancelled),
            "an error after a stop is the stop's"
        );
        assert_eq!(begun.elapsed(), took, "{name}");
        let text = outcome.render_text();
        assert!(text.contains("cancelled: ") && text.contains(said), "{text}");
        assert_eq!(text.contains("3 of 5 files"), name == "polite", "what there was is kept");
    }
}

#[tokio::test(start_paused = true)]
async fn a_value_that_was_ready_wins_over_the_stop() {
    let view =
        build(RegistryBuilder::new().tool(tool(spec("quick", Tier::Read), |cx| async move {
            cx.cancel().cancelled().await;
            Ok(ToolOutput::text("in time"))
        })));
    let token = CancellationToken::new();
    let (outcome, ()) = tokio::join!(view.invoke(call("quick").cancel(token.clone())), async {
        sleep(secs(1)).await;
        token.cancel();
    });
    assert_eq!(outcome.render_text(), "in time");
}

#[tokio::test(start_paused = true)]
async fn a_limit_stops_one_call_and_no_other_with_the_same_token() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("slow", Tier::Read).time_limit(Some(secs(5))), |cx| async move {
                cx.or_cancelled(sleep(secs(100))).await?;
                Ok(ToolOutput::text("never"))
            }))
            .tool(tool(spec("steady", Tier::Read), |_| async {
                sleep(secs(20)).await;
                Ok(ToolOutput::text("done"))
            })),
    );
    let token = CancellationToken::new();
    let outcomes = view
        .invoke_all(vec![call("slow").cancel(token.clone()), call("steady").cancel(token.clone())])
        .await;
    assert_eq!(kind(&outcomes[0].result), Some(ErrorKind::Timeout));
    assert!(outcomes[0].render_text().contains("limit of 5 s"), "{}", outcomes[0].render_text());
    assert_eq!(outcomes[1].render_text(), "done");
    assert!(!token.is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_person_stops_the_clock_of_the_call_and_of_its_parents() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("ask", Tier::Read).time_limit(Some(secs(5))), |cx| async move {
                let wait = cx.human_wait();
                sleep(secs(600)).await;
                drop(wait);
                cx.or_cancelled(sleep(secs(4))).await?;
                Ok(ToolOutput::text("answered"))
            }))
            .tool(tool(spec("cell", Tier::Read).time_limit(Some(secs(5))), |cx| async move {
                let inner = cx.call_tool("ask", json!({})).await;
                cx.or_cancelled(sleep(secs(2))).await?;
                Ok(ToolOutput::text(inner.render_text()))
            })),
    );
    assert_eq!(view.invoke(call("ask")).await.render_text(), "answered");
    let outcome = view.invoke(call("cell")).await;
    assert_eq!(
        kind(&outcome.result),
        Some(ErrorKind::Timeout),
        "4 s + 2 s of its own are over 5 s"
    );
    assert_eq!(outcome.elapsed.as_secs(), 605);
}

#[tokio::test(start_paused = true)]
async fn a_stop_before_the_start_never_starts() {
    let started = Arc::new(AtomicBool::new(false));
    let flag = started.clone();
    let view = build(RegistryBuilder::new().tool(tool(spec("a", Tier::Read), move |_| {
        flag.store(true, Ordering::SeqCst);
        async { Ok(ToolOutput::text("ran")) }
    })));
    let token = CancellationToken::new();
    token.cancel();
    let outcome = view.invoke(call("a").cancel(token)).await;
    assert_eq!(kind(&outcome.result), Some(ErrorKind::Cancelled));
    assert!(!started.load(Ordering::SeqCst));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_stops_what_it_asked_for_and_still_has_an_outcome() {
    let log = Log::default();
    let inner = log.clone();
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("outer", Tier::Read), |cx| async move {
                cx.call_tool("inner", json!({})).await.result
            }))
            .tool(tool(spec("inner", Tier::Read), move |cx| {
                let log = inner.clone();
                async move {
                    let token = cx.cancel().clone();
                    tokio::spawn(async move {
                        token.cancelled().await;
                        log.add("the actor heard it");
                    });
                    sleep(secs(100)).await;
                    Ok(ToolOutput::text("never"))
                }
            })),
    );
    let mut events = view.scope().events();
    assert!(timeout(secs(1), view.invoke(call("outer"))).await.is_err());
    tokio::task::yield_now().await;
    assert_eq!(log.all(), ["the actor heard it"]);
    let mut ends = Vec::new();
    while let Some(event) = events.try_recv() {
        if let CallEvent::Finished(outcome) = event {
            ends.push((outcome.name.clone(), kind(&outcome.result)));
        }
    }
    let cancelled = Some(ErrorKind::Cancelled);
    assert_eq!(ends, [("inner".to_owned(), cancelled), ("outer".to_owned(), cancelled)]);
}

#[tokio::test(start_paused = true)]
async fn a_shielded_commit_is_waited_for_through_stop_and_limit() {
    let commits = Arc::new(AtomicUsize::new(0));
    let c = commits.clone();
    let view = build(
        RegistryBuilder::new()
            .tool(tool(
                spec("commit", Tier::Write)
                    .time_limit(Some(secs(5)))
                    .teardown_grace(secs(1))
                    .exclusive(),
                move |cx| {
                    let commits = c.clone();
                    async move {
                        let n = cx
                            .shield("commit", async move {
                                sleep(secs(30)).await;
                                commits.fetch_add(1, Ordering::SeqCst) + 1
                            })
                            .await;
                        Ok(ToolOutput::text(format!("committed {n}")))
                    }
                },
            ))
            .tool(tool(
                spec("outer", Tier::Read).time_limit(Some(secs(2))).teardown_grace(secs(1)),
                |cx| async move { cx.call_tool("commit", json!({})).await.result },
            )),
    );
    // Over its limit: the commit is done, so the outcome says so.
    assert_eq!(view.invoke(call("commit")).await.render_text(), "committed 1");
    // The parent of a nested commit waits too.
    assert_eq!(view.invoke(call("outer")).await.render_text(), "committed 2");
    // Dropped: it runs on, keeps the lane, and the scope waits for it.
    assert!(timeout(secs(3), view.invoke(call("commit"))).await.is_err());
    let begun = Instant::now();
    let next = view.invoke(call("commit")).await;
    assert_eq!(next.render_text(), "committed 4");
    assert_eq!(begun.elapsed(), secs(57));
    assert!(timeout(secs(3), view.invoke(call("commit"))).await.is_err());
    let report = view.scope().close(CloseWhy::Finished, secs(60)).await;
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(commits.load(Ordering::SeqCst), 5);
}

#[tokio::test]
async fn a_shield_for_blocking_work_hands_on_its_panic() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("sum", Tier::Write), |cx| async move {
                let n = cx.shield_blocking("sum", || (1..=10).sum::<u32>()).await;
                Ok(ToolOutput::text(n.to_string()))
            }))
            .tool(tool(spec("boom", Tier::Write), |cx| async move {
                cx.shield_blocking("boom", || assert!(cx_is_fine(), "inside")).await;
                Ok(ToolOutput::new())
            })),
    );
    assert_eq!(view.invoke(call("sum")).await.render_text(), "55");
    let outcome = view.invoke(call("boom")).await;
    assert_eq!(kind(&outcome.result), Some(ErrorKind::Internal));
    assert!(view.scope().close(CloseWhy::Finished, secs(1)).await.is_clean());
}

fn cx_is_fine() -> bool {
    false
}

#[tokio::test(start_paused = true)]
async fn closing_the_run_stops_its_calls_and_refuses_new_ones() {
    let view = build(RegistryBuilder::new().tool(tool(
        spec("wait", Tier::Read).time_limit(None),
        |cx| async move {
            cx.or_cancelled(std::future::pending::<()>()).await?;
            Ok(ToolOutput::new())
        },
    )));
    let (outcome, report) = tokio::join!(view.invoke(call("wait")), async {
        sleep(ms(10)).await;
        view.scope().close(CloseWhy::Cancelled, secs(5)).await
    });
    assert_eq!(kind(&outcome.result), Some(ErrorKind::Cancelled));
    assert!(report.is_clean(), "{report:?}");
    let late = view.invoke(call("wait")).await;
    assert_eq!(kind(&late.result), Some(ErrorKind::Unavailable));
}
