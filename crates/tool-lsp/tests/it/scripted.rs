//! What a server may do to an answer, by scripted servers.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tool_lsp::Readiness;
use tool_testkit::{Script, Verb};

use crate::support::{Bench, uri};

const TEXT: &str = "one two\n\tlet name = name + 1;\r\n// name\nlast\n";

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } })
}

fn at(root: &Path, file: &str, line: u32, from: u32, to: u32) -> Value {
    json!({ "uri": uri(&root.join(file)), "range": range(line, from, to) })
}

fn caps() -> Value {
    json!({
        "textDocumentSync": 2, "definitionProvider": true, "referencesProvider": true, "hoverProvider": {},
        "documentSymbolProvider": true, "workspaceSymbolProvider": true, "codeActionProvider": true,
        "callHierarchyProvider": true,
    })
}

#[tokio::test]
async fn a_place_that_is_none_starts_no_server() {
    let bench = Bench::scripted(&[("a.x", TEXT)], &caps(), |_| Script::new());
    let ask = |line: u32, symbol: &str| json!({ "action": "definition", "file": "a.x", "line": line, "symbol": symbol });
    let (kind, text, details) = bench.error(ask(1, "last")).await;
    assert_eq!(kind, "invalid_args");
    assert!(text.contains("`last` is not on line 1, which is `one two`"), "{text}");
    assert!(text.contains("4: last"), "{text}");
    assert_eq!(details["nearest"][0]["line"], 4);
    let (kind, text, _) = bench.error(json!({ "action": "hover", "file": "a.x", "line": 1 })).await;
    assert_eq!((kind, text.contains("symbol is missing")), ("invalid_args", true), "{text}");
    let (kind, _, _) = bench.error(json!({ "action": "symbols", "file": "none.x" })).await;
    assert_eq!(kind, "failed");
    let (kind, _, _) = bench.error(json!({ "action": "symbols", "file": "../a.x" })).await;
    assert_eq!(kind, "refused");
    let (_, details) = bench.ok(json!({ "action": "status" })).await;
    assert_eq!(details["servers"][0]["state"], "stopped", "{details}");
    bench.close().await;
}

#[tokio::test]
async fn several_of_one_name_are_one_question_where_they_mean_the_same() {
    let script = |root: &Path| {
        let same = || [Verb::Reply(at(root, "a.x", 0, 0, 3))];
        Script::new()
            .on("textDocument/definition", same())
            .on("textDocument/definition", same())
            .on("textDocument/definition", same())
    };
    let bench = Bench::scripted(&[("a.x", TEXT)], &caps(), script);
    let ask = json!({ "action": "definition", "file": "a.x", "line": 2, "symbol": "name" });
    let (text, details) = bench.ok(ask).await;
    assert_eq!(text, "1 definition of `name` (a.x:2), by fake 1.2\na.x\n  1: one two");
    assert_eq!(
        details["locations"],
        json!([
            { "path": "a.x", "line": 1, "end_line": 1, "column": 1, "text": "one two" }
        ])
    );
    assert_eq!((&details["total"], &details["server"]), (&json!(1), &json!("fake")));
    bench.close().await;
}

#[tokio::test]
async fn a_file_outside_the_checkout_is_read_for_display_only() {
    let library = tempfile::tempdir().unwrap();
    let path = library.path().canonicalize().unwrap().join("größe lib.x");
    std::fs::write(&path, "first\n  one = 1\n").unwrap();
    let shown = path.display().to_string();
    let uri = format!("file://{}", shown.replace(' ', "%20"));
    let answer = json!([{ "targetUri": uri, "targetRange": range(1, 0, 9), "targetSelectionRange": range(1, 2, 5) }]);
    let script = |_: &Path| Script::new().on("textDocument/definition", [Verb::Reply(answer)]);
    let bench = Bench::scripted(&[("a.x", TEXT)], &caps(), script);
    let ask = json!({ "action": "definition", "file": "a.x", "line": 1, "symbol": "one" });
    let (text, details) = bench.ok(ask).await;
    assert!(text.ends_with(&format!("{shown}\n  2: one = 1")), "{text}");
    assert_eq!(details["locations"][0]["path"], shown);
    assert_eq!(details["locations"][0]["column"], 3);
    let (kind, _, _) = bench.error(json!({ "action": "symbols", "file": shown })).await;
    assert_eq!(kind, "refused", "what a model names is held inside the root");
    bench.close().await;
}

#[tokio::test]
async fn several_of_one_name_that_mean_different_things_are_shown() {
    let script = |root: &Path| {
        Script::new()
            .on("textDocument/definition", [Verb::Reply(at(root, "a.x", 1, 5, 9))])
            .on("textDocument/definition", [Verb::Reply(json!([at(root, "b.x", 0, 0, 4)]))])
    };
    let bench = Bench::scripted(&[("a.x", TEXT), ("b.x", "name")], &caps(), script);
    let ask = json!({ "action": "hover", "file": "a.x", "line": 2, "symbol": "name" });
    let (kind, text, details) = bench.error(ask).await;
    assert_eq!(kind, "invalid_args");
    assert!(text.contains("`name` stands 2 times on line 2 and means different things"), "{text}");
    assert!(
        text.contains(
            "name#1: column 6, declared at a.x:2\n  name#2: column 13, declared at b.x:1"
        ),
        "{text}"
    );
    assert_eq!(details["occurrences"][1]["symbol"], "name#2");
    bench.close().await;
}

#[tokio::test]
async fn a_server_that_counts_otherwise_is_corrected_and_asked_again() {
    let text = "let 𝒙𝒙 = name(); // 𝒙\nname\n";
    let script = |root: &Path| {
        // In code points, though it is told to count in UTF-16.
        let answer = || json!([at(root, "a.x", 0, 9, 13), at(root, "a.x", 1, 0, 4)]);
        Script::new()
            .on("textDocument/references", [Verb::Reply(answer())])
            .on("textDocument/references", [Verb::Reply(answer())])
    };
    let bench = Bench::scripted(&[("a.x", text)], &caps(), script);
    let ask = json!({ "action": "references", "file": "a.x", "line": 1, "symbol": "name" });
    let (text, details) = bench.ok(ask).await;
    assert!(text.contains("counts columns in utf-32, not in utf-16 as it says"), "{text}");
    assert!(
        text.contains("Text search: the word stands 2 times, all of them are these."),
        "{text}"
    );
    assert_eq!(details["locations"][0]["column"], 10, "{details}");
    assert_eq!(details["total"], 2);
    bench.close().await;
}

#[tokio::test]
async fn references_are_ordered_capped_and_compared_with_the_text() {
    let many = "name\n".repeat(60);
    let script = |root: &Path| {
        let mut all: Vec<Value> = (0..60).rev().map(|n| at(root, "b.x", n, 0, 4)).collect();
        all.push(at(root, "a.x", 1, 5, 9));
        all.push(at(root, "a.x", 1, 5, 9));
        all.push(at(root, "b.x", 99, 0, 4));
        all.push(json!({ "uri": "jdt://contents/x.class", "range": range(0, 0, 1) }));
        all.push(json!({ "uri": 7 }));
        // It never forgets, however often it is asked.
        (0..16).fold(Script::new(), |script, _| {
            script.on("textDocument/references", [Verb::Reply(json!(all))])
        })
    };
    let bench =
        Bench::scripted(&[("a.x", TEXT), ("b.x", &many), ("c.x", "# name name")], &caps(), script);
    let ask = json!({ "action": "references", "file": "a.x", "line": 2, "symbol": "name#1" });
    let (text, details) = bench.ok(ask).await;
    assert!(
        text.starts_with(
            "50 of 61 references of `name` (a.x:2) in 2 files, by fake 1.2 (project loaded)\na.x\n  2: let name"
        ),
        "{text}"
    );
    assert_eq!(details["total"], 61);
    assert_eq!(details["locations"].as_array().map(Vec::len), Some(50));
    assert_eq!(details["locations"][0]["path"], "a.x", "the file that was asked about comes first");
    assert_eq!(details["locations"][1]["line"], 1, "then in order");
    assert!(
        text.contains(
            "the word stands 65 times: 61 are these, 4 namesakes or code the server does not see"
        ),
        "{text}"
    );
    assert!(text.contains("(a.x:2, a.x:3, c.x:1, c.x:1)."), "{text}");
    assert!(
        text.contains(
            "2 places of the answer are in no file of this machine, as jdt://contents/x.class"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "1 place lies in a file that is gone, or behind the end of one that has changed"
        ),
        "{text}"
    );
    assert_eq!(details["text_search"]["known"], 61);
    bench.close().await;
}

/// A server that has not yet taken in that a file is gone speaks of it once more.
#[tokio::test]
async fn a_file_that_is_gone_is_asked_about_again() {
    let script = |root: &Path| {
        let gone = || json!([at(root, "a.x", 0, 0, 3), at(root, "gone.x", 0, 0, 3)]);
        Script::new()
            .on("textDocument/references", [Verb::Reply(gone())])
            .on("textDocument/references", [Verb::Reply(gone())])
            .on("textDocument/references", [Verb::Reply(json!([at(root, "a.x", 0, 0, 3)]))])
    };
    let bench = Bench::scripted(&[("a.x", TEXT)], &caps(), script);
    let ask = json!({ "action": "references", "file": "a.x", "line": 1, "symbol": "one" });
    let (text, details) = bench.ok(ask).await;
    assert_eq!(details["total"], 1, "{text}");
    assert!(!text.contains("gone"), "{text}");
    bench.close().await;
}

#[tokio::test]
async fn what_is_not_offered_is_said_and_is_no_empty_answer() {
    let bench =
        Bench::scripted(&[("a.x", TEXT)], &json!({ "textDocumentSync": 1 }), |_| Script::new());
    for action in
        ["definition", "references", "implementation", "type_definition", "hover", "incoming_calls"]
    {
        let ask = json!({ "action": action, "file": "a.x", "line": 1, "symbol": "one" });
        let (kind, text, details) = bench.error(ask).await;
        assert_eq!(kind, "unavailable", "{text}");
        assert!(text.contains("fake 1.2 does not offer"), "{text}");
        assert_eq!(details["reason"], "unsupported");
    }
    let (_, text, _) = bench.error(json!({ "action": "symbols", "query": "one" })).await;
    assert!(text.contains("does not offer workspace symbols"), "{text}");
    bench.close().await;
}

#[tokio::test]
async fn an_empty_answer_of_a_server_that_is_ready_is_an_answer() {
    let script = |_: &Path| Script::new().on("textDocument/references", [Verb::Reply(json!([]))]);
    let bench = Bench::scripted(&[("a.x", TEXT)], &caps(), script);
    let (text, details) = bench
        .ok(json!({ "action": "definition", "file": "a.x", "line": 1, "symbol": "one" }))
        .await;
    assert_eq!(text, "No definition of `one` (a.x:1) is known to fake 1.2.");
    assert_eq!(details["locations"], json!([]));
    let (text, _) =
        bench.ok(json!({ "action": "hover", "file": "a.x", "line": 1, "symbol": "one" })).await;
    assert_eq!(text, "fake 1.2 has nothing to say about `one` (a.x:1).");
    bench.close().await;
}

#[tokio::test]
async fn a_server_that_is_loading_gives_no_empty_answer() {
    let value = |value: Value| json!({ "token": 1, "value": value });
    let begin = value(json!({ "kind": "begin", "title": "Indexing", "percentage": 43 }));
    let script = move |_: &Path| {
        Script::new().on("textDocument/didOpen", [Verb::Event("$/progress".into(), begin.clone())])
    };
    let bench = Bench::scripted_as(&[("a.x", TEXT)], &caps(), script, |spec| {
        spec.readiness = Readiness::Progress {
            titles: vec!["indexing".into()],
            grace: Duration::from_secs(60),
            settle: Duration::from_millis(1),
        };
        spec.ready_budget = Duration::from_secs(1);
    });
    let ask = json!({ "action": "references", "file": "a.x", "line": 1, "symbol": "one" });
    let (kind, text, details) = bench.error(ask).await;
    assert_eq!(kind, "unavailable");
    assert!(text.contains("fake is not ready: ") && text.contains("43%"), "{text}");
    assert_eq!((&details["reason"], &details["percent"]), (&json!("not_ready"), &json!(43)));
    bench.close().await;
}

#[tokio::test]
async fn an_error_of_the_server_is_told_as_its_own() {
    let script = |_: &Path| {
        Script::new().on("textDocument/hover", [Verb::Error(-32603, "it is broken".into())])
    };
    let bench = Bench::scripted(&[("a.x", TEXT)], &caps(), script);
    let (kind, text, _) =
        bench.error(json!({ "action": "hover", "file": "a.x", "line": 1, "symbol": "one" })).await;
    assert_eq!(kind, "failed");
    assert!(text.contains("fake") && text.contains("it is broken"), "{text}");
    bench.close().await;
}

#[tokio::test]
async fn symbols_stand_at_the_lines_of_their_names() {
    let tree = json!([{
        "name": "Name", "kind": 5, "range": range(0, 0, 7), "selectionRange": range(1, 5, 9),
        "children": [{ "name": "inner", "kind": 6, "range": range(2, 0, 4), "selectionRange": range(2, 3, 7) }],
    }]);
    let script = move |root: &Path| {
        let found = json!([
            { "name": "rename", "kind": 12, "location": at(root, "b.x", 0, 0, 4), "containerName": "m" },
            { "name": "name", "kind": 12, "location": at(root, "a.x", 1, 5, 9) },
            { "name": "name", "kind": 12, "location": { "uri": "file:///usr/lib/other.x", "range": range(4, 0, 4) } },
            { "kind": 12 },
        ]);
        Script::new()
            .on("textDocument/documentSymbol", [Verb::Reply(tree)])
            .on("workspace/symbol", [Verb::Reply(found)])
    };
    let bench = Bench::scripted(&[("a.x", TEXT), ("b.x", "name")], &caps(), script);
    let (text, details) = bench.ok(json!({ "action": "symbols", "file": "a.x" })).await;
    assert_eq!(text, "2 symbols of a.x, by fake 1.2\n  2: class Name\n  3:   method inner");
    assert_eq!(
        details["symbols"][1],
        json!({ "name": "inner", "kind": "method", "path": "a.x", "line": 3, "container": "Name" })
    );
    let (text, details) = bench.ok(json!({ "action": "symbols", "query": "name" })).await;
    assert_eq!(
        text,
        "3 symbols named like `name`, by fake 1.2\n  a.x:2 function name\n  b.x:1 function rename  [in m]\n  \
         /usr/lib/other.x:5 function name"
    );
    assert_eq!(details["total"], 3);
    bench.close().await;
}

#[tokio::test]
async fn code_actions_are_listed_and_never_run() {
    let script = |_: &Path| {
        let actions = json!([
            { "title": "Import name", "kind": "quickfix", "isPreferred": true, "edit": { "changes": {} } },
            { "title": "Run it", "command": "x.run" },
        ]);
        Script::new()
            .on("textDocument/codeAction", [Verb::Reply(actions)])
            .on("workspace/executeCommand", [Verb::Exit(9)])
    };
    let bench = Bench::scripted(&[("a.x", TEXT)], &caps(), script);
    let ask = json!({ "action": "code_actions", "file": "a.x", "line": 1, "symbol": "one" });
    let (text, details) = bench.ok(ask).await;
    assert_eq!(
        text,
        "2 code actions are offered at `one` (a.x:1)\n  Import name  [quickfix, edit, preferred; fake]\n  Run it  [no edit; fake]"
    );
    assert_eq!(details["actions"][0]["has_edit"], true);
    assert_eq!(details["actions"][1]["kind"], "");
    let (_, details) = bench.ok(json!({ "action": "status" })).await;
    assert_eq!(details["servers"][0]["state"], "running", "{details}");
    bench.close().await;
}

#[tokio::test]
async fn calls_come_with_the_lines_they_stand_on() {
    let script = |root: &Path| {
        let item = |name: &str, file: &str, line: u32| {
            json!({
                "name": name, "kind": 12, "uri": uri(&root.join(file)), "range": range(line, 0, 4), "selectionRange": range(line, 0, 4),
            })
        };
        Script::new()
            .on("textDocument/prepareCallHierarchy", [Verb::Reply(json!([item("one", "a.x", 0)]))])
            .on("callHierarchy/incomingCalls", [Verb::Reply(json!([
                { "from": item("z", "b.x", 0), "fromRanges": [range(5, 0, 1), range(2, 0, 1), range(2, 4, 5)] },
                { "from": item("last", "a.x", 3), "fromRanges": [range(3, 0, 1)] },
            ]))])
    };
    let bench = Bench::scripted(&[("a.x", TEXT), ("b.x", "name")], &caps(), script);
    let ask = json!({ "action": "incoming_calls", "file": "a.x", "line": 1, "symbol": "one" });
    let (text, details) = bench.ok(ask).await;
    assert_eq!(
        text,
        "2 callers of `one` (a.x:1), by fake 1.2\n  a.x:4 function last  calls it in line 4\n  b.x:1 function z  calls it in \
         lines 3, 6"
    );
    assert_eq!(details["calls"][1]["from_lines"], json!([3, 6]));
    bench.close().await;
}
