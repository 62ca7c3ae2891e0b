//! Real servers and projects for tests. A test asks for a server by its id and gets a configuration in which
//! that server is the only one; where it is not installed, the test is skipped by name, which `cargo xtask test
//! --require` takes for a failure.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tool_lsp::{LspConfig, ServerSpec, Servers};
use tool_wire::{Finder, Probe, Query};

/// Nice to have: a test of one of these passes without it, and says so.
const OPTIONAL: &[&str] = &["bash", "yaml", "json", "emmylua", "tombi", "basedpyright", "ruff"];

/// What `cargo xtask setup` fetched: `target/toolbox` of the repository, or where `RUNBOUND_TOOLBOX` says.
pub(crate) fn toolbox() -> PathBuf {
    std::env::var_os("RUNBOUND_TOOLBOX")
        .map_or_else(|| repository().join("target/toolbox"), PathBuf::from)
}

fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap().to_path_buf()
}

/// The toolbox's programs, then the system's.
pub(crate) fn path() -> OsString {
    let system = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(toolbox().join("bin")).chain(std::env::split_paths(&system));
    std::env::join_paths(folders).unwrap()
}

/// A configuration that knows only this server; `None` prints a skip for the named test.
pub(crate) async fn server(test: &str, id: &str) -> Option<LspConfig> {
    let spec = Servers::builtin().get(id).expect("a server of the table").clone();
    if let Err(why) = installed(&spec).await {
        // Where there is no Go, nobody expects its server.
        let expected = !OPTIONAL.contains(&id) && !why.starts_with("go ");
        println!("{} {test}: {why}", if expected { "SKIP" } else { "without" });
        return None;
    }
    let mut config = LspConfig { path: Some(path()), ..LspConfig::default() };
    config.servers = Servers::none();
    config.servers.add(spec);
    Some(config)
}

async fn installed(spec: &ServerSpec) -> Result<(), String> {
    let finder = Finder::with_path(&path());
    let query = |names: &[String], probe: Option<Probe>| Query {
        names: names.to_vec(),
        folders: Vec::new(),
        path: true,
        probe,
    };
    for need in &spec.needs {
        let missing = finder.find(&query(std::slice::from_ref(need), None)).await;
        missing.map_err(|missing| missing.to_string())?;
    }
    let mut why = String::new();
    for command in spec.commands.iter().filter(|command| command.path) {
        let asked = !command.probe.is_empty() && command.probe_as.is_none();
        let probe = asked.then(|| Probe {
            args: command.probe.clone(),
            dir: std::env::temp_dir(),
            limit: Duration::from_secs(60),
        });
        match finder.find(&query(&command.names, probe)).await {
            Ok(_) => return Ok(()),
            Err(missing) => why = missing.to_string(),
        }
    }
    Err(why)
}

/// A copy of a sample project, removed at the end.
pub(crate) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// Of `fixtures/lsp-LANGUAGE`. C gets its compile database.
    pub(crate) fn of(language: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = Self { folder };
        copy(&repository().join("fixtures").join(format!("lsp-{language}")), &project.root());
        if language == "c" {
            project.write("compile_commands.json", &database(&project.root()));
        }
        project
    }

    /// TypeScript with the compiler of this major version (5 or 7) installed in the project.
    pub(crate) fn typescript(major: u32) -> Self {
        let project = Self::of("typescript");
        let modules = toolbox().join(format!("ts{major}/node_modules"));
        std::os::unix::fs::symlink(modules, project.root().join("node_modules")).unwrap();
        project
    }

    /// Its root, without links.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    /// A folder beside it, for what is not to be written into it.
    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("state")
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    /// Writes a file, with its folder.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The line, from 1, of the first that holds `text`.
    pub(crate) fn line(&self, path: &str, text: &str) -> u32 {
        let found = self.read(path).lines().position(|line| line.contains(text));
        u32::try_from(found.unwrap_or_else(|| panic!("{path} has no {text:?}"))).unwrap() + 1
    }

    /// Every path in it, sorted: what a test compares to see whether anything was written.
    pub(crate) fn listing(&self) -> Vec<String> {
        let mut found = Vec::new();
        list(&self.root(), &self.root(), &mut found);
        found.sort();
        found
    }
}

fn database(root: &Path) -> String {
    let entry = |name: &str| {
        serde_json::json!({
            "directory": root, "file": root.join("src").join(name),
            "arguments": ["cc", "-std=c11", "-c", format!("src/{name}")],
        })
    };
    let files = ["main.c", "order.c", "report.c", "größe.c"].map(entry);
    serde_json::to_string_pretty(&files).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        // The scripts of calls are about the project and no part of it.
        if entry.file_name() == "cases" {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn list(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_string());
        if path.is_dir() && !path.is_symlink() {
            list(root, &path, found);
        }
    }
}
