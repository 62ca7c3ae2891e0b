//! One language server for one root: the handle that everything else speaks through.

mod connect;
mod greet;
mod lifetime;
mod listen;
mod settings;
mod state;
mod sync;
#[cfg(test)]
mod tests;
mod visit;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tool_wire::{Child, Ended, Peer, Wait, WireError};
use tool_workspace::Root;

use crate::diagnostics::DiagnosticsInbox;
use crate::documents::Documents;
use crate::error::LspError;
use crate::ready::ReadyState;
use crate::spec::ServerSpec;
use crate::text::{Encoding, Text};

pub(crate) use connect::{Connect, Streams};
use state::State;

/// How long the pause before a request is asked again grows at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// So often a question is asked whose answer is moot because the server began to load meanwhile.
const MOST_MOOT: u32 = 5;

/// Whether a request may be asked again when the server says that the content changed meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// It reads: asked again on -32801, and on -32802 unless the server forbids it.
    Read,
    /// It leads to edits: never asked again by itself.
    Once,
}

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileChange {
    /// It is new.
    Created,
    /// It has other content.
    Changed,
    /// It is gone.
    Deleted,
}

/// A document as the server has it now.
#[derive(Clone, Debug)]
pub(crate) struct Synced {
    /// Its address, as the server was told it.
    pub(crate) uri: String,
    /// The version that the server was told last.
    pub(crate) version: i32,
    /// The text that the server was told last: that of the disk.
    pub(crate) text: Text,
    /// Whether the server was told something by this very call.
    pub(crate) changed: bool,
    /// Keeps the document open while somebody holds it.
    pub(crate) _pin: Arc<()>,
}

/// How often a piece of work has begun and ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProgressCount {
    /// Beginnings.
    pub(crate) begun: u64,
    /// Ends.
    pub(crate) ended: u64,
}

/// A running server. Shared as `Arc<Client>`; dropping the last one kills the process.
#[derive(Debug)]
pub(crate) struct Client {
    spec: Arc<ServerSpec>,
    root: PathBuf,
    workspace: Root,
    settings: Value,
    version: String,
    own_version: OnceLock<String>,
    generation: u64,
    started: Instant,
    peer: Peer,
    child: Option<Child>,
    state: Mutex<State>,
    /// Grows with everything that the server says which may change an answer of this handle.
    changed: watch::Sender<u64>,
    inbox: DiagnosticsInbox,
    documents: Mutex<Documents>,
    /// What the server is told of documents and files is told in one order: that in which this is held.
    telling: Arc<tokio::sync::Mutex<sync::Telling>>,
}

impl Client {
    /// The server's id.
    pub(crate) fn id(&self) -> &str {
        &self.spec.id
    }

    /// The root it was started for.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// What is known of the server.
    pub(crate) fn spec(&self) -> &ServerSpec {
        &self.spec
    }

    /// The pid of its process; 0 for one that is reached in memory.
    pub(crate) fn pid(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::pid)
    }

    /// What its probe said of its version, else what it says itself.
    pub(crate) fn version(&self) -> &str {
        let own = || self.own_version.get().map_or("", String::as_str);
        if self.version.is_empty() { own() } else { &self.version }
    }

    /// Grows with each start of any server of the run: evidence of another generation is void.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// In what units it counts columns.
    pub(crate) fn encoding(&self) -> Encoding {
        self.state().encoding
    }

    /// It was found to count otherwise than announced. `why` is shown by `status`.
    pub(crate) fn set_encoding(&self, encoding: Encoding, why: &str) {
        let mut state = self.state();
        if state.encoding != encoding {
            state.encoding = encoding;
            state.encoding_note = Some(why.to_string());
        }
    }

    /// Whether it offers a method, by its announcement or a later registration, for any document.
    pub(crate) fn can(&self, method: &str) -> bool {
        self.state().caps.can(method, None)
    }

    /// Whether it offers a method for this document.
    pub(crate) fn can_at(&self, method: &str, path: &Path) -> bool {
        let language = self.spec.language_id(path).unwrap_or_default();
        self.state().caps.can(method, Some((path, language)))
    }

    /// The identifiers under which diagnostics are pulled; `None` in it is the pull without one. Empty: no pull.
    pub(crate) fn pull_identifiers(&self, path: &Path) -> Vec<Option<String>> {
        let language = self.spec.language_id(path).unwrap_or_default();
        self.state().caps.pull_identifiers(path, language)
    }

    /// Asks. `what` completes "did not answer …". `Value::Null` as params leaves them out.
    ///
    /// # Errors
    /// The server's own error, the limit, its end.
    pub(crate) async fn request(
        &self,
        what: &str,
        method: &str,
        params: Value,
        kind: Kind,
        limit: Duration,
    ) -> Result<Value, LspError> {
        let until = Instant::now() + limit;
        let mut pause = Duration::from_millis(50);
        loop {
            let params = (!params.is_null()).then(|| params.clone());
            let left = until.saturating_duration_since(Instant::now());
            let error =
                match self.peer.call(method, params, Wait::new(what.to_string(), left)).await {
                    Ok(answer) => return Ok(answer),
                    Err(error) => error,
                };
            let again = Instant::now() + pause;
            if kind == Kind::Once || !is_passing(&error) || again >= until {
                return Err(self.failed(error, method, what, limit));
            }
            // What made the question moot is usually still going on: wait for the server to say more, or a little.
            let mut changes = self.changed.subscribe();
            tokio::select! {
                _ = changes.changed() => {}
                () = sleep_until(again) => {}
            }
            sleep_until((Instant::now() + Duration::from_millis(20)).min(again)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn failed(&self, error: WireError, method: &str, what: &str, limit: Duration) -> LspError {
        let server = self.id().to_string();
        match error {
            WireError::Closed(ended) => self.ended(&ended),
            WireError::Deadline { .. } => {
                LspError::Timeout { server, what: what.to_string(), limit }
            }
            WireError::Remote(error) => LspError::Server {
                server,
                method: method.to_string(),
                code: error.code,
                message: error.message,
            },
            other => LspError::Ended { server, why: other.to_string() },
        }
    }

    fn ended(&self, ended: &Ended) -> LspError {
        LspError::Ended { server: self.id().to_string(), why: ended.to_string() }
    }

    /// Waits until the server knows the whole project. `progress` is told what it is doing meanwhile. Waits for what the
    /// server says, never for a fixed time.
    ///
    /// # Errors
    /// [`LspError::NotReady`] when the limit passes; its end.
    pub(crate) async fn ready(
        &self,
        limit: Duration,
        progress: &(dyn Fn(String) + Sync),
    ) -> Result<(), LspError> {
        let start = Instant::now();
        let mut changes = self.changed.subscribe();
        let mut told = String::new();
        loop {
            changes.mark_unchanged();
            if let Some(ended) = self.state().ended.clone() {
                return Err(self.ended(&ended));
            }
            let (what, percent, quiet_until) = match self.readiness() {
                ReadyState::Ready => {
                    self.state().ready_after.get_or_insert(self.started.elapsed());
                    return Ok(());
                }
                ReadyState::Broken(why) => {
                    return Err(LspError::Ended { server: self.id().to_string(), why });
                }
                ReadyState::Loading { what, percent, quiet_until } => (what, percent, quiet_until),
            };
            let waited = start.elapsed();
            if waited >= limit {
                let server = self.id().to_string();
                return Err(LspError::NotReady { server, what, percent, waited });
            }
            let line = percent.map_or_else(|| what.clone(), |percent| format!("{what} {percent}%"));
            if line != told {
                progress(format!("{}: {line}", self.id()));
                told = line;
            }
            let wake = quiet_until.unwrap_or(start + limit).min(start + limit);
            tokio::select! {
                _ = changes.changed() => {}
                () = sleep_until(wake) => {}
            }
        }
    }

    /// A question that crosses files: waits for readiness, asks, and asks again if the server began to load while it
    /// answered. The way for `references`, `definition`, `implementation`, calls, workspace symbols and renames.
    ///
    /// # Errors
    /// As [`Client::ready`] and [`Client::request`].
    pub(crate) async fn ask(
        &self,
        what: &str,
        method: &str,
        params: Value,
        kind: Kind,
        progress: &(dyn Fn(String) + Sync),
    ) -> Result<Value, LspError> {
        let start = Instant::now();
        let until = start + self.spec.ready_budget;
        let mut pause = Duration::from_millis(50);
        let mut moot = 0;
        loop {
            self.ready(until.saturating_duration_since(Instant::now()), progress).await?;
            self.caught_up(until).await?;
            let epoch = self.epoch();
            let limit = self.spec.request_budget;
            let answer = self.request(what, method, params.clone(), kind, limit).await?;
            if self.epoch() != epoch {
                moot += 1;
                if moot >= MOST_MOOT || Instant::now() >= until {
                    return Err(self.never_rests(start.elapsed()));
                }
                continue;
            }
            if !is_empty(&answer) {
                self.state().ready.answered();
                return Ok(answer);
            }
            let again = Instant::now() + pause;
            if !self.state().ready.wants_answer() || again >= until {
                return Ok(answer);
            }
            sleep_until(again).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn never_rests(&self, waited: Duration) -> LspError {
        let what = match self.readiness() {
            ReadyState::Loading { what, .. } => what,
            _ => "it began to load anew while it answered, again and again".to_string(),
        };
        LspError::NotReady { server: self.id().to_string(), what, percent: None, waited }
    }

    /// Whether it can be believed now.
    pub(crate) fn readiness(&self) -> ReadyState {
        self.state().ready.at(Instant::now())
    }

    /// Whether it is known to speak of all these files, though they are gone.
    pub(crate) fn is_haunted_by(&self, gone: &[PathBuf]) -> bool {
        self.state().is_haunted_by(gone)
    }

    /// Takes note of files that it speaks of, though they are gone: it is not waited for it to forget them again.
    pub(crate) fn haunted_by(&self, gone: Vec<PathBuf>) {
        self.state().haunted_by(gone);
    }

    /// Grows whenever it was found loading: an answer that was asked for before is then worth nothing.
    pub(crate) fn epoch(&self) -> u64 {
        self.state().ready.epoch()
    }

    /// Where `publishDiagnostics` goes.
    pub(crate) fn pushes(&self) -> &DiagnosticsInbox {
        &self.inbox
    }

    /// How often progress whose token begins so has begun and ended.
    pub(crate) fn progress_count(&self, token: &str) -> ProgressCount {
        self.state().progress_count(token)
    }

    /// Grows whenever the server said something that may change an answer of this handle: progress, readiness,
    /// registrations, a refresh of diagnostics, its end. To wait on.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// A command of the TypeScript server behind the language server; what it answers, with its `body`.
    ///
    /// # Errors
    /// As [`Client::request`].
    pub(crate) async fn execute_ts(
        &self,
        command: &str,
        arguments: Value,
        limit: Duration,
    ) -> Result<Value, LspError> {
        let arguments = json!([command, arguments, {"isAsync": false, "expectsResult": true}]);
        let params = json!({"command": "typescript.tsserverRequest", "arguments": arguments});
        self.request(command, "workspace/executeCommand", params, Kind::Read, limit).await
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell_changed(&self) {
        self.changed.send_modify(|n| *n = n.wrapping_add(1));
    }
}

/// Whether an error says that the same question may be answered in a moment.
fn is_passing(error: &WireError) -> bool {
    match error {
        WireError::Remote(error) if error.code == -32801 => true,
        WireError::Remote(error) if error.code == -32802 => error.data["retriggerRequest"] != false,
        _ => false,
    }
}

fn is_empty(answer: &Value) -> bool {
    match answer {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}
