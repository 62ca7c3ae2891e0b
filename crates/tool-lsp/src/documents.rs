//! What a server has been told of each document: versions, hashes, which to close. Pure.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tool_workspace::Identity;

use crate::caps::SyncKind;
use crate::text::{Encoding, Pos, Text};

/// A message to the server: method and params.
pub(crate) type Message = (&'static str, Value);

/// A document that is open in the server.
#[derive(Debug)]
pub(crate) struct Document {
    /// As the server was told it.
    pub(crate) uri: String,
    /// The version that it was told last.
    pub(crate) version: i32,
    /// The text that it was told last.
    pub(crate) text: Text,
    /// The file from which the text is, if its identity is enough to see a change.
    pub(crate) stamp: Option<Identity>,
    /// Held by those who wait for something about the document: it is not closed then.
    pub(crate) pin: Arc<()>,
    used: u64,
}

/// All documents of one server.
#[derive(Debug)]
pub(crate) struct Documents {
    open: HashMap<PathBuf, Document>,
    /// The last version of each document ever opened: versions grow across closing and opening.
    versions: HashMap<PathBuf, i32>,
    most: usize,
    clock: u64,
}

/// A document as it is on the disk.
#[derive(Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) path: &'a Path,
    pub(crate) uri: String,
    pub(crate) language: &'a str,
    pub(crate) text: Text,
    pub(crate) stamp: Option<Identity>,
}

impl Documents {
    /// At most `most` are open at once, unless more are held.
    pub(crate) fn new(most: usize) -> Self {
        Self { open: HashMap::new(), versions: HashMap::new(), most: most.max(1), clock: 0 }
    }

    /// An open document. It counts as used.
    pub(crate) fn touch(&mut self, path: &Path) -> Option<&Document> {
        self.clock += 1;
        let document = self.open.get_mut(path)?;
        document.used = self.clock;
        Some(document)
    }

    /// An open document.
    pub(crate) fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    /// The open documents, the latest used first.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<_> = self.open.iter().collect();
        paths.sort_by_key(|(path, document)| (std::cmp::Reverse(document.used), (*path).clone()));
        paths.into_iter().map(|(path, _)| path.clone()).collect()
    }

    /// How many are open.
    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    /// What the server must be told so that it has the document as it is on the disk. Nothing if it has.
    pub(crate) fn update(
        &mut self,
        seen: Seen<'_>,
        kind: SyncKind,
        encoding: Encoding,
    ) -> Vec<Message> {
        self.clock += 1;
        let known = self.open.get_mut(seen.path);
        if let Some(document) = known {
            document.used = self.clock;
            document.stamp = seen.stamp;
            if document.text.hash() == seen.text.hash() {
                return Vec::new();
            }
        }
        let version = self.versions.entry(seen.path.to_path_buf()).or_insert(0);
        *version += 1;
        let version = *version;
        let open = |text: &Text, uri: &str| -> Message {
            let item = json!({"uri": uri, "languageId": seen.language, "version": version, "text": text.sent()});
            ("textDocument/didOpen", json!({ "textDocument": item }))
        };
        let Some(document) = self.open.get_mut(seen.path) else {
            let mut messages = self.make_room();
            messages.push(open(&seen.text, &seen.uri));
            let document = Document {
                uri: seen.uri,
                version,
                text: seen.text,
                stamp: seen.stamp,
                pin: Arc::new(()),
                used: self.clock,
            };
            self.open.insert(seen.path.to_path_buf(), document);
            return messages;
        };
        let old = std::mem::replace(&mut document.text, seen.text);
        document.version = version;
        let new = document.text.sent();
        let change = match kind {
            SyncKind::None => {
                return vec![closing(&document.uri), open(&document.text, &document.uri)];
            }
            SyncKind::Full => json!({ "text": new }),
            // One range over everything: servers that negotiated ranges crash without one.
            SyncKind::Incremental => json!({"range": whole(&old, encoding), "text": new}),
        };
        let id = json!({"uri": document.uri, "version": version});
        vec![("textDocument/didChange", json!({"textDocument": id, "contentChanges": [change]}))]
    }

    /// Closes a document.
    pub(crate) fn close(&mut self, path: &Path) -> Option<Message> {
        self.open.remove(path).map(|document| closing(&document.uri))
    }

    /// Closes what was unused for longest, until there is room for one more.
    fn make_room(&mut self) -> Vec<Message> {
        let mut messages = Vec::new();
        while self.open.len() >= self.most {
            let free =
                self.open.iter().filter(|(_, document)| Arc::strong_count(&document.pin) == 1);
            let Some((path, _)) = free.min_by_key(|(_, document)| document.used) else { break };
            let path = path.clone();
            messages.extend(self.close(&path));
        }
        messages
    }
}

fn closing(uri: &str) -> Message {
    ("textDocument/didClose", json!({"textDocument": {"uri": uri}}))
}

fn whole(text: &Text, encoding: Encoding) -> Value {
    let end = text.pos(text.src().len(), encoding);
    let json = |pos: Pos| json!({"line": pos.line, "character": pos.character});
    json!({"start": json(Pos::new(0, 0)), "end": json(end)})
}

#[cfg(test)]
mod tests;
