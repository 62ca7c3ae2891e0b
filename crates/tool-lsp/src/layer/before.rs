//! The baseline: what is wrong before a write, from the servers that can say it at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, timeout};
use tool_workspace::ContentHash;

use super::files::{self, Old};
use super::late::chased;
use super::{Run, lock};
use crate::client::Client;
use crate::supervisor::Want;
use crate::verdict::{Moment, not_ready, verdict};

/// A write is held up by its baseline for so long at most.
const MOST: Duration = Duration::from_secs(1);
/// Of which one document takes so long at most.
const EACH: Duration = Duration::from_millis(900);
/// A server that is not running is given so long to start: some need a few milliseconds, and others seconds.
pub(super) const STARTS: Duration = Duration::from_millis(250);
/// Files of one write that are looked at.
pub(super) const FILES: usize = 20;
/// Open documents beside them that are looked at.
pub(super) const OPEN: usize = 20;

/// What was there before a write.
#[derive(Default, Clone)]
pub(super) struct Before {
    pub(super) files: Vec<Old>,
}

impl Before {
    /// Of several calls, together.
    pub(super) fn joined(befores: &[Arc<Self>]) -> Self {
        Self { files: befores.iter().flat_map(|before| before.files.iter().cloned()).collect() }
    }
}

/// Reads the files, and asks every server that is ready what is wrong with them and with what else is open.
pub(super) async fn take(run: &Run, paths: &[PathBuf]) -> Before {
    let paths: Vec<PathBuf> = paths.iter().take(FILES).cloned().collect();
    let read = {
        let paths = paths.clone();
        tokio::task::spawn_blocking(move || paths.iter().map(|path| files::old(path)).collect())
    };
    let before = Before { files: read.await.unwrap_or_default() };
    // What is late is simply not known.
    let _ = timeout(MOST, baselines(run, &before.files)).await;
    before
}

async fn baselines(run: &Run, olds: &[Old]) {
    let mut clients: Vec<Arc<Client>> = Vec::new();
    let asked = olds.iter().map(|old| async move { (old, for_file(run, &old.path).await) });
    let mut known = Vec::new();
    for (old, of_file) in join_all(asked).await {
        for client in of_file {
            if !clients.iter().any(|known| known.generation() == client.generation()) {
                clients.push(Arc::clone(&client));
            }
            known.push((old, client));
        }
    }
    join_all(known.into_iter().map(|(old, client)| async move {
        match &old.bytes {
            // What is not there has nothing wrong.
            None => lock(&run.ledger).baseline(&old.path, client.id(), &[]),
            Some(bytes) => one(run, &client, &old.path, Some(ContentHash::of(bytes))).await,
        }
    }))
    .await;
    join_all(clients.iter().map(|client| async move {
        pushed(run, client);
        let open = client.open_documents();
        let others = open.iter().filter(|path| !olds.iter().any(|old| old.path == **path));
        join_all(others.take(OPEN).map(|path| one(run, client, path, None))).await;
    }))
    .await;
}

/// The servers for a file: those that run, or that start quickly.
pub(super) async fn for_file(run: &Run, path: &Path) -> Vec<Arc<Client>> {
    let running = run.sup.clients_now(path, Want::All).await;
    if !running.is_empty() || crate::roots::servers_for(&run.sup.config().servers, path).is_empty()
    {
        return running;
    }
    match timeout(STARTS, run.sup.clients_for(path, Want::All)).await {
        Ok(Ok(clients)) => clients,
        _ => Vec::new(),
    }
}

/// Takes the baseline of one file from one server, unless it is known. `hash` is that of the file now: where others have
/// changed it since it was judged, it is judged anew.
pub(super) async fn one(run: &Run, client: &Client, path: &Path, hash: Option<ContentHash>) {
    let (id, begun) = (client.id(), Instant::now());
    // While a verdict on an earlier write is due, what is there now is no baseline: it would swallow what that broke.
    if chased(run, path, id) {
        return;
    }
    let judged_otherwise = {
        let mut ledger = lock(&run.ledger);
        match hash {
            Some(hash) if ledger.knows_as(path, id, hash) => return,
            None if ledger.knows(path, id) => return,
            _ => {}
        }
        // Somebody else has changed it since. If there is no verdict in time, nobody will say what is new.
        let known = ledger.knows(path, id);
        ledger.forget(path, id);
        known
    };
    if not_ready(client).is_some() {
        return;
    }
    let mut moment = Moment::of(client);
    let Ok(synced) = client.sync(path).await else { return };
    if judged_otherwise {
        // A check that runs at a save has not seen that change.
        moment = moment.saved();
        if client.saved(path).await.is_err() {
            return;
        }
    }
    let limit = EACH.saturating_sub(begun.elapsed());
    let verdict = verdict(client, path, &synced, &moment, limit).await;
    if let Some((items, evidence)) = verdict.known()
        && evidence.part.is_none()
    {
        let mut ledger = lock(&run.ledger);
        ledger.baseline(path, id, items);
        ledger.stamp(path, id, evidence.hash);
    }
}

/// What the server has said unasked of other files is what was there before.
fn pushed(run: &Run, client: &Client) {
    let inbox = client.pushes();
    for path in inbox.pushed_since(0) {
        if client.open_version(&path).is_none()
            && let Some(push) = inbox.pushed(&path)
        {
            let mut ledger = lock(&run.ledger);
            if !ledger.knows(&path, client.id()) {
                ledger.baseline(&path, client.id(), &push.items);
            }
        }
    }
    lock(&run.seen).entry(client.generation()).or_insert_with(|| inbox.mark());
}
