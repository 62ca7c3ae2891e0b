//! The life of one process: start, watch, note the end.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::{Instant, interval};
use tool_wire::{Ended, Spawn};

use super::slot::Slot;
use super::{Shared, memory};
use crate::client::{Client, Connect, Streams};
use crate::error::LspError;
use crate::find::Binary;
use crate::scratch::{Launch, Place, launch};
use crate::watch::World;

/// How often the memory of a server is looked at.
const LOOK: Duration = Duration::from_secs(10);

/// Holds the supervisor only while it starts.
pub(super) async fn live(shared: Weak<Shared>, slot: Arc<Slot>, binary: Binary, generation: u64) {
    let begun = Instant::now();
    let started = match shared.upgrade() {
        Some(shared) => start(shared, &slot, binary, generation).await,
        None => return,
    };
    let client = match started {
        Ok(client) => client,
        Err(why) => return slot.fail(generation, "failed", why, begun.elapsed()),
    };
    let documents = std::mem::take(&mut slot.past().documents);
    for path in documents.iter().rev() {
        // One that is gone is not opened again; the end of the server is noticed below.
        let _ = client.sync(path).await;
    }
    let limit = shared.upgrade().and_then(|shared| shared.config.max_memory);
    if !slot.runs(&client) {
        return;
    }
    let ended = watch_over(&client, limit).await;
    slot.keep_documents(&client);
    let (code, why) = match ended {
        Outcome::Ended(ended) => ("crashed", ended.to_string()),
        Outcome::TooLarge { used, limit } => {
            client.kill();
            let mib = |bytes: u64| bytes >> 20;
            (
                "memory",
                format!("it used {} MiB, more than the limit of {} MiB", mib(used), mib(limit)),
            )
        }
    };
    slot.fail(generation, code, why, client.age());
}

enum Outcome {
    Ended(Arc<Ended>),
    TooLarge { used: u64, limit: u64 },
}

async fn watch_over(client: &Client, limit: Option<u64>) -> Outcome {
    let mut look = interval(LOOK);
    loop {
        tokio::select! {
            ended = client.gone() => return Outcome::Ended(ended),
            _ = look.tick(), if limit.is_some() => {
                let used = memory::resident(&client.processes()).unwrap_or(0);
                if let Some(limit) = limit.filter(|limit| used > *limit) {
                    return Outcome::TooLarge { used, limit };
                }
            }
        }
    }
}

async fn start(
    shared: Arc<Shared>,
    slot: &Slot,
    binary: Binary,
    generation: u64,
) -> Result<Arc<Client>, String> {
    let (launch, world, binary) = prepare(&shared, slot, binary).await?;
    slot.past().notes = launch.notes.clone();
    let spawn = Spawn::new(&binary.program, &slot.root)
        .args(&launch.args)
        .allow_env(launch.pass_env.iter().cloned());
    let spawn = launch.env.iter().fold(spawn, |spawn, (name, value)| spawn.env(name, value));
    let spawned = spawn.start().await.map_err(|error| said(&error))?;
    slot.past().process = Some(spawned.child.watch());
    let (Some(reader), Some(writer)) = (spawned.stdout, spawned.stdin) else {
        return Err("its streams are not there".into());
    };
    let with = Connect {
        spec: slot.spec.clone(),
        root: slot.root.clone(),
        workspace: shared.root.clone(),
        settings: launch.settings,
        init_options: launch.init_options,
        version: binary.version,
        generation,
        max_documents: shared.config.max_documents,
        world,
    };
    // From here on the run may end without waiting for this server.
    drop(shared);
    let streams = Streams { reader, writer, child: Some(spawned.child) };
    Client::connect(with, streams).await.map_err(|error| match error {
        LspError::Ended { why, .. } => why,
        error => error.to_string(),
    })
}

/// What reads the disk before a start. The files are looked at before the server can look at them: what changes in
/// between is told to it once too often rather than not at all.
async fn prepare(
    shared: &Arc<Shared>,
    slot: &Slot,
    binary: Binary,
) -> Result<(Launch, World, Binary), String> {
    let (shared, spec, root) = (shared.clone(), slot.spec.clone(), slot.root.clone());
    let work = move || {
        let place = Place {
            root: &root,
            run_root: shared.root.path(),
            scratch: &shared.scratch,
            path: &shared.path,
            trusted: shared.trusted,
        };
        let launch = launch(&spec, &binary, place)?;
        Ok((launch, World::first_look(&root), binary))
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| "the host is shutting down".to_string())?
}

/// An error with what is below it.
fn said(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", said(source)),
        None => error.to_string(),
    }
}
