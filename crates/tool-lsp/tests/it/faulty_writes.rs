//! Diagnostics on write when the server misbehaves: the write stands, and nothing is called clean that nobody has judged.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tool_lsp::{Channel, ServerSpec};
use tool_testkit::{Script, Verb};

use crate::support::{Bench, uri};

const FILE: &[(&str, &str)] = &[("a.x", "one\n")];
const PUBLISH: &str = "textDocument/publishDiagnostics";
const PULL: &str = "textDocument/diagnostic";

fn pushes() -> Value {
    json!({ "textDocumentSync": { "openClose": true, "change": 1, "save": true } })
}

fn pulls() -> Value {
    let mut caps = pushes();
    caps["diagnosticProvider"] =
        json!({ "interFileDependencies": false, "workspaceDiagnostics": false });
    caps
}

fn items(messages: &[&str]) -> Value {
    let place = json!({ "line": 0, "character": 0 });
    let one = |message: &&str| json!({ "range": { "start": place, "end": place }, "severity": 1, "message": message });
    messages.iter().map(one).collect()
}

fn push(root: &Path, version: Option<i64>, messages: &[&str]) -> Verb {
    let mut params = json!({ "uri": uri(&root.join("a.x")), "diagnostics": items(messages) });
    if let Some(version) = version {
        params["version"] = version.into();
    }
    Verb::Event(PUBLISH.into(), params)
}

fn full(messages: &[&str]) -> Verb {
    Verb::Reply(json!({ "kind": "full", "resultId": "r", "items": items(messages) }))
}

fn as_is(_: &mut ServerSpec) {}

async fn write(bench: &Bench, text: &str) -> (String, Value) {
    bench.tool("write", json!({ "path": "a.x", "content": text })).await
}

const SOON: Duration = Duration::from_millis(1500);
const LONG: Duration = Duration::from_secs(60);

/// Failures 13, 17 and 20: what was said of the text before is no verdict on this one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_for_another_version_is_no_verdict() {
    let script = |root: &Path| {
        Script::new()
            .on("textDocument/didOpen", [push(root, Some(1), &[])])
            .on("textDocument/didChange", [push(root, Some(1), &["of the old text"])])
            .on("textDocument/didChange", [push(root, Some(3), &["of this one"])])
    };
    let bench = Bench::writing(FILE, &pushes(), SOON, script, as_is);
    let (text, details) = write(&bench, "two\n").await;
    assert_eq!(details["written"], true);
    assert!(details.get("diagnostics").is_none(), "{details}");
    assert!(details["unavailable"].as_str().unwrap().contains("has said nothing"), "{details}");
    assert!(text.contains("Diagnostics are not available"), "{text}");
    let (_, details) = write(&bench, "three\n").await;
    assert_eq!(details["new"], 1, "{details}");
    assert_eq!(details["diagnostics"][0]["message"], "of this one");
    bench.close().await;
}

/// Failure 16: a server that is silent is not clean. Failure 42: and the write is a success.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_is_not_clean() {
    let bench = Bench::writing(FILE, &pushes(), SOON, |_| Script::new(), as_is);
    let (text, details) = write(&bench, "two\n").await;
    assert!(text.contains("replaced a.x"), "{text}");
    assert!(!text.contains("No new problems"), "{text}");
    assert_eq!(details.get("new"), None, "{details}");
    bench.close().await;
}

/// Failure 17: a report without version counts after the text was sent and then silence, and the last one wins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_without_version_are_taken_when_they_settle() {
    let script = |root: &Path| {
        let early = push(root, None, &[]);
        Script::new()
            .on("textDocument/didOpen", [push(root, None, &["old"])])
            // A pass over the syntax, then the whole answer.
            .on("textDocument/didChange", [early, push(root, None, &["old", "new"])])
    };
    let settles = |spec: &mut ServerSpec| {
        spec.diagnostics = vec![Channel::PushSettled { ms: 200 }];
    };
    let bench = Bench::writing(FILE, &pushes(), LONG, script, settles);
    let (_, details) = write(&bench, "two\n").await;
    assert_eq!(details["new"], 1, "{details}");
    assert_eq!(details["diagnostics"][0]["message"], "new");
    bench.close().await;
}

/// Failure 31: "unchanged" is what it was, not nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unchanged_report_is_the_one_before() {
    let script = |_: &Path| {
        let same = || Verb::Reply(json!({ "kind": "unchanged", "resultId": "r" }));
        Script::new()
            .on(PULL, [full(&["old"])])
            .on(PULL, [same()])
            .on(PULL, [full(&["old", "new"])])
            .on(PULL, [full(&[])])
    };
    let bench = Bench::writing(FILE, &pulls(), LONG, script, as_is);
    let (text, details) = write(&bench, "two\n").await;
    assert_eq!((&details["new"], &details["fixed"]), (&json!(0), &json!(0)), "{text}");
    assert!(text.contains("1 from before left"), "{text}");
    let (_, details) = write(&bench, "three\n").await;
    assert_eq!(details["new"], 1, "{details}");
    let (_, details) = write(&bench, "four\n").await;
    assert_eq!((&details["new"], &details["fixed"]), (&json!(0), &json!(2)), "{details}");
    bench.close().await;
}

/// Failure 85: a report whose items cannot all be read is read as far as it can be.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_that_cannot_be_read_drops_itself_only() {
    let script = |_: &Path| {
        let bad = json!({ "items": [{ "message": 7 }, "x", { "message": "good", "range": null }] });
        Script::new().on(PULL, [full(&[])]).on(PULL, [Verb::Reply(bad)])
    };
    let bench = Bench::writing(FILE, &pulls(), LONG, script, as_is);
    let (_, details) = write(&bench, "two\n").await;
    assert_eq!(details["diagnostics"][0]["message"], "good", "{details}");
    bench.close().await;
}

/// A verdict that comes too late is told with the next result, whatever its tool, and once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_verdict_is_told_once_with_a_later_result() {
    let script = |_: &Path| {
        Script::new()
            .on(PULL, [full(&[])])
            .on(PULL, [Verb::Hold])
            .on(PULL, [full(&["too late for its own result"])])
    };
    let bench = Bench::writing(FILE, &pulls(), SOON, script, as_is);
    let (text, details) = write(&bench, "two\n").await;
    assert!(text.contains("What is found will come with a later result"), "{text}");
    assert!(details["unavailable"].as_str().is_some(), "{details}");
    let until = Instant::now() + LONG;
    let mut told = String::new();
    while !told.contains("too late") && Instant::now() < until {
        told = bench.tool("read", json!({ "path": "a.x" })).await.0;
    }
    assert!(told.contains("1 new problem after an earlier write (fake):"), "{told}");
    let (again, _) = bench.tool("read", json!({ "path": "a.x" })).await;
    assert!(!again.contains("too late"), "told once: {again}");
    bench.close().await;
}

/// A late verdict on a content that is gone is never told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_verdict_on_another_content_is_dropped() {
    let script = |_: &Path| {
        Script::new()
            .on(PULL, [full(&[])])
            .on(PULL, [Verb::Hold])
            .on(PULL, [full(&["of the content that is gone"])])
            .on(PULL, [full(&[])])
    };
    let bench = Bench::writing(FILE, &pulls(), SOON, script, as_is);
    write(&bench, "two\n").await;
    // Somebody else writes it: what is said of ours is void.
    std::fs::write(bench.path("a.x"), "three\n").unwrap();
    for _ in 0..20 {
        let (told, _) = bench.tool("read", json!({ "path": "a.x" })).await;
        assert!(!told.contains("gone"), "{told}");
    }
    bench.close().await;
}

/// A server that ends in the middle loses no write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_loses_no_write() {
    let script = |_: &Path| {
        let script = Script::new().on(PULL, [full(&[])]).on(PULL, [Verb::Exit(3)]);
        (0..4).fold(script, |script, _| script.on("textDocument/didOpen", [Verb::Exit(4)]))
    };
    let bench = Bench::writing(FILE, &pulls(), SOON, script, as_is);
    let (text, details) = write(&bench, "two\n").await;
    assert_eq!(details["written"], true, "{text}");
    assert!(details.get("diagnostics").is_none(), "{details}");
    assert!(details["unavailable"].as_str().is_some(), "{details}");
    assert_eq!(std::fs::read_to_string(bench.path("a.x")).unwrap(), "two\n");
    bench.close().await;
}

/// A file that no server is for costs the model no word.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_no_server_knows_is_said_in_the_facts_alone() {
    let bench = Bench::writing(FILE, &pulls(), SOON, |_| Script::new(), as_is);
    let (text, details) =
        bench.tool("write", json!({ "path": "notes.txt", "content": "x\n" })).await;
    assert!(!text.contains("iagnostics"), "{text}");
    assert_eq!(details["unavailable"], "no language server is known for txt files");
    bench.close().await;
}
