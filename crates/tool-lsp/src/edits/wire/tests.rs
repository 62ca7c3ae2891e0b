//! Edits as servers write them.

use std::path::Path;

use serde_json::{Value, json};

use super::{Plan, Step};
use crate::edits::EditProblem;
use crate::text::Pos;

fn edit(line: u32, from: u32, to: u32, new: &str) -> Value {
    json!({ "range": { "start": { "line": line, "character": from }, "end": { "line": line, "character": to } }, "newText": new })
}

fn document(uri: &str, version: Value, edits: Vec<Value>) -> Value {
    json!({ "textDocument": { "uri": uri, "version": version }, "edits": edits })
}

/// Paths and numbers of edits.
fn shape(plan: &Plan) -> Vec<(String, usize)> {
    plan.steps
        .iter()
        .map(|step| match step {
            Step::Text { path, edits, .. } => (path.display().to_string(), edits.len()),
            other => (format!("{other:?}"), 0),
        })
        .collect()
}

/// Failure 58: both forms in one answer, only one of them counts.
#[test]
fn document_changes_win_over_changes_unless_they_are_empty() {
    let both = json!({
        "documentChanges": [document("file:///a.rs", json!(1), vec![edit(0, 0, 1, "x")])],
        "changes": { "file:///b.rs": [edit(0, 0, 1, "x")] },
    });
    assert_eq!(shape(&Plan::read(&both).unwrap()), [("/a.rs".into(), 1)]);
    let empty =
        json!({ "documentChanges": [], "changes": { "file:///b.rs": [edit(0, 0, 1, "x")] } });
    assert_eq!(shape(&Plan::read(&empty).unwrap()), [("/b.rs".into(), 1)]);
    let jdtls = json!({
        "documentChanges": [document("file:///a.java", json!(null), vec![edit(0, 0, 1, "x")])], "changes": {},
    });
    assert_eq!(shape(&Plan::read(&jdtls).unwrap()), [("/a.java".into(), 1)]);
}

#[test]
fn nothing_is_an_empty_plan() {
    for nothing in [json!(null), json!({}), json!({ "changes": null }), json!({ "changes": {} })] {
        assert!(Plan::read(&nothing).unwrap().is_empty(), "{nothing}");
    }
    let only_documents = json!({ "documentChanges": [document("file:///a.rs", json!(1), vec![])] });
    assert!(Plan::read(&only_documents).unwrap().is_empty());
    let moves = json!({ "documentChanges": [{ "kind": "rename", "oldUri": "file:///a", "newUri": "file:///b" }] });
    assert!(!Plan::read(&moves).unwrap().is_empty());
}

/// Failure 59: operations stay where they were declared.
#[test]
fn operations_keep_their_order() {
    let plan = Plan::read(&json!({ "documentChanges": [
        document("file:///a.rs", json!(null), vec![edit(0, 0, 1, "x")]),
        { "kind": "rename", "oldUri": "file:///a.rs", "newUri": "file:///b.rs", "options": { "overwrite": true } },
        { "kind": "create", "uri": "file:///c.rs", "options": { "ignoreIfExists": true } },
        { "kind": "delete", "uri": "file:///d", "options": { "recursive": true, "ignoreIfNotExists": true } },
        document("file:///b.rs", json!(null), vec![edit(0, 0, 1, "y")]),
    ] }))
    .unwrap();
    let kinds: Vec<&str> = plan
        .steps
        .iter()
        .map(|step| match step {
            Step::Text { .. } => "text",
            Step::Create { ignore: true, overwrite: false, .. } => "create",
            Step::Rename { overwrite: true, ignore: false, .. } => "rename",
            Step::Delete { recursive: true, ignore: true, .. } => "delete",
            _ => "?",
        })
        .collect();
    assert_eq!(kinds, ["text", "rename", "create", "delete", "text"]);
    assert_eq!(plan.edits(), 2);
}

#[test]
fn versions_are_numbers_or_nothing() {
    for (version, read) in [(json!(7), Some(7)), (json!(0), Some(0)), (json!(null), None)] {
        let plan =
            Plan::read(&json!({ "documentChanges": [document("file:///a", version, vec![])] }))
                .unwrap();
        assert!(matches!(plan.steps[0], Step::Text { version, .. } if version == read));
    }
    let odd = json!({ "documentChanges": [document("file:///a", json!("1"), vec![])] });
    assert!(matches!(Plan::read(&odd), Err(EditProblem::Unreadable { .. })));
}

/// Failures 67 and 80.
#[test]
fn ends_are_put_in_order_and_addresses_in_any_spelling() {
    let plan = Plan::read(&json!({ "changes": {
        "file:///we%20ird%2B%40%28%C3%A9%29.rs": [edit(0, 5, 2, "x")],
        "file:///b+@(é)#.rs": [edit(1, 0, 1, "x")],
    } }))
    .unwrap();
    let Step::Text { path, edits, .. } = &plan.steps[1] else { panic!() };
    assert_eq!(path, Path::new("/we ird+@(é).rs"));
    assert_eq!((edits[0].span.start, edits[0].span.end), (Pos::new(0, 2), Pos::new(0, 5)));
    assert_eq!(plan.steps[0].paths(), [Path::new("/b+@(é)#.rs")]);
}

#[test]
fn what_cannot_be_read_refuses_the_whole_edit() {
    let good = edit(0, 0, 1, "x");
    for bad in [
        json!([]),
        json!({ "changes": [] }),
        json!({ "documentChanges": {} }),
        json!({ "documentChanges": [document("file:///a", json!(1), vec![good.clone(), json!({ "newText": "x" })])] }),
        json!({ "documentChanges": [document("file:///a", json!(1), vec![good.clone(), json!(null)])] }),
        json!({ "documentChanges": [{ "kind": "rename", "oldUri": "file:///a" }] }),
        json!({ "documentChanges": [{ "kind": "copy", "uri": "file:///a" }] }),
        json!({ "documentChanges": [{ "edits": [] }] }),
        json!({ "changes": { "file:///a": { "range": 1 } } }),
    ] {
        assert!(matches!(Plan::read(&bad), Err(EditProblem::Unreadable { .. })), "{bad}");
    }
    let foreign = json!({ "changes": { "jdt://contents/a.class": [good.clone()] } });
    assert!(matches!(Plan::read(&foreign), Err(EditProblem::Foreign { .. })));
    for snippet in [
        json!({ "range": good["range"], "snippet": { "kind": "snippet", "value": "$0" } }),
        json!({ "range": good["range"], "newText": "$0", "insertTextFormat": 2 }),
    ] {
        let edit = json!({ "documentChanges": [document("file:///a", json!(1), vec![snippet])] });
        assert_eq!(Plan::read(&edit), Err(EditProblem::Snippet));
    }
}

#[test]
fn annotated_edits_are_edits_and_their_warnings_are_kept() {
    let mut annotated = edit(0, 0, 1, "x");
    annotated["annotationId"] = json!("OutsideWorkspace");
    let plan = Plan::read(&json!({
        "documentChanges": [document("file:///a", json!(1), vec![annotated])],
        "changeAnnotations": {
            "OutsideWorkspace": { "label": "Edit outside of the workspace", "needsConfirmation": true },
            "Other": { "label": "no matter", "needsConfirmation": false },
        },
    }))
    .unwrap();
    assert_eq!(plan.edits(), 1);
    assert_eq!(plan.labels, ["Edit outside of the workspace"]);
}
