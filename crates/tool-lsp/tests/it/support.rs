//! A throw-away checkout with the tools over it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_core::{
    CallOutcome, CallRequest, CloseWhy, ConversationId, RegistryBuilder, RunScope, Tier, ToolView,
};
use tool_files::FilesPack;
use tool_lsp::{CommandSpec, LspConfig, LspPack, Readiness, Role, ServerSpec, Servers};
use tool_testkit::{Script, Verb, install};
use tool_workspace::{Journals, Root};

use crate::real::Project;

/// A checkout, a state folder and a folder of programs beside it, and the tools.
pub(crate) struct Bench {
    pub(crate) view: ToolView,
    root: PathBuf,
    _dirs: Dirs,
}

struct Dirs {
    root: TempDir,
    state: TempDir,
    bin: TempDir,
}

impl Dirs {
    fn new() -> Self {
        let dir = || tempfile::tempdir().unwrap();
        Self { root: dir(), state: dir(), bin: dir() }
    }
}

impl Bench {
    /// A checkout with these files, and one server `fake` for `*.x` that follows the script.
    pub(crate) fn scripted(
        files: &[(&str, &str)],
        capabilities: &Value,
        script: impl FnOnce(&Path) -> Script,
    ) -> Self {
        Self::scripted_as(files, capabilities, script, |_| ())
    }

    /// The same, with changes to what is known of the server.
    pub(crate) fn scripted_as(
        files: &[(&str, &str)],
        capabilities: &Value,
        script: impl FnOnce(&Path) -> Script,
        change: impl FnOnce(&mut ServerSpec),
    ) -> Self {
        let (dirs, config) = Self::fake(capabilities, script, change);
        Self::over(dirs, files, config)
    }

    /// The programs, and what is known of them.
    fn fake(
        capabilities: &Value,
        script: impl FnOnce(&Path) -> Script,
        change: impl FnOnce(&mut ServerSpec),
    ) -> (Dirs, LspConfig) {
        let dirs = Dirs::new();
        let greeting = json!({ "capabilities": capabilities, "serverInfo": { "name": "fake", "version": "1.2" } });
        let root = dirs.root.path().canonicalize().unwrap();
        let script = script(&root).on("initialize", [Verb::Reply(greeting)]);
        install(dirs.bin.path(), "fake-server", &script).unwrap();
        let mut spec = ServerSpec::new("fake", Role::Types);
        let mut command = CommandSpec::new("fake-server", &[]);
        command.probe.clear();
        spec.commands = vec![command];
        spec.documents = vec![("x".into(), "x".into())];
        spec.readiness = Readiness::Blocks;
        change(&mut spec);
        let mut servers = Servers::none();
        servers.add(spec);
        let mut path = OsString::from(dirs.bin.path());
        path.push(":/usr/bin:/bin");
        // No scripted server says what a write has broken.
        let diagnostics_on_write = false;
        let path = Some(path);
        let config = LspConfig { servers, path, diagnostics_on_write, ..LspConfig::default() };
        (dirs, config)
    }

    /// The same, with `read`, `write`, `edit` and `apply_patch` beside `lsp`, and so long a wait for a write's diagnostics.
    pub(crate) fn writing(
        files: &[(&str, &str)],
        capabilities: &Value,
        wait: Duration,
        script: impl FnOnce(&Path) -> Script,
        change: impl FnOnce(&mut ServerSpec),
    ) -> Self {
        let (dirs, mut config) = Self::fake(capabilities, script, change);
        config.diagnostics_on_write = true;
        config.write_wait = wait;
        let (root, state) = Self::fill(&dirs, files);
        let root = Root::open(&root).unwrap();
        let journals = Journals::open(&state, &root);
        let files = FilesPack::new(root.clone(), journals);
        Self::built(dirs, root, &state, config, RegistryBuilder::new().pack(files))
    }

    /// Over a sample project and a real server.
    pub(crate) fn real(project: &Project, config: LspConfig) -> Self {
        Self::with(Dirs::new(), &project.root(), &project.state(), config)
    }

    fn over(dirs: Dirs, files: &[(&str, &str)], config: LspConfig) -> Self {
        let (root, state) = Self::fill(&dirs, files);
        Self::with(dirs, &root, &state, config)
    }

    fn fill(dirs: &Dirs, files: &[(&str, &str)]) -> (PathBuf, PathBuf) {
        for (name, text) in files {
            let path = dirs.root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        (dirs.root.path().to_owned(), dirs.state.path().to_owned())
    }

    fn with(dirs: Dirs, root: &Path, state: &Path, config: LspConfig) -> Self {
        Self::built(dirs, Root::open(root).unwrap(), state, config, RegistryBuilder::new())
    }

    fn built(
        dirs: Dirs,
        root: Root,
        state: &Path,
        config: LspConfig,
        tools: RegistryBuilder,
    ) -> Self {
        let path = root.path().to_path_buf();
        let scope = RunScope::builder(ConversationId::from("test"))
            .workspace(&path)
            .cap(Tier::Exec)
            .build();
        let view = tools.pack(LspPack::new(root, state, config, true)).build(scope).unwrap();
        Self { view, root: path, _dirs: dirs }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(crate) async fn call(&self, args: Value) -> CallOutcome {
        self.view.invoke(CallRequest::new("lsp", args)).await
    }

    /// Text and details of any tool's answer.
    pub(crate) async fn tool(&self, name: &str, args: Value) -> (String, Value) {
        let outcome = self.view.invoke(CallRequest::new(name, args)).await;
        let output = outcome.result.unwrap_or_else(|error| panic!("{name}: {error}"));
        (output.render_text(), Value::Object(output.details))
    }

    /// An answer's text and details.
    pub(crate) async fn ok(&self, args: Value) -> (String, Value) {
        let outcome = self.call(args).await;
        let output = outcome.result.unwrap_or_else(|error| panic!("{error}"));
        (output.render_text(), Value::Object(output.details))
    }

    /// The word of an error's kind, its text and details.
    pub(crate) async fn error(&self, args: Value) -> (&'static str, String, Value) {
        match self.call(args).await.result {
            Ok(output) => panic!("no error: {}", output.render_text()),
            Err(error) => (
                error.kind().as_str(),
                error.to_string(),
                Value::Object(error.detail_map().clone()),
            ),
        }
    }

    pub(crate) async fn close(self) {
        let report = self.view.scope().close(CloseWhy::Finished, Duration::from_secs(20)).await;
        assert!(report.is_clean(), "{report:?}");
    }
}

/// The address of a file below a root whose path has nothing to escape.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
