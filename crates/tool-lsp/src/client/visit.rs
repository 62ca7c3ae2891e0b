//! Files that a server reads only as documents: opened for it to read them, and closed when it has.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::sync::Held;
use super::{Client, FileChange, Kind};
use crate::documents::Seen;
use crate::error::LspError;
use crate::spec::{Channel, Watching};
use crate::text::Text;
use crate::uri::to_uri;

/// So many files are opened and closed for a server that cannot be told of them otherwise. More, and it is outdated.
const MOST_REOPENED: usize = 64;
/// So long it is waited for a word on what was read; then it is asked.
const SILENCE: Duration = Duration::from_secs(2);

impl Client {
    /// For servers that read a file anew only when it is opened, and look for it when it is closed.
    pub(super) async fn reopen(
        &self,
        held: &mut Held,
        changes: &[(PathBuf, FileChange)],
    ) -> Result<(), LspError> {
        if changes.len() > MOST_REOPENED {
            // One that was told of them comes to them by itself.
            if self.spec.quirks.reads_late && self.spec.watching == Watching::Notify {
                return Ok(());
            }
            let why = format!("{} files changed on the disk, and it hears of none", changes.len());
            self.state().outdated = Some(why);
            return Ok(());
        }
        for (path, change) in changes {
            if *change == FileChange::Deleted {
                self.tell_empty(held, path);
            } else {
                match self.tell(held, path).await {
                    Ok(_) => {}
                    Err(LspError::Path(_) | LspError::NotText { .. }) => continue,
                    Err(error) => return Err(error),
                }
            }
            if self.says_when_read() {
                if let Some(version) = self.open_version(path) {
                    self.state().visits.push((path.clone(), version));
                }
            } else {
                let message = self.documents().close(path);
                held.unsent.extend(message);
                self.inbox.closed(path);
            }
            self.flush(held).await?;
        }
        Ok(())
    }

    /// A file that is gone, as a document: empty.
    fn tell_empty(&self, held: &mut Held, path: &Path) {
        let Ok(text) = Text::new(Vec::new()) else { return };
        let (kind, encoding) = {
            let state = self.state();
            (state.caps.sync_kind(), state.encoding)
        };
        let hash = text.hash();
        let language = self.spec.language_id(path).unwrap_or("plaintext");
        let seen = Seen { path, uri: to_uri(path), language, text, stamp: None };
        let messages = self.documents().update(seen, kind, encoding);
        if let Some(version) = self.open_version(path) {
            self.inbox.sent(path, i64::from(version), hash);
        }
        held.unsent.extend(messages);
    }

    /// Waits until the server knows of all files what it was told of them: some read them, or list them, only a moment
    /// later, and answer meanwhile as if nothing had changed.
    ///
    /// # Errors
    /// [`LspError::NotReady`] where it does not come to read them in time; its end.
    pub(super) async fn caught_up(&self, until: Instant) -> Result<(), LspError> {
        let begun = Instant::now();
        loop {
            let (mut said, mut pushed) = (self.changed.subscribe(), self.inbox.changes());
            said.mark_unchanged();
            pushed.mark_unchanged();
            if let Some(ended) = self.state().ended.clone() {
                return Err(self.ended(&ended));
            }
            let now = Instant::now();
            let lists = self.state().ready.relists_until().filter(|until| now < *until);
            let unread = self.unread();
            if lists.is_none() && unread.is_empty() {
                return self.leave().await;
            }
            if now >= until {
                return Err(LspError::NotReady {
                    server: self.id().to_string(),
                    what: format!("reading files that changed ({} to go)", unread.len()),
                    percent: None,
                    waited: begun.elapsed(),
                });
            }
            let wake = lists.unwrap_or(until).min(until).min(now + SILENCE);
            tokio::select! {
                _ = said.changed() => {}
                _ = pushed.changed() => {}
                () = sleep_until(wake) => self.inquire(unread).await?,
            }
        }
    }

    /// Asks something of each of these documents, where nothing was said for long: of a text that went and came back the
    /// server says nothing, but it answers when it has read it.
    async fn inquire(&self, unread: Vec<(PathBuf, i32)>) -> Result<(), LspError> {
        for (path, version) in unread {
            let params = json!({"textDocument": {"uri": to_uri(&path)}});
            let limit = self.spec.request_budget;
            let method = "textDocument/documentSymbol";
            match self.request("symbols", method, params, Kind::Read, limit).await {
                Ok(_) | Err(LspError::Server { .. }) => {
                    self.state().read.insert(path, version);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether it knows other files than the one that is asked about by reading them as documents, one after the other,
    /// and says what is wrong in each when it has read it.
    fn says_when_read(&self) -> bool {
        self.spec.watching == Watching::Reopen && self.spec.diagnostics == [Channel::PushVersioned]
    }

    /// The documents that it has not read as they are now.
    fn unread(&self) -> Vec<(PathBuf, i32)> {
        if !self.says_when_read() {
            return Vec::new();
        }
        let open = self.open_documents().into_iter();
        let open = open.filter_map(|path| Some((self.open_version(&path)?, path)));
        open.filter(|(version, path)| {
            let sent = self.inbox.last_sent(path).map(|(seq, ..)| seq);
            let pushed = self.inbox.pushed(path).map(|push| push.seq);
            pushed <= sent && self.state().read.get(path) != Some(version)
        })
        .map(|(version, path)| (path, version))
        .collect()
    }

    /// Closes the documents that were open only to be read, unless somebody uses them by now.
    async fn leave(&self) -> Result<(), LspError> {
        if self.state().visits.is_empty() {
            return Ok(());
        }
        let mut held = self.hold().await?;
        let visits = std::mem::take(&mut self.state().visits);
        for (path, version) in visits {
            let mut documents = self.documents();
            let idle = |document: &crate::documents::Document| {
                document.version == version && Arc::strong_count(&document.pin) == 1
            };
            let message =
                documents.get(&path).is_some_and(idle).then(|| documents.close(&path)).flatten();
            drop(documents);
            if message.is_some() {
                held.unsent.extend(message);
                self.inbox.closed(&path);
            }
        }
        self.flush(&mut held).await
    }
}
