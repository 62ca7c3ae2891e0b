//! The permission gate: asked for write and exec only, and no in every doubt.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;
use tool_core::serde_json::json;
use tool_core::{
    CallId, CallRequest, CancellationToken, ErrorKind, GateError, PermissionGate,
    PermissionRequest, RegistryBuilder, Tier, ToolOutput, ToolView, Verdict, async_trait,
};

use crate::support::{Log, build, call, kind, says, secs, spec, tool};

struct Gate<F>(Log, F);

#[async_trait]
impl<F> PermissionGate for Gate<F>
where
    F: Fn() -> Result<Verdict, GateError> + Send + Sync + 'static,
{
    async fn check(&self, request: &PermissionRequest) -> Result<Verdict, GateError> {
        self.0.add(format!("{} {} {}", request.tool, request.tier, request.agent));
        (self.1)()
    }
}

fn gated(
    answer: impl Fn() -> Result<Verdict, GateError> + Send + Sync + 'static,
) -> (ToolView, Log) {
    let log = Log::default();
    let view = build(
        RegistryBuilder::new()
            .tool(says("look", Tier::Read))
            .tool(says("change", Tier::Write))
            .tool(says("drive", Tier::Exec))
            .tool(tool(spec("bridge", Tier::Read), |cx| async move {
                cx.call_tool("change", json!({})).await.result
            }))
            .gate(Arc::new(Gate(log.clone(), answer))),
    );
    (view, log)
}

#[tokio::test]
async fn reads_are_never_asked_about_and_nested_writes_are() {
    let (view, log) = gated(|| Ok(Verdict::Allow));
    for name in ["look", "change", "drive", "bridge"] {
        assert!(!view.invoke(call(name)).await.is_error());
    }
    assert_eq!(log.all(), ["change write root", "drive exec root", "change write root"]);
}

#[tokio::test]
async fn anything_but_a_yes_is_a_no() {
    type Answer = fn() -> Result<Verdict, GateError>;
    let answers: [(Answer, ErrorKind, &str); 6] = [
        (
            || Ok(Verdict::Deny { note: Some("not today".into()) }),
            ErrorKind::Refused,
            "\"not today\"",
        ),
        (|| Ok(Verdict::Deny { note: None }), ErrorKind::Refused, "a person said no"),
        (|| Err(GateError::NoApprover), ErrorKind::Refused, "nobody is there"),
        (
            || Err(GateError::Failed("the room is gone".into())),
            ErrorKind::Refused,
            "the room is gone",
        ),
        (|| panic!("in the gate"), ErrorKind::Refused, "failed inside"),
        (|| Ok(Verdict::Cancelled), ErrorKind::Cancelled, "stopped before"),
    ];
    for (answer, want, part) in answers {
        let (view, _) = gated(answer);
        let outcome = view.invoke(call("change")).await;
        assert_eq!(kind(&outcome.result), Some(want));
        let text = outcome.render_text();
        assert!(text.contains(part) && !text.contains("in the gate"), "{text}");
        assert!(text.starts_with(want.label()), "{text}");
    }
}

#[tokio::test]
async fn allowing_the_same_never_widens() {
    let (view, log) = gated(|| Ok(Verdict::AllowSame));
    let worker = view.for_scope(view.scope().child("w1").build());
    for _ in 0..2 {
        view.invoke(call("change")).await;
        view.narrowed(Tier::Write).invoke(call("change")).await;
        view.invoke(call("drive")).await;
        worker.invoke(call("change")).await;
    }
    let asked = ["change write root", "drive exec root", "change write root/w1"];
    assert_eq!(log.all(), asked, "once for each tool and agent");
}

struct Silent;

#[async_trait]
impl PermissionGate for Silent {
    async fn check(&self, _: &PermissionRequest) -> Result<Verdict, GateError> {
        std::future::pending().await
    }

    fn timeout(&self) -> Duration {
        secs(30)
    }
}

#[tokio::test(start_paused = true)]
async fn a_gate_without_an_answer_denies_in_time_and_holds_no_lane() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("one", Tier::Exec).exclusive().time_limit(Some(secs(5))), |_| async {
                Ok(ToolOutput::text("ran"))
            }))
            .gate(Arc::new(Silent)),
    );
    // Both wait for a person at the same time, so neither is in the lane.
    let begun = tokio::time::Instant::now();
    let (a, b) = tokio::join!(view.invoke(call("one")), view.invoke(call("one")));
    assert_eq!(begun.elapsed(), secs(30));
    for outcome in [a, b] {
        assert_eq!(kind(&outcome.result), Some(ErrorKind::Refused), "never a time-out of the tool");
        assert!(outcome.render_text().contains("nobody answered within 30 s"));
    }
    // A stop ends the question at once.
    let token = CancellationToken::new();
    let (outcome, ()) =
        tokio::join!(view.invoke(CallRequest::new("one", "").cancel(token.clone())), async {
            tokio::time::sleep(secs(1)).await;
            token.cancel();
        });
    assert_eq!(kind(&outcome.result), Some(ErrorKind::Cancelled));
    assert_eq!(outcome.elapsed, secs(1));
}

/// A room where a person answers cards by the id of the call, in any order.
#[derive(Clone, Default)]
struct Room(Arc<Mutex<HashMap<CallId, oneshot::Sender<Verdict>>>>);

#[async_trait]
impl PermissionGate for Room {
    async fn check(&self, request: &PermissionRequest) -> Result<Verdict, GateError> {
        let (answer, answered) = oneshot::channel();
        self.0.lock().expect("no panic inside").insert(request.call, answer);
        answered.await.map_err(|_| GateError::NoApprover)
    }
}

#[tokio::test]
async fn two_open_requests_each_get_their_own_answer() {
    let room = Room::default();
    let gate = Arc::new(room.clone());
    let view = build(RegistryBuilder::new().tool(says("change", Tier::Write)).gate(gate));
    let (first, second, ()) =
        tokio::join!(view.invoke(call("change")), view.invoke(call("change")), async {
            let mut cards: Vec<_> = room.0.lock().expect("no panic inside").drain().collect();
            cards.sort_by_key(|(id, _)| id.number());
            let (_, of_second) = cards.pop().expect("two cards");
            let (_, of_first) = cards.pop().expect("two cards");
            of_second.send(Verdict::Allow).expect("still open");
            of_first.send(Verdict::Deny { note: None }).expect("still open");
        });
    assert_eq!(kind(&first.result), Some(ErrorKind::Refused));
    assert_eq!(kind(&second.result), None);
}
