//! Hand-shake, requests, readiness.

use super::{Fake, progress};
use crate::client::Kind;
use crate::error::LspError;
use crate::spec::Readiness;
use crate::text::Encoding;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;
use tool_testkit::{Script, Verb};
use tool_wire::{RemoteError, WireError};

fn loads() -> Readiness {
    Readiness::Progress {
        titles: Vec::new(),
        grace: Duration::from_secs(3),
        settle: Duration::from_millis(500),
    }
}

fn call(method: &str, params: Value) -> Verb {
    Verb::Call(method.into(), params)
}

/// Failures 70 to 73 and 106: what a server asks while it starts is answered then, each with what it needs; numbers that
/// equal ours mix nothing up; edits that nobody asked for are refused.
#[tokio::test(start_paused = true)]
async fn questions_of_a_starting_server_are_answered() {
    let registration = json!({"registrations": [{"id": "1", "method": "workspace/symbol"}]});
    let items = json!({"items": [{"section": "fake.deep"}, {"section": "other"}, {}]});
    let script = Script::new().on(
        "initialize",
        [
            call("client/registerCapability", registration),
            call("workspace/configuration", items),
            call("window/workDoneProgress/create", json!({"token": "t"})),
            call("workspace/applyEdit", json!({"edit": {}})),
            call(
                "window/showMessageRequest",
                json!({"type": 3, "message": "m", "actions": [{"title": "Yes"}]}),
            ),
            call("workspace/diagnostic/refresh", Value::Null),
            call("something/else", Value::Null),
            Verb::Reply(json!({"capabilities": {}, "serverInfo": {"version": "9"}})),
        ],
    );
    let fake = Fake::try_new(script, |_| ()).await.unwrap_or_else(|error| panic!("{error}"));
    fake.heard(&[]).await;
    let answers: Vec<Value> =
        fake.server.heard().into_iter().filter(|message| message.get("method").is_none()).collect();
    let results: Vec<&Value> = answers.iter().map(|answer| &answer["result"]).collect();
    assert_eq!(*results[0], Value::Null);
    assert_eq!(*results[1], json!([1, null, {"fake": {"deep": 1}}]));
    assert_eq!(*results[2], Value::Null);
    assert_eq!(results[3]["applied"], false);
    assert_eq!((results[4], results[5]), (&Value::Null, &Value::Null));
    assert_eq!(answers[6]["error"]["code"], -32601);
    assert!(answers[..6].iter().all(|answer| answer.get("error").is_none()), "{answers:?}");
    assert!(fake.client.can("workspace/symbol") && !fake.client.can("textDocument/hover"));
    assert_eq!(fake.client.version(), "9");
}

/// Failure 33: parameters that are none are left out; settings are told after the greeting.
#[tokio::test(start_paused = true)]
async fn the_greeting_is_followed_by_settings() {
    let fake = Fake::new(json!({"positionEncoding": "utf-32"}), Script::new()).await;
    let told = fake.heard(&["initialized", "workspace/didChangeConfiguration", "test/last"]).await;
    assert_eq!(told[0]["params"], json!({}));
    assert_eq!(told[1]["params"]["settings"]["fake"]["deep"], 1);
    assert_eq!(told[2].get("params"), None);
    assert_eq!(fake.client.encoding(), Encoding::Utf32);
    assert!(fake.client.stop(tool_wire::Ladder::default()).await.is_none());
    let shutdown = fake.server.heard().into_iter().find(|message| message["method"] == "shutdown");
    assert_eq!(shutdown.expect("it was asked to end").get("params"), None);
}

/// Failure 47: what is known of a server beats what it announces.
#[tokio::test(start_paused = true)]
async fn a_known_lie_is_not_believed() {
    let lie = json!({"positionEncoding": "utf-8"});
    let fake =
        Fake::of(lie, Script::new(), |spec| spec.quirks.encoding = Some("utf-32".into())).await;
    assert_eq!(fake.client.encoding(), Encoding::Utf32);
    assert!(fake.client.notes().iter().any(|note| note.contains("utf-32")));
    fake.client.set_encoding(Encoding::Utf16, "found out");
    assert_eq!(fake.client.encoding(), Encoding::Utf16);
    assert!(fake.client.notes().contains(&"found out".to_string()));
}

/// Failure 10: a server that says something while it starts gets more time; one that is silent does not.
#[tokio::test(start_paused = true)]
async fn a_slow_start_is_waited_for_while_it_shows_life() {
    let budget = |spec: &mut crate::spec::ServerSpec| spec.start_budget = Duration::from_secs(10);
    let slow = [
        Verb::Wait(8_000),
        progress("begin", json!({"title": "JVM"})),
        Verb::Wait(8_000),
        Verb::Reply(json!({"capabilities": {}})),
    ];
    assert!(Fake::try_new(Script::new().on("initialize", slow), budget).await.is_ok());
    let start = Instant::now();
    let silent = Script::new().on("initialize", [Verb::Hold]);
    let error = Fake::try_new(silent, budget).await.err().expect("no answer");
    assert!(matches!(error, LspError::Timeout { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(12));
}

/// Failure 8: what changed under a question is asked again if it only reads, and never if edits come of it.
#[tokio::test(start_paused = true)]
async fn moved_content_is_asked_again_by_reads_only() {
    let moved = || [Verb::Error(-32801, "content modified".into())];
    let script = || {
        Script::new()
            .on("x/ask", moved())
            .on("x/ask", moved())
            .on("x/ask", [Verb::Reply(json!([1]))])
    };
    let fake = Fake::new(json!({}), script()).await;
    assert_eq!(fake.ask(Kind::Read).await.expect("an answer"), json!([1]));
    assert_eq!(fake.heard(&["x/ask"]).await.len(), 3);
    let fake = Fake::new(json!({}), script()).await;
    let error = fake.ask(Kind::Once).await.expect_err("asked once");
    assert!(matches!(error, LspError::Server { code: -32801, .. }), "{error}");
    assert_eq!(fake.heard(&["x/ask"]).await.len(), 1);
}

/// Failure 9: a server that gave a question up may forbid to ask it again.
#[test]
fn a_cancel_by_the_server_may_be_final() {
    let error =
        |code, data: Value| WireError::Remote(RemoteError { code, message: String::new(), data });
    assert!(super::super::is_passing(&error(-32802, Value::Null)));
    assert!(super::super::is_passing(&error(-32802, json!({"retriggerRequest": true}))));
    assert!(!super::super::is_passing(&error(-32802, json!({"retriggerRequest": false}))));
    assert!(!super::super::is_passing(&error(-32603, Value::Null)));
}

/// Failures 1 and 2: a question waits for the end of the loading, for as long as its budget, and says how far it is.
#[tokio::test(start_paused = true)]
async fn a_loading_server_is_waited_for() {
    let loading = [
        progress("begin", json!({"title": "indexing"})),
        progress("report", json!({"percentage": 43})),
        Verb::Wait(20_000),
        progress("end", json!({})),
    ];
    let script = || {
        Script::new()
            .on("textDocument/didOpen", loading.clone())
            .on("x/ask", [Verb::Reply(json!([1]))])
    };
    let patient = Fake::of(json!({}), script(), |spec| spec.readiness = loads()).await;
    patient.client.sync(&patient.path("a.x")).await.expect("it is told");
    assert_eq!(patient.ask(Kind::Read).await.expect("an answer"), json!([1]));
    let hasty = Fake::of(json!({}), script(), |spec| {
        spec.readiness = loads();
        spec.ready_budget = Duration::from_secs(5);
    })
    .await;
    hasty.client.sync(&hasty.path("a.x")).await.expect("it is told");
    let error = hasty.ask(Kind::Read).await.expect_err("it is loading");
    let LspError::NotReady { what, percent, waited, .. } = error else { panic!("{error}") };
    assert_eq!((what.as_str(), percent), ("indexing", Some(43)));
    assert!(waited >= Duration::from_secs(5) && waited < Duration::from_secs(6));
}

/// Failure 6: an answer that was given while the loading began is not believed.
#[tokio::test(start_paused = true)]
async fn an_answer_from_before_the_loading_is_asked_for_again() {
    let script = Script::new()
        .on(
            "x/ask",
            [
                progress("begin", json!({"title": "indexing"})),
                Verb::Reply(json!([1])),
                Verb::Wait(2_000),
                progress("end", json!({})),
            ],
        )
        .on("x/ask", [Verb::Reply(json!([1, 2]))]);
    let fake = Fake::of(json!({}), script, |spec| spec.readiness = loads()).await;
    assert_eq!(fake.ask(Kind::Read).await.expect("an answer"), json!([1, 2]));
}

/// A server that begins to load with each question never gives an answer that can be believed: this has an end.
#[tokio::test(start_paused = true)]
async fn a_server_that_never_rests_is_given_up() {
    let mut script = Script::new();
    for _ in 0..50 {
        script = script.on(
            "x/ask",
            [
                progress("begin", json!({"title": "w"})),
                progress("end", json!({})),
                Verb::Reply(json!([1])),
            ],
        );
    }
    let fake = Fake::of(json!({}), script, |spec| spec.readiness = loads()).await;
    let error = fake.ask(Kind::Read).await.expect_err("never at rest");
    assert!(matches!(error, LspError::NotReady { .. }), "{error}");
    assert!(fake.heard(&["x/ask"]).await.len() < 10);
}

/// A server without any signal is ready with its first answer that is one.
#[tokio::test(start_paused = true)]
async fn the_first_answer_is_waited_for() {
    let script = Script::new()
        .on("x/ask", [Verb::Reply(Value::Null)])
        .on("x/ask", [Verb::Reply(json!([]))])
        .on("x/ask", [Verb::Reply(json!([1]))])
        .on("x/ask", [Verb::Reply(json!([]))]);
    let fake = Fake::of(json!({}), script, |spec| spec.readiness = Readiness::FirstAnswer).await;
    assert_eq!(fake.ask(Kind::Read).await.expect("an answer"), json!([1]));
    assert_eq!(fake.ask(Kind::Read).await.expect("an answer"), json!([]));
}

/// Failure 82: who waited long enough tells the server so, and the next question is not harmed.
#[tokio::test(start_paused = true)]
async fn a_question_that_is_given_up_is_cancelled() {
    let fake = Fake::new(json!({}), Script::new().on("x/slow", [Verb::Hold])).await;
    let limit = Duration::from_secs(3);
    let error =
        fake.client.request("the slow thing", "x/slow", Value::Null, Kind::Read, limit).await;
    let error = error.expect_err("no answer");
    assert!(error.to_string().contains("the slow thing within 3 s"), "{error}");
    assert_eq!(fake.heard(&["$/cancelRequest"]).await.len(), 1);
}

/// Failure 5: an end in the middle fails what waits, with what is known, and the gate does not open.
#[tokio::test(start_paused = true)]
async fn an_end_in_the_middle_is_told() {
    let fake = Fake::new(json!({}), Script::new().on("x/ask", [Verb::Exit(1)])).await;
    let error = fake.ask(Kind::Read).await.expect_err("it ended");
    assert!(matches!(error, LspError::Ended { .. }), "{error}");
    let mut changes = fake.client.changes();
    while fake.client.is_alive() {
        changes.changed().await.expect("the client is there");
    }
    fake.client.gone().await;
    let error = fake.ask(Kind::Read).await.expect_err("it ended");
    assert!(matches!(error, LspError::Ended { .. }), "{error}");
}
