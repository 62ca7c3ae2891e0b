//! After a write: the servers are told of all its files, and what they say then is compared with what is known.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, timeout};
use tool_core::RunScope;

use super::before::{Before, FILES, for_file, one};
use super::compose::{Reason, Report};
use super::files::{self, Became};
use super::others::{around, checks_all, others_settled, pushed, reads_disk};
use super::{Run, late, lock};
use crate::client::{Client, FileChange, Synced};
use crate::dependents::{self, Picked};
use crate::error::LspError;
use crate::ledger::Extent;
use crate::spec::Role;
use crate::verdict::{Moment, Verdict, verdict};

/// Telling servers of files takes no time, unless one of them is stuck.
const TELL: Duration = Duration::from_secs(2);
/// Finding out who uses what was changed takes no longer.
const PICK: Duration = Duration::from_secs(1);

/// A file and a server that may judge it.
struct Pair {
    client: Arc<Client>,
    path: PathBuf,
}

/// Looks at what these writes did. Never fails; what is not known is said.
pub(super) async fn look(
    run: &Arc<Run>,
    scope: &Arc<RunScope>,
    before: &Before,
    written: &[PathBuf],
) -> Report {
    let mut report = Report { written: written.to_vec(), ..Report::default() };
    let became = {
        let (olds, written) = (before.files.clone(), written.to_vec());
        tokio::task::spawn_blocking(move || files::became(&olds, &written)).await
    };
    let became = became.unwrap_or_default();
    if became.is_empty() {
        report.reasons.push(Reason::quiet("the files are as they were"));
        return report;
    }
    note_moves(run, &became, &mut report);
    let pairs = who_judges(run, scope, &became, &mut report).await;
    let picked = who_depends(run, before, &became, &pairs).await;
    let moments = tell(run, &became).await;
    let budget = run.sup.config().write_wait;
    let judged = join_all(pairs.iter().map(|pair| judge(pair, &moments, budget)));
    let concerned = concerned(run, &pairs, &became);
    let others = join_all(concerned.iter().map(|client| {
        let picked = picked.get(&client.generation());
        around(run, client, written, picked, &moments, budget)
    }));
    let (judged, others) = futures_util::future::join(judged, others).await;
    for (pair, verdict) in pairs.iter().zip(judged) {
        let became = became.iter().find(|b| b.path == pair.path);
        take_in(run, scope, pair, became, verdict, &mut report);
    }
    for more in others {
        report.absorb(more);
    }
    for client in &concerned {
        if pairs.iter().all(|pair| pair.client.generation() != client.generation()) {
            others_settled(client, &moments, budget).await;
        }
        pushed(run, client, written, &moments, budget, &mut report).await;
    }
    report.unchecked = picked.values().map(|picked| picked.left_out).sum();
    report
}

fn note_moves(run: &Run, became: &[Became], report: &mut Report) {
    let mut ledger = lock(&run.ledger);
    for b in became {
        late::call_off(run, &b.path);
        if let Some(was) = &b.was {
            ledger.renamed(was, &b.path);
        }
    }
    for b in became.iter().filter(|b| b.change == FileChange::Deleted) {
        report.fixed += ledger.removed(&b.path);
    }
}

/// The servers of each file that is there. Where there is none, that is said, and a verdict is chased if one is starting.
async fn who_judges(
    run: &Arc<Run>,
    scope: &Arc<RunScope>,
    became: &[Became],
    report: &mut Report,
) -> Vec<Pair> {
    let there: Vec<&Became> = became.iter().filter(|b| b.hash.is_some()).collect();
    if there.len() > FILES {
        let more = there.len() - FILES;
        report
            .reasons
            .push(Reason::said(format!("{more} more files of this write were not looked at")));
    }
    let there = &there[..there.len().min(FILES)];
    let found = join_all(there.iter().map(|b| for_file(run, &b.path))).await;
    let mut pairs = Vec::new();
    for (b, clients) in there.iter().zip(found) {
        if clients.is_empty() {
            report.reasons.push(no_server(run, scope, b).await);
        }
        pairs.extend(clients.into_iter().map(|client| Pair { client, path: b.path.clone() }));
    }
    pairs
}

async fn no_server(run: &Arc<Run>, scope: &Arc<RunScope>, b: &Became) -> Reason {
    if crate::roots::servers_for(&run.sup.config().servers, &b.path).is_empty() {
        let kind = b.path.extension().or(b.path.file_name()).unwrap_or_default();
        return Reason::quiet(format!("no language server is known for {} files", kind.display()));
    }
    // Not to wait for a start, but to hear why there is none.
    match timeout(
        Duration::from_millis(5),
        run.sup.clients_for(&b.path, crate::supervisor::Want::All),
    )
    .await
    {
        Ok(Err(error)) => {
            let why = super::compose::why_no_server(&error);
            if run.say_once(&why) { Reason::said(why) } else { Reason::quiet(why) }
        }
        _ => {
            if let Some(hash) = b.hash {
                late::chase(run, scope, &b.path, None, hash);
            }
            Reason::said("the language server is starting")
        }
    }
}

/// The files that use what has changed, per server. The servers still hold the old texts: what is wrong in those files
/// now is their baseline.
async fn who_depends(
    run: &Run,
    before: &Before,
    became: &[Became],
    pairs: &[Pair],
) -> HashMap<u64, Picked> {
    let mut picked: HashMap<u64, Picked> = HashMap::new();
    let gone = became.iter().filter(|b| b.change == FileChange::Deleted);
    let mut ask: Vec<(&Client, &Became)> = Vec::new();
    for pair in pairs.iter().filter(|pair| pair.client.spec().role == Role::Types) {
        ask.extend(became.iter().filter(|b| b.path == pair.path).map(|b| (&*pair.client, b)));
    }
    let running = run.sup.running();
    for b in gone {
        let serves = running.iter().filter(|c| c.open_version(&b.path).is_some());
        ask.extend(serves.map(|client| (&**client, b)));
    }
    let asked =
        ask.into_iter().filter(|(client, _)| !checks_all(client)).map(|(client, b)| async move {
            let old = before.files.iter().find(|old| old.path == b.path)?.bytes.as_deref()?;
            let pick = dependents::pick(client, &b.path, old, &b.bytes);
            Some((client, timeout(PICK, pick).await.ok()?))
        });
    for (client, more) in join_all(asked).await.into_iter().flatten() {
        picked.entry(client.generation()).or_default().join(more);
    }
    for (client, picked) in picked
        .iter_mut()
        .filter_map(|(g, p)| Some((running.iter().find(|c| c.generation() == *g)?, p)))
    {
        picked.files.retain(|(path, _)| !became.iter().any(|b| b.path == *path));
        if reads_disk(client) {
            continue;
        }
        let baselines = join_all(picked.files.iter().map(|(path, _)| one(run, client, path, None)));
        let _ = timeout(PICK, baselines).await;
    }
    picked
}

/// Tells every server of the run. All files of a write first: the importer of a new file is judged with the file in place.
async fn tell(run: &Run, became: &[Became]) -> HashMap<u64, Moment> {
    let changes: Vec<(PathBuf, FileChange)> =
        became.iter().map(|b| (b.path.clone(), b.change)).collect();
    let running = run.sup.running();
    let moments =
        running.iter().map(|client| (client.generation(), Moment::of(client).saved())).collect();
    let told = join_all(running.iter().map(|client| client.announce(&changes)));
    // One that takes nothing is said to give no verdict, later.
    let _ = timeout(TELL, told).await;
    moments
}

async fn judge(pair: &Pair, moments: &HashMap<u64, Moment>, allowed: Duration) -> Verdict {
    let (client, path) = (&pair.client, &pair.path);
    let begun = Instant::now();
    let moment =
        moments.get(&client.generation()).copied().unwrap_or_else(|| Moment::of(client).saved());
    let budget = client.pushes().latencies().budget(allowed);
    match timeout(TELL, synced(client, path)).await {
        Ok(Ok(synced)) => {
            warm_again(client, budget).await;
            let left = budget.saturating_sub(begun.elapsed());
            let verdict = verdict(client, path, &synced, &moment, left).await;
            if let Some((_, evidence)) = verdict.known()
                && evidence.part.is_none()
            {
                client.pushes().took(evidence.took);
            }
            verdict
        }
        Ok(Err(error)) => Verdict::Unknown(error.to_string()),
        Err(_) => Verdict::Unknown(format!("{} takes no messages", client.id())),
    }
}

/// One that has judged before, and loads something anew because of this very write, is worth the wait. One that has never
/// been ready is not.
pub(super) async fn warm_again(client: &Client, budget: Duration) {
    if client.pushes().latencies().percentile(50).is_some() {
        // If it is not ready by then, the verdict says so.
        let _ = client.ready(budget, &|_| ()).await;
    }
}

pub(super) async fn synced(client: &Client, path: &Path) -> Result<Synced, LspError> {
    let synced = client.sync(path).await?;
    client.saved(path).await?;
    Ok(synced)
}

fn take_in(
    run: &Arc<Run>,
    scope: &Arc<RunScope>,
    pair: &Pair,
    became: Option<&Became>,
    verdict: Verdict,
    report: &mut Report,
) {
    let (id, path) = (pair.client.id(), &pair.path);
    let hash = became.and_then(|b| b.hash);
    let due = match &verdict {
        Verdict::Unknown(why) => {
            report.reasons.push(Reason::said(why.clone()));
            true
        }
        Verdict::Clean(evidence) | Verdict::Found(_, evidence) => {
            let items = verdict.known().map(|(items, _)| items).unwrap_or_default();
            let extent = if evidence.part.is_some() { Extent::Part } else { Extent::Whole };
            let lines = became.and_then(|b| b.lines.as_ref());
            let mut ledger = lock(&run.ledger);
            let delta = ledger.observe(path, id, items, lines, extent);
            if extent == Extent::Whole {
                ledger.stamp(path, id, evidence.hash);
            }
            drop(ledger);
            report.add(id, path, delta);
            report.took = report.took.max(evidence.took);
            if let Some(part) = &evidence.part {
                report.reasons.push(Reason::said(part.clone()));
            }
            evidence.part.is_some()
        }
    };
    if due && let Some(hash) = hash {
        report.follows = true;
        late::chase(run, scope, path, Some(id), hash);
    }
}

/// The servers of what was written, and those of what was removed.
fn concerned(run: &Run, pairs: &[Pair], became: &[Became]) -> Vec<Arc<Client>> {
    let gone = |client: &Arc<Client>| {
        let mut gone = became.iter().filter(|b| b.change == FileChange::Deleted);
        gone.any(|b| {
            client.spec().language_id(&b.path).is_some() && b.path.starts_with(client.root())
        })
    };
    let of_gone = run.sup.running().into_iter().filter(gone);
    let mut clients: Vec<Arc<Client>> = Vec::new();
    for client in pairs.iter().map(|pair| Arc::clone(&pair.client)).chain(of_gone) {
        if !clients.iter().any(|known| known.generation() == client.generation()) {
            clients.push(client);
        }
    }
    clients
}
