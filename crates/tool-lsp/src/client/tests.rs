//! What servers do to a client, by scripts in memory. Time is paused: it passes when nothing else is left to do.

mod conforming;
mod disk;
mod talk;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tool_testkit::{Script, Scripted, Verb};
use tool_wire::{Framing, pair};
use tool_workspace::Root;

use super::{Client, Connect, Kind, Streams};
use crate::error::LspError;
use crate::spec::{Readiness, Role, ServerSpec};
use crate::watch::World;

/// A client of a scripted server, over a folder with one document `a.x`.
struct Fake {
    client: Arc<Client>,
    server: Scripted,
    folder: tempfile::TempDir,
}

impl Fake {
    /// A server that requests may be sent to at once.
    async fn new(capabilities: Value, script: Script) -> Self {
        Self::of(capabilities, script, |_| ()).await
    }

    async fn of(capabilities: Value, script: Script, change: impl FnOnce(&mut ServerSpec)) -> Self {
        let greeting = [Verb::Reply(json!({ "capabilities": capabilities }))];
        let made = Self::try_new(script.on("initialize", greeting), change).await;
        made.unwrap_or_else(|error| panic!("{error}"))
    }

    async fn try_new(
        script: Script,
        change: impl FnOnce(&mut ServerSpec),
    ) -> Result<Self, LspError> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.x"), "one\n").expect("written");
        let workspace = Root::open(folder.path()).expect("a root");
        let mut spec = ServerSpec::new("fake", Role::Types);
        spec.documents = vec![("x".into(), "lang-x".into())];
        spec.readiness = Readiness::Blocks;
        change(&mut spec);
        let (ours, theirs) = pair(1 << 20);
        let server = Scripted::start(theirs, Framing::ContentLength, script);
        let with = Connect {
            spec: Arc::new(spec),
            root: workspace.path().to_path_buf(),
            world: World::first_look(workspace.path()),
            workspace,
            settings: json!({"fake": {"deep": 1}}),
            init_options: Value::Null,
            version: String::new(),
            generation: 7,
            max_documents: 3,
        };
        let streams = Streams { reader: ours.reader, writer: ours.writer, child: None };
        let client = Client::connect(with, streams).await?;
        Ok(Self { client, server, folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("it is there").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    async fn ask(&self, kind: Kind) -> Result<Value, LspError> {
        self.client.ask("a question", "x/ask", Value::Null, kind, &|_| ()).await
    }

    /// Everything that the server was told of these methods, once it has answered what comes last.
    async fn heard(&self, methods: &[&str]) -> Vec<Value> {
        let limit = Duration::from_secs(60);
        let last =
            self.client.request("the end", "test/last", Value::Null, Kind::Once, limit).await;
        assert!(last.is_ok(), "{last:?}");
        let of = |message: &Value| {
            message["method"].as_str().is_some_and(|method| methods.contains(&method))
        };
        self.server.heard().into_iter().filter(of).collect()
    }
}

fn progress(kind: &str, more: Value) -> Verb {
    let mut value = json!({ "kind": kind });
    for (name, what) in more.as_object().into_iter().flatten() {
        value[name] = what.clone();
    }
    Verb::Event("$/progress".into(), json!({"token": "load", "value": value}))
}
