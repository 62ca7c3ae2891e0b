//! What a run can say of its servers.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::slot::{Phase, Slot};
use super::{Supervisor, memory};
use crate::ready::ReadyState;
use crate::survey::{Surveyed, survey};

/// A server of this run, or why it is none.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct ServerStatus {
    /// The server's id.
    pub(crate) id: String,
    /// Its root, relative to the run's; empty where none was found.
    pub(crate) root: String,
    /// `no_marker`, `no_binary`, `broken_binary`, `unsupported`, `untrusted`, `idle`, `starting`, `loading`, `ready`,
    /// `failed`, `crashed`, `memory`, `stopped`, `limit`.
    pub(crate) state: &'static str,
    /// One sentence: what it is doing, or what is missing and how to mend it.
    pub(crate) says: String,
    /// How far it is with loading, from 0 to 100, where it tells.
    pub(crate) percent: Option<u8>,
    /// Of its process.
    pub(crate) pid: Option<u32>,
    /// What it says of its version.
    pub(crate) version: String,
    /// Where the program is.
    pub(crate) program: Option<PathBuf>,
    /// Resident memory of its session in bytes, where the platform tells.
    pub(crate) memory: Option<u64>,
    /// How many documents are open in it.
    pub(crate) documents: usize,
    /// How it counts columns.
    pub(crate) encoding: Option<&'static str>,
    /// How often it was started.
    pub(crate) starts: u64,
    /// What an agent should know: what is switched off, what is written into the checkout, what it gets wrong.
    pub(crate) notes: Vec<String>,
}

impl Supervisor {
    /// Every server that this project could use, with real probes, and every one that was started. Starts none.
    pub(crate) async fn status(&self) -> Vec<ServerStatus> {
        let shared = &self.shared;
        let mut slots = shared.all();
        slots.retain(|slot| slot.was_started() || !matches!(slot.phase(), Phase::Idle));
        // A root that cannot be walked has no servers; those that run are listed all the same.
        let found = survey(&shared.root, &shared.config, shared.trusted).await.unwrap_or_default();
        let mut list = Vec::new();
        for place in found {
            let root = shared.root.path().join(&place.root);
            let at = slots.iter().position(|slot| {
                slot.spec().id == place.id
                    && shared.root.relative(slot.root()) == shared.root.relative(&root)
            });
            match at {
                Some(at) => list.push(self.running_status(&slots.remove(at)).await),
                None if place.covered_by.is_none() => list.push(surveyed(place)),
                None => {}
            }
        }
        for slot in &slots {
            list.push(self.running_status(slot).await);
        }
        list
    }

    async fn running_status(&self, slot: &Arc<Slot>) -> ServerStatus {
        let binary = slot.binary();
        let mut status = ServerStatus {
            id: slot.spec().id.clone(),
            root: self.shared.root.relative(slot.root()),
            starts: slot.starts(),
            notes: slot.notes(),
            version: binary.as_ref().map(|binary| binary.version.clone()).unwrap_or_default(),
            program: binary.map(|binary| binary.program),
            ..ServerStatus::default()
        };
        match slot.phase() {
            Phase::Idle => {
                status.state = "idle";
                status.says = "it was ended, and starts when it is asked".into();
            }
            Phase::Starting(since) => {
                status.state = "starting";
                status.says = format!("for {} s", since.elapsed().as_secs());
            }
            Phase::Failed(code, why) => {
                let reason = slot.may_start().err();
                status.state = reason.as_ref().map_or(code, |reason| reason.code);
                status.says = reason.map_or_else(
                    || format!("{why}; it is started again when it is asked"),
                    |reason| reason.says,
                );
            }
            Phase::Running(client) => {
                (status.state, status.says, status.percent) = match client.readiness() {
                    ReadyState::Ready => ("ready", String::new(), None),
                    ReadyState::Loading { what, percent, .. } => ("loading", what, percent),
                    ReadyState::Broken(why) => ("crashed", why, None),
                };
                if let Some(after) = client.ready_after().filter(|_| status.state == "ready") {
                    status.says = format!("was ready after {:.1} s", after.as_secs_f64());
                }
                status.pid = Some(client.pid()).filter(|pid| *pid > 0);
                status.version = client.version().to_string();
                status.memory = memory::resident(&client.processes());
                status.documents = client.open_documents().len();
                status.encoding = Some(client.encoding().as_str());
                status.notes.extend(client.notes());
                if client.is_blind().await {
                    status.notes.push(
                        "the root has too many files to be looked at: changes by other programs are seen in open files only"
                            .into(),
                    );
                }
            }
        }
        status
    }
}

fn surveyed(place: Surveyed) -> ServerStatus {
    let usable = place.usable;
    ServerStatus {
        id: place.id,
        root: place.root,
        state: if usable { "idle" } else { place.code },
        says: if usable { "starts when it is asked".into() } else { place.says.clone() },
        version: if usable { place.says } else { String::new() },
        program: place.program,
        ..ServerStatus::default()
    }
}
