//! From flags to a run: the root, the scope, and a registry with everything that is built in.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use runbound::astgrep::{AstGrepConfig, AstGrepPack, Decided};
use runbound::core::{
    ConversationId, PermissionGate, RegistryBuilder, RunScope, Tier, Tool, ToolView,
};
use runbound::files::{FilesPack, Spills};
use runbound::lsp::{DiagnosticsLayer, LspConfig, LspPack};
use runbound::workspace::{Journals, Outcome, RecoverReport, Root};

use crate::args::{Common, Permissions, TierArg};
use crate::gate::Unattended;
use crate::logs;
use crate::output::say;

/// How long the resources of a run get to end.
pub(crate) const CLOSING: Duration = Duration::from_secs(3);

/// Tools of the family that this version does not have.
pub(crate) const NOT_BUILT: [&str; 8] =
    ["debug", "eval", "ask_user", "vibe_spawn", "vibe_send", "vibe_wait", "vibe_kill", "vibe_list"];

/// Tools that are built in: a host tool of the same name takes the place of one.
pub(crate) const BUILT_IN: [&str; 9] = [
    "apply_patch",
    "edit",
    "read",
    "write",
    "ast_edit",
    "ast_grep",
    "resolve",
    "lsp",
    "lsp_rename",
];

impl Common {
    /// The highest tier that is visible.
    pub(crate) fn cap(&self) -> Tier {
        match self.tier {
            TierArg::Read => Tier::Read,
            TierArg::Write => Tier::Write,
            TierArg::Exec => Tier::Exec,
        }
    }
}

/// What the flags ask for and this version does not have, in words.
pub(crate) fn not_there(common: &Common) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if common.vibe {
        notes.push(
            "--vibe: background workers are not built into this version; there are no vibe_* tools",
        );
    }
    if common.worker_cmd.is_some() {
        notes.push("--worker-cmd: background workers are not built into this version; the command is not used");
    }
    notes
}

/// Where state is kept: `--state-dir`, else the user's state folder.
///
/// # Errors
/// No flag was given and the environment names no home.
pub(crate) fn state_dir(common: &Common) -> anyhow::Result<PathBuf> {
    // Asks the user database where HOME is not set.
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    if let Some(folder) = &common.state_dir {
        return std::path::absolute(folder)
            .with_context(|| format!("--state-dir {}", folder.display()));
    }
    let named =
        std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        named.or_else(|| home().map(|home| home.join(".local/state")))
    };
    folder.map(|folder| folder.join("runbound")).context(
        "the environment names no home for change journals; give a folder with --state-dir",
    )
}

/// What a run is made of.
pub(crate) struct Wiring {
    root: PathBuf,
    cap: Tier,
    conversation: Option<String>,
    trust: Option<bool>,
    state: anyhow::Result<PathBuf>,
    /// The place of state was asked for.
    state_named: bool,
    search: AstGrepConfig,
    /// A file that says which language servers there are.
    servers: Option<PathBuf>,
    /// Whether the whole texts of cut answers stay when the process is gone.
    leaves_texts: bool,
    gate: Option<Arc<dyn PermissionGate>>,
    host_tools: Vec<Arc<dyn Tool>>,
}

impl Wiring {
    /// As the flags say. With `--permissions ask` and nobody to ask, every prompt is refused.
    pub(crate) fn from_flags(common: &Common) -> Self {
        let gate: Option<Arc<dyn PermissionGate>> = match common.permissions {
            Permissions::None => None,
            Permissions::Ask => Some(Arc::new(Unattended)),
        };
        Self {
            root: common.root.clone().unwrap_or_else(|| PathBuf::from(".")),
            cap: common.cap(),
            conversation: common.conversation.clone(),
            trust: common.trusted(),
            state: state_dir(common),
            state_named: common.state_dir.is_some(),
            search: AstGrepConfig::default(),
            servers: common.servers.clone(),
            leaves_texts: false,
            gate,
            host_tools: Vec::new(),
        }
    }

    pub(crate) fn root(mut self, root: PathBuf) -> Self {
        self.root = root;
        self
    }

    pub(crate) fn cap(mut self, cap: Tier) -> Self {
        self.cap = cap;
        self
    }

    pub(crate) fn conversation(mut self, id: String) -> Self {
        self.conversation = Some(id);
        self
    }

    pub(crate) fn trust(mut self, trust: Option<bool>) -> Self {
        self.trust = trust;
        self
    }

    pub(crate) fn state(mut self, folder: PathBuf) -> Self {
        self.state = Ok(folder);
        self
    }

    /// For a process that makes one call: nothing is remembered for a next one.
    pub(crate) fn one_shot(mut self) -> Self {
        self.search = AstGrepConfig::one_shot();
        self.leaves_texts()
    }

    /// For a process whose answers are read when it is gone: the files that cut answers name stay.
    pub(crate) fn leaves_texts(mut self) -> Self {
        self.leaves_texts = true;
        self
    }

    /// For a process that accepts at once what its one call stages.
    pub(crate) fn accepting(mut self) -> Self {
        self.search.decided = Decided::AtOnce;
        self
    }

    /// Who is asked before `write` and `exec` calls; `None`: nobody, and they run.
    pub(crate) fn gate(mut self, gate: Option<Arc<dyn PermissionGate>>) -> Self {
        self.gate = gate;
        self
    }

    /// Adds a tool of a host. It takes the place of a built-in one with the same name.
    pub(crate) fn host_tool(mut self, tool: Arc<dyn Tool>) -> Self {
        self.host_tools.push(tool);
        self
    }

    /// Opens the root, ends what a crash has cut short there, and builds the registry. Blocks on files; needs a runtime.
    ///
    /// # Errors
    /// The root is no folder, there is no place for state, the file of servers cannot be read, or a host tool cannot be
    /// registered.
    pub(crate) fn open(self) -> anyhow::Result<Run> {
        let root = Root::open(&self.root)
            .with_context(|| format!("cannot work in {}", self.root.display()))?;
        let state = self.state?;
        let journals = Journals::open(&state, &root);
        let recovered = journals.recover();
        // A blank id is no id.
        let named = self.conversation.filter(|id| !id.trim().is_empty());
        let conversation = named.map_or_else(ConversationId::fresh, ConversationId::from);
        let scope = RunScope::builder(conversation)
            .workspace(root.path())
            .cap(self.cap)
            .trust(self.trust)
            .state_dir(state.clone())
            .build();
        let mut servers = LspConfig::default();
        if let Some(file) = &self.servers {
            servers.servers.read_config(file).context("--servers")?;
        }
        let spills = Spills::of(&scope)
            .map(|spills| if self.leaves_texts { spills.outlive_the_run() } else { spills });
        let servers = LspPack::new(root.clone(), state.clone(), servers, scope.trusted());
        let diagnostics = servers.diagnostics();
        let mut builder = RegistryBuilder::new()
            .pack(FilesPack::new(root.clone(), journals).spills(spills))
            .pack(AstGrepPack::new(root.clone(), state.clone(), &self.search))
            .pack(servers);
        if let Some(gate) = self.gate {
            builder = builder.gate(gate);
        }
        let mut seen = HashSet::new();
        for tool in self.host_tools {
            let name = tool.spec().name().to_owned();
            if !seen.insert(name.clone()) {
                bail!("the host announces the tool {name} twice");
            }
            builder = if BUILT_IN.contains(&name.as_str()) {
                builder.wrap(name, move |_| tool)
            } else {
                builder.arc(tool)
            };
        }
        let view = builder.build(Arc::clone(&scope))?;
        tokio::spawn(logs::tell(scope.events()));
        Ok(Run { view, scope, diagnostics, state, state_named: self.state_named, recovered, root })
    }
}

/// An open run.
pub(crate) struct Run {
    pub(crate) view: ToolView,
    pub(crate) scope: Arc<RunScope>,
    /// For a host that writes files by itself.
    pub(crate) diagnostics: DiagnosticsLayer,
    root: Root,
    state: PathBuf,
    state_named: bool,
    /// What came of changes that a crash had cut short.
    pub(crate) recovered: RecoverReport,
}

impl Run {
    /// The folder the tools work in.
    pub(crate) fn root_path(&self) -> &Path {
        self.root.path()
    }

    /// Where images of results are saved.
    pub(crate) fn images(&self) -> PathBuf {
        self.state.join("images")
    }

    /// What came of changes that a crash had cut short, and what else should be known, in words.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = recovery_notes(&self.recovered);
        // Where the home is the root, the usual place lies below it; that is nobody's mistake.
        if self.state_named && self.state.starts_with(self.root.path()) {
            notes.push(format!(
                "--state-dir {} lies inside the root, where the tools can change it; it belongs outside",
                self.state.display()
            ));
        }
        notes
    }

    /// Tells the person the notes.
    pub(crate) fn say_notes(&self) {
        for note in self.notes() {
            say(&format!("runbound: {note}"));
        }
    }
}

/// A recovery in words; nothing where nothing was found.
pub(crate) fn recovery_notes(report: &RecoverReport) -> Vec<String> {
    let mut notes = Vec::new();
    for change in &report.settled {
        let end = match change.outcome {
            Outcome::Completed => "completed",
            Outcome::Undone => "undone",
        };
        notes.push(format!(
            "a change that a crash had cut short was {end}: {}",
            files(&change.files)
        ));
        for conflict in &change.conflicts {
            let kept = match &conflict.kept {
                Some(path) => format!("; its content of the change is kept in {}", path.display()),
                None => String::new(),
            };
            notes.push(format!(
                "{} was left as it is, because it has changed since{kept}",
                conflict.rel
            ));
        }
    }
    for path in &report.damaged {
        notes
            .push(format!("a change journal cannot be read and was set aside: {}", path.display()));
    }
    for (path, why) in &report.failed {
        notes.push(format!("a change cannot be brought to an end now: {}: {why}", path.display()));
    }
    notes
}

/// The first few of a list of files.
fn files(all: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = all.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    fn open(words: &[&str]) -> (tempfile::TempDir, anyhow::Result<Run>) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().to_str().unwrap();
        let state = format!("{folder}/.state");
        let line = ["runbound", "tools", "--root", folder, "--state-dir", &state];
        let cli = crate::args::Cli::parse_from(line.iter().chain(words));
        (dir, Wiring::from_flags(&cli.common).open())
    }

    #[tokio::test]
    async fn what_is_built_in_is_known_by_name() {
        let (_dir, run) = open(&[]);
        let run = run.unwrap();
        let names: Vec<&str> = run.view.surface().iter().map(|spec| spec.name()).collect();
        assert_eq!(names, BUILT_IN);
        for name in NOT_BUILT {
            assert!(run.view.get(name).is_none(), "{name} is built: take it off the list");
        }
    }

    #[tokio::test]
    async fn the_tier_decides_what_is_there() {
        let (_dir, run) = open(&["--tier", "read"]);
        let run = run.unwrap();
        let names: Vec<&str> = run.view.surface().iter().map(|spec| spec.name()).collect();
        assert_eq!(names, ["read", "ast_grep", "lsp"]);
        assert!(!run.scope.trusted(), "unsaid, a run that cannot reach exec is not trusted");
    }

    #[test]
    fn flags_for_what_is_not_built_are_answered() {
        let cli =
            crate::args::Cli::parse_from(["runbound", "tools", "--vibe", "--worker-cmd", "true"]);
        assert_eq!(not_there(&cli.common).len(), 2);
    }
}
