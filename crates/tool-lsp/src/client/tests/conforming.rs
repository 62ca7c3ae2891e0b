//! A server that conforms, behind a framework that is not ours.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tool_testkit::{CONFORMING_ENCODING, Conforming};
use tool_wire::{Ladder, pair};
use tool_workspace::Root;

use crate::client::{Client, Connect, Kind, Streams};
use crate::decode::locations;
use crate::spec::{Readiness, Role, ServerSpec};
use crate::watch::World;

/// Failures 12 to 15 and 45: it is waited for while it loads; documents are told before they are asked about, and again when
/// they change; columns are its own; diagnostics carry the version that was told.
#[tokio::test]
async fn a_conforming_server_is_understood() {
    let folder = tempfile::tempdir().expect("a folder");
    let workspace = Root::open(folder.path()).expect("a root");
    let (a, b) = (workspace.path().join("a.w"), workspace.path().join("b.w"));
    fs::write(&a, "def one\n").expect("written");
    fs::write(&b, "\u{feff}🦀 one two\r\n").expect("written");
    let mut spec = ServerSpec::new("words", Role::Types);
    spec.documents = vec![("w".into(), "words".into())];
    spec.readiness = Readiness::Progress {
        titles: vec!["loading".into()],
        grace: Duration::from_secs(60),
        settle: Duration::from_millis(50),
    };
    let (ours, theirs) = pair(1 << 16);
    let server = Conforming::start(theirs, Duration::from_millis(300));
    let with = Connect {
        spec: Arc::new(spec),
        root: workspace.path().to_path_buf(),
        world: World::first_look(workspace.path()),
        workspace,
        settings: Value::Null,
        init_options: Value::Null,
        version: String::new(),
        generation: 1,
        max_documents: 8,
    };
    let streams = Streams { reader: ours.reader, writer: ours.writer, child: None };
    let client = Client::connect(with, streams).await.expect("it greets");
    assert_eq!((client.version(), client.encoding().as_str()), ("1", CONFORMING_ENCODING));
    assert!(client.can("textDocument/hover") && !client.can("textDocument/diagnostic"));

    let told = client.sync(&a).await.expect("told");
    let other = client.sync(&b).await.expect("told");
    let at = other.text.src().find("one").expect("it is there");
    let pos = other.text.pos(at, client.encoding());
    assert_eq!(pos.character, 3);
    let params = json!({
        "textDocument": {"uri": other.uri},
        "position": {"line": pos.line, "character": pos.character},
        "context": {"includeDeclaration": true},
    });
    let quiet = |_: String| ();
    let ask = |method: &'static str| client.ask(method, method, params.clone(), Kind::Read, &quiet);
    let found = locations(&ask("textDocument/definition").await.expect("an answer"));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].path.as_path(), told.version), (a.as_path(), 1));
    assert_eq!(locations(&ask("textDocument/references").await.expect("an answer")).len(), 2);
    assert!(client.ready_after().expect("it was waited for") >= Duration::from_millis(300));

    fs::write(&a, "def one\ndef two\n").expect("written");
    client.sync_world().await.expect("told");
    let mut changes = client.pushes().changes();
    let clean = || client.pushes().pushed(&b).is_some_and(|push| push.items.is_empty());
    while !clean() {
        changes.changed().await.expect("the client is there");
    }
    assert_eq!(client.open_version(&a), Some(2));
    client.stop(Ladder::default()).await;
    drop(client);
    server.ended().await;
}
