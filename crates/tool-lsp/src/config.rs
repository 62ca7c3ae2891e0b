//! What a harness decides: which servers, how many, how long.

mod file;

pub use file::ConfigError;
pub(crate) use file::overlay;

use crate::spec::ServerSpec;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// What a harness decides about language servers. All of it has a default.
#[derive(Debug, Clone)]
pub struct LspConfig {
    /// The servers that are known.
    pub servers: Servers,
    /// Where programs are looked for instead of the host's `PATH`.
    pub path: Option<OsString>,
    /// How many servers run at once in a run; the one unused for longest makes room.
    pub max_servers: usize,
    /// How many documents are open at once in one server.
    pub max_documents: usize,
    /// Resident memory of one server with all its processes, in bytes, above which it is stopped, where the
    /// platform tells.
    pub max_memory: Option<u64>,
    /// Whether a write tool's result says what the write broke.
    pub diagnostics_on_write: bool,
    /// How long a write's result waits for that once the server is ready.
    pub write_wait: Duration,
}

impl Default for LspConfig {
    fn default() -> Self {
        Self {
            servers: Servers::builtin(),
            path: None,
            max_servers: 8,
            max_documents: 64,
            max_memory: Some(6 << 30),
            diagnostics_on_write: true,
            write_wait: Duration::from_secs(3),
        }
    }
}

/// The servers that are known, in order of preference.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Servers {
    list: Vec<ServerSpec>,
}

impl Servers {
    /// Those that this crate knows.
    pub fn builtin() -> Self {
        Self { list: crate::table::all() }
    }

    /// None.
    pub fn none() -> Self {
        Self::default()
    }

    /// All, in order of preference.
    pub fn iter(&self) -> impl Iterator<Item = &ServerSpec> {
        self.list.iter()
    }

    /// One by its id.
    pub fn get(&self, id: &str) -> Option<&ServerSpec> {
        self.list.iter().find(|spec| spec.id == id)
    }

    /// Puts a server before all others. One of the same id is replaced, and keeps its place.
    pub fn add(&mut self, spec: ServerSpec) -> &mut Self {
        match self.list.iter_mut().find(|known| known.id == spec.id) {
            Some(known) => *known = spec,
            None => self.list.insert(0, spec),
        }
        self
    }

    /// Changes a server; false if there is none of this id.
    pub fn change(&mut self, id: &str, change: impl FnOnce(&mut ServerSpec)) -> bool {
        self.list.iter_mut().find(|spec| spec.id == id).map(change).is_some()
    }

    /// Removes a server; false if there was none of this id.
    pub fn remove(&mut self, id: &str) -> bool {
        let before = self.list.len();
        self.list.retain(|spec| spec.id != id);
        self.list.len() < before
    }

    /// Adds, changes and removes what a file says. Blocks on the file. The file is the harness's own: one that
    /// lies in a checkout decides which programs run.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or something in it is not understood: then nothing has changed.
    pub fn read_config(&mut self, path: &Path) -> Result<(), ConfigError> {
        file::read(self, path)
    }
}
