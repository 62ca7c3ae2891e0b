//! What could not be said in time: verdicts that are chased after the result has gone out, and what servers say unasked.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tool_core::RunScope;
use tool_workspace::ContentHash;

use super::{Run, lock};
use crate::client::Client;
use crate::deferred::Late;
use crate::diagnostics::Diagnostic;
use crate::ledger::{Delta, Extent};
use crate::supervisor::Want;
use crate::verdict::{Moment, Verdict, not_ready, verdict};

/// A verdict is chased for so long once the server is ready.
const CHASE: Duration = Duration::from_secs(60);
/// A look at what has come meanwhile holds up no call for longer.
const LOOK: Duration = Duration::from_millis(500);

/// Something to be told late.
pub(super) struct Told {
    pub(super) server: String,
    pub(super) new: Vec<Diagnostic>,
    /// There was no baseline: these are all.
    pub(super) unknown_before: bool,
    /// There will be no verdict on this file, and why.
    pub(super) failed: Option<(PathBuf, String)>,
}

/// What has come since the last result, compared with what is known.
pub(super) async fn due(run: &Run) -> Vec<Told> {
    let mut told: Vec<Told> = queued(run).await;
    told.extend(unasked(run).await);
    told.retain(|told| !told.new.is_empty() || told.failed.is_some());
    told
}

async fn queued(run: &Run) -> Vec<Told> {
    let files = lock(&run.deferred).files();
    if files.is_empty() {
        return Vec::new();
    }
    let hashes = tokio::task::spawn_blocking(move || {
        files
            .into_iter()
            .filter_map(|file| Some((hash(&file)?, file)))
            .map(|(h, f)| (f, h))
            .collect()
    });
    let hashes: HashMap<PathBuf, ContentHash> = hashes.await.unwrap_or_default();
    let due = lock(&run.deferred).take(&|path| hashes.get(path).copied());
    let mut told = Vec::new();
    for late in due {
        let Late { file, server, hash, came } = late;
        told.push(match came {
            Err(why) => {
                Told { server, new: Vec::new(), unknown_before: false, failed: Some((file, why)) }
            }
            Ok(items) => {
                let delta = observe(run, &file, &server, &items, Some(hash));
                Told { server, new: delta.new, unknown_before: delta.unknown_before, failed: None }
            }
        });
    }
    told
}

fn observe(
    run: &Run,
    file: &Path,
    server: &str,
    items: &[Diagnostic],
    hash: Option<ContentHash>,
) -> Delta {
    let mut ledger = lock(&run.ledger);
    let delta = ledger.observe(file, server, items, None, Extent::Whole);
    if let Some(hash) = hash {
        ledger.stamp(file, server, hash);
    }
    delta
}

pub(super) fn hash(path: &Path) -> Option<ContentHash> {
    std::fs::read(path).ok().map(|bytes| ContentHash::of(&bytes))
}

/// Files of which a server has said something since it was last looked at, that no chase is after.
async fn unasked(run: &Run) -> Vec<Told> {
    let mut told = Vec::new();
    let until = Instant::now() + LOOK;
    for client in run.sup.running() {
        let inbox = client.pushes();
        let since = {
            let mut seen = lock(&run.seen);
            // Before the first write nothing is told unasked.
            let Some(last) = seen.get_mut(&client.generation()) else { continue };
            std::mem::replace(last, inbox.mark())
        };
        let mut files = inbox.pushed_since(since);
        lock(&run.again).retain(|(generation, file)| {
            let ours = *generation == client.generation();
            if ours && !files.contains(file) {
                files.push(file.clone());
            }
            !ours
        });
        for file in files {
            // A server that is stuck holds up no call for longer, and what it did not answer is asked again.
            let left = until.saturating_duration_since(Instant::now());
            match timeout(left, pushed(run, &client, &file, left)).await {
                Ok(Some(delta)) => {
                    let server = client.id().to_owned();
                    told.push(Told { server, new: delta.new, unknown_before: false, failed: None });
                }
                Ok(None) => {}
                Err(_) => {
                    lock(&run.again).insert((client.generation(), file));
                }
            }
        }
    }
    told
}

/// Compares what was pushed of a file with what is known; where the server also answers questions about it, that too.
/// Where it cannot be asked within `limit`, the file is looked at again with the next call.
pub(super) async fn pushed(
    run: &Run,
    client: &Client,
    file: &Path,
    limit: Duration,
) -> Option<Delta> {
    if !file.starts_with(run.sup.root().path()) || chased(run, file, client.id()) {
        return None;
    }
    let push = client.pushes().pushed(file)?;
    let open = client.open_version(file);
    if open.is_some() && !client.pull_identifiers(file).is_empty() {
        let delta = asked(run, client, file, limit).await;
        if delta.is_none() {
            lock(&run.again).insert((client.generation(), file.to_owned()));
        }
        return delta;
    }
    if let (Some(open), Some(version)) = (open, push.version)
        && i64::from(open) != version
    {
        return None;
    }
    let known = lock(&run.ledger).knows(file, client.id());
    if !known {
        // Nothing was ever said of it, by a server that was ready: nothing was wrong. Of one that was not, nobody knows.
        let mut ledger = lock(&run.ledger);
        if not_ready(client).is_some() {
            ledger.baseline(file, client.id(), &push.items);
            return None;
        }
        ledger.baseline(file, client.id(), &[]);
    }
    Some(observe(run, file, client.id(), &push.items, None))
}

async fn asked(run: &Run, client: &Client, file: &Path, limit: Duration) -> Option<Delta> {
    client.ready(limit, &|_| ()).await.ok()?;
    let moment = Moment::of(client);
    let synced = client.sync(file).await.ok()?;
    let verdict = verdict(client, file, &synced, &moment, limit).await;
    let (items, evidence) = verdict.known()?;
    evidence.part.is_none().then(|| observe(run, file, client.id(), items, Some(evidence.hash)))
}

/// Is a verdict on the file still waited for? `""` stands for servers that had not started.
pub(super) fn chased(run: &Run, file: &Path, server: &str) -> bool {
    let jobs = lock(&run.jobs);
    [server, ""].iter().any(|server| jobs.contains_key(&(file.to_owned(), (*server).to_owned())))
}

/// Goes after the verdict on a file in the background. `server` is `None` where no server runs yet. A chase after an
/// earlier content of the file ends.
pub(super) fn chase(
    run: &Arc<Run>,
    scope: &Arc<RunScope>,
    file: &Path,
    server: Option<&str>,
    hash: ContentHash,
) {
    let key = (file.to_owned(), server.unwrap_or_default().to_owned());
    let (held, stop) = (Arc::clone(run), scope.cancel().clone());
    let job_key = key.clone();
    let mut jobs = lock(&run.jobs);
    let handle = scope.spawn("a late verdict", async move {
        let (file, server) = (job_key.0.clone(), job_key.1.clone());
        tokio::select! {
            () = stop.cancelled() => {}
            came = catch(&held, &file, &server, hash) => {
                let mut deferred = lock(&held.deferred);
                for (server, came) in came {
                    deferred.put(Late { file: file.clone(), server, hash, came });
                }
            }
        }
        lock(&held.jobs).remove(&job_key);
    });
    if let Some(before) = jobs.insert(key, handle) {
        before.abort();
    }
}

/// The file's other content makes a chase after an earlier one moot.
pub(super) fn call_off(run: &Run, file: &Path) {
    lock(&run.jobs).retain(|(path, _), job| {
        let keep = path != file;
        if !keep {
            job.abort();
        }
        keep
    });
}

type Came = Vec<(String, Result<Vec<Diagnostic>, String>)>;

async fn catch(run: &Run, file: &Path, server: &str, hash: ContentHash) -> Came {
    let clients = match run.sup.clients_for(file, Want::All).await {
        Ok(clients) => clients,
        Err(error) => return vec![(server.to_owned(), Err(super::compose::why_no_server(&error)))],
    };
    let mut came = Vec::new();
    for client in clients.iter().filter(|client| server.is_empty() || client.id() == server) {
        match last_verdict(client, file, hash).await {
            Some(Verdict::Unknown(why)) => came.push((client.id().to_owned(), Err(why))),
            Some(verdict) => {
                let items = verdict.known().map(|(items, _)| items.to_vec()).unwrap_or_default();
                came.push((client.id().to_owned(), Ok(items)));
            }
            None => {}
        }
    }
    came
}

/// `None`: the file has another content by now.
async fn last_verdict(client: &Client, file: &Path, hash: ContentHash) -> Option<Verdict> {
    let unknown = |error: crate::error::LspError| Some(Verdict::Unknown(error.to_string()));
    // Some servers load a project only once a document of it is open.
    if let Err(error) = client.sync(file).await {
        return unknown(error);
    }
    if let Err(error) = client.ready(client.spec().ready_budget, &|_| ()).await {
        return unknown(error);
    }
    let moment = Moment::of(client).saved();
    let synced = match client.sync(file).await {
        Ok(synced) => synced,
        Err(error) => return unknown(error),
    };
    if synced.text.hash() != hash {
        return None;
    }
    // Saved again: a check that a save starts has to begin after this point.
    if let Err(error) = client.saved(file).await {
        return unknown(error);
    }
    let limit = CHASE.max(client.spec().request_budget);
    Some(verdict(client, file, &synced, &moment, limit).await)
}
