//! Telling the server how documents and files are now.
//!
//! All of it goes through one lock, so that messages leave in the order in which the disk was read. A message that was
//! decided on stays in line until it is sent: a caller who gives up in the middle loses nothing.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use tokio::sync::OwnedMutexGuard;
use tool_workspace::FileContent;

use super::{Client, FileChange, Synced};
use crate::caps::{Save, Watchers};
use crate::documents::{Message, Seen};
use crate::error::LspError;
use crate::spec::Watching;
use crate::text::Text;
use crate::uri::to_uri;
use crate::watch::{World, identity};

/// The largest document that is opened, in bytes.
const LARGEST: u64 = 24 << 20;

/// What is told in one order.
#[derive(Debug)]
pub(super) struct Telling {
    pub(super) world: World,
    pub(super) unsent: VecDeque<Message>,
}

impl Telling {
    pub(super) fn new(world: World) -> Self {
        Self { world, unsent: VecDeque::new() }
    }
}

pub(super) type Held = OwnedMutexGuard<Telling>;

impl Client {
    /// Tells the server of a document as it is on the disk now, if it does not know that yet.
    ///
    /// # Errors
    /// The file cannot be read or is no text, or the server has ended.
    pub(crate) async fn sync(&self, path: &Path) -> Result<Synced, LspError> {
        let mut held = self.hold().await?;
        self.tell(&mut held, path).await
    }

    /// Tells the server of everything that changed on the disk since it was told last: open documents, and the files it
    /// wants to hear of.
    ///
    /// # Errors
    /// The server has ended.
    pub(crate) async fn sync_world(&self) -> Result<(), LspError> {
        let held = self.hold().await?;
        let watchers = self.watchers();
        let documents = self.spec.clone();
        let mut held = blocking(move || {
            let mut held = held;
            held.world.look(&|path| match &watchers {
                Some(watchers) => watchers.covers(path) || documents.language_id(path).is_some(),
                None => documents.language_id(path).is_some(),
            });
            held
        })
        .await?;
        self.tell_pending(&mut held).await
    }

    /// Tells the server of files that we have just written or removed; documents that are open are synced too.
    ///
    /// # Errors
    /// The server has ended.
    pub(crate) async fn announce(&self, changes: &[(PathBuf, FileChange)]) -> Result<(), LspError> {
        let mut held = self.hold().await?;
        for (path, _) in changes {
            let wanted = self.spec.language_id(path).is_some();
            held.world.wrote(path, wanted);
        }
        held.world.add(changes);
        self.tell_pending(&mut held).await
    }

    /// `didSave`, where the server wants it.
    ///
    /// # Errors
    /// The server has ended.
    pub(crate) async fn saved(&self, path: &Path) -> Result<(), LspError> {
        let mut held = self.hold().await?;
        let wanted = self.state().caps.save();
        let message = self.documents().get(path).map(|document| {
            let mut params = json!({"textDocument": {"uri": document.uri}});
            if wanted == Save::WithText {
                params["text"] = json!(document.text.sent());
            }
            ("textDocument/didSave", params)
        });
        if wanted != Save::No {
            held.unsent.extend(message);
        }
        self.flush(&mut held).await
    }

    /// Closes a document and opens it again: for servers that judge a document anew only then.
    ///
    /// # Errors
    /// As [`Client::sync`].
    pub(crate) async fn open_anew(&self, path: &Path) -> Result<Synced, LspError> {
        let mut held = self.hold().await?;
        let message = self.documents().close(path);
        held.unsent.extend(message);
        self.inbox.closed(path);
        self.tell(&mut held, path).await
    }

    /// Opens some document of the project if none is open: some servers know no project before.
    ///
    /// # Errors
    /// The server has ended. That there is no document is none.
    pub(crate) async fn open_any(&self) -> Result<(), LspError> {
        if self.documents().len() > 0 {
            return Ok(());
        }
        let mut held = self.hold().await?;
        let Some(path) = held.world.find(|path| self.spec.language_id(path).is_some()) else {
            return Ok(());
        };
        match self.tell(&mut held, &path).await {
            // One that cannot be opened opens no project; the question will show.
            Ok(_) | Err(LspError::Path(_) | LspError::NotText { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The open documents, the latest used first.
    pub(crate) fn open_documents(&self) -> Vec<PathBuf> {
        self.documents().paths()
    }

    /// The version under which the server knows a document, if it is open.
    pub(crate) fn open_version(&self, path: &Path) -> Option<i32> {
        self.documents().get(path).map(|document| document.version)
    }

    /// Whether the tree is too large to be looked at for changes.
    pub(crate) async fn is_blind(&self) -> bool {
        self.telling.lock().await.world.is_too_large()
    }

    fn watchers(&self) -> Option<Watchers> {
        self.state().caps.watchers(&self.root)
    }

    /// Takes the turn, and sends what another caller left in line.
    pub(super) async fn hold(&self) -> Result<Held, LspError> {
        let mut held = self.telling.clone().lock_owned().await;
        self.flush(&mut held).await?;
        Ok(held)
    }

    pub(super) async fn flush(&self, held: &mut Held) -> Result<(), LspError> {
        while let Some((method, params)) = held.unsent.front().cloned() {
            // Sent if and only if this returns; so it leaves the line afterwards.
            self.notify(method, params).await?;
            held.unsent.pop_front();
        }
        Ok(())
    }

    /// Brings one document to the state of the disk.
    pub(super) async fn tell(&self, held: &mut Held, path: &Path) -> Result<Synced, LspError> {
        let asked = path.to_string_lossy().into_owned();
        let at = self.workspace.resolve(&asked)?;
        let path = at.path().to_path_buf();
        let known = self.documents().touch(&path).and_then(|document| {
            let same = document.stamp.is_some() && document.stamp == identity(&path);
            same.then(|| synced(document, false))
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let workspace = self.workspace.clone();
        let content = blocking(move || workspace.read_up_to(&at, LARGEST)).await??;
        let stamp = content.is_settled().then_some(content.identity);
        let FileContent { bytes, .. } = content;
        let text = Text::new(bytes).map_err(|why| LspError::NotText {
            path: self.workspace.relative(&path),
            why: why.to_string(),
        })?;
        let (kind, encoding) = {
            let state = self.state();
            (state.caps.sync_kind(), state.encoding)
        };
        let hash = text.hash();
        let language = self.spec.language_id(&path).unwrap_or("plaintext");
        let uri = to_uri(&path);
        let seen = Seen { path: &path, uri, language, text, stamp };
        let (messages, document) = {
            let mut documents = self.documents();
            let messages = documents.update(seen, kind, encoding);
            let document = documents.touch(&path).map(|open| synced(open, !messages.is_empty()));
            (messages, document)
        };
        let Some(document) = document else { return Err(self.lost()) };
        if document.changed {
            for (path, _) in self.closed_by(&messages) {
                self.inbox.closed(&path);
            }
            // Before the bytes go out: an answer to them may be here at once.
            self.inbox.sent(&path, i64::from(document.version), hash);
        }
        held.unsent.extend(messages);
        self.flush(held).await?;
        if document.changed {
            self.state().ready.opened(tokio::time::Instant::now());
        }
        Ok(document)
    }

    /// Which documents these messages close for good.
    fn closed_by(&self, messages: &[Message]) -> Vec<(PathBuf, String)> {
        let closing = messages.iter().filter(|(method, _)| *method == "textDocument/didClose");
        let paths = closing.filter_map(|(_, params)| {
            let uri = params["textDocument"]["uri"].as_str()?;
            Some((crate::uri::to_path(uri)?, uri.to_string()))
        });
        let documents = self.documents();
        paths.filter(|(path, _)| documents.get(path).is_none()).collect()
    }

    /// Tells all that waits: files first, then documents, so that what is new is known when what uses it is checked.
    async fn tell_pending(&self, held: &mut Held) -> Result<(), LspError> {
        let changes = held.world.untold();
        let watchers = self.watchers();
        let mut reopen = Vec::new();
        let mut events = Vec::new();
        let mut new = false;
        for (path, change) in &changes {
            let is_open = self.documents().get(path).is_some();
            if *change == FileChange::Deleted && is_open {
                let message = self.documents().close(path);
                held.unsent.extend(message);
                self.inbox.closed(path);
            }
            let wanted = watchers.as_ref().is_some_and(|watchers| watchers.wants(path, *change));
            // An open document is told by its own messages; of one that is new on the disk servers want to hear both.
            if wanted && (!is_open || *change != FileChange::Changed) {
                let kind = match change {
                    FileChange::Created => 1,
                    FileChange::Changed => 2,
                    FileChange::Deleted => 3,
                };
                events.push(json!({"uri": to_uri(path), "type": kind}));
                new |= kind == 1 && self.spec.language_id(path).is_some();
            }
            let late = self.spec.quirks.reads_late && *change != FileChange::Deleted;
            let by_opening = self.spec.watching == Watching::Reopen || watchers.is_none() || late;
            if by_opening && !is_open && self.spec.language_id(path).is_some() {
                reopen.push((path.clone(), *change));
            }
        }
        if !events.is_empty() {
            held.unsent.push_back(("workspace/didChangeWatchedFiles", json!({"changes": events})));
        }
        held.world.told();
        if new {
            // Before the bytes go out: the new list may be there at once.
            self.state().ready.told_of_new_files(tokio::time::Instant::now());
        }
        self.flush(held).await?;
        for path in self.open_documents() {
            match self.tell(held, &path).await {
                Ok(_) | Err(LspError::NotText { .. }) => {}
                // It is gone, and the look at the files did not cover it.
                Err(LspError::Path(_)) => {
                    let message = self.documents().close(&path);
                    held.unsent.extend(message);
                    self.inbox.closed(&path);
                }
                Err(error) => return Err(error),
            }
        }
        self.reopen(held, &reopen).await
    }

    fn lost(&self) -> LspError {
        LspError::Ended {
            server: self.id().to_string(),
            why: "a document was closed meanwhile".into(),
        }
    }
}

fn synced(document: &crate::documents::Document, changed: bool) -> Synced {
    Synced {
        uri: document.uri.clone(),
        version: document.version,
        text: document.text.clone(),
        changed,
        _pin: Arc::clone(&document.pin),
    }
}

/// Runs what reads the disk where it holds nobody up.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, LspError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| LspError::Ended {
        server: "the host".into(),
        why: "it is shutting down".into(),
    })
}
