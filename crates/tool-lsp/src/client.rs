//! One language server for one root: the handle that everything else speaks through. Owner task, hand-shake, requests.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::diagnostics::DiagnosticsInbox;
use crate::error::LspError;
use crate::ready::ReadyState;
use crate::spec::ServerSpec;
use crate::text::{Encoding, Text};

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
    pub(crate) pin: Arc<()>,
}

/// A running server. Shared as `Arc<Client>`.
#[derive(Debug)]
pub(crate) struct Client {
    spec: Arc<ServerSpec>,
    root: PathBuf,
    inbox: DiagnosticsInbox,
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
        0
    }

    /// What the server says of its version, else what its probe said.
    pub(crate) fn version(&self) -> &str {
        ""
    }

    /// Grows with each start of this server for this root: evidence of another generation is void.
    pub(crate) fn generation(&self) -> u64 {
        0
    }

    /// In what units it counts columns.
    pub(crate) fn encoding(&self) -> Encoding {
        Encoding::Utf16
    }

    /// It was found to count otherwise than announced. `why` is shown by `status`.
    pub(crate) fn set_encoding(&self, _encoding: Encoding, _why: &str) {}

    /// Whether it offers a method, by its announcement or a later registration, for any document.
    pub(crate) fn can(&self, _method: &str) -> bool {
        false
    }

    /// Whether it offers a method for this document.
    pub(crate) fn can_at(&self, _method: &str, _path: &Path) -> bool {
        false
    }

    /// What `initialize` answered as `capabilities`, and options of later registrations of a method.
    pub(crate) fn capability(&self, _pointer: &str) -> Option<Value> {
        None
    }

    /// The identifiers under which diagnostics are pulled; `None` in it is the pull without one. Empty: no pull.
    pub(crate) fn pull_identifiers(&self, _path: &Path) -> Vec<Option<String>> {
        Vec::new()
    }

    /// Tells the server of a document as it is on the disk now, if it does not know that yet.
    ///
    /// # Errors
    /// The file cannot be read or is no text, or the server has ended.
    pub(crate) async fn sync(&self, _path: &Path) -> Result<Synced, LspError> {
        Err(self.unbuilt())
    }

    /// Tells the server of everything that changed on the disk since it was told last: open documents, and the files it
    /// wants to hear of.
    ///
    /// # Errors
    /// The server has ended.
    pub(crate) async fn sync_world(&self) -> Result<(), LspError> {
        Err(self.unbuilt())
    }

    /// Tells the server of files that we have just written or removed; documents that are open are synced too.
    ///
    /// # Errors
    /// The server has ended.
    pub(crate) async fn announce(
        &self,
        _changes: &[(PathBuf, FileChange)],
    ) -> Result<(), LspError> {
        Err(self.unbuilt())
    }

    /// `didSave`, where the server wants it.
    ///
    /// # Errors
    /// The server has ended.
    pub(crate) async fn saved(&self, _path: &Path) -> Result<(), LspError> {
        Err(self.unbuilt())
    }

    /// Asks. `what` completes "did not answer …". `Value::Null` as params leaves them out.
    ///
    /// # Errors
    /// The server's own error, the limit, its end.
    pub(crate) async fn request(
        &self,
        _what: &str,
        _method: &str,
        _params: Value,
        _kind: Kind,
        _limit: Duration,
    ) -> Result<Value, LspError> {
        Err(self.unbuilt())
    }

    /// Waits until the server knows the whole project. `progress` is told what it is doing meanwhile.
    ///
    /// # Errors
    /// [`LspError::NotReady`] when the limit passes; its end.
    pub(crate) async fn ready(
        &self,
        _limit: Duration,
        _progress: &(dyn Fn(String) + Sync),
    ) -> Result<(), LspError> {
        Err(self.unbuilt())
    }

    /// A question that crosses files: waits for readiness, asks, and asks again if the server began to load while it
    /// answered. The way for `references`, `definition`, `implementation`, calls, workspace symbols and renames.
    ///
    /// # Errors
    /// As [`Client::ready`] and [`Client::request`].
    pub(crate) async fn ask(
        &self,
        _what: &str,
        _method: &str,
        _params: Value,
        _kind: Kind,
        _progress: &(dyn Fn(String) + Sync),
    ) -> Result<Value, LspError> {
        Err(self.unbuilt())
    }

    /// Opens some document of the project if none is open: some servers know no project before.
    ///
    /// # Errors
    /// The server has ended. That there is no document is none.
    pub(crate) async fn open_any(&self) -> Result<(), LspError> {
        Err(self.unbuilt())
    }

    /// Whether it can be believed now.
    pub(crate) fn readiness(&self) -> ReadyState {
        ReadyState::Ready
    }

    /// Where `publishDiagnostics` goes.
    pub(crate) fn pushes(&self) -> &DiagnosticsInbox {
        &self.inbox
    }

    /// How often progress whose token begins so has begun and ended.
    pub(crate) fn progress_count(&self, _token: &str) -> ProgressCount {
        ProgressCount::default()
    }

    /// Grows whenever the server said something that may change an answer of this handle: progress, readiness,
    /// registrations, a refresh of diagnostics. To wait on.
    pub(crate) fn changes(&self) -> tokio::sync::watch::Receiver<u64> {
        tokio::sync::watch::channel(0).1
    }

    /// How often the server asked for diagnostics to be pulled anew.
    pub(crate) fn refreshes(&self) -> u64 {
        0
    }

    /// A command of the TypeScript server behind the language server, with its body as answer.
    ///
    /// # Errors
    /// As [`Client::request`].
    pub(crate) async fn execute_ts(
        &self,
        _command: &str,
        _arguments: Value,
        _limit: Duration,
    ) -> Result<Value, LspError> {
        Err(self.unbuilt())
    }

    /// How many documents are open.
    pub(crate) fn open_documents(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The version under which the server knows a document, if it is open.
    pub(crate) fn open_version(&self, _path: &Path) -> Option<i32> {
        None
    }

    fn unbuilt(&self) -> LspError {
        LspError::Ended { server: self.id().into(), why: "it was never started".into() }
    }
}

/// How often a piece of work has begun and ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProgressCount {
    /// Beginnings.
    pub(crate) begun: u64,
    /// Ends.
    pub(crate) ended: u64,
}
