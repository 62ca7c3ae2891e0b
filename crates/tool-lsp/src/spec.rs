//! A server as data.

use serde_json::Value;
use std::time::Duration;

/// What a server is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Knows names and types. One such server answers for a file: the first that is usable.
    Types,
    /// Adds diagnostics and code actions, beside the one that knows types.
    Linter,
}

/// How a server is found, started, waited for and listened to.
///
/// [`ServerSpec::new`] gives careful defaults; all fields may be changed. Strings in `args`, `env`, settings
/// and options may name `{root}`, `{scratch}` (a folder outside the checkout), `{python}` (the interpreter of
/// the project's virtual environment), `{system_python}` (one outside the checkout) and `{tsserver}` (the folder of `tsserver.js`); a setting whose name
/// cannot be resolved is left out.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSpec {
    /// Unique name, as shown to an agent.
    pub id: String,
    /// What it is asked for.
    pub role: Role,
    /// How it is started; the first that is there and works.
    pub commands: Vec<CommandSpec>,
    /// Programs on `PATH` that it cannot do without: `go`, `java`.
    pub needs: Vec<String>,
    /// File names, paths (`build/compile_commands.json`) or globs (`*.cabal`) that make a folder a root; `.`
    /// is the run's root itself. Without any, the run's root is the root.
    pub markers: Vec<String>,
    /// What makes several marked folders one root.
    pub workspace: WorkspaceKind,
    /// Pairs of a file extension (without dot) or whole file name, and the language id of such a document.
    pub documents: Vec<(String, String)>,
    /// Settings as one nested object: what the server asks for by `workspace/configuration`, section by section.
    pub settings: Value,
    /// `initializationOptions`.
    pub init_options: Value,
    /// What tells that it knows the whole project.
    pub readiness: Readiness,
    /// Where its diagnostics come from, most trustworthy first.
    pub diagnostics: Vec<Channel>,
    /// How it learns of files that changed behind its back.
    pub watching: Watching,
    /// What is known of its renames.
    pub rename: RenameQuirks,
    /// What else is known of it.
    pub quirks: Quirks,
    /// How long `initialize` may take.
    pub start_budget: Duration,
    /// How long a question waits for it to be ready.
    pub ready_budget: Duration,
    /// How long one request may take.
    pub request_budget: Duration,
    /// Variables that are set for it.
    pub env: Vec<(String, String)>,
    /// Variables of the host that it gets beside the harmless ones; `NAME*` allows all that begin so.
    pub pass_env: Vec<String>,
    /// A command that installs it, for a person.
    pub install: String,
    /// What changes when the checkout is not trusted.
    pub untrusted: Untrusted,
    /// What keeps its writes out of the checkout.
    pub scratch: Scratch,
}

/// One way to start a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSpec {
    /// File names of the program, best first.
    pub names: Vec<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Folders of the project that may hold it (`node_modules/.bin`), looked for at the root and above it, up
    /// to the run's root. Not looked at in an untrusted run.
    pub local: Vec<String>,
    /// Whether `PATH` is searched too.
    pub path: bool,
    /// Arguments that make it say its version and end. Empty: it is not asked.
    pub probe: Vec<String>,
    /// A program beside it that is asked instead, because it cannot be asked itself.
    pub probe_as: Option<String>,
    /// When this command applies.
    pub only_if: Option<Condition>,
}

/// When a command applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The npm package that the project has installed, or else names in its `package.json`, is of such a
    /// major version. `unknown`: whether the command applies when neither says it.
    Package {
        /// Name of the package.
        name: String,
        /// Lowest major version.
        from: u32,
        /// First major version that is too high.
        below: u32,
        /// The answer when the version is not known.
        unknown: bool,
    },
    /// The program's own version, as its probe says it, is at least this.
    OwnMajor(u32),
    /// Both.
    Both(Box<Condition>, Box<Condition>),
}

/// What makes several marked folders one root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkspaceKind {
    /// Nothing: the nearest marked folder is the root.
    Nearest,
    /// A `Cargo.toml` above with a `[workspace]` that has the package among its members.
    Cargo,
    /// A `go.work` above that uses the module.
    Go,
    /// The first so many markers outrank the others: the nearest of them wins wherever it stands.
    Ranked(usize),
    /// The same for the first two (`tsconfig.json`, `jsconfig.json`); then a folder above that names the package
    /// among its npm or pnpm workspaces, or whose `tsconfig.json` has references.
    Npm,
    /// The outermost marked folder within the run: builds with many modules.
    Outermost,
}

/// What tells that a server knows the whole project, so that an empty or short answer is a true one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// Requests wait by themselves.
    Blocks,
    /// `experimental/serverStatus` with `quiescent: true` (rust-analyzer).
    ServerStatus,
    /// The end of `$/progress` whose title or token contains one of `titles`, regardless of case; any progress
    /// when empty. Without a beginning within `grace` after the first document was opened, it is ready.
    Progress {
        /// Parts of titles or tokens.
        titles: Vec<String>,
        /// How long a beginning is waited for.
        grace: Duration,
        /// How long it must stay quiet after the last end.
        settle: Duration,
    },
    /// `language/status` with one of these types (jdtls).
    LanguageStatus(Vec<String>),
    /// `window/logMessage` that contains one of these: it says nothing else (pyright).
    LogMessage(Vec<String>),
    /// `$/analyzerStatus` with `isAnalyzing: false`, or progress (Dart).
    AnalyzerStatus,
    /// Says nothing: the first answer that is not null, else the whole budget.
    FirstAnswer,
}

/// Where diagnostics come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Channel {
    /// `textDocument/diagnostic`, registered statically or later.
    Pull,
    /// `workspace/executeCommand typescript.tsserverRequest`.
    TsserverRequest,
    /// `publishDiagnostics` that echoes the version of the document.
    PushVersioned,
    /// `publishDiagnostics` without version: true when nothing more came for so long.
    PushSettled {
        /// Milliseconds of silence after the last one.
        ms: u64,
    },
    /// The end of a check whose progress token begins so.
    ProgressEnd {
        /// Beginning of the token.
        token: String,
        /// Whether the check starts on `didSave` only.
        on_save: bool,
    },
}

/// How a server learns of files that changed behind its back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    /// By `workspace/didChangeWatchedFiles`.
    Notify,
    /// It ignores that; opening and closing the file works.
    Reopen,
    /// It watches by itself; told all the same.
    Own,
}

/// What is known of a server's renames.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenameQuirks {
    /// Why there is none.
    pub none: Option<String>,
    /// A file that must be at the root (or in its `build` folder), or else a rename reaches open files only.
    pub needs_file: Option<String>,
    /// It refuses names that are none by itself.
    pub checks_names: bool,
    /// Edits are not token by token: merged into one, or parts of tokens.
    pub unaligned: bool,
    /// `prepareRename` is announced and missing.
    pub prepare_missing: bool,
}

/// What else is known of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quirks {
    /// Counts columns in `utf-8`, `utf-16` or `utf-32`, whatever it announces.
    pub encoding: Option<String>,
    /// A workspace query needs an open document first.
    pub open_first: bool,
    /// Stays alive when its input ends.
    pub survives_eof: bool,
    /// Exit codes of an orderly end beside 0.
    pub exit_codes: Vec<i32>,
    /// Codes of diagnostics that mean no more than that the file belongs to no project.
    pub orphan_codes: Vec<String>,
    /// Needs `didSave` for its full diagnostics.
    pub save: bool,
    /// Republishes only the file that was edited: its dependents are opened anew to be checked.
    pub own_file_only: bool,
    /// Reads changed files that it was told of only a moment later, and says nothing of it: they are opened and closed too.
    pub reads_late: bool,
}

/// What changes in a checkout that is not trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct Untrusted {
    /// Why it is not started at all: it runs code of the project whatever is set.
    pub refused: Option<String>,
    /// Files at the root that would make it run something: name, and a text in it (empty: the file itself).
    pub refused_with: Vec<(String, String)>,
    /// Laid over the settings.
    pub settings: Value,
    /// Laid over the initialization options.
    pub init_options: Value,
    /// More arguments.
    pub args: Vec<String>,
    /// More variables.
    pub env: Vec<(String, String)>,
    /// What that costs, as a sentence for `status`; empty if nothing.
    pub cost: String,
}

/// What keeps a server's writes out of the checkout. `{scratch}` is the folder to use instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Scratch {
    /// Laid over the settings.
    pub settings: Value,
    /// Laid over the initialization options.
    pub init_options: Value,
    /// More arguments.
    pub args: Vec<String>,
    /// More variables.
    pub env: Vec<(String, String)>,
    /// `compile_commands.json` is linked into the scratch folder and named to the server, which keeps its index
    /// beside it.
    pub compile_commands: bool,
    /// What it writes into the checkout all the same.
    pub remains: Vec<String>,
}

impl ServerSpec {
    /// A server of which no more is known than how it is started and what it serves: nothing is assumed.
    pub fn new(id: impl Into<String>, role: Role) -> Self {
        Self {
            id: id.into(),
            role,
            commands: Vec::new(),
            needs: Vec::new(),
            markers: Vec::new(),
            workspace: WorkspaceKind::Nearest,
            documents: Vec::new(),
            settings: Value::Null,
            init_options: Value::Null,
            readiness: Readiness::Progress {
                titles: Vec::new(),
                grace: Duration::from_secs(3),
                settle: Duration::from_millis(500),
            },
            diagnostics: vec![
                Channel::Pull,
                Channel::PushVersioned,
                Channel::PushSettled { ms: 1100 },
            ],
            watching: Watching::Notify,
            rename: RenameQuirks::default(),
            quirks: Quirks::default(),
            start_budget: Duration::from_secs(30),
            ready_budget: Duration::from_secs(60),
            request_budget: Duration::from_secs(30),
            env: Vec::new(),
            pass_env: Vec::new(),
            install: String::new(),
            untrusted: Untrusted::default(),
            scratch: Scratch::default(),
        }
    }

    /// The language id of a file, if this server serves it. A whole file name beats an extension.
    pub fn language_id(&self, path: &std::path::Path) -> Option<&str> {
        let name = path.file_name()?.to_str()?;
        let whole = self.documents.iter().find(|(what, _)| what == name);
        let found = whole.or_else(|| {
            let extension = path.extension()?.to_str()?;
            self.documents.iter().find(|(what, _)| what.eq_ignore_ascii_case(extension))
        });
        found.map(|(_, id)| id.as_str())
    }
}

impl CommandSpec {
    /// A program by its name on `PATH`, asked for its version by `--version`.
    pub fn new(name: impl Into<String>, args: &[&str]) -> Self {
        Self {
            names: vec![name.into()],
            args: args.iter().map(ToString::to_string).collect(),
            local: Vec::new(),
            path: true,
            probe: vec!["--version".into()],
            probe_as: None,
            only_if: None,
        }
    }
}

impl Default for Untrusted {
    fn default() -> Self {
        Self {
            refused: None,
            refused_with: Vec::new(),
            settings: Value::Null,
            init_options: Value::Null,
            args: Vec::new(),
            env: Vec::new(),
            cost: String::new(),
        }
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            settings: Value::Null,
            init_options: Value::Null,
            args: Vec::new(),
            env: Vec::new(),
            compile_commands: false,
            remains: Vec::new(),
        }
    }
}
