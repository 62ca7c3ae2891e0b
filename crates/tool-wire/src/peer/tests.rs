//! The peer against a hand-held other side in memory. Time is paused, so that deadlines cost nothing.

use super::*;
use crate::dialect::JsonRpc;
use crate::frame::Decoder;
use crate::memory::{End, pair};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const FRAMING: Framing = Framing::ContentLength;

fn wait() -> Wait {
    Wait::new("the test's answer", Duration::from_secs(60))
}

fn options() -> PeerOptions {
    PeerOptions::new(FRAMING)
}

/// The other side: reads and writes one message at a time.
struct Other {
    end: End,
    decoder: Decoder,
}

impl Other {
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(message) = self.decoder.next_object().unwrap() {
                return Some(message);
            }
            let mut buffer = [0; 1024];
            match self.end.reader.read(&mut buffer).await.unwrap() {
                0 => return None,
                n => self.decoder.push(&buffer[..n]),
            }
        }
    }

    async fn say(&mut self, message: Value) {
        self.end.writer.write_all(&FRAMING.encode(&message)).await.unwrap();
    }
}

fn start(options: PeerOptions, capacity: usize) -> (Peer, Inbox, Other) {
    let (ours, end) = pair(capacity);
    let (peer, inbox) = Peer::start(ours.reader, ours.writer, JsonRpc::lsp(), options);
    (peer, inbox, Other { end, decoder: Decoder::new(FRAMING, 1 << 26) })
}

/// Starts a call in a task of its own.
fn call(peer: &Peer, method: &'static str) -> tokio::task::JoinHandle<Result<Value, WireError>> {
    let peer = peer.clone();
    tokio::spawn(async move { peer.call(method, None, wait()).await })
}

#[tokio::test(start_paused = true)]
async fn answers_find_their_questions_in_any_order() {
    let (peer, _inbox, mut other) = start(options(), 4096);
    let (one, two) = (call(&peer, "one"), call(&peer, "two"));
    let (a, b) = (other.next().await.unwrap(), other.next().await.unwrap());
    for message in [b, a] {
        other.say(json!({"id": message["id"], "result": message["method"]})).await;
    }
    assert_eq!(one.await.unwrap().unwrap(), json!("one"));
    assert_eq!(two.await.unwrap().unwrap(), json!("two"));
    assert_eq!((peer.waiting(), peer.oddities()), (0, Oddities::default()));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_is_cancelled_and_its_late_answer_goes_nowhere() {
    let (peer, _inbox, mut other) = start(options(), 4096);
    let dropped = call(&peer, "slow");
    let asked = other.next().await.unwrap();
    dropped.abort();
    let cancel = other.next().await.unwrap();
    assert_eq!(cancel["method"], "$/cancelRequest");
    assert_eq!(cancel["params"]["id"], asked["id"]);
    other.say(json!({"id": asked["id"], "result": 1})).await;
    other.say(json!({"id": asked["id"], "result": 1})).await;
    let next = call(&peer, "next");
    let asked = other.next().await.unwrap();
    other.say(json!({"id": asked["id"], "result": 2})).await;
    assert_eq!(next.await.unwrap().unwrap(), json!(2));
    assert_eq!(peer.oddities(), Oddities { late: 1, unknown: 1, ..Oddities::default() });
}

#[tokio::test(start_paused = true)]
async fn a_deadline_says_what_was_waited_for_and_cancels() {
    let (peer, _inbox, mut other) = start(options(), 4096);
    let error = peer.call("slow", None, wait()).await.unwrap_err();
    assert_eq!(error.to_string(), "no answer within 60s: the test's answer");
    assert_eq!(other.next().await.unwrap()["method"], "slow");
    assert_eq!(other.next().await.unwrap()["method"], "$/cancelRequest");
    assert_eq!(peer.waiting(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_error_of_the_other_side_keeps_its_number() {
    let (peer, _inbox, mut other) = start(options(), 4096);
    let asked = call(&peer, "x");
    let message = other.next().await.unwrap();
    other.say(json!({"id": message["id"], "error": {"code": -32801, "message": "modified"}})).await;
    let WireError::Remote(error) = asked.await.unwrap().unwrap_err() else {
        panic!("a remote error")
    };
    assert_eq!((error.code, error.to_string().as_str()), (-32801, "modified (-32801)"));
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_output_fails_all_that_waits() {
    let (peer, mut inbox, mut other) = start(options(), 4096);
    let (one, two) = (call(&peer, "one"), call(&peer, "two"));
    other.next().await.unwrap();
    other.next().await.unwrap();
    other.end.writer.write_all(b"panic: oh\nContent-Length: 10\r\n\r\n{\"i").await.unwrap();
    drop(other);
    for call in [one, two] {
        let WireError::Closed(ended) = call.await.unwrap().unwrap_err() else { panic!("closed") };
        assert_eq!(ended.why, EndedWhy::Eof { lost: 3 });
        assert!(ended.to_string().contains("panic: oh"), "{ended}");
    }
    assert!(inbox.next().await.is_none());
    let late = peer.call("late", None, wait()).await.unwrap_err();
    assert!(matches!(late, WireError::Closed(_)), "{late}");
    assert!(peer.notify("late", None).await.is_err());
    assert!(peer.is_ended());
}

#[tokio::test(start_paused = true)]
async fn a_call_with_our_number_is_answered_and_takes_no_answer_away() {
    let (peer, mut inbox, mut other) = start(options(), 4096);
    let asked = call(&peer, "ours");
    let ours = other.next().await.unwrap();
    other.say(json!({"id": ours["id"], "method": "theirs", "params": {"a": 1}})).await;
    let Some(Inbound::Call { method, params, replier }) = inbox.next().await else {
        panic!("a call")
    };
    assert_eq!((method.as_str(), params), ("theirs", json!({"a": 1})));
    replier.answer(Ok(json!([null]))).await.unwrap();
    assert_eq!(other.next().await.unwrap()["result"], json!([null]));
    other.say(json!({"id": ours["id"], "result": true})).await;
    assert_eq!(asked.await.unwrap().unwrap(), json!(true));
}

#[tokio::test(start_paused = true)]
async fn no_call_of_the_other_side_stays_unanswered() {
    let (_peer, mut inbox, mut other) = start(options(), 4096);
    other.say(json!({"id": "a", "method": "dropped"})).await;
    drop(inbox.next().await);
    let refused = other.next().await.unwrap();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!("a"), &json!(-32601)));
    drop(inbox);
    other.say(json!({"method": "event"})).await;
    other.say(json!({"id": "b", "method": "nobody"})).await;
    assert_eq!(other.next().await.unwrap()["error"]["message"], "nobody is not supported");
}

#[tokio::test(start_paused = true)]
async fn both_sides_may_write_at_once() {
    // Both directions are full at the same time: with one task for both, neither would go on.
    let (peer, mut inbox, mut other) = start(options(), 64);
    let big = "x".repeat(100_000);
    let asking = tokio::spawn({
        let (peer, big) = (peer.clone(), big.clone());
        async move { peer.call("big", Some(json!(big)), wait()).await }
    });
    other.say(json!({"method": "flood", "params": big})).await;
    let asked = other.next().await.unwrap();
    assert_eq!(asked["params"].as_str().unwrap().len(), 100_000);
    other.say(json!({"id": asked["id"], "result": 0})).await;
    assert!(matches!(inbox.next().await, Some(Inbound::Event { .. })));
    assert_eq!(asking.await.unwrap().unwrap(), json!(0));
}

#[tokio::test(start_paused = true)]
async fn one_that_reads_no_more_is_given_up() {
    let (peer, _inbox, other) = start(options(), 64);
    let big = json!("x".repeat(100_000));
    let long = Wait::new("a long wait", Duration::from_secs(3600));
    let WireError::Closed(ended) = peer.call("big", Some(big), long).await.unwrap_err() else {
        panic!("closed")
    };
    assert_eq!(ended.why, EndedWhy::Stalled);
    drop(other);
}

#[tokio::test(start_paused = true)]
async fn one_that_closed_its_input_is_given_up() {
    let (peer, _inbox, other) = start(options(), 64);
    drop(other.end.reader);
    let WireError::Closed(ended) = peer.call("x", None, wait()).await.unwrap_err() else {
        panic!("closed")
    };
    assert_eq!(ended.why, EndedWhy::InputClosed);
}

#[tokio::test(start_paused = true)]
async fn waiting_bytes_are_bounded_and_a_dropped_caller_takes_no_room() {
    let (peer, _inbox, mut other) = start(PeerOptions { outgoing: 1000, ..options() }, 64);
    let big = json!("x".repeat(900));
    peer.notify("first", Some(big.clone())).await.unwrap();
    let blocked =
        tokio::time::timeout(Duration::from_secs(1), peer.notify("second", Some(big.clone())));
    assert!(blocked.await.is_err(), "there is no room before the first is written");
    assert_eq!(other.next().await.unwrap()["method"], "first");
    peer.notify("third", Some(json!("x".repeat(5000)))).await.unwrap();
    assert_eq!(other.next().await.unwrap()["method"], "third");
}

#[tokio::test(start_paused = true)]
async fn too_large_is_refused_in_both_directions() {
    let (peer, _inbox, mut other) = start(PeerOptions { limit: 100, ..options() }, 4096);
    let error = peer.call("x", Some(json!("x".repeat(100))), wait()).await.unwrap_err();
    assert!(matches!(error, WireError::TooLarge(_)), "{error}");
    let asked = call(&peer, "y");
    other.next().await.unwrap();
    other.say(json!({"result": "x".repeat(100)})).await;
    let WireError::Closed(ended) = asked.await.unwrap().unwrap_err() else { panic!("closed") };
    assert!(matches!(ended.why, EndedWhy::TooLarge(_)), "{ended}");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_ends_it() {
    let (peer, mut inbox, mut other) = start(options(), 4096);
    let clone = peer.clone();
    drop(peer);
    clone.notify("still here", None).await.unwrap();
    assert_eq!(other.next().await.unwrap()["method"], "still here");
    drop(clone);
    assert!(other.next().await.is_none());
    assert!(inbox.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_closed_input_comes_after_what_was_said_and_answers_still_arrive() {
    let (peer, _inbox, mut other) = start(options(), 4096);
    let asked = call(&peer, "last");
    let message = other.next().await.unwrap();
    peer.notify("exit", None).await.unwrap();
    peer.close_input();
    assert_eq!(other.next().await.unwrap()["method"], "exit");
    assert!(other.next().await.is_none());
    other.say(json!({"id": message["id"], "result": 5})).await;
    assert_eq!(asked.await.unwrap().unwrap(), json!(5));
}

#[tokio::test(start_paused = true)]
async fn a_stop_fails_what_waits_even_with_a_full_inbox() {
    let (peer, inbox, mut other) = start(PeerOptions { inbox: 1, ..options() }, 4096);
    let asked = call(&peer, "x");
    other.next().await.unwrap();
    for _ in 0..3 {
        other.say(json!({"method": "event"})).await;
    }
    peer.close();
    let error = asked.await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), "it was stopped");
    drop(inbox);
}

#[tokio::test(start_paused = true)]
async fn what_was_said_before_the_end_arrives_however_slowly_it_is_taken() {
    let (peer, mut inbox, mut other) = start(PeerOptions { inbox: 1, ..options() }, 1 << 20);
    for number in 0..20 {
        other.say(json!({"method": "event", "params": number})).await;
    }
    drop(other.end.reader);
    // The failed write is noticed, and is no reason to throw away what came before.
    peer.notify("x", None).await.unwrap();
    for want in 0..20 {
        tokio::time::sleep(Duration::from_secs(5)).await;
        let Some(Inbound::Event { params, .. }) = inbox.next().await else { panic!("an event") };
        assert_eq!(params, json!(want));
    }
    assert_eq!(peer.ended().await.why, EndedWhy::InputClosed);
}
