//! One call: outcome, errors, panics, nesting, events.

use tool_core::serde_json::{Value, json};
use tool_core::{
    AgentPath, Args, CallEvent, CallRequest, ErrorKind, FnTool, Origin, Progress, RegistryBuilder,
    Tier, ToolError, ToolOutput, ToolSpec,
};

use crate::support::{Log, build, call, kind, says, spec, tool};

#[tokio::test]
async fn the_outcome_is_the_protocols_result_object() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("good", Tier::Read), |_| async {
                Ok(ToolOutput::text("found").details(json!({ "total": 1 })))
            }))
            .tool(tool(spec("bad", Tier::Read), |_| async {
                Err(ToolError::conflict("it has changed")
                    .hint("read it again")
                    .details(json!({ "mismatched": ["a"] }))
                    .with_partial(ToolOutput::text("so far")))
            })),
    );
    let outcome = view.invoke(call("good").client_id("toolu_7")).await;
    assert_eq!(outcome.client_id.as_deref(), Some("toolu_7"));
    let mut object = outcome.to_result_object(Some(json!(7)));
    assert!(object["elapsed_ms"].take().as_f64().is_some_and(|t| t >= 0.0));
    assert_eq!(
        object,
        json!({
            "id": 7, "tool": "good", "ok": true, "content": [{ "type": "text", "text": "found" }],
            "details": { "total": 1 }, "elapsed_ms": null,
        })
    );
    let outcome = view.invoke(call("bad")).await;
    let mut object = outcome.to_result_object(None);
    object["elapsed_ms"].take();
    assert_eq!(
        object,
        json!({
            "tool": "bad", "ok": false, "content": [{ "type": "text", "text": "so far" }],
            "details": { "mismatched": ["a"] }, "elapsed_ms": null,
            "error": { "kind": "conflict", "message": "it has changed\nread it again" },
        })
    );
    assert_eq!(outcome.render_text(), "so far\nconflict: it has changed\nread it again");
}

#[tokio::test]
async fn a_panic_is_an_internal_error_that_keeps_its_text_to_itself() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("boom", Tier::Read), |_| async { panic!("secret at /home/me") })),
    );
    let outcome = view.invoke(call("boom")).await;
    assert_eq!(kind(&outcome.result), Some(ErrorKind::Internal));
    let text = outcome.render_text();
    assert!(!text.contains("secret") && text.contains(&outcome.id.to_string()), "{text}");
    let source = outcome.result.expect_err("failed");
    assert!(source.host_source().is_some_and(|s| s.to_string().contains("secret")));
}

#[tokio::test]
async fn what_the_guard_saw_is_what_runs() {
    let schema = json!({
        "type": "object",
        "properties": { "n": { "type": "integer", "description": "n" } },
        "required": ["n"], "additionalProperties": false,
    });
    let show = FnTool::new(
        ToolSpec::new("show", Tier::Read, "Shows.", schema),
        |args: Args, _| async move { Ok(ToolOutput::text(args.value().to_string())) },
    );
    let view = build(RegistryBuilder::new().tool(show));
    for raw in [json!({ "n": "4" }), json!("{\"n\": 4.0}")] {
        let outcome = view.invoke(CallRequest::new("show", raw)).await;
        assert_eq!(outcome.render_text(), r#"{"n":4}"#);
    }
    let outcome = view.invoke(CallRequest::new("show", "not json")).await;
    assert_eq!(kind(&outcome.result), Some(ErrorKind::InvalidArgs));
}

#[tokio::test]
async fn nested_calls_see_the_same_view_and_end_somewhere() {
    let view = build(
        RegistryBuilder::new()
            .tool(says("inner", Tier::Read))
            .tool(says("writer", Tier::Write))
            .tool(tool(spec("outer", Tier::Read), |cx| async move {
                let inner = cx.call_tool("inner", json!({})).await;
                assert_eq!(inner.origin, Origin::Nested { parent: cx.id(), depth: 1 });
                let hidden = cx.call_tool("writer", json!({})).await;
                Ok(ToolOutput::text(format!("{} {:?}", inner.render_text(), kind(&hidden.result))))
            }))
            .tool(tool(spec("deep", Tier::Read), |cx| async move {
                let depth = cx.origin().depth();
                let below = cx.call_tool("deep", "{}").await;
                match below.result {
                    Err(e) if e.kind() == ErrorKind::Limit => {
                        Ok(ToolOutput::text(format!("down to {depth}")))
                    }
                    other => other,
                }
            })),
    );
    let outcome = view.narrowed(Tier::Read).invoke(call("outer")).await;
    assert_eq!(outcome.render_text(), "inner Some(UnknownTool)");
    assert_eq!(view.invoke(call("deep")).await.render_text(), "down to 8");
}

#[tokio::test]
async fn events_tell_the_life_of_a_call_and_finished_is_never_lost() {
    let view =
        build(RegistryBuilder::new().tool(tool(spec("busy", Tier::Read), |cx| async move {
            for done in 0..50 {
                cx.progress(Progress::Fraction { done, total: Some(50) });
            }
            drop(cx.human_wait());
            Ok(ToolOutput::text("done"))
        })));
    let mut events = view.scope().events();
    for _ in 0..700 {
        let outcome = view.invoke(call("busy").client_id("x")).await;
        assert!(!outcome.is_error());
        if outcome.id.number() == 1 {
            let log = Log::default();
            for _ in 0..6 {
                match events.recv().await.expect("six events") {
                    CallEvent::Queued { client_id, tool, agent, .. } => {
                        assert_eq!((client_id.as_deref(), tool.as_str()), (Some("x"), "busy"));
                        assert_eq!(agent, AgentPath::root());
                        log.add("queued");
                    }
                    CallEvent::Started { .. } => log.add("started"),
                    CallEvent::Progress { progress: Progress::Fraction { done, .. }, .. } => {
                        log.add(format!("at {done}"));
                    }
                    CallEvent::HumanWait { on, .. } => log.add(format!("waits {on}")),
                    CallEvent::Finished(o) => log.add(o.render_text()),
                    other => panic!("{other:?}"),
                }
            }
            let want = ["queued", "started", "at 49", "waits true", "waits false", "done"];
            assert_eq!(log.all(), want, "only the newest progress");
        }
    }
    let mut finished = 0;
    while let Some(event) = events.try_recv() {
        finished += u32::from(matches!(event, CallEvent::Finished(_)));
    }
    assert_eq!(finished, 699);
    assert!(events.dropped() > 0);
    drop(view);
    assert!(events.recv().await.is_none(), "the scope is gone");
}

#[tokio::test]
async fn the_text_of_an_answer_keeps_its_budget() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("long", Tier::Read).output_budget(1_000), |_| async {
                Ok(ToolOutput::text("word\n".repeat(10_000)).note("broken build"))
            })),
    );
    let output = view.invoke(call("long")).await.result.expect("a success");
    assert!(output.render_text().len() < 1_400);
    assert_eq!(output.notes, ["broken build"], "what a layer adds is never what is cut");
    assert_eq!(output.elided.map(|e| e.total_lines), Some(10_000));
}

#[test]
fn without_a_runtime_the_call_says_what_it_needs() {
    let view = build(RegistryBuilder::new().tool(says("a", Tier::Read)));
    let waker = std::task::Waker::noop();
    let mut cx = std::task::Context::from_waker(waker);
    let mut invoke = std::pin::pin!(view.invoke(call("a")));
    let std::task::Poll::Ready(outcome) = invoke.as_mut().poll(&mut cx) else {
        panic!("it waits");
    };
    assert_eq!(kind(&outcome.result), Some(ErrorKind::Unavailable));
    assert!(outcome.render_text().contains("tokio runtime"));
    assert_eq!(outcome.to_result_object(None)["details"], Value::Object(Default::default()));
}
