use super::{Caps, Save, SyncKind};
use crate::client::FileChange;
use serde_json::{Value, json};
use std::path::Path;

fn caps(announced: Value, registrations: Value) -> Caps {
    let mut caps = Caps::default();
    caps.announce(announced);
    caps.register(&json!({ "registrations": registrations }));
    caps
}

const PY: Option<(&Path, &str)> = None;

#[test]
fn what_is_announced_can_be_asked() {
    let caps = caps(
        json!({
            "hoverProvider": true, "definitionProvider": {}, "referencesProvider": false, "renameProvider": {"prepareProvider": true},
            "codeActionProvider": {"codeActionKinds": []}, "implementationProvider": null,
        }),
        json!([]),
    );
    for (method, offered) in [
        ("textDocument/hover", true),
        ("textDocument/definition", true),
        ("textDocument/references", false),
        ("textDocument/implementation", false),
        ("textDocument/rename", true),
        ("textDocument/prepareRename", true),
        ("textDocument/codeAction", true),
        ("codeAction/resolve", false),
        ("workspace/symbol", false),
        ("no/such/method", false),
    ] {
        assert_eq!(caps.can(method, PY), offered, "{method}");
    }
}

/// Failure 104: what is registered later counts, and not for documents that it does not select.
#[test]
fn registrations_count_for_what_they_select() {
    let mut caps = caps(
        json!({}),
        json!([
            {"id": "a", "method": "workspace/symbol"},
            {"id": "b", "method": "textDocument/diagnostic", "registerOptions": {
                "documentSelector": [{"language": "python", "scheme": "file"}], "identifier": "x", "interFileDependencies": true}},
            {"id": "c", "method": "textDocument/rename", "registerOptions": {"documentSelector": [{"pattern": "**/*.rs"}, "toml"]}},
            {"method": "no id"},
            7,
        ]),
    );
    let (py, rs) = (Path::new("/p/a.py"), Path::new("/p/a.rs"));
    assert!(caps.can("workspace/symbol", None));
    assert!(caps.can("textDocument/diagnostic", Some((py, "python"))));
    assert!(!caps.can("textDocument/diagnostic", Some((rs, "rust"))));
    assert!(!caps.can("workspace/diagnostic", None));
    assert!(caps.can("textDocument/rename", Some((rs, "rust"))));
    assert!(caps.can("textDocument/rename", Some((py, "toml"))));
    assert!(!caps.can("textDocument/rename", Some((py, "python"))));
    assert!(!caps.can("textDocument/prepareRename", Some((rs, "rust"))));
    caps.unregister(&json!({"unregisterations": [{"id": "a"}], "unregistrations": [{"id": "b"}]}));
    assert!(!caps.can("workspace/symbol", None));
    assert!(!caps.can("textDocument/diagnostic", None));
}

/// Failure 32: each identifier is pulled, and the pull without one.
#[test]
fn every_identifier_is_pulled_once() {
    let registered = |id: &str, identifier: Value| json!({"id": id, "method": "textDocument/diagnostic", "registerOptions": {"identifier": identifier}});
    let caps = caps(
        json!({"diagnosticProvider": {"interFileDependencies": false}}),
        json!([
            registered("a", json!("syntax")),
            registered("b", json!("full")),
            registered("c", json!("full"))
        ]),
    );
    let got = caps.pull_identifiers(Path::new("/a.cs"), "csharp");
    assert_eq!(got, [None, Some("syntax".into()), Some("full".into())]);
    assert_eq!(Caps::default().pull_identifiers(Path::new("/a.cs"), "csharp"), []);
}

#[test]
fn how_changes_are_taken() {
    for (announced, kind, save) in [
        (json!({}), SyncKind::Full, Save::No),
        (json!({"textDocumentSync": 2}), SyncKind::Incremental, Save::No),
        (json!({"textDocumentSync": {"change": 1, "save": true}}), SyncKind::Full, Save::Plain),
        (json!({"textDocumentSync": {"change": 0, "save": false}}), SyncKind::None, Save::No),
        (
            json!({"textDocumentSync": {"change": 2, "save": {"includeText": true}}}),
            SyncKind::Incremental,
            Save::WithText,
        ),
        (
            json!({"textDocumentSync": {"change": 2, "save": {}}}),
            SyncKind::Incremental,
            Save::Plain,
        ),
    ] {
        let caps = caps(announced.clone(), json!([]));
        assert_eq!((caps.sync_kind(), caps.save()), (kind, save), "{announced}");
    }
}

#[test]
fn watched_files_are_those_that_were_asked_for() {
    let watchers = json!([
        {"globPattern": "**/*.{rs,toml}"},
        {"globPattern": "pyproject.toml", "kind": 1},
        {"globPattern": {"baseUri": "file:///p/%5Bx%5D", "pattern": "**/*.py"}, "kind": 4},
        {"globPattern": {"baseUri": {"uri": "file:///other", "name": "o"}, "pattern": "*.h"}},
        {"globPattern": "[bad"},
        {},
    ]);
    let caps = caps(
        json!({}),
        json!([{"id": "w", "method": "workspace/didChangeWatchedFiles", "registerOptions": {"watchers": watchers}}]),
    );
    let watchers = caps.watchers(Path::new("/p")).expect("it asked");
    for (path, change, wanted) in [
        ("/p/src/a.rs", FileChange::Changed, true),
        ("/p/a.rs", FileChange::Deleted, true),
        ("/p/deep/pyproject.toml", FileChange::Created, true),
        ("/p/[x]/deep/a.py", FileChange::Deleted, true),
        ("/p/[x]/deep/a.py", FileChange::Changed, false),
        ("/p/x/a.py", FileChange::Deleted, false),
        ("/other/a.h", FileChange::Changed, true),
        ("/other/deep/a.h", FileChange::Changed, false),
        ("/p/README.md", FileChange::Created, false),
    ] {
        assert_eq!(watchers.wants(Path::new(path), change), wanted, "{path} {change:?}");
    }
    assert!(Caps::default().watchers(Path::new("/p")).is_none());
}
