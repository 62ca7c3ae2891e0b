//! Documents and files.

use super::Fake;
use crate::client::{FileChange, Kind};
use crate::spec::{Channel, Watching};
use serde_json::{Value, json};
use std::fs;
use tool_testkit::{Script, Verb};

const DOCUMENTS: &[&str] =
    &["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"];

fn watching(pattern: &str) -> Script {
    let watchers = json!({"watchers": [{"globPattern": pattern}]});
    let registration = json!({"registrations": [
        {"id": "w", "method": "workspace/didChangeWatchedFiles", "registerOptions": watchers},
    ]});
    Script::new().on(
        "initialize",
        [
            Verb::Call("client/registerCapability".into(), registration),
            Verb::Reply(json!({"capabilities": {"textDocumentSync": {"change": 2, "save": {"includeText": true}}}})),
        ],
    )
}

async fn watched(pattern: &str) -> Fake {
    Fake::try_new(watching(pattern), |_| ()).await.unwrap_or_else(|error| panic!("{error}"))
}

fn short(messages: &[Value]) -> Vec<String> {
    let short = |message: &Value| {
        let method =
            message["method"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        let document = &message["params"]["textDocument"];
        let name =
            document["uri"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        format!("{method} {name} {}", document["version"])
    };
    messages.iter().map(short).collect()
}

/// Failures 14, 15, 21 and 22: the disk decides, each state is told once, and those who ask at the same time tell it once.
#[tokio::test(start_paused = true)]
async fn a_document_is_told_as_it_is_on_the_disk() {
    let fake = watched("**/*").await;
    let path = fake.path("a.x");
    let (one, two) = tokio::join!(fake.client.sync(&path), fake.client.sync(&path));
    let (one, two) = (one.expect("told"), two.expect("told"));
    assert_eq!((one.version, two.version), (1, 1));
    assert!(one.changed != two.changed);
    fake.write("a.x", "two\n");
    let three = fake.client.sync(&path).await.expect("told");
    assert_eq!((three.version, three.text.src()), (2, "two\n"));
    assert!(!fake.client.sync(&path).await.expect("told").changed);
    let heard = fake.heard(DOCUMENTS).await;
    assert_eq!(short(&heard), ["didOpen a.x 1", "didChange a.x 2"]);
    assert_eq!(heard[0]["params"]["textDocument"]["languageId"], "lang-x");
    assert_eq!(heard[1]["params"]["contentChanges"][0]["text"], "two\n");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_text_is_an_error_and_changes_nothing() {
    let fake = watched("**/*").await;
    fs::write(fake.path("b.x"), b"\xff\xfe").expect("written");
    for (name, part) in [("b.x", "UTF-8"), ("none.x", "none.x"), ("../x", "outside")] {
        let error = fake.client.sync(&fake.path(name)).await.expect_err(name);
        assert!(error.to_string().contains(part), "{name}: {error}");
    }
    assert_eq!(fake.heard(DOCUMENTS).await.len(), 0);
}

/// Failures 23 to 25 and 37: files first, in one message; open documents by their own.
#[tokio::test(start_paused = true)]
async fn what_other_programs_wrote_is_told_before_a_question() {
    let fake = watched("**/*.x").await;
    fake.write("gone.x", "1");
    fake.client.sync_world().await.expect("told");
    fake.client.sync(&fake.path("a.x")).await.expect("told");
    fake.write("a.x", "two\n");
    fake.write("new.x", "1");
    fake.write("other.y", "1");
    fs::remove_file(fake.path("gone.x")).expect("removed");
    fake.client.sync_world().await.expect("told");
    fake.client.sync_world().await.expect("nothing to tell");
    let heard = fake.heard(&["workspace/didChangeWatchedFiles", "textDocument/didChange"]).await;
    let methods: Vec<&str> =
        heard.iter().filter_map(|message| message["method"].as_str()).collect();
    assert_eq!(
        methods,
        [
            "workspace/didChangeWatchedFiles",
            "workspace/didChangeWatchedFiles",
            "textDocument/didChange"
        ]
    );
    assert_eq!(kinds(&heard[0]), [("gone.x".to_string(), 1)]);
    assert_eq!(kinds(&heard[1]), [("gone.x".to_string(), 3), ("new.x".to_string(), 1)]);
}

fn kinds(message: &Value) -> Vec<(String, u64)> {
    let changes = message["params"]["changes"].as_array().cloned().unwrap_or_default();
    let mut kinds: Vec<(String, u64)> = changes
        .iter()
        .map(|change| {
            let uri = change["uri"].as_str().unwrap_or_default();
            let name = uri.rsplit('/').next().unwrap_or_default().to_string();
            (name, change["type"].as_u64().unwrap_or_default())
        })
        .collect();
    kinds.sort();
    kinds
}

/// Our own writes are told at once, and not found again by the next look; `didSave` carries the text if that is wanted.
#[tokio::test(start_paused = true)]
async fn our_own_writes_are_told_once() {
    let fake = watched("**/*.x").await;
    fake.client.sync(&fake.path("a.x")).await.expect("told");
    fake.write("a.x", "two\n");
    fake.write("new.x", "1");
    let changes =
        [(fake.path("a.x"), FileChange::Changed), (fake.path("new.x"), FileChange::Created)];
    fake.client.announce(&changes).await.expect("told");
    fake.client.saved(&fake.path("a.x")).await.expect("told");
    fake.client.saved(&fake.path("new.x")).await.expect("it is not open");
    fake.client.sync_world().await.expect("nothing to tell");
    let heard = fake
        .heard(&[
            "workspace/didChangeWatchedFiles",
            "textDocument/didChange",
            "textDocument/didSave",
        ])
        .await;
    assert_eq!(heard.len(), 3, "{heard:#?}");
    assert_eq!(kinds(&heard[0]), [("new.x".to_string(), 1)]);
    assert_eq!(heard[2]["params"]["text"], "two\n");
}

/// An open document that is deleted is closed.
#[tokio::test(start_paused = true)]
async fn a_deleted_document_is_closed() {
    let fake = watched("**/*.x").await;
    fake.client.sync(&fake.path("a.x")).await.expect("told");
    fs::remove_file(fake.path("a.x")).expect("removed");
    fake.client.sync_world().await.expect("told");
    assert_eq!(fake.client.open_documents(), Vec::<std::path::PathBuf>::new());
    let heard = fake.heard(&["workspace/didChangeWatchedFiles", "textDocument/didClose"]).await;
    assert_eq!(short(&heard)[0], "didClose a.x null");
    assert_eq!(kinds(&heard[1]), [("a.x".to_string(), 3)]);
}

/// Failure 26: a server that ignores watched files is told by opening and closing, also of files that are gone; of too
/// many at once it is not: it is outdated.
#[tokio::test(start_paused = true)]
async fn who_hears_of_no_files_has_them_opened() {
    let fake = Fake::of(json!({}), Script::new(), |spec| spec.watching = Watching::Reopen).await;
    fake.write("b.x", "1");
    fake.client.sync_world().await.expect("told");
    fs::remove_file(fake.path("b.x")).expect("removed");
    fake.client.sync_world().await.expect("told");
    let heard = fake.heard(DOCUMENTS).await;
    assert_eq!(
        short(&heard),
        ["didOpen b.x 1", "didClose b.x null", "didOpen b.x 2", "didClose b.x null"]
    );
    assert_eq!(heard[2]["params"]["textDocument"]["text"], "");
    assert_eq!(fake.client.outdated(), None);
    for n in 0..100 {
        fake.write(&format!("many{n}.x"), "1");
    }
    fake.client.sync_world().await.expect("told");
    assert!(fake.client.outdated().expect("too many").contains("100 files"));
}

/// Failure 26: what such a server has not read yet is waited for by a question that crosses files, and closed then. Of a
/// text that it says nothing of, it is asked.
#[tokio::test(start_paused = true)]
async fn what_is_opened_to_be_read_is_waited_for() {
    let fake = Fake::of(json!({}), Script::new(), |spec| {
        spec.watching = Watching::Reopen;
        spec.diagnostics = vec![Channel::PushVersioned];
    })
    .await;
    fake.write("b.x", "1");
    fake.client.sync_world().await.expect("told");
    fake.ask(Kind::Read).await.expect("answered");
    let all = [DOCUMENTS, &["textDocument/documentSymbol", "x/ask"]].concat();
    let heard = fake.heard(&all).await;
    let methods: Vec<&str> = heard.iter().filter_map(|m| m["method"].as_str()).collect();
    assert_eq!(
        methods,
        ["textDocument/didOpen", "textDocument/documentSymbol", "textDocument/didClose", "x/ask"]
    );
    fake.ask(Kind::Read).await.expect("answered");
    assert_eq!(fake.heard(&all).await.len(), 5, "nothing is waited for twice");
}

/// A server that reads changed files only later has them opened beside being told of them; those that are gone it is told.
#[tokio::test(start_paused = true)]
async fn who_reads_late_has_changes_opened() {
    let fake = Fake::try_new(watching("**/*.x"), |spec| spec.quirks.reads_late = true).await;
    let fake = fake.unwrap_or_else(|error| panic!("{error}"));
    fake.write("b.x", "1");
    fake.client.sync_world().await.expect("told");
    fs::remove_file(fake.path("b.x")).expect("removed");
    fake.client.sync_world().await.expect("told");
    let heard = fake.heard(&[DOCUMENTS, &["workspace/didChangeWatchedFiles"]].concat()).await;
    assert_eq!(
        short(&heard),
        [
            "didChangeWatchedFiles  null",
            "didOpen b.x 1",
            "didClose b.x null",
            "didChangeWatchedFiles  null"
        ]
    );
}

/// Failure 11: a server that knows nothing before a document is open gets one.
#[tokio::test(start_paused = true)]
async fn some_document_is_opened() {
    let fake = watched("**/*").await;
    fake.client.open_any().await.expect("told");
    fake.client.open_any().await.expect("one is enough");
    assert_eq!(short(&fake.heard(DOCUMENTS).await), ["didOpen a.x 1"]);
    assert_eq!(fake.client.open_version(&fake.path("a.x")), Some(1));
}

/// Failure 101: documents are closed when there are too many.
#[tokio::test(start_paused = true)]
async fn few_documents_are_open_at_once() {
    let fake = watched("**/*").await;
    for name in ["a.x", "b.x", "c.x", "d.x"] {
        fake.write(name, name);
        fake.client.sync(&fake.path(name)).await.expect("told");
    }
    assert_eq!(fake.client.open_documents().len(), 3);
    let heard = fake.heard(&["textDocument/didClose"]).await;
    assert_eq!(short(&heard), ["didClose a.x null"]);
}
