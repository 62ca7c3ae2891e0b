//! Where reports come in and are waited for.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;
use tokio::time::Instant;
use tool_workspace::ContentHash;

use super::doc::{Reported, Store};
use super::latency::Latencies;
use crate::diagnostics::Diagnostic;
use crate::uri::to_existing_path;

/// All that one server has said about diagnostics, over its restarts. Its client tells it what is sent and what comes;
/// [`verdict`](crate::verdict) reads it.
#[derive(Debug)]
pub(crate) struct DiagnosticsInbox {
    store: Mutex<Store>,
    latencies: Mutex<Latencies>,
    changed: watch::Sender<u64>,
    /// How often a check was waited for that did not begin.
    pub(crate) checks_missed: AtomicU64,
}

/// What was pushed of a file, and when.
pub(crate) struct Push {
    pub(crate) items: Vec<Diagnostic>,
    pub(crate) version: Option<i64>,
    /// Its number in the order of events.
    pub(crate) seq: u64,
    pub(crate) at: Instant,
}

impl Default for DiagnosticsInbox {
    fn default() -> Self {
        Self {
            store: Mutex::default(),
            latencies: Mutex::default(),
            changed: watch::channel(0).0,
            checks_missed: AtomicU64::new(0),
        }
    }
}

/// Paths are compared as the disk has them: a server may know a file by another way than we do.
fn key(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    // A file that is gone (or not there yet) still has a folder.
    match (path.parent().and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

impl DiagnosticsInbox {
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.changed.send_modify(|n| *n += 1);
    }

    /// A text is about to be sent with this version, by `didOpen` or `didChange`. To be called before its bytes go out.
    pub(crate) fn sent(&self, path: &Path, version: i64, hash: ContentHash) {
        self.store().sent(key(path), version, hash);
    }

    /// The document was closed.
    pub(crate) fn closed(&self, path: &Path) {
        self.store().closed(&key(path));
        self.tell();
    }

    /// The server's process is the one of this generation from here on; generations grow.
    pub(crate) fn restarted(&self, generation: u64) {
        self.store().restarted(generation);
        self.tell();
    }

    /// Takes `publishDiagnostics` of a server's generation, in the order in which they came.
    pub(crate) fn push(&self, params: &Value, generation: u64) {
        let Some(uri) = params.get("uri").and_then(Value::as_str) else { return };
        let Some(path) = to_existing_path(uri) else { return };
        let version = params.get("version").and_then(Value::as_i64);
        let items = params.get("diagnostics").unwrap_or(&Value::Null);
        self.store().push(key(&path), version, items, generation, Instant::now());
        self.tell();
    }

    /// The number of the last event: what comes later is newer than now.
    pub(crate) fn mark(&self) -> u64 {
        self.store().seq
    }

    /// Fires whenever something came.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The last push of a file.
    pub(crate) fn pushed(&self, path: &Path) -> Option<Push> {
        let store = self.store();
        let pushed = store.pushed(&key(path))?;
        Some(Push {
            items: pushed.items.clone(),
            version: pushed.version,
            seq: pushed.seq,
            at: pushed.at,
        })
    }

    /// The files of which something was pushed after this point, as the disk has their paths.
    pub(crate) fn pushed_since(&self, mark: u64) -> Vec<PathBuf> {
        self.store().pushed_since(mark)
    }

    /// When the text that the server has was sent: number in the order of events, version, hash.
    pub(crate) fn last_sent(&self, path: &Path) -> Option<(u64, i64, ContentHash)> {
        self.store().last_sent(&key(path)).map(|sent| (sent.seq, sent.version, sent.hash))
    }

    /// The name of the last result of a question about a file.
    pub(crate) fn result_id(&self, path: &Path, identifier: Option<&str>) -> Option<String> {
        self.store().result_id(&key(path), identifier)
    }

    /// Reads the answer to a question about a file.
    pub(crate) fn pulled(&self, path: &Path, identifier: Option<&str>, answer: &Value) -> Reported {
        self.store().pulled(&key(path), identifier, answer)
    }

    /// The next question about a file names no earlier result.
    pub(crate) fn forget_results(&self, path: &Path) {
        self.store().forget_results(&key(path));
    }

    /// A verdict took so long.
    pub(crate) fn took(&self, time: Duration) {
        self.latencies.lock().unwrap_or_else(PoisonError::into_inner).add(time);
    }

    /// What was learned of its latency.
    pub(crate) fn latencies(&self) -> Latencies {
        self.latencies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[cfg(test)]
    /// Reports that were for a text that is no longer the last, or from a process that is gone.
    pub(crate) fn stale(&self) -> u64 {
        self.store().stale
    }
}
