//! The scripted side in memory obeys its verbs.

use crate::support::wait;
use serde_json::json;
use tool_testkit::{Script, Scripted, Verb};
use tool_wire::{EndedWhy, Framing, Inbound, Inbox, JsonRpc, Peer, PeerOptions, WireError, pair};

fn start(framing: Framing, script: Script) -> (Peer, Inbox, Scripted) {
    let (ours, theirs) = pair(256);
    let scripted = Scripted::start(theirs, framing, script);
    let (peer, inbox) =
        Peer::start(ours.reader, ours.writer, JsonRpc::lsp(), PeerOptions::new(framing));
    (peer, inbox, scripted)
}

#[tokio::test(start_paused = true)]
async fn shapes_of_frames() {
    for framing in [Framing::ContentLength, Framing::JsonLines] {
        let script = Script::new()
            .start([Verb::Noise("hello\n".into()), Verb::BadUtf8])
            .on("split", [Verb::Split(1), Verb::Reply(json!("é"))])
            .on("glue", [Verb::Glue, Verb::Event("e".into(), json!(1)), Verb::Reply(json!(2))])
            .on(
                "long",
                [Verb::BadLength(9), Verb::Reply(json!(3)), Verb::Event("e".into(), json!(4))],
            )
            .on("odd", [Verb::UnknownId(json!(0)), Verb::Twice(json!(5))])
            .on("refused", [Verb::Error(-1, "no".into())])
            .on("asks", [Verb::Call("theirs".into(), json!({})), Verb::Reply(json!(6))]);
        let (peer, mut inbox, scripted) = start(framing, script);
        let calls = [
            ("split", json!("é")),
            ("glue", json!(2)),
            ("long", json!(3)),
            ("odd", json!(5)),
            ("asks", json!(6)),
            ("else", json!(null)),
        ];
        for (method, want) in calls {
            assert_eq!(
                peer.call(method, None, wait("an answer")).await.unwrap(),
                want,
                "{method} {framing:?}"
            );
        }
        assert_eq!(peer.call("refused", None, wait("x")).await.unwrap_err().to_string(), "no (-1)");
        let mut names = Vec::new();
        for _ in 0..3 {
            match inbox.next().await.unwrap() {
                Inbound::Event { method, .. } | Inbound::Call { method, .. } => names.push(method),
            }
        }
        assert_eq!(names, ["e", "e", "theirs"]);
        drop(peer);
        let heard = scripted.ended().await;
        let refusals = heard.iter().filter(|message| message.get("error").is_some()).count();
        assert!(heard.len() >= 7 && refusals <= 1, "{heard:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn ends() {
    for (verb, lost) in
        [(Verb::Exit(1), false), (Verb::CloseOutput, false), (Verb::ExitMidFrame(1), true)]
    {
        let (peer, _inbox, _scripted) =
            start(Framing::ContentLength, Script::new().on("x", [verb]));
        let WireError::Closed(ended) = peer.call("x", None, wait("x")).await.unwrap_err() else {
            panic!("closed")
        };
        assert!(matches!(ended.why, EndedWhy::Eof { lost: n } if (n > 0) == lost), "{ended}");
    }
    let (peer, _inbox, scripted) =
        start(Framing::ContentLength, Script::new().on("x", [Verb::Hang]));
    assert!(matches!(peer.call("x", None, wait("x")).await, Err(WireError::Deadline { .. })));
    assert_eq!(scripted.heard().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn held_answers_come_backwards() {
    let script = Script::new().on("a", [Verb::Hold]).on("b", [Verb::Hold, Verb::Release]);
    let (peer, _inbox, _scripted) = start(Framing::ContentLength, script);
    let (a, b) = tokio::join!(peer.call("a", None, wait("a")), peer.call("b", None, wait("b")));
    assert_eq!((a.unwrap(), b.unwrap()), (json!("a"), json!("b")));
}
