//! One server at one root: whether it runs, and how it is started.
//!
//! A start is a task of its own: whoever asks waits for it together with all others, and giving up does not end it.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tool_wire::{Ladder, Rung, Watch};

use super::{Shared, life};
use crate::backoff::{Crashes, May};
use crate::client::Client;
use crate::error::Reason;
use crate::find::Binary;
use crate::spec::ServerSpec;

/// What a server is doing.
#[derive(Debug, Clone)]
pub(super) enum Phase {
    /// It was never started, or was ended.
    Idle,
    /// It is being started.
    Starting(Instant),
    /// It runs.
    Running(Arc<Client>),
    /// It ended by itself, or could not be started: a code and what is known.
    Failed(&'static str, String),
}

/// One server at one root.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) spec: Arc<ServerSpec>,
    pub(super) root: PathBuf,
    /// Changed only while `past` is held, so that a start and an end do not pass each other.
    phase: watch::Sender<Phase>,
    past: Mutex<Past>,
}

/// What outlives a process.
#[derive(Debug, Default)]
pub(super) struct Past {
    crashes: Crashes,
    starts: u64,
    /// Documents to be opened by the next process, the latest used first.
    pub(super) documents: Vec<PathBuf>,
    used: u64,
    pub(super) notes: Vec<String>,
    binary: Option<Binary>,
    task: Option<JoinHandle<()>>,
    pub(super) process: Option<Watch>,
}

impl Slot {
    pub(super) fn new(spec: &ServerSpec, root: &Path) -> Self {
        Self {
            spec: Arc::new(spec.clone()),
            root: root.to_path_buf(),
            phase: watch::Sender::new(Phase::Idle),
            past: Mutex::default(),
        }
    }

    pub(super) fn spec(&self) -> &ServerSpec {
        &self.spec
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn phase(&self) -> Phase {
        self.phase.borrow().clone()
    }

    pub(super) fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The running server.
    pub(super) fn client(&self) -> Option<Arc<Client>> {
        match &*self.phase.borrow() {
            Phase::Running(client) if client.is_alive() => Some(client.clone()),
            _ => None,
        }
    }

    pub(super) fn is_starting(&self) -> bool {
        matches!(&*self.phase.borrow(), Phase::Starting(_))
    }

    /// Whether it takes one of the places.
    pub(super) fn is_up(&self) -> bool {
        matches!(&*self.phase.borrow(), Phase::Starting(_) | Phase::Running(_))
    }

    pub(super) fn touch(&self, now: u64) {
        self.past().used = now;
    }

    pub(super) fn used(&self) -> u64 {
        self.past().used
    }

    pub(super) fn starts(&self) -> u64 {
        self.past().starts
    }

    pub(super) fn was_started(&self) -> bool {
        self.starts() > 0
    }

    pub(super) fn notes(&self) -> Vec<String> {
        self.past().notes.clone()
    }

    pub(super) fn binary(&self) -> Option<Binary> {
        self.past().binary.clone()
    }

    /// Forgets its crashes.
    pub(super) fn forgive(&self) {
        self.past().crashes.clear();
    }

    pub(super) fn reason(&self, code: &'static str, says: &str) -> Reason {
        Reason { server: self.spec.id.clone(), code, says: says.to_string() }
    }

    /// Whether it may be started now.
    pub(super) fn may_start(&self) -> Result<(), Reason> {
        let (may, count) = {
            let past = self.past();
            (past.crashes.may_start(Instant::now()), past.crashes.count())
        };
        let Phase::Failed(code, why) = self.phase() else { return Ok(()) };
        match may {
            May::Start => Ok(()),
            May::Wait(until) => {
                let seconds = until.saturating_duration_since(Instant::now()).as_secs() + 1;
                let says =
                    format!("{why}; it is started again in {seconds} s, or at once by `reload`");
                Err(self.reason(code, &says))
            }
            May::Stopped => {
                let says = format!(
                    "it ended {count} times in a short time and is left alone until `reload`; the last time: {why}"
                );
                Err(self.reason("stopped", &says))
            }
        }
    }

    /// Waits for the end of a start.
    pub(super) async fn started(&self) -> Result<Arc<Client>, Reason> {
        let mut phase = self.phase.subscribe();
        // The sender is ours, so waiting never fails.
        let ended = match phase.wait_for(|phase| !matches!(phase, Phase::Starting(_))).await {
            Ok(phase) => phase.clone(),
            Err(_) => Phase::Idle,
        };
        match ended {
            Phase::Running(client) => Ok(client),
            Phase::Failed(code, why) => Err(self.reason(code, &why)),
            Phase::Idle | Phase::Starting(_) => {
                Err(self.reason("stopped", "it was ended while it started"))
            }
        }
    }

    /// Begins to start it. Nothing happens if it runs or starts.
    pub(super) fn start(self: &Arc<Self>, shared: &Arc<Shared>, binary: Binary) {
        let mut past = self.past();
        let begun = self.phase.send_if_modified(|phase| {
            let rests = match phase {
                Phase::Starting(_) => false,
                Phase::Running(client) => !client.is_alive(),
                Phase::Idle | Phase::Failed(..) => true,
            };
            if rests {
                *phase = Phase::Starting(Instant::now());
            }
            rests
        });
        if !begun {
            return;
        }
        let generation = shared.generations.fetch_add(1, Ordering::Relaxed) + 1;
        let task = tokio::spawn(life::live(
            Arc::downgrade(shared),
            self.clone(),
            binary.clone(),
            generation,
        ));
        past.starts += 1;
        past.binary = Some(binary);
        past.task = Some(task);
    }

    /// Takes the server out, to be ended by the caller; a start is given up. The next start opens its documents again.
    pub(super) fn take(&self) -> Taken {
        let (task, process, before) = {
            let mut past = self.past();
            let before = self.phase.send_replace(Phase::Idle);
            (past.task.take(), past.process.take(), before)
        };
        if let Some(task) = &task {
            task.abort();
        }
        let client = match before {
            Phase::Running(client) => {
                self.keep_documents(&client);
                Some(client)
            }
            _ => None,
        };
        Taken { client, task, process }
    }

    pub(super) fn keep_documents(&self, client: &Client) {
        let documents = client.open_documents();
        if !documents.is_empty() {
            self.past().documents = documents;
        }
    }

    /// Kills whatever runs. Does not wait.
    pub(super) fn abandon(&self) {
        if let Some(client) = self.take().client {
            client.kill();
        }
    }

    /// Notes that a start has come to its end; false if it was taken out meanwhile.
    pub(super) fn runs(&self, client: &Arc<Client>) -> bool {
        let _past = self.past();
        self.phase.send_if_modified(|phase| {
            let ours = matches!(phase, Phase::Starting(_));
            if ours {
                *phase = Phase::Running(client.clone());
            }
            ours
        })
    }

    /// Notes the end of a process, unless it was taken out meanwhile.
    pub(super) fn fail(&self, generation: u64, code: &'static str, why: String, ran: Duration) {
        let mut past = self.past();
        self.phase.send_if_modified(|phase| {
            let ours = match phase {
                Phase::Starting(_) => true,
                Phase::Running(client) => client.generation() == generation,
                Phase::Idle | Phase::Failed(..) => false,
            };
            if ours {
                past.crashes.crashed(Instant::now(), ran);
                *phase = Phase::Failed(code, why);
            }
            ours
        });
    }
}

/// A server that was taken out of its slot.
#[must_use = "a process that is to be ended"]
pub(super) struct Taken {
    client: Option<Arc<Client>>,
    task: Option<JoinHandle<()>>,
    process: Option<Watch>,
}

impl Taken {
    /// Leads it out. Says what is left of it, if anything.
    pub(super) async fn end(self, ladder: Ladder) -> Option<String> {
        if let Some(task) = self.task {
            // It was told to stop; its end is that of a start under way.
            let _ = task.await;
        }
        let Some(client) = self.client else {
            // Dropping it has killed it.
            let gone = timeout(ladder.kill, self.process?.gone()).await;
            return gone.is_err().then(|| "a server that was starting did not end".to_string());
        };
        let report = client.stop(ladder).await?;
        let left = report.rung == Rung::Survived || report.survivors > 0;
        left.then(|| format!("{} (pid {}) did not end", client.id(), client.pid()))
    }
}
