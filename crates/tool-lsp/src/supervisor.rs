//! Which servers run in this run, for which roots; starting, backoff, ending.

mod end;
mod life;
mod memory;
mod slot;
mod status;
#[cfg(all(test, unix))]
mod tests;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tool_wire::{Finder, Ladder};
use tool_workspace::Root;

use crate::client::Client;
use crate::config::LspConfig;
use crate::error::{LspError, Reason};
use crate::find::{Unusable, find, search_path};
use crate::roots::{root_for, servers_for};
use crate::spec::{Role, ServerSpec};
use crate::survey::survey;

use slot::Slot;
pub(crate) use status::ServerStatus;

/// So many servers are asked about the whole project.
const PROJECT_SERVERS: usize = 4;

/// Which servers are wanted for a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// The one that knows types.
    Types,
    /// That one and the linters. Linters that cannot be used are left out.
    All,
}

/// All language servers of one run.
#[derive(Debug, Clone)]
pub(crate) struct Supervisor {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    root: Root,
    config: LspConfig,
    trusted: bool,
    scratch: PathBuf,
    path: OsString,
    finder: Finder,
    slots: Mutex<BTreeMap<(String, PathBuf), Arc<Slot>>>,
    generations: AtomicU64,
    /// A clock of uses, for who was unused for longest.
    uses: AtomicU64,
    closing: AtomicBool,
}

impl Shared {
    fn slots(&self) -> MutexGuard<'_, BTreeMap<(String, PathBuf), Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> Vec<Arc<Slot>> {
        self.slots().values().cloned().collect()
    }

    fn tick(&self) -> u64 {
        self.uses.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }
}

impl Supervisor {
    /// `scratch` is a folder outside the checkout that servers may write into; it is made when it is needed.
    pub(crate) fn new(root: Root, config: LspConfig, trusted: bool, scratch: PathBuf) -> Self {
        let path = search_path(&config, root.path(), trusted);
        let shared = Shared {
            finder: Finder::with_path(&path),
            root,
            config,
            trusted,
            scratch,
            path,
            slots: Mutex::default(),
            generations: AtomicU64::new(0),
            uses: AtomicU64::new(0),
            closing: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The run's root.
    pub(crate) fn root(&self) -> &Root {
        &self.shared.root
    }

    /// What the harness decided.
    pub(crate) fn config(&self) -> &LspConfig {
        &self.shared.config
    }

    /// Whether programs and settings of the checkout may run.
    pub(crate) fn trusted(&self) -> bool {
        self.shared.trusted
    }

    /// A folder outside the checkout for what servers and checks write.
    pub(crate) fn scratch(&self) -> &Path {
        &self.shared.scratch
    }

    /// The servers for a file, started if they are not running; waits for their start, not for their readiness.
    ///
    /// # Errors
    /// [`LspError::NoServer`] with every reason.
    pub(crate) async fn clients_for(
        &self,
        file: &Path,
        want: Want,
    ) -> Result<Vec<Arc<Client>>, LspError> {
        let specs = servers_for(&self.shared.config.servers, file);
        let mut clients: Vec<Arc<Client>> = Vec::new();
        let mut reasons = Vec::new();
        let mut has_types = false;
        for spec in specs {
            let wanted = match spec.role {
                Role::Types => !has_types,
                Role::Linter => want == Want::All,
            };
            if !wanted {
                continue;
            }
            match self.client(spec, file).await {
                Ok(client) => {
                    has_types |= spec.role == Role::Types;
                    clients.push(client);
                }
                Err(reason) => reasons.push(reason),
            }
        }
        if clients.is_empty() || (want == Want::Types && !has_types) {
            let file = self.shared.root.relative(file);
            return Err(LspError::NoServer { file, reasons });
        }
        Ok(clients)
    }

    async fn client(&self, spec: &ServerSpec, file: &Path) -> Result<Arc<Client>, Reason> {
        let Some(root) = root_for(spec, file, self.shared.root.path()) else {
            let markers = spec.markers.clone();
            return Err(reason(&Unusable::NoMarker { server: spec.id.clone(), markers }));
        };
        self.client_at(spec, &root).await
    }

    async fn client_at(&self, spec: &ServerSpec, root: &Path) -> Result<Arc<Client>, Reason> {
        let slot = self.slot(spec, root);
        slot.touch(self.shared.tick());
        if let Some(client) = slot.client() {
            match client.outdated() {
                None => return Ok(client),
                Some(_) => self.shared.halt(&slot, Ladder::default()).await,
            }
        }
        self.start(&slot).await?;
        slot.started().await
    }

    /// Begins to start a server that does not run, if it may be; whether it works is seen later.
    async fn start(&self, slot: &Arc<Slot>) -> Result<(), Reason> {
        let shared = &self.shared;
        if slot.is_starting() {
            return Ok(());
        }
        slot.may_start()?;
        let run_root = shared.root.path();
        let binary = find(&shared.finder, slot.spec(), slot.root(), run_root, shared.trusted)
            .await
            .map_err(|unusable| reason(&unusable))?;
        if shared.is_closing() {
            return Err(slot.reason("stopped", "the run is closing"));
        }
        shared.make_room(slot)?;
        slot.start(shared, binary);
        Ok(())
    }

    fn slot(&self, spec: &ServerSpec, root: &Path) -> Arc<Slot> {
        let key = (spec.id.clone(), root.to_path_buf());
        let mut slots = self.shared.slots();
        slots.entry(key).or_insert_with(|| Arc::new(Slot::new(spec, root))).clone()
    }

    /// The servers for a file that run already. Those that do not are started in the background, unless they crashed.
    pub(crate) async fn clients_now(&self, file: &Path, want: Want) -> Vec<Arc<Client>> {
        let mut clients = Vec::new();
        let mut has_types = false;
        for spec in servers_for(&self.shared.config.servers, file) {
            let wanted = match spec.role {
                Role::Types => !has_types,
                Role::Linter => want == Want::All,
            };
            let root = root_for(spec, file, self.shared.root.path()).filter(|_| wanted);
            let Some(root) = root else { continue };
            let slot = self.slot(spec, &root);
            slot.touch(self.shared.tick());
            match slot.client() {
                Some(client) => clients.push(client),
                // The next in line is taken only if this one cannot be used.
                None if self.start(&slot).await.is_err() => continue,
                None => {}
            }
            has_types |= spec.role == Role::Types;
        }
        clients
    }

    /// The servers that know types for what most of the project is written in: for questions without a file.
    ///
    /// # Errors
    /// [`LspError::NoServer`] with every reason.
    pub(crate) async fn clients_for_project(&self) -> Result<Vec<Arc<Client>>, LspError> {
        let shared = &self.shared;
        let mut places = survey(&shared.root, &shared.config, shared.trusted).await?;
        places.sort_by_key(|place| std::cmp::Reverse(place.files));
        let mut clients = Vec::new();
        let mut reasons = Vec::new();
        for place in places {
            let spec = shared.config.servers.get(&place.id);
            let Some(spec) = spec.filter(|spec| spec.role == Role::Types) else { continue };
            if place.covered_by.is_some() || clients.len() >= PROJECT_SERVERS {
                continue;
            }
            if !place.usable {
                reasons.push(Reason { server: place.id, code: place.code, says: place.says });
                continue;
            }
            match self.client_at(spec, &shared.root.path().join(&place.root)).await {
                Ok(client) => clients.push(client),
                Err(reason) => reasons.push(reason),
            }
        }
        if clients.is_empty() {
            return Err(LspError::NoServer { file: "this project".into(), reasons });
        }
        Ok(clients)
    }

    /// Those that run now.
    pub(crate) fn running(&self) -> Vec<Arc<Client>> {
        self.shared.all().iter().filter_map(|slot| slot.client()).collect()
    }

    /// Ends servers and starts them anew, with their documents: all that were ever started, or those for a file. Clears
    /// every backoff of theirs.
    ///
    /// # Errors
    /// [`LspError::NoServer`] where none of them can be started.
    pub(crate) async fn reload(&self, file: Option<&Path>) -> Result<Vec<Arc<Client>>, LspError> {
        let shared = &self.shared;
        let slots: Vec<Arc<Slot>> = match file {
            None => shared.all().into_iter().filter(|slot| slot.was_started()).collect(),
            Some(file) => {
                let specs = servers_for(&shared.config.servers, file);
                let roots = specs
                    .into_iter()
                    .filter_map(|spec| Some((spec, root_for(spec, file, shared.root.path())?)));
                roots.map(|(spec, root)| self.slot(spec, &root)).collect()
            }
        };
        for slot in &slots {
            slot.forgive();
            shared.halt(slot, Ladder::default()).await;
        }
        if let Some(file) = file {
            return self.clients_for(file, Want::All).await;
        }
        let mut clients = Vec::new();
        let mut reasons = Vec::new();
        for slot in &slots {
            match self.client_at(slot.spec(), slot.root()).await {
                Ok(client) => clients.push(client),
                Err(reason) => reasons.push(reason),
            }
        }
        if clients.is_empty() && !reasons.is_empty() {
            return Err(LspError::NoServer { file: "this project".into(), reasons });
        }
        Ok(clients)
    }
}

impl Shared {
    /// Ends a server, and keeps in mind which documents it had.
    async fn halt(&self, slot: &Slot, ladder: Ladder) {
        // What is left of it is found by the end of the run.
        let _ = slot.take().end(ladder).await;
    }

    /// Ends the server that was unused for longest, if no more may run.
    fn make_room(self: &Arc<Self>, wanted: &Arc<Slot>) -> Result<(), Reason> {
        let mut running: Vec<Arc<Slot>> = self
            .all()
            .into_iter()
            .filter(|slot| slot.is_up() && !Arc::ptr_eq(slot, wanted))
            .collect();
        let most = self.config.max_servers.max(1);
        running.sort_by_key(|slot| slot.used());
        let mut over = (running.len() + 1).saturating_sub(most);
        for slot in &running {
            if over == 0 {
                return Ok(());
            }
            // One that starts or answers is not idle, however long ago it was asked.
            if slot.client().is_none_or(|client| client.is_busy()) {
                continue;
            }
            tokio::spawn(slot.take().end(Ladder::default()));
            over -= 1;
        }
        if over == 0 {
            return Ok(());
        }
        let says = format!("{} servers are busy, and no more may run at once", running.len());
        Err(wanted.reason("limit", &says))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for slot in self.all() {
            slot.abandon();
        }
    }
}

fn reason(unusable: &Unusable) -> Reason {
    let (server, code) = (unusable.server().to_string(), unusable.code());
    Reason { server, code, says: unusable.to_string() }
}
