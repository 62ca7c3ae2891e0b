//! What servers do to renames, by scripted servers. The numbers are those of `docs/lsp-failure-modes.md`.

use std::path::Path;

use serde_json::{Map, Value, json};
use tool_core::{CallRequest, ToolError, ToolOutput};
use tool_lsp::ServerSpec;
use tool_testkit::{Script, Verb};

use crate::support::{Bench, uri};

fn edit(line: u32, from: u32, to: u32, new: &str) -> Value {
    json!({
        "range": { "start": { "line": line, "character": from }, "end": { "line": line, "character": to } },
        "newText": new,
    })
}

/// A document's edits for a version.
fn document(root: &Path, file: &str, version: &Value, edits: &[Value]) -> Value {
    json!({ "textDocument": { "uri": uri(&root.join(file)), "version": version }, "edits": edits })
}

fn changes(root: &Path, list: &[(&str, Vec<Value>)]) -> Value {
    let files = list.iter().map(|(file, edits)| (uri(&root.join(file)), json!(edits)));
    json!({ "changes": files.collect::<Map<String, Value>>() })
}

fn caps() -> Value {
    json!({ "textDocumentSync": 2, "renameProvider": true })
}

/// One rename of `name` on line 1 of `a.x` to `new`, by a server that answers so.
struct Case {
    bench: Bench,
    result: Result<ToolOutput, ToolError>,
}

impl Case {
    async fn run(files: &[(&str, &str)], answer: impl FnOnce(&Path) -> Value) -> Self {
        Self::with(files, &caps(), |root| vec![Verb::Reply(answer(root))], |_| ()).await
    }

    async fn with(
        files: &[(&str, &str)],
        capabilities: &Value,
        verbs: impl FnOnce(&Path) -> Vec<Verb>,
        change: impl FnOnce(&mut ServerSpec),
    ) -> Self {
        let script = |root: &Path| Script::new().on("textDocument/rename", verbs(root));
        Self::scripted(files, capabilities, script, change).await
    }

    async fn scripted(
        files: &[(&str, &str)],
        capabilities: &Value,
        script: impl FnOnce(&Path) -> Script,
        change: impl FnOnce(&mut ServerSpec),
    ) -> Self {
        let bench = Bench::scripted_as(files, capabilities, script, change);
        let args = json!({ "file": "a.x", "line": 1, "symbol": "name", "new_name": "new" });
        let result = bench.view.invoke(CallRequest::new("lsp_rename", args)).await.result;
        match &result {
            Ok(output) => println!("{}", output.render_text()),
            Err(error) => println!("{error}"),
        }
        Self { bench, result }
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.bench.path(file)).unwrap()
    }

    /// It was done: the text of the answer.
    fn done(&self) -> String {
        self.result.as_ref().unwrap_or_else(|error| panic!("{error}")).render_text()
    }

    /// It was refused: kind, reason and message.
    fn refused(&self) -> (&str, String, String) {
        let error = self.result.as_ref().expect_err("it was done");
        let reason = error.detail_map()["reason"].as_str().unwrap().to_owned();
        (error.kind().as_str(), reason, error.to_string())
    }
}

/// Failures 45 and 46: columns are counted as was agreed.
#[tokio::test]
async fn columns_count_as_agreed() {
    let text = "name\n\"𝒳ö\"; name\n";
    for (encoding, at) in [("utf-8", 10), ("utf-16", 7), ("utf-32", 6)] {
        let mut capabilities = caps();
        capabilities["positionEncoding"] = json!(encoding);
        let edits = vec![edit(0, 0, 4, "new"), edit(1, at, at + 4, "new")];
        let answer = |root: &Path| vec![Verb::Reply(changes(root, &[("a.x", edits)]))];
        let case = Case::with(&[("a.x", text)], &capabilities, answer, |_| ()).await;
        assert!(case.done().starts_with("Renamed `name` to `new`: 2 edits in 1 file"));
        assert_eq!(case.read("a.x"), "new\n\"𝒳ö\"; new\n", "{encoding}");
        case.bench.close().await;
    }
}

/// Failures 47: a server that counts otherwise than it says is read as it means it; one whose ranges fit nowhere is refused.
#[tokio::test]
async fn a_server_that_counts_otherwise_is_understood() {
    let files = [("a.x", "name\n\"𝒳\"; name\n")];
    let code_points =
        |root: &Path| changes(root, &[("a.x", vec![edit(0, 0, 4, "new"), edit(1, 5, 9, "new")])]);
    let case = Case::run(&files, code_points).await;
    assert!(case.done().contains("counts columns in utf-32, not in utf-16 as it says"));
    assert_eq!(case.read("a.x"), "new\n\"𝒳\"; new\n");
    let nowhere =
        |root: &Path| changes(root, &[("a.x", vec![edit(0, 0, 4, "new"), edit(1, 0, 3, "new")])]);
    let case = Case::run(&files, nowhere).await;
    let (kind, reason, said) = case.refused();
    assert_eq!((kind, reason.as_str()), ("failed", "not_the_name"));
    assert!(said.contains("a.x:2:1 would replace \"\\\"𝒳"), "{said}");
    assert_eq!(case.read("a.x"), files[0].1);
}

/// Failures 48: new lines are those of the file; nothing lands inside of a line end.
#[tokio::test]
async fn line_ends_stay_as_they_are() {
    let files = [("a.x", "name\r\nlast name\r\n")];
    let answer = |root: &Path| {
        changes(
            root,
            &[(
                "a.x",
                vec![edit(0, 0, 9, "new"), edit(1, 5, 9, "new"), edit(1, 99, 99, "\n// name\n")],
            )],
        )
    };
    let case = Case::run(&files, answer).await;
    case.done();
    assert_eq!(case.read("a.x"), "new\r\nlast new\r\n// name\r\n\r\n");
}

/// Failures 50 to 53, 67: order, duplicates, overlaps, ends the wrong way round.
#[tokio::test]
async fn edits_in_any_order_and_twice_are_applied_and_overlaps_are_refused() {
    let files = [("a.x", "name\nname name\n")];
    let mut reversed = edit(1, 0, 4, "new");
    let range = reversed["range"].clone();
    reversed["range"] = json!({ "start": range["end"], "end": range["start"] });
    let edits = vec![edit(1, 5, 9, "new"), edit(0, 0, 4, "new"), reversed, edit(0, 0, 4, "new")];
    let case = Case::run(&files, |root| changes(root, &[("a.x", edits)])).await;
    assert!(case.done().contains("3 edits in 1 file"));
    assert_eq!(case.read("a.x"), "new\nnew new\n");
    let overlap = vec![edit(0, 0, 4, "new"), edit(1, 0, 4, "new"), edit(1, 0, 6, "new n")];
    let case = Case::run(&files, |root| changes(root, &[("a.x", overlap)])).await;
    let (_, reason, said) = case.refused();
    assert_eq!(reason, "overlap");
    assert!(said.contains("a.x overlap (lines 2 and 2)"), "{said}");
    assert_eq!(case.read("a.x"), files[0].1);
}

/// Failures 54 to 56: a version counts for a document that is open.
#[tokio::test]
async fn versions_are_held_against_what_was_sent() {
    let files = [("a.x", "name"), ("b.x", "name")];
    for (ours, other, good) in [
        (json!(1), json!(0), true),
        (json!(null), json!(null), true),
        (json!(1), json!(7), true),
        (json!(2), json!(null), false),
        (json!(0), json!(null), false),
    ] {
        let answer = |root: &Path| {
            let a = document(root, "a.x", &ours, &[edit(0, 0, 4, "new")]);
            json!({ "documentChanges": [a, document(root, "b.x", &other, &[edit(0, 0, 4, "new")])] })
        };
        let case = Case::run(&files, answer).await;
        if good {
            assert!(case.done().contains("2 edits in 2 files"));
            assert_eq!(case.read("a.x") + &case.read("b.x"), "newnew");
        } else {
            let (kind, reason, _) = case.refused();
            assert_eq!((kind, reason.as_str()), ("conflict", "stale"));
            assert_eq!(case.read("a.x") + &case.read("b.x"), "namename");
        }
    }
}

/// Failures 58: one form counts. 59: operations happen where they stand.
#[tokio::test]
async fn both_forms_and_operations() {
    let files = [("a.x", "name"), ("b.x", "name"), ("d/c.x", "name")];
    let answer = |root: &Path| {
        let at = |file: &str| uri(&root.join(file));
        json!({
            "changes": { at("b.x"): [edit(0, 0, 4, "wrong")] },
            "documentChanges": [
                document(root, "a.x", &json!(1), &[edit(0, 0, 4, "new")]),
                { "kind": "rename", "oldUri": at("a.x"), "newUri": at("e/f.x") },
                document(root, "e/f.x", &json!(null), &[edit(0, 3, 3, "name")]),
                { "kind": "rename", "oldUri": at("d"), "newUri": at("g") },
                document(root, "g/c.x", &json!(null), &[edit(0, 0, 4, "new")]),
            ],
        })
    };
    let case = Case::run(&files, answer).await;
    let said = case.done();
    assert!(
        said.contains("e/f.x: 2, moved from a.x") && said.contains("g/c.x: 1, moved from d/c.x"),
        "{said}"
    );
    assert_eq!(case.read("e/f.x"), "newname");
    assert_eq!(case.read("b.x") + &case.read("g/c.x"), "namenew");
    assert!(!case.bench.path("a.x").exists() && !case.bench.path("d").exists());
    let output = case.result.as_ref().unwrap();
    let touched: Vec<_> = output.touched.iter().map(|t| t.path.clone()).collect();
    for file in ["a.x", "e/f.x", "g/c.x", "d/c.x"] {
        assert!(touched.contains(&case.bench.path(file)), "{file}: {touched:?}");
    }
    assert_eq!(output.details["files"][0], json!({ "path": "e/f.x", "edits": 2, "from": "a.x" }));
}

/// Failures 59, 64: an operation that cannot be carried out refuses everything before anything is written.
#[tokio::test]
async fn an_operation_in_the_way_refuses_all() {
    let files = [("a.x", "name"), ("b.x", "other")];
    let answer = |root: &Path| {
        json!({ "documentChanges": [
            document(root, "a.x", &json!(1), &[edit(0, 0, 4, "new")]),
            { "kind": "rename", "oldUri": uri(&root.join("a.x")), "newUri": uri(&root.join("b.x")) },
        ] })
    };
    let case = Case::run(&files, answer).await;
    assert_eq!(case.refused().0, "conflict");
    assert_eq!(case.read("a.x") + &case.read("b.x"), "nameother");
}

/// Nothing outside of the root, no snippet, nothing that cannot be read as a whole.
#[tokio::test]
async fn edits_that_leave_the_workspace_or_are_no_edits_are_refused() {
    let files = [("a.x", "name")];
    let outside = tempfile::tempdir().unwrap();
    let away = outside.path().canonicalize().unwrap().join("b.x");
    std::fs::write(&away, "name").unwrap();
    let good = |root: &Path| document(root, "a.x", &json!(1), &[edit(0, 0, 4, "new")]);
    let bad: Vec<(Value, &str, &str)> = vec![
        (
            json!({ "textDocument": { "uri": uri(&away) }, "edits": [edit(0, 0, 4, "new")] }),
            "refused",
            "outside",
        ),
        (
            json!({ "kind": "create", "uri": uri(&away.with_file_name("n.x")) }),
            "refused",
            "outside",
        ),
        (
            json!({ "textDocument": { "uri": "jar:///a" }, "edits": [edit(0, 0, 4, "new")] }),
            "failed",
            "garbled",
        ),
        (json!({ "kind": "paint" }), "failed", "garbled"),
        (
            json!({ "textDocument": { "uri": uri(Path::new("/a.x")) }, "edits": [{ "newText": "x" }] }),
            "failed",
            "garbled",
        ),
        (
            json!({ "textDocument": { "uri": uri(Path::new("/a.x")) }, "edits": [{ "range": edit(0, 0, 1, "")["range"], "snippet": { "value": "$0" } }] }),
            "failed",
            "snippet",
        ),
    ];
    for (item, kind, reason) in bad {
        let case = Case::run(&files, |root| json!({ "documentChanges": [good(root), item] })).await;
        let got = case.refused();
        assert_eq!((got.0, got.1.as_str()), (kind, reason), "{}", got.2);
        assert_eq!(case.read("a.x"), "name");
    }
    assert_eq!(std::fs::read_to_string(away).unwrap(), "name");
}

/// Failures 60: a server that knows open files only is not asked.
#[tokio::test]
async fn a_server_that_knows_open_files_only_is_not_asked() {
    let answer =
        |root: &Path| vec![Verb::Reply(changes(root, &[("a.x", vec![edit(0, 0, 4, "new")])]))];
    let needs =
        |spec: &mut ServerSpec| spec.rename.needs_file = Some("compile_commands.json".into());
    let case = Case::with(&[("a.x", "name"), ("b.x", "name")], &caps(), answer, needs).await;
    let (kind, reason, said) = case.refused();
    assert_eq!((kind, reason.as_str()), ("unavailable", "incomplete_server"));
    assert!(said.contains("without compile_commands.json"), "{said}");
    assert_eq!(case.read("a.x"), "name");
    let none = |spec: &mut ServerSpec| spec.rename.none = Some("it costs money".into());
    let case = Case::with(&[("a.x", "name")], &caps(), |_| vec![], none).await;
    assert!(case.refused().2.contains("it costs money"));
    let without = json!({ "textDocumentSync": 2 });
    let case = Case::with(&[("a.x", "name")], &without, |_| vec![], |_| ()).await;
    let (kind, reason, _) = case.refused();
    assert_eq!((kind, reason.as_str()), ("unavailable", "unsupported"));
}

/// Failures 61: success without edits is none.
#[tokio::test]
async fn an_answer_without_edits_is_an_error() {
    for nothing in
        [json!(null), json!({}), json!({ "changes": {} }), json!({ "documentChanges": [] })]
    {
        let case = Case::run(&[("a.x", "name name2\nname")], |_| nothing).await;
        let (kind, reason, said) = case.refused();
        assert_eq!((kind, reason.as_str()), ("failed", "no_edits"));
        assert!(said.contains("the text holds it 2 times"), "{said}");
    }
}

/// Failures 8: a rename is not put again by itself; an error of the server is its answer.
#[tokio::test]
async fn errors_of_the_server_are_told_as_they_are() {
    let moved = |_: &Path| vec![Verb::Error(-32801, "content modified".into())];
    let case = Case::with(&[("a.x", "name")], &caps(), moved, |_| ()).await;
    assert_eq!(case.refused().0, "conflict");
    let no = |_: &Path| vec![Verb::Error(-32602, "No references found at position".into())];
    let case = Case::with(&[("a.x", "name")], &caps(), no, |_| ()).await;
    let (kind, _, said) = case.refused();
    assert_eq!(kind, "failed");
    assert!(said.contains("refuses the rename: No references found at position"), "{said}");
}

/// `prepareRename` is asked where it is offered, and its range is the name; announced and missing is no matter.
#[tokio::test]
async fn what_cannot_be_renamed_is_said_before_it_is_tried() {
    let capabilities =
        json!({ "textDocumentSync": 2, "renameProvider": { "prepareProvider": true } });
    let range = |from: u32, to: u32| edit(0, from, to, "")["range"].clone();
    let told = Verb::Reply(json!({ "range": range(0, 4), "placeholder": "name" }));
    for (verb, reason) in [
        (told, None),
        (Verb::Reply(range(0, 4)), None),
        (Verb::Reply(json!({ "defaultBehavior": true })), None),
        (Verb::Error(-32601, "no such method".into()), None),
        (Verb::Reply(json!(null)), Some("not_renamable")),
        (Verb::Reply(range(0, 9)), Some("another_name")),
        (Verb::Error(-32603, "not here".into()), Some("server_error")),
    ] {
        let script = |root: &Path| {
            let answer = changes(root, &[("a.x", vec![edit(0, 0, 4, "new")])]);
            let script = Script::new().on("textDocument/prepareRename", [verb]);
            script.on("textDocument/rename", [Verb::Reply(answer)])
        };
        let case = Case::scripted(&[("a.x", "name more")], &capabilities, script, |_| ()).await;
        match reason {
            None => assert!(case.done().contains("1 edit in 1 file")),
            Some(reason) => assert_eq!(case.refused().1, reason),
        }
    }
}

/// Failures 62: two things of one scope do not get one name.
#[tokio::test]
async fn a_name_that_is_taken_is_refused() {
    let text = "name = 1\nnew = 2\nf { name + new }\n";
    let capabilities = json!({
        "textDocumentSync": 2, "renameProvider": true, "definitionProvider": true, "documentSymbolProvider": true,
    });
    let at = |root: &Path, line: u32, from: u32, to: u32| json!([{ "uri": uri(&root.join("a.x")), "range": edit(line, from, to, "")["range"] }]);
    for (declared, free) in [(1, false), (2, true)] {
        let script = |root: &Path| {
            let symbol = |name: &str, line: u32| {
                let range = edit(line, 0, 99, "")["range"].clone();
                json!({ "name": name, "kind": 12, "range": range, "selectionRange": edit(line, 0, 1, "")["range"] })
            };
            let symbols = json!([symbol("name", 0), symbol("new", 1), symbol("f", 2)]);
            let edits = vec![edit(0, 0, 4, "new"), edit(2, 4, 8, "new")];
            let mut script = Script::new()
                .on("textDocument/rename", [Verb::Reply(changes(root, &[("a.x", edits)]))]);
            // Of the name itself, then of each use of the new one.
            script = script.on("textDocument/definition", [Verb::Reply(at(root, 0, 0, 4))]);
            for _ in 0..2 {
                let column = if declared == 1 { 0 } else { 11 };
                let found = at(root, declared, column, column + 3);
                script = script.on("textDocument/definition", [Verb::Reply(found)]);
            }
            (0..9).fold(script, |script, _| {
                script.on("textDocument/documentSymbol", [Verb::Reply(symbols.clone())])
            })
        };
        let case = Case::scripted(&[("a.x", text)], &capabilities, script, |_| ()).await;
        if free {
            case.done();
        } else {
            let (kind, reason, said) = case.refused();
            assert_eq!((kind, reason.as_str()), ("conflict", "collision"));
            assert!(said.contains("a.x:2: new = 2"), "{said}");
            assert_eq!(case.read("a.x"), text);
        }
    }
}

/// Failures 63: edits that add to the name are told of. The cross-check counts what the text still holds.
#[tokio::test]
async fn what_is_left_and_what_is_more_than_the_name_is_told() {
    let files =
        [("a.x", "name\n"), ("b.x", "import { name }\nname name\n"), ("README.md", "about name\n")];
    let answer = |root: &Path| {
        let alias = vec![edit(0, 9, 13, "name as new"), edit(1, 0, 4, "new")];
        changes(root, &[("a.x", vec![edit(0, 0, 4, "new")]), ("b.x", alias)])
    };
    let case = Case::run(&files, answer).await;
    let said = case.done();
    assert!(said.contains("Text check: 5 hits of `name` before, 2 renamed, 3 left"), "{said}");
    assert!(said.contains("README.md:1"), "{said}");
    let details = &case.result.as_ref().unwrap().details;
    assert_eq!(
        (&details["hits"], &details["left_total"], &details["edits"]),
        (&json!(5), &json!(3), &json!(3))
    );
}

/// Failures 68: bytes that are no text are not rewritten.
#[tokio::test]
async fn bytes_that_are_no_text_are_refused() {
    let files = [("a.x", "name"), ("b.x", "name")];
    let script = |root: &Path| {
        std::fs::write(root.join("c.x"), b"name \xff").unwrap();
        let edits = || vec![edit(0, 0, 4, "new")];
        let answer = changes(root, &[("a.x", edits()), ("c.x", edits())]);
        Script::new().on("textDocument/rename", [Verb::Reply(answer)])
    };
    let case = Case::scripted(&files, &caps(), script, |_| ()).await;
    assert_eq!(case.refused().1, "not_text");
    assert_eq!(case.read("a.x"), "name");
}
