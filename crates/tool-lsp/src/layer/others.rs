//! What a write does to files that it did not touch.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, timeout};

use super::after::{synced, warm_again};
use super::before::OPEN;
use super::compose::Report;
use super::{Run, late, lock};
use crate::client::Client;
use crate::dependents::Picked;
use crate::ledger::Extent;
use crate::spec::Channel;
use crate::verdict::{Moment, Verdict, verdict};

/// One that judges a file by the others as they are on the disk, whatever it was told of them: after a write there is no
/// asking it what was wrong before.
pub(super) fn reads_disk(client: &Client) -> bool {
    client.spec().quirks.own_file_only
}

/// One that checks the whole project at each save, and says what it finds in any file.
pub(super) fn checks_all(client: &Client) -> bool {
    client.spec().diagnostics.iter().any(|c| matches!(c, Channel::ProgressEnd { .. }))
}

/// The documents around what was written: open ones, and those that use what has changed. Only of servers that can be
/// asked; what the others say of them is read when it comes.
pub(super) async fn around(
    run: &Run,
    client: &Arc<Client>,
    written: &[PathBuf],
    picked: Option<&Picked>,
    moments: &HashMap<u64, Moment>,
    allowed: Duration,
) -> Report {
    let mut report = Report::default();
    let Some(moment) = moments.get(&client.generation()) else { return report };
    let mut paths: Vec<PathBuf> = client.open_documents();
    paths.retain(|path| !written.contains(path));
    paths.truncate(OPEN);
    let users = picked.map(|picked| picked.files.as_slice()).unwrap_or_default();
    for (path, _) in users {
        if !paths.contains(path) {
            paths.push(path.clone());
        }
    }
    let uses = |path: &Path| {
        let lines = users.iter().find(|(user, _)| user == path).map(|(_, lines)| lines.as_slice());
        lines.filter(|_| reads_disk(client))
    };
    // Without a baseline nobody could say what is new there, but for the very lines that use what has changed.
    paths.retain(|path| lock(&run.ledger).knows(path, client.id()) || uses(path).is_some());
    let known = join_all(paths.iter().map(|path| async move {
        if !definite(client, path) {
            return None;
        }
        let anew = client.spec().quirks.own_file_only;
        let synced = if anew { client.open_anew(path).await } else { client.sync(path).await };
        let (synced, moment) = (synced.ok()?, moment.unsaved());
        warm_again(client, allowed).await;
        Some(verdict(client, path, &synced, &moment, allowed).await)
    }))
    .await;
    for (path, verdict) in paths.iter().zip(known) {
        if let Some((items, evidence)) = verdict.as_ref().and_then(Verdict::known)
            && evidence.part.is_none()
        {
            let mut ledger = lock(&run.ledger);
            if !ledger.knows(path, client.id()) {
                let lines = uses(path).unwrap_or_default();
                let mut before = items.to_vec();
                before.retain(|d| {
                    !lines.iter().any(|l| (d.span.start.line..=d.span.end.line).contains(l))
                });
                ledger.baseline(path, client.id(), &before);
            }
            let delta = ledger.observe(path, client.id(), items, None, Extent::Whole);
            ledger.stamp(path, client.id(), evidence.hash);
            drop(ledger);
            report.checked += 1;
            report.add(client.id(), path, delta);
        }
    }
    report
}

/// Can the server be asked about a document, so that its answer is one about now?
fn definite(client: &Client, path: &Path) -> bool {
    !client.pull_identifiers(path).is_empty()
        || client.spec().diagnostics.contains(&Channel::TsserverRequest)
        || client.spec().quirks.own_file_only
}

/// What the server has said of other files since the write.
pub(super) async fn pushed(
    run: &Run,
    client: &Client,
    written: &[PathBuf],
    moments: &HashMap<u64, Moment>,
    allowed: Duration,
    report: &mut Report,
) {
    let Some(moment) = moments.get(&client.generation()) else { return };
    for path in client.pushes().pushed_since(moment.mark) {
        if written.contains(&path) {
            continue;
        }
        if let Some(delta) = late::pushed(run, client, &path, allowed).await {
            report.add(client.id(), &path, delta);
        }
    }
    lock(&run.seen).insert(client.generation(), client.pushes().mark());
}

/// After a removal there is no document to be judged. A server that checks at each save is made to check; one that only
/// speaks unasked is given its time to speak of others.
pub(super) async fn others_settled(
    client: &Client,
    moments: &HashMap<u64, Moment>,
    allowed: Duration,
) {
    const MOST: Duration = Duration::from_secs(2);
    let quiet = client.spec().diagnostics.iter().find_map(|channel| match channel {
        Channel::PushSettled { ms } => Some(Duration::from_millis(*ms)),
        _ => None,
    });
    let Some(moment) = moments.get(&client.generation()) else { return };
    if checks_all(client)
        && let Some(path) = client.open_documents().first()
        && let Ok(synced) = synced(client, path).await
    {
        let budget = client.pushes().latencies().budget(allowed);
        warm_again(client, budget).await;
        // What it finds is read as what is said unasked.
        verdict(client, path, &synced, moment, budget).await;
        return;
    }
    let asked = client.open_documents().first().is_some_and(|path| definite(client, path));
    let (Some(quiet), false) = (quiet, asked) else { return };
    let inbox = client.pushes();
    let mut changes = inbox.changes();
    let until = Instant::now() + MOST;
    // The first word, and then silence.
    while inbox.pushed_since(moment.mark).is_empty() && Instant::now() < until {
        let _ = tokio::time::timeout_at(until, changes.changed()).await;
    }
    while timeout(quiet, changes.changed()).await.is_ok_and(|changed| changed.is_ok())
        && Instant::now() < until
    {}
}
