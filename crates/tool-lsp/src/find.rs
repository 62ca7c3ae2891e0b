//! The program of a server, or why there is none.

use crate::config::LspConfig;
use crate::roots::{major, npm_major, upward};
use crate::spec::{CommandSpec, Condition, ServerSpec};
use crate::trust;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tool_wire::{Finder, Found, NotFound, Probe, Query};

/// How long a program may take to say its version. A node program on a busy machine takes seconds.
const PROBE: Duration = Duration::from_secs(15);

/// A program that works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Binary {
    /// Where it is.
    pub(crate) program: PathBuf,
    /// The arguments of the command that was chosen; names in braces are not yet resolved.
    pub(crate) args: Vec<String>,
    /// What it says of itself; empty if it was not asked.
    pub(crate) version: String,
    /// Whether it lies in the checkout.
    pub(crate) project_local: bool,
}

/// Why a server cannot be used for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// Nothing marks a root between the file and the run's root.
    NoMarker { server: String, markers: Vec<String> },
    /// The program is not there.
    NoBinary { server: String, names: Vec<String>, local: Vec<String>, install: String },
    /// The program is there and does not run.
    Broken { server: String, program: PathBuf, output: String, install: String },
    /// It runs, and cannot serve this project.
    Unsupported { server: String, why: String },
    /// It would run code of a checkout that is not trusted.
    Untrusted { server: String, why: String },
}

impl Unusable {
    /// The server.
    pub(crate) fn server(&self) -> &str {
        match self {
            Self::NoMarker { server, .. }
            | Self::NoBinary { server, .. }
            | Self::Broken { server, .. }
            | Self::Unsupported { server, .. }
            | Self::Untrusted { server, .. } => server,
        }
    }

    /// One word for a program.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NoMarker { .. } => "no_marker",
            Self::NoBinary { .. } => "no_binary",
            Self::Broken { .. } => "broken_binary",
            Self::Unsupported { .. } => "unsupported",
            Self::Untrusted { .. } => "untrusted",
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let install = |f: &mut fmt::Formatter<'_>, command: &str| {
            if command.is_empty() { Ok(()) } else { write!(f, "; to install: {command}") }
        };
        match self {
            Self::NoMarker { markers, .. } => {
                write!(
                    f,
                    "no root: none of {} from the file up to the run's root",
                    markers.join(", ")
                )
            }
            Self::NoBinary { names, local, install: command, .. } => {
                write!(f, "{} is not on PATH", names.join(" or "))?;
                if !local.is_empty() {
                    write!(f, " or in {}", local.join(", "))?;
                }
                install(f, command)
            }
            Self::Broken { program, output, install: command, .. } => {
                write!(f, "{} does not run: {output}", program.display())?;
                install(f, command)
            }
            Self::Unsupported { why, .. } => f.write_str(why),
            Self::Untrusted { why, .. } => write!(f, "the checkout is not trusted: {why}"),
        }
    }
}

/// The folders in which programs are looked for in this run.
pub(crate) fn search_path(config: &LspConfig, run_root: &Path, trusted: bool) -> OsString {
    let path = config.path.clone().or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    trust::search_path(&path, run_root, trusted)
}

/// A program that works for this root: the commands in their order; project folders before `PATH`, and never
/// in an untrusted run. `finder` searches [`search_path`].
///
/// # Errors
///
/// The reason that helps most: refused, broken, not fitting, absent.
pub(crate) async fn find(
    finder: &Finder,
    spec: &ServerSpec,
    root: &Path,
    run_root: &Path,
    trusted: bool,
) -> Result<Binary, Unusable> {
    let server = || spec.id.clone();
    if !trusted && let Some(why) = trust::refusal(spec, root, run_root) {
        return Err(Unusable::Untrusted { server: server(), why });
    }
    let folders = upward(root, run_root);
    let mut broken = None;
    let mut misfit = None;
    let mut kept_away = None;
    for command in &spec.commands {
        let query = query(command, root, &folders, trusted);
        if let Some(why) = command.only_if.as_ref().and_then(|c| misfits(c, &folders)) {
            misfit = misfit.or(Some(why));
            continue;
        }
        match ask(finder, command, &query).await {
            Ok(found) if !trusted && trust::in_checkout(&found.program, run_root) => {
                kept_away = kept_away.or(Some(found.program));
            }
            Ok(found) => match own_major(command, &found) {
                Some(why) => misfit = Some(why),
                None => {
                    if let Some(why) = lacks(finder, spec).await {
                        return Err(Unusable::Unsupported { server: server(), why });
                    }
                    return Ok(binary(command, found, run_root));
                }
            },
            Err(missing) => broken = broken.or_else(|| missing.broken.into_iter().next()),
        }
        if !trusted {
            kept_away = kept_away.or_else(|| local_program(command, &folders));
        }
    }
    if let Some((program, output)) = broken {
        let output = explained(&program, &output);
        return Err(Unusable::Broken {
            server: server(),
            program,
            output,
            install: spec.install.clone(),
        });
    }
    if let Some(program) = kept_away {
        let why = format!(
            "{} lies in it and is not run; install {} outside of it ({})",
            program.display(),
            spec.id,
            spec.install
        );
        return Err(Unusable::Untrusted { server: server(), why });
    }
    if let Some(why) = misfit {
        return Err(Unusable::Unsupported { server: server(), why });
    }
    let all = |of: fn(&CommandSpec) -> &Vec<String>| {
        let mut all: Vec<String> = spec.commands.iter().flat_map(of).cloned().collect();
        all.dedup();
        all
    };
    let local = if trusted { all(|command| &command.local) } else { Vec::new() };
    Err(Unusable::NoBinary {
        server: server(),
        names: all(|command| &command.names),
        local,
        install: spec.install.clone(),
    })
}

fn query(command: &CommandSpec, root: &Path, folders: &[&Path], trusted: bool) -> Query {
    // A path in place of a name is the harness's own choice.
    let (paths, names): (Vec<&String>, Vec<&String>) =
        command.names.iter().partition(|name| Path::new(name).is_absolute());
    let mut search: Vec<PathBuf> =
        paths.iter().filter_map(|p| Some(Path::new(p).parent()?.to_path_buf())).collect();
    if trusted {
        let local =
            |folder: &&Path| command.local.iter().map(|l| folder.join(l)).collect::<Vec<_>>();
        search.extend(folders.iter().flat_map(local));
    }
    let file_name = |p: &&String| Some(Path::new(p).file_name()?.to_str()?.to_string());
    let probe = (!command.probe.is_empty() && command.probe_as.is_none()).then(|| Probe {
        args: command.probe.clone(),
        dir: root.to_path_buf(),
        limit: PROBE,
    });
    Query {
        names: paths.iter().filter_map(file_name).chain(names.into_iter().cloned()).collect(),
        folders: search,
        path: command.path,
        probe,
    }
}

/// Looks for the program, and lets a neighbour speak for it where it cannot itself.
async fn ask(finder: &Finder, command: &CommandSpec, query: &Query) -> Result<Found, NotFound> {
    let mut found = finder.find(query).await?;
    let Some(neighbour) = &command.probe_as else { return Ok(found) };
    let Some(folder) = found.program.parent() else { return Ok(found) };
    let dir = query.folders.first().cloned().unwrap_or_else(|| folder.to_path_buf());
    let dir = if dir.is_dir() { dir } else { folder.to_path_buf() };
    let probe = Probe { args: command.probe.clone(), dir, limit: PROBE };
    let beside = Query {
        names: vec![neighbour.clone()],
        folders: vec![folder.to_path_buf()],
        path: false,
        probe: Some(probe),
    };
    match finder.find(&beside).await {
        Ok(neighbour) => found.version = neighbour.version,
        Err(missing) if missing.broken.is_empty() => {}
        Err(missing) => return Err(missing),
    }
    Ok(found)
}

/// Why a command does not apply to the project; nothing is run for it.
fn misfits(condition: &Condition, folders: &[&Path]) -> Option<String> {
    match condition {
        Condition::OwnMajor(_) => None,
        Condition::Both(a, b) => misfits(a, folders).or_else(|| misfits(b, folders)),
        Condition::Package { name, from, below, unknown } => match npm_major(name, folders) {
            None if *unknown => None,
            None => Some(format!("the project does not say that it uses {name} {from}")),
            Some(major) if (*from..*below).contains(&major) => None,
            Some(major) => {
                Some(format!("the project uses {name} {major}, which another server serves"))
            }
        },
    }
}

fn own_major(command: &CommandSpec, found: &Found) -> Option<String> {
    let wanted = command.only_if.as_ref().and_then(wanted_major)?;
    let version = found.version.as_deref().unwrap_or_default();
    let fits = major(version).is_some_and(|major| major >= wanted);
    (!fits).then(|| {
        format!("{} says {version:?}; version {wanted} or later is needed", found.program.display())
    })
}

fn wanted_major(condition: &Condition) -> Option<u32> {
    match condition {
        Condition::OwnMajor(wanted) => Some(*wanted),
        Condition::Both(a, b) => wanted_major(a).or_else(|| wanted_major(b)),
        Condition::Package { .. } => None,
    }
}

async fn lacks(finder: &Finder, spec: &ServerSpec) -> Option<String> {
    for name in &spec.needs {
        let query =
            Query { names: vec![name.clone()], folders: Vec::new(), path: true, probe: None };
        if finder.find(&query).await.is_err() {
            return Some(format!("{} needs {name}, which is not on PATH", spec.id));
        }
    }
    None
}

fn local_program(command: &CommandSpec, folders: &[&Path]) -> Option<PathBuf> {
    let local = folders.iter().flat_map(|folder| command.local.iter().map(|l| folder.join(l)));
    local
        .flat_map(|folder| command.names.iter().map(move |name| folder.join(name)))
        .find(|program| program.exists())
}

fn binary(command: &CommandSpec, found: Found, run_root: &Path) -> Binary {
    Binary {
        args: command.args.clone(),
        version: found.version.unwrap_or_default(),
        project_local: trust::in_checkout(&found.program, run_root),
        program: found.program,
    }
}

/// rustup puts a stand-in for each component on `PATH`, whether the component is there or not.
fn explained(program: &Path, output: &str) -> String {
    let proxy = output.contains("nknown binary") || output.contains("rustup component add");
    match program.file_name().and_then(|name| name.to_str()) {
        Some(name) if proxy => {
            format!("{output} (a stand-in of rustup: the component {name} is not installed)")
        }
        _ => output.to_string(),
    }
}

#[cfg(test)]
mod tests;
