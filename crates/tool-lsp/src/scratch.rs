//! How a server is started here: its command, settings and variables with all that trust and the scratch
//! folder change.

use crate::config::overlay;
use crate::find::Binary;
use crate::roots::upward;
use crate::spec::ServerSpec;
use crate::trust::in_checkout;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// All that is decided before a server starts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Launch {
    /// The program's arguments.
    pub(crate) args: Vec<String>,
    /// Variables that are set, `PATH` among them.
    pub(crate) env: Vec<(String, String)>,
    /// Variables of the host that are let through; `NAME*` allows all that begin so.
    pub(crate) pass_env: Vec<String>,
    /// For `workspace/configuration` and `didChangeConfiguration`.
    pub(crate) settings: Value,
    /// `initializationOptions`.
    pub(crate) init_options: Value,
    /// What an agent should know: what is switched off and what that costs, what is written into the checkout.
    pub(crate) notes: Vec<String>,
}

/// Where a server starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Its root.
    pub(crate) root: &'a Path,
    /// The run's root.
    pub(crate) run_root: &'a Path,
    /// A folder outside the checkout in which each server gets one of its own.
    pub(crate) scratch: &'a Path,
    /// The folders of [`crate::find::search_path`].
    pub(crate) path: &'a OsStr,
    /// Whether the checkout is trusted.
    pub(crate) trusted: bool,
}

/// Decides how a found server is started, and makes its scratch folder. Blocks on the file system.
///
/// # Errors
///
/// The scratch folder cannot be made, or a part is missing without which the server cannot work; a sentence.
pub(crate) fn launch(spec: &ServerSpec, binary: &Binary, at: Place<'_>) -> Result<Launch, String> {
    let scratch = at.scratch.join(folder_name(&spec.id, at.root));
    fs::create_dir_all(&scratch)
        .map_err(|error| format!("cannot make the folder {}: {error}", scratch.display()))?;
    let names = Names::of(binary, at, &scratch);
    let mut launch = Launch {
        args: binary.args.clone(),
        env: spec.env.clone(),
        pass_env: spec.pass_env.clone(),
        settings: spec.settings.clone(),
        init_options: spec.init_options.clone(),
        notes: Vec::new(),
    };
    let own = &spec.scratch;
    launch.lay(&own.settings, &own.init_options, &own.args, &own.env);
    if !at.trusted {
        let off = &spec.untrusted;
        launch.lay(&off.settings, &off.init_options, &off.args, &off.env);
        // A variable that trust decides is not the host's to give.
        launch.pass_env.retain(|name| off.env.iter().all(|(set, _)| set != name));
        if !off.cost.is_empty() {
            launch.notes.push(format!("not trusted: {}", off.cost));
        }
    }
    let mut remains = own.remains.clone();
    if own.compile_commands {
        match link_compile_commands(at.root, &scratch) {
            Database::Linked => {
                launch.args.push(format!("--compile-commands-dir={}", scratch.display()));
            }
            Database::Left => remains.push(".cache/clangd".into()),
            Database::None => {}
        }
    }
    if !remains.is_empty() {
        launch.notes.push(format!("writes into the checkout: {}", remains.join(", ")));
    }
    // As a setting it may be left out: such a server has one of its own.
    let needed = spec.init_options.to_string().contains("{tsserver}");
    if needed && names.tsserver.is_none() {
        return Err(format!(
            "{} needs a TypeScript up to 6 (a tsserver.js): there is none {}beside {}; {}",
            spec.id,
            if at.trusted { "in the project and none " } else { "" },
            binary.program.display(),
            spec.install
        ));
    }
    launch.args = launch.args.iter().filter_map(|arg| names.fill(arg)).collect();
    launch.env = launch.env.iter().filter_map(|(k, v)| Some((k.clone(), names.fill(v)?))).collect();
    launch.env.push(("PATH".into(), at.path.to_string_lossy().into_owned()));
    names.fill_value(&mut launch.settings);
    names.fill_value(&mut launch.init_options);
    Ok(launch)
}

impl Launch {
    fn lay(
        &mut self,
        settings: &Value,
        options: &Value,
        args: &[String],
        env: &[(String, String)],
    ) {
        overlay(&mut self.settings, settings);
        overlay(&mut self.init_options, options);
        self.args.extend_from_slice(args);
        for (name, value) in env {
            self.env.retain(|(known, _)| known != name);
            self.env.push((name.clone(), value.clone()));
        }
    }
}

/// A folder name that is the same for the same server and root in every run, so that an index is kept.
fn folder_name(id: &str, root: &Path) -> String {
    // FNV-1a: stable between versions of the compiler, which the standard hasher is not.
    let hash =
        root.as_os_str().as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("{id}-{hash:016x}")
}

/// What names in braces mean here.
struct Names {
    root: String,
    scratch: String,
    python: Option<String>,
    system_python: String,
    tsserver: Option<String>,
}

impl Names {
    fn of(binary: &Binary, at: Place<'_>, scratch: &Path) -> Self {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let folders = if at.trusted { upward(at.root, at.run_root) } else { Vec::new() };
        Self {
            root: at.root.to_string_lossy().into_owned(),
            scratch: scratch.to_string_lossy().into_owned(),
            python: folders.iter().find_map(|folder| python(folder)).map(text),
            system_python: text(system_python(at).unwrap_or_else(|| scratch.join("no-python"))),
            tsserver: folders
                .iter()
                .map(|folder| folder.join("node_modules/typescript/lib"))
                .find(|lib| lib.join("tsserver.js").is_file())
                .or_else(|| bundled_tsserver(&binary.program))
                .map(text),
        }
    }

    /// The text with its names replaced; `None` if one of them means nothing here.
    fn fill(&self, text: &str) -> Option<String> {
        let known = [
            ("{root}", Some(&self.root)),
            ("{scratch}", Some(&self.scratch)),
            ("{python}", self.python.as_ref()),
            ("{system_python}", Some(&self.system_python)),
            ("{tsserver}", self.tsserver.as_ref()),
        ];
        let mut text = text.to_string();
        for (name, value) in known {
            if text.contains(name) {
                text = text.replace(name, value?);
            }
        }
        Some(text)
    }

    fn fill_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *value = self.fill(text).map_or(Value::Null, Value::String),
            Value::Array(list) => list.iter_mut().for_each(|v| self.fill_value(v)),
            Value::Object(fields) => fields.retain(|_, field| {
                let was_null = field.is_null();
                self.fill_value(field);
                was_null || !field.is_null()
            }),
            _ => {}
        }
    }
}

/// The interpreter of a virtual environment in this folder.
fn python(folder: &Path) -> Option<PathBuf> {
    let inner = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    [".venv", "venv"].iter().map(|env| folder.join(env).join(inner)).find(|path| path.is_file())
}

/// The first interpreter on `PATH` that lies outside the checkout.
fn system_python(at: Place<'_>) -> Option<PathBuf> {
    let names = if cfg!(windows) { ["python.exe", "python3.exe"] } else { ["python3", "python"] };
    let programs = std::env::split_paths(at.path).flat_map(|f| names.map(|name| f.join(name)));
    programs.into_iter().find(|p| p.is_file() && !in_checkout(p, at.run_root))
}

/// The `tsserver.js` that was installed beside a wrapper of it.
fn bundled_tsserver(program: &Path) -> Option<PathBuf> {
    let real = program.canonicalize().ok()?;
    real.ancestors()
        .map(|folder| folder.join("node_modules/typescript/lib"))
        .find(|lib| lib.join("tsserver.js").is_file())
}

enum Database {
    /// It is linked into the scratch folder.
    Linked,
    /// It is there, but would mean something else in another place.
    Left,
    /// There is none.
    None,
}

/// clangd keeps its index beside the compile database that it is given. A link to the database keeps it current.
fn link_compile_commands(root: &Path, scratch: &Path) -> Database {
    let places = [root.join("compile_commands.json"), root.join("build/compile_commands.json")];
    let Some(database) = places.into_iter().find(|path| path.is_file()) else {
        return Database::None;
    };
    let here = scratch.join("compile_commands.json");
    if relative_folders(&database) || !link(&database, &here) {
        Database::Left
    } else {
        Database::Linked
    }
}

/// Whether an entry gives its folder relative to the database.
fn relative_folders(database: &Path) -> bool {
    #[derive(serde::Deserialize)]
    struct Entry {
        directory: PathBuf,
    }
    let Ok(file) = fs::File::open(database) else { return true };
    let entries: Result<Vec<Entry>, _> = serde_json::from_reader(std::io::BufReader::new(file));
    // One that cannot be read is for clangd to complain of.
    entries.map_or(true, |entries| entries.iter().any(|entry| entry.directory.is_relative()))
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> bool {
    if fs::read_link(at).is_ok_and(|target| target == to) {
        return true;
    }
    let _ = fs::remove_file(at);
    std::os::unix::fs::symlink(to, at).is_ok()
}

#[cfg(not(unix))]
fn link(_to: &Path, _at: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests;
