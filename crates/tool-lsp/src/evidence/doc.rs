//! The record of one server's documents: what was sent, what was pushed, what was pulled, and in which order.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tokio::time::Instant;
use tool_workspace::ContentHash;

use crate::diagnostics::{Diagnostic, decode};
use crate::uri::to_existing_path;

/// The record. Every event gets the next number, so that "after the text was sent" can be asked.
#[derive(Debug, Default)]
pub(super) struct Store {
    /// Of the process; not known before it has said anything.
    generation: Option<u64>,
    pub(super) seq: u64,
    docs: HashMap<PathBuf, Doc>,
    /// Reports for a version that is no longer the last.
    pub(super) stale: u64,
}

#[derive(Debug, Default)]
struct Doc {
    sent: Option<Sent>,
    pushed: Option<Pushed>,
    pulled: BTreeMap<Option<String>, Pulled>,
}

/// A text that was sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent {
    pub(super) version: i64,
    pub(super) hash: ContentHash,
    pub(super) seq: u64,
}

/// The last report that came unasked.
#[derive(Debug, Clone)]
pub(super) struct Pushed {
    pub(super) version: Option<i64>,
    pub(super) seq: u64,
    pub(super) at: Instant,
    pub(super) items: Vec<Diagnostic>,
}

/// An answer to a question.
#[derive(Clone, Debug)]
pub(crate) struct Pulled {
    pub(crate) result_id: Option<String>,
    pub(crate) items: Vec<Diagnostic>,
}

/// What came of an answer to a question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reported {
    /// These are all, from this question.
    Items(Vec<Diagnostic>),
    /// "Unchanged", and what it was before is not known: ask again without naming a result.
    Lost,
    /// No report at all.
    Garbled,
}

impl Store {
    fn next(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    /// A text goes out. Before its bytes do: an answer must never be older than the question.
    pub(super) fn sent(&mut self, path: PathBuf, version: i64, hash: ContentHash) {
        let seq = self.next();
        self.docs.entry(path).or_default().sent = Some(Sent { version, hash, seq });
    }

    /// The document is closed: what was said of it counts no more.
    pub(super) fn closed(&mut self, path: &Path) {
        self.docs.remove(path);
        self.next();
    }

    /// Another process from here on: nothing that was said before counts.
    pub(super) fn restarted(&mut self, generation: u64) {
        // What was sent before anything was heard is of the first process.
        if self.generation.is_some_and(|known| known != generation) {
            self.docs.clear();
        }
        self.generation = Some(generation);
    }

    /// A report that came unasked, from the process of this generation.
    pub(super) fn push(
        &mut self,
        path: PathBuf,
        version: Option<i64>,
        items: &Value,
        generation: u64,
        now: Instant,
    ) {
        if self.generation.is_some_and(|known| generation < known) {
            self.stale += 1;
            return;
        }
        self.restarted(generation);
        let seq = self.next();
        let doc = self.docs.entry(path.clone()).or_default();
        if let (Some(version), Some(sent)) = (version, doc.sent)
            && version < sent.version
        {
            self.stale += 1;
        }
        // Never back to an older version; one that is behind the sent text is kept, but is no evidence by itself.
        if let Some(Pushed { version: Some(last), .. }) = &doc.pushed
            && version.is_some_and(|version| version < *last)
        {
            return;
        }
        let items = decode(&path, items);
        doc.pushed = Some(Pushed { version, seq, at: now, items });
    }

    pub(super) fn pushed(&self, path: &Path) -> Option<&Pushed> {
        self.docs.get(path)?.pushed.as_ref()
    }

    pub(super) fn last_sent(&self, path: &Path) -> Option<Sent> {
        self.docs.get(path)?.sent
    }

    /// The files of which something was pushed after this point.
    pub(super) fn pushed_since(&self, seq: u64) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self
            .docs
            .iter()
            .filter(|(_, doc)| doc.pushed.as_ref().is_some_and(|pushed| pushed.seq > seq))
            .map(|(path, _)| path.clone())
            .collect();
        paths.sort_unstable();
        paths
    }

    /// The name of the last result, to be sent with the next question.
    pub(super) fn result_id(&self, path: &Path, identifier: Option<&str>) -> Option<String> {
        let doc = self.docs.get(path)?;
        doc.pulled.get(&identifier.map(str::to_owned))?.result_id.clone()
    }

    /// Reads the answer to a question: full, or "as before".
    pub(super) fn pulled(
        &mut self,
        path: &Path,
        identifier: Option<&str>,
        answer: &Value,
    ) -> Reported {
        let reported = self.one_report(path, identifier, answer);
        // What it says of other documents by the way.
        for (uri, report) in
            answer.get("relatedDocuments").and_then(Value::as_object).into_iter().flatten()
        {
            if let Some(other) = to_existing_path(uri) {
                self.one_report(&other, identifier, report);
            }
        }
        reported
    }

    fn one_report(&mut self, path: &Path, identifier: Option<&str>, answer: &Value) -> Reported {
        self.next();
        let identifier = identifier.map(str::to_owned);
        let result_id = answer.get("resultId").and_then(Value::as_str).map(str::to_owned);
        let kind = answer.get("kind").and_then(Value::as_str);
        if kind == Some("unchanged") {
            let known = self.docs.get_mut(path).and_then(|doc| doc.pulled.get_mut(&identifier));
            return match known {
                Some(pulled) => {
                    pulled.result_id = result_id.or(pulled.result_id.take());
                    Reported::Items(pulled.items.clone())
                }
                None => Reported::Lost,
            };
        }
        // Some servers forget the kind; a list of items is a full report all the same.
        let Some(items) = answer.get("items").filter(|items| items.is_array()) else {
            return Reported::Garbled;
        };
        let items = decode(path, items);
        let doc = self.docs.entry(path.to_owned()).or_default();
        doc.pulled.insert(identifier, Pulled { result_id, items: items.clone() });
        Reported::Items(items)
    }

    /// Forgets the names of results: the next question is asked as the first.
    pub(super) fn forget_results(&mut self, path: &Path) {
        if let Some(doc) = self.docs.get_mut(path) {
            doc.pulled.clear();
        }
    }
}
