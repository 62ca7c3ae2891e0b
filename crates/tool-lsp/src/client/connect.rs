//! The beginning of a conversation: streams, hand-shake, first settings.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tool_wire::{Child, Framing, JsonRpc, Peer, PeerOptions, Wait};
use tool_workspace::Root;

use super::state::State;
use super::sync::Telling;
use super::{Client, greet, listen};
use crate::diagnostics::DiagnosticsInbox;
use crate::documents::Documents;
use crate::error::LspError;
use crate::spec::ServerSpec;
use crate::text::Encoding;
use crate::watch::World;

/// A server that says something while it starts may take so many times its budget.
const PATIENCE: u32 = 4;

/// All that a client is made of.
#[derive(Debug)]
pub(crate) struct Connect {
    pub(crate) spec: Arc<ServerSpec>,
    /// The root that the server gets.
    pub(crate) root: PathBuf,
    /// The run's root: no document outside of it is read.
    pub(crate) workspace: Root,
    /// For `workspace/configuration` and `didChangeConfiguration`.
    pub(crate) settings: Value,
    /// `initializationOptions`.
    pub(crate) init_options: Value,
    /// What the probe said.
    pub(crate) version: String,
    pub(crate) generation: u64,
    pub(crate) max_documents: usize,
    /// The files as they were before the server started.
    pub(crate) world: World,
}

/// What a server is spoken with by.
#[derive(Debug)]
pub(crate) struct Streams<R, W> {
    pub(crate) reader: R,
    pub(crate) writer: W,
    /// The process, if it is one of ours.
    pub(crate) child: Option<Child>,
}

impl Client {
    /// Greets a server that was just started. Its end, or that of this future, ends the process.
    ///
    /// # Errors
    /// It ended, answered with an error, or did not answer within its budget; one that says something meanwhile gets more.
    pub(crate) async fn connect<R, W>(
        with: Connect,
        streams: Streams<R, W>,
    ) -> Result<Arc<Self>, LspError>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let mut options = PeerOptions::new(Framing::ContentLength);
        if let Some(child) = &streams.child {
            options = options.program(child.watch());
        }
        let (peer, inbox) = Peer::start(streams.reader, streams.writer, JsonRpc::lsp(), options);
        let now = Instant::now();
        let greeting = greet::params(&with.root, &with.init_options);
        let pushes = DiagnosticsInbox::default();
        pushes.restarted(with.generation);
        let client = Arc::new(Self {
            state: Mutex::new(State::new(with.spec.readiness.clone(), now)),
            spec: with.spec,
            root: with.root,
            workspace: with.workspace,
            settings: with.settings,
            version: with.version,
            own_version: OnceLock::new(),
            generation: with.generation,
            started: now,
            peer,
            child: streams.child,
            changed: watch::Sender::new(0),
            inbox: pushes,
            documents: Mutex::new(Documents::new(with.max_documents)),
            telling: Arc::new(tokio::sync::Mutex::new(Telling::new(with.world))),
        });
        tokio::spawn(listen::run(Arc::downgrade(&client), inbox));
        let answer = client.greet(greeting).await?;
        client.learn(&answer);
        let _ = client.notify("initialized", json!({})).await;
        if client.settings.as_object().is_some_and(|settings| !settings.is_empty()) {
            let params = json!({ "settings": client.settings });
            client.notify("workspace/didChangeConfiguration", params).await?;
        }
        Ok(client)
    }

    async fn greet(&self, params: Value) -> Result<Value, LspError> {
        let budget = self.spec.start_budget;
        let start = Instant::now();
        let most = start + budget * PATIENCE;
        let what = "initialize";
        let wait = Wait::new(what, budget * PATIENCE);
        let call = self.peer.call(what, Some(params), wait);
        tokio::pin!(call);
        let mut changes = self.changed.subscribe();
        let mut until = start + budget;
        loop {
            tokio::select! {
                answer = &mut call => {
                    return answer.map_err(|error| self.failed(error, what, what, start.elapsed()));
                }
                Ok(()) = changes.changed() => until = (Instant::now() + budget).min(most),
                () = sleep_until(until) => {
                    let limit = Duration::from_secs(start.elapsed().as_secs());
                    let server = self.id().to_string();
                    return Err(LspError::Timeout { server, what: what.into(), limit });
                }
            }
        }
    }

    fn learn(&self, answer: &Value) {
        let mut state = self.state();
        state.caps.announce(answer["capabilities"].clone());
        let announced = answer["capabilities"]["positionEncoding"].as_str();
        let own = self.spec.quirks.encoding.as_deref();
        state.encoding = own.or(announced).and_then(Encoding::from_wire).unwrap_or(Encoding::Utf16);
        if let Some(own) = own.filter(|own| *own != announced.unwrap_or("utf-16")) {
            state.encoding_note = Some(format!("counts columns in {own}, whatever it announces"));
        }
        let info = &answer["serverInfo"];
        let _ = self.own_version.set(info["version"].as_str().unwrap_or_default().to_string());
    }

    pub(super) async fn notify(&self, method: &str, params: Value) -> Result<(), LspError> {
        let told = self.peer.notify(method, Some(params)).await;
        told.map_err(|error| self.failed(error, method, method, Duration::ZERO))
    }
}
