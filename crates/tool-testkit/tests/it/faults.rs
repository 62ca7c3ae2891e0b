//! Each fault of a real process, and what a caller sees of it.

use crate::support::{Server, quick, serve, wait};
use serde_json::json;
use std::time::Duration;
use tool_testkit::{Script, Verb};
use tool_wire::{EndedWhy, Inbound, Wait, WireError};

/// Calls `x` and gives the error's text.
async fn failure(test: &str, verbs: impl IntoIterator<Item = Verb>) -> Option<(String, Server)> {
    let server = serve(test, Script::new().on("x", verbs)).await?;
    let error =
        server.peer.call("x", None, wait("an answer that does not come")).await.unwrap_err();
    Some((error.to_string(), server))
}

#[tokio::test]
async fn frames_in_every_shape_arrive() {
    let script = Script::new()
        .start([Verb::Noise("starting\n".into()), Verb::BadUtf8])
        .on("split", [Verb::Noise("log: ".into()), Verb::Split(1), Verb::Reply(json!("é"))])
        .on("glue", [Verb::Glue, Verb::Event("e".into(), json!(1)), Verb::Reply(json!(2))])
        .on("long", [Verb::BadLength(5), Verb::Reply(json!(3)), Verb::Event("e".into(), json!(4))])
        .on("twice", [Verb::UnknownId(json!(0)), Verb::Twice(json!(5))])
        .on("refused", [Verb::Error(-32803, "no".into())]);
    let Some(mut server) = serve("frames_in_every_shape_arrive", script).await else { return };
    for (method, want) in
        [("split", json!("é")), ("glue", json!(2)), ("long", json!(3)), ("twice", json!(5))]
    {
        assert_eq!(server.peer.call(method, None, wait(method)).await.unwrap(), want);
    }
    let refused = server.peer.call("refused", None, wait("refused")).await.unwrap_err();
    assert_eq!(refused.to_string(), "no (-32803)");
    for want in [1, 4] {
        let Some(Inbound::Event { params, .. }) = server.inbox.next().await else {
            panic!("an event")
        };
        assert_eq!(params, json!(want));
    }
    assert_eq!(server.peer.oddities().unknown, 2);
    assert!(server.peer.oddities().noise > 0);
}

#[tokio::test]
async fn held_answers_come_in_any_order() {
    let script = Script::new().on("a", [Verb::Hold]).on("b", [Verb::Hold, Verb::Release]);
    let Some(server) = serve("held_answers_come_in_any_order", script).await else { return };
    let (a, b) = tokio::join!(
        server.peer.call("a", None, wait("a")),
        server.peer.call("b", None, wait("b")),
    );
    assert_eq!((a.unwrap(), b.unwrap()), (json!("a"), json!("b")));
}

#[tokio::test]
async fn a_crash_gives_the_code_and_the_last_words() {
    let verbs = [Verb::Complain("config.toml: no such file".into()), Verb::Exit(3)];
    let Some((error, _server)) = failure("a_crash_gives_the_code_and_the_last_words", verbs).await
    else {
        return;
    };
    assert_eq!(error, "it ended with exit code 3; it said on stderr: config.toml: no such file");
}

#[tokio::test]
async fn a_crash_in_the_middle_of_a_message_says_so() {
    let Some((error, _server)) =
        failure("a_crash_in_the_middle_of_a_message_says_so", [Verb::ExitMidFrame(1)]).await
    else {
        return;
    };
    assert!(error.starts_with("it ended with exit code 1 in the middle of a message"), "{error}");
}

#[tokio::test]
async fn a_closed_output_fails_what_waits_while_the_program_lives() {
    let Some((error, server)) =
        failure("a_closed_output_fails_what_waits_while_the_program_lives", [Verb::CloseOutput])
            .await
    else {
        return;
    };
    assert_eq!(error, "it closed its output");
    assert!(server.child.watch().is_gone().is_none());
}

#[tokio::test]
async fn a_closed_input_fails_what_waits_while_the_program_lives() {
    let test = "a_closed_input_fails_what_waits_while_the_program_lives";
    let Some(server) =
        serve(test, Script::new().on("x", [Verb::Reply(json!(1)), Verb::CloseInput])).await
    else {
        return;
    };
    server.peer.call("x", None, wait("x")).await.unwrap();
    // The first may still fit into the pipe; none is answered.
    let error = loop {
        match server.peer.call("y", None, Wait::new("an answer", Duration::from_millis(200))).await
        {
            Err(WireError::Deadline { .. }) => {}
            other => break other.unwrap_err(),
        }
    };
    let WireError::Closed(ended) = error else { panic!("closed") };
    assert_eq!(ended.why, EndedWhy::InputClosed);
}

#[tokio::test]
async fn a_flood_on_the_error_stream_blocks_nothing_and_stays_bounded() {
    let script = Script::new()
        .on("x", [Verb::Stderr(2_000_000), Verb::Complain("\nlast".into()), Verb::Reply(json!(1))]);
    let Some(server) = serve("a_flood_on_the_error_stream", script).await else { return };
    assert_eq!(server.peer.call("x", None, wait("x")).await.unwrap(), json!(1));
    server.peer.close_input();
    server.child.watch().gone().await;
    assert_eq!(server.child.watch().last_words().await, "last");
}

#[tokio::test]
async fn one_that_hangs_is_stopped_all_the_same() {
    let script = Script::new().on("x", [Verb::IgnoreTerm, Verb::Reply(json!(1)), Verb::Hang]);
    let Some(server) = serve("one_that_hangs_is_stopped_all_the_same", script).await else {
        return;
    };
    server.peer.call("x", None, wait("x")).await.unwrap();
    let goodbye = async {
        let _ = server.peer.call("shutdown", None, wait("shutdown")).await;
    };
    let report = server.child.stop(quick(), goodbye, || server.peer.close_input()).await;
    assert_eq!(
        (report.rung, report.exit.unwrap().signal, report.survivors),
        (tool_wire::Rung::Killed, Some(9), 0)
    );
    assert!(server.guard.alive().is_empty());
    assert!(server.dir.path().is_dir());
}
