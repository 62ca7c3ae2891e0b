//! A throw-away workspace with a registry over it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_astgrep::{AstGrepConfig, AstGrepPack};
use tool_core::{
    CallOutcome, CallRequest, ConversationId, RegistryBuilder, RunScope, Tier, ToolView,
};
use tool_workspace::Root;

/// A folder, a state folder beside it, and the tools.
pub(crate) struct Bench {
    pub(crate) view: ToolView,
    root: PathBuf,
    _dirs: Arc<(TempDir, TempDir)>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(&AstGrepConfig::default())
    }

    pub(crate) fn with(config: &AstGrepConfig) -> Self {
        let dirs = Arc::new((tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()));
        Self::over(dirs, config)
    }

    /// The same files, in a run of their own.
    pub(crate) fn another_run(&self, config: &AstGrepConfig) -> Self {
        Self::over(self._dirs.clone(), config)
    }

    fn over(dirs: Arc<(TempDir, TempDir)>, config: &AstGrepConfig) -> Self {
        let root = Root::open(dirs.0.path()).unwrap();
        let path = root.path().to_path_buf();
        let scope = RunScope::builder(ConversationId::from("test"))
            .workspace(&path)
            .cap(Tier::Exec)
            .build();
        let view = RegistryBuilder::new()
            .pack(AstGrepPack::new(root, dirs.1.path(), config))
            .build(scope)
            .unwrap();
        Self { view, root: path, _dirs: dirs }
    }

    pub(crate) fn path(&self, rel: &str) -> PathBuf {
        self.root.join(rel)
    }

    pub(crate) fn write(&self, rel: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(rel);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn read(&self, rel: &str) -> String {
        String::from_utf8(std::fs::read(self.path(rel)).unwrap()).unwrap()
    }

    /// The result object of the host protocol.
    pub(crate) async fn call(&self, tool: &str, args: Value) -> Result_ {
        Result_::of(&self.view.invoke(CallRequest::new(tool, args)).await)
    }

    pub(crate) async fn grep(&self, args: Value) -> Result_ {
        self.call("ast_grep", args).await
    }

    pub(crate) async fn edit(&self, args: Value) -> Result_ {
        self.call("ast_edit", args).await
    }

    pub(crate) async fn resolve(&self, id: &str, action: &str) -> Result_ {
        self.call("resolve", json!({ "edit_id": id, "action": action })).await
    }

    /// Stages an edit that must have something to do, and gives its id.
    pub(crate) async fn stage(&self, args: Value) -> String {
        let result = self.edit(args).await;
        let id = result.details()["edit_id"].as_str();
        id.unwrap_or_else(|| panic!("{}", result.text)).to_owned()
    }
}

/// A result object with its text at hand.
#[derive(Debug)]
pub(crate) struct Result_ {
    pub(crate) object: Value,
    pub(crate) text: String,
}

impl Result_ {
    fn of(outcome: &CallOutcome) -> Self {
        Self { object: outcome.to_result_object(None), text: outcome.render_text() }
    }

    pub(crate) fn details(&self) -> &Value {
        &self.object["details"]
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.object["ok"] == true
    }

    /// The kind of the error; panics on success.
    pub(crate) fn kind(&self) -> &str {
        self.object["error"]["kind"].as_str().unwrap_or_else(|| panic!("no error: {}", self.text))
    }

    pub(crate) fn total(&self) -> u64 {
        self.details()["total"].as_u64().unwrap_or_else(|| panic!("{}", self.text))
    }

    /// `path:line` of each match.
    pub(crate) fn places(&self) -> Vec<String> {
        self.matches()
            .iter()
            .map(|m| format!("{}:{}", m["path"].as_str().unwrap(), m["start"]["line"]))
            .collect()
    }

    pub(crate) fn matches(&self) -> &[Value] {
        self.details()["matches"].as_array().map_or(&[], Vec::as_slice)
    }

    /// `path: reason` of each skipped file.
    pub(crate) fn skipped(&self) -> Vec<String> {
        let skipped = self.details()["files_skipped"].as_array().expect("files_skipped");
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        skipped.iter().map(|s| format!("{}: {}", text(&s["path"]), text(&s["reason"]))).collect()
    }
}

/// Whether the grammar is in this build; prints what the runner counts as a skip otherwise.
pub(crate) async fn has_language(bench: &Bench, test: &str, language: &str) -> bool {
    let probe = bench.grep(json!({ "pattern": "a", "path": ".", "language": language })).await;
    if !probe.is_ok() && probe.kind() == "unavailable" {
        println!("SKIP {test}: the {language} grammar is not compiled in");
        return false;
    }
    true
}

/// The extension of a language's files.
pub(crate) fn extension(language: &str) -> &str {
    match language {
        "bash" => "sh",
        "csharp" => "cs",
        "elixir" => "ex",
        "haskell" => "hs",
        "javascript" => "js",
        "kotlin" => "kt",
        "markdown" => "md",
        "python" => "py",
        "ruby" => "rb",
        "rust" => "rs",
        "solidity" => "sol",
        "typescript" => "ts",
        "yaml" => "yml",
        other => other,
    }
}

pub(crate) fn data(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}
