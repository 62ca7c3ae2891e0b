//! Gets one package by its registry's own client, checks its hash and unpacks it.

use super::catalog::{Package, Registry};
use crate::sh::{self, End};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A client that has not ended after this long is taken to hang and is tried again.
const BUDGET: Duration = Duration::from_secs(180);
const TRIES: u32 = 3;

/// Why a package is not there.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The registry's client is not on this machine: no use to ask it again.
    NoClient(String),
    /// Anything else.
    Failed(String),
}

/// Gets and unpacks a package below `toolbox`; its folder. Does nothing when it is there already.
pub(crate) fn package(package: &Package, toolbox: &Path) -> Result<PathBuf, Trouble> {
    let folder = toolbox.join("sources").join(folder_name(package));
    let stamp = folder.join(".complete");
    if fs::read_to_string(&stamp).is_ok_and(|hash| hash == package.sha256) {
        return Ok(folder);
    }
    let client =
        client(package.registry).ok_or_else(|| Trouble::NoClient(missing(package.registry)))?;
    let get = || -> Result<PathBuf> {
        let downloads = toolbox.join("downloads").join(folder_name(package));
        remove(&downloads)?;
        fs::create_dir_all(&downloads)?;
        let archive = download(package, &client, &downloads)?;
        let hash = sha256(&archive)?;
        if hash != package.sha256 {
            bail!("its hash is {hash}, pinned is {}", package.sha256);
        }
        let fresh = folder.with_extension("new");
        remove(&fresh)?;
        fs::create_dir_all(&fresh)?;
        unpack(&archive, &fresh)?;
        remove(&downloads)?;
        fs::write(fresh.join(".complete"), package.sha256)?;
        remove(&folder)?;
        fs::rename(&fresh, &folder)?;
        Ok(folder.clone())
    };
    sh::retry(TRIES, get).map_err(|error| Trouble::Failed(format!("{error:#}")))
}

/// `npm-openzeppelin-contracts-5.1.0` and the like.
pub(crate) fn folder_name(package: &Package) -> String {
    let registry = match package.registry {
        Registry::PipWheel | Registry::PipSource => "pip",
        Registry::Npm => "npm",
        Registry::Cargo => "cargo",
        Registry::Go => "go",
    };
    let name = package.name.trim_start_matches('@').replace('/', "-");
    format!("{registry}-{name}-{}", package.version)
}

/// The words of the client's command line, if it is on this machine.
fn client(registry: Registry) -> Option<Vec<String>> {
    let candidates: &[&[&str]] = match registry {
        Registry::PipWheel | Registry::PipSource => {
            &[&["python3", "-m", "pip"], &["pip"], &["pip3"]]
        }
        Registry::Npm => &[&["npm"]],
        Registry::Cargo => &[&["cargo"]],
        Registry::Go => &[&["go"]],
    };
    let version = if registry == Registry::Go { "version" } else { "--version" };
    let works = |words: &&&[&str]| {
        let mut probe = with(words.iter().copied());
        probe.arg(version).output().is_ok_and(|out| out.status.success())
    };
    candidates.iter().find(works).map(|words| words.iter().map(ToString::to_string).collect())
}

fn missing(registry: Registry) -> String {
    let name = match registry {
        Registry::PipWheel | Registry::PipSource => "pip",
        Registry::Npm => "npm",
        Registry::Cargo => "cargo",
        Registry::Go => "go",
    };
    format!("{name} is not on this machine")
}

fn with<'a>(words: impl IntoIterator<Item = &'a str>) -> Command {
    let mut words = words.into_iter();
    let mut command = sh::command(words.next().unwrap_or_default());
    command.args(words);
    command
}

/// Runs the client; the archive that it got.
fn download(package: &Package, client: &[String], into: &Path) -> Result<PathBuf> {
    let mut command = with(client.iter().map(String::as_str));
    let pinned = |sign: &str| format!("{}{sign}{}", package.name, package.version);
    match package.registry {
        Registry::PipWheel => {
            command.args(["download", "--quiet", "--no-deps", "--only-binary", ":all:"])
        }
        Registry::PipSource => {
            command.args(["download", "--quiet", "--no-deps", "--no-binary", ":all:"])
        }
        Registry::Npm => command.args(["pack", "--silent", "--ignore-scripts"]).arg(pinned("@")),
        Registry::Cargo => command.args(["info", "--quiet"]).arg(pinned("@")),
        Registry::Go => command.args(["mod", "download", "-json"]).arg(pinned("@")),
    };
    if matches!(package.registry, Registry::PipWheel | Registry::PipSource) {
        command.arg("--dest").arg(into).arg(pinned("=="));
    }
    let mut said = Vec::new();
    // The folder is empty, so that no manifest above it is read.
    let end = sh::watch(command.current_dir(into), BUDGET, |line| said.push(line.to_string()))?;
    match end {
        End::Killed => bail!("no end after {} s", BUDGET.as_secs()),
        End::Exited(status) if !status.success() => bail!("{}", sh::tail(&said.join("\n"), 3)),
        End::Exited(_) => {}
    }
    match package.registry {
        Registry::Cargo => cached_crate(package),
        Registry::Go => {
            let report: serde_json::Value = serde_json::from_str(&said.join("\n"))?;
            Ok(PathBuf::from(report["Zip"].as_str().context("go names no archive")?))
        }
        _ => {
            let files = fs::read_dir(into)?.filter_map(|entry| entry.ok().map(|e| e.path()));
            files.filter(|path| path.is_file()).max().context("the client left no archive")
        }
    }
}

/// Where cargo keeps a crate that it has downloaded.
fn cached_crate(package: &Package) -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home
        .or_else(|| std::env::home_dir().map(|h| h.join(".cargo")))
        .context("no home folder")?;
    let file = format!("{}-{}.crate", package.name, package.version);
    let caches = fs::read_dir(home.join("registry").join("cache"))?
        .flatten()
        .map(|entry| entry.path().join(&file));
    caches
        .filter(|path| path.is_file())
        .max()
        .with_context(|| format!("{file} is not in cargo's cache"))
}

/// SHA-256 in hex, by what the machine has.
fn sha256(file: &Path) -> Result<String> {
    const PYTHON: &str =
        "import hashlib,sys;print(hashlib.sha256(open(sys.argv[1],'rb').read()).hexdigest())";
    let sum = sh::stdout(sh::command("sha256sum").arg(file));
    let sum = sum.or_else(|_| sh::stdout(sh::command("python3").args(["-c", PYTHON]).arg(file)))?;
    Ok(sum.split_whitespace().next().unwrap_or_default().to_string())
}

fn unpack(archive: &Path, into: &Path) -> Result<()> {
    let zip = archive.extension().is_some_and(|e| e == "whl" || e == "zip");
    let mut command = if zip {
        let mut python = sh::command("python3");
        python.args(["-m", "zipfile", "-e"]).arg(archive).arg(into);
        python
    } else {
        let mut tar = sh::command("tar");
        tar.args(["-xzf"]).arg(archive).args(["--no-same-owner", "-C"]).arg(into);
        tar
    };
    sh::stdout(&mut command).map(drop)
}

/// Removes a folder that may not be there.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_name_has_no_separator() {
        let package =
            Package { registry: Registry::Npm, name: "@a/b", version: "1.0.0", sha256: "" };
        assert_eq!(folder_name(&package), "npm-a-b-1.0.0");
    }

    #[test]
    fn the_hash_is_sha_256() {
        let file = std::env::temp_dir().join(format!("xtask-sha-{}", std::process::id()));
        fs::write(&file, "abc").unwrap();
        let hash = sha256(&file).unwrap();
        fs::remove_file(&file).unwrap();
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
