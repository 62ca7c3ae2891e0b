//! Which servers run in this run, for which roots; starting, backoff, ending.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;
use tool_core::{CloseWhy, Closed, Resource};
use tool_workspace::Root;

use crate::client::Client;
use crate::config::LspConfig;
use crate::error::LspError;

/// Which servers are wanted for a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// The one that knows types.
    Types,
    /// That one and the linters. Linters that cannot be used are left out.
    All,
}

/// A server of this run, or why it is none.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ServerStatus {
    /// The server's id.
    pub(crate) id: String,
    /// Its root, relative to the run's; empty where none was found.
    pub(crate) root: String,
    /// `no_marker`, `no_binary`, `broken_binary`, `unsupported`, `untrusted`, `idle`, `starting`, `loading`, `ready`,
    /// `crashed`, `stopped`.
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
}

impl Supervisor {
    /// `scratch` is a folder outside the checkout that servers may write into; it is made when it is needed.
    pub(crate) fn new(root: Root, config: LspConfig, trusted: bool, scratch: PathBuf) -> Self {
        Self { shared: Arc::new(Shared { root, config, trusted, scratch }) }
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
    /// [`LspError::NoServer`] with every reason, or that the start takes too long.
    pub(crate) async fn clients_for(
        &self,
        file: &Path,
        _want: Want,
    ) -> Result<Vec<Arc<Client>>, LspError> {
        Err(LspError::NoServer { file: self.shared.root.relative(file), reasons: Vec::new() })
    }

    /// The servers for a file that run already. Those that do not are started in the background, unless they crashed.
    pub(crate) async fn clients_now(&self, _file: &Path, _want: Want) -> Vec<Arc<Client>> {
        Vec::new()
    }

    /// The servers for the whole project, those of `preferred` extensions first: for questions without a file.
    ///
    /// # Errors
    /// [`LspError::NoServer`] with every reason.
    pub(crate) async fn clients_for_project(&self) -> Result<Vec<Arc<Client>>, LspError> {
        Err(LspError::NoServer { file: "this project".into(), reasons: Vec::new() })
    }

    /// Those that run now.
    pub(crate) fn running(&self) -> Vec<Arc<Client>> {
        Vec::new()
    }

    /// Every server that this project could use, with real probes. Starts none.
    pub(crate) async fn status(&self) -> Vec<ServerStatus> {
        Vec::new()
    }

    /// Ends servers and starts them anew, with their documents: all, or those for a file. Clears every backoff.
    ///
    /// # Errors
    /// [`LspError::NoServer`] where none can be started.
    pub(crate) async fn reload(&self, file: Option<&Path>) -> Result<Vec<Arc<Client>>, LspError> {
        Err(LspError::NoServer {
            file: file.map_or_else(String::new, |file| self.shared.root.relative(file)),
            reasons: Vec::new(),
        })
    }
}

#[async_trait]
impl Resource for Supervisor {
    fn name(&self) -> String {
        "language servers".into()
    }

    async fn close(&self, _why: CloseWhy, _within: Duration) -> Closed {
        Closed::Clean
    }

    fn abandon(&self) {}
}
