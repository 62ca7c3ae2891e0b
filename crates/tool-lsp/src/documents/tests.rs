use super::{Documents, Message, Seen};
use crate::caps::SyncKind;
use crate::text::{Encoding, Text};
use serde_json::json;
use std::path::Path;

fn tell(documents: &mut Documents, path: &str, text: &str, kind: SyncKind) -> Vec<Message> {
    let seen = Seen {
        path: Path::new(path),
        uri: format!("file://{path}"),
        language: "x",
        text: Text::new(text.as_bytes().to_vec()).expect("it is text"),
        stamp: None,
    };
    documents.update(seen, kind, Encoding::Utf16)
}

fn methods(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|(method, _)| method.rsplit('/').next().unwrap_or_default()).collect()
}

/// Failures 14, 15 and 21: a change is told once, and each message has a higher version, also after closing.
#[test]
fn versions_grow_and_nothing_is_told_twice() {
    let mut documents = Documents::new(8);
    let opened = tell(&mut documents, "/a", "1", SyncKind::Full);
    assert_eq!(opened[0].1["textDocument"]["version"], 1);
    assert_eq!(opened[0].1["textDocument"]["text"], "1");
    assert_eq!(tell(&mut documents, "/a", "1", SyncKind::Full), []);
    let changed = tell(&mut documents, "/a", "2", SyncKind::Full);
    assert_eq!(methods(&changed), ["didChange"]);
    assert_eq!(changed[0].1["textDocument"]["version"], 2);
    assert_eq!(changed[0].1["contentChanges"], json!([{"text": "2"}]));
    assert!(documents.close(Path::new("/a")).is_some());
    assert!(documents.close(Path::new("/a")).is_none());
    assert_eq!(tell(&mut documents, "/a", "2", SyncKind::Full)[0].1["textDocument"]["version"], 3);
}

/// Failure 78: who negotiated ranges gets one, over the whole old text.
#[test]
fn ranges_cover_the_old_text_in_the_units_of_the_server() {
    let mut documents = Documents::new(8);
    tell(&mut documents, "/a", "x\r\n\u{1f600}b", SyncKind::Incremental);
    let changed = tell(&mut documents, "/a", "\u{feff}new", SyncKind::Incremental);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 3}});
    assert_eq!(changed[0].1["contentChanges"], json!([{"range": range, "text": "new"}]));
}

#[test]
fn who_takes_no_changes_gets_the_document_anew() {
    let mut documents = Documents::new(8);
    tell(&mut documents, "/a", "1", SyncKind::None);
    let messages = tell(&mut documents, "/a", "2", SyncKind::None);
    assert_eq!(methods(&messages), ["didClose", "didOpen"]);
    assert_eq!(messages[1].1["textDocument"]["version"], 2);
}

/// Failure 101: the documents unused for longest are closed, but none that somebody waits for.
#[test]
fn documents_do_not_accumulate() {
    let mut documents = Documents::new(2);
    tell(&mut documents, "/a", "1", SyncKind::Full);
    tell(&mut documents, "/b", "1", SyncKind::Full);
    let pin = documents.touch(Path::new("/a")).map(|document| document.pin.clone());
    documents.touch(Path::new("/b"));
    let messages = tell(&mut documents, "/c", "1", SyncKind::Full);
    assert_eq!(methods(&messages), ["didClose", "didOpen"]);
    assert_eq!(messages[0].1["textDocument"]["uri"], "file:///b");
    assert_eq!(documents.paths(), [Path::new("/c"), Path::new("/a")]);
    drop(pin);
    let held: Vec<_> =
        ["/a", "/c"].map(|path| documents.get(Path::new(path)).map(|d| d.pin.clone())).into();
    assert_eq!(methods(&tell(&mut documents, "/d", "1", SyncKind::Full)), ["didOpen"]);
    assert_eq!(documents.len(), 3);
    drop(held);
}
