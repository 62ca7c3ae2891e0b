//! `setup`: what the tests and benches need, into `target/toolbox`, pinned, as often as one likes, and without root
//! but for one package of the system.

pub(crate) mod catalog;
mod corpus;
pub(crate) mod fetch;
mod servers;

use crate::repo;
use anyhow::Result;
use catalog::{PEER, Package, Registry, SOURCES};
use fetch::Trouble;
use std::fs;
use std::path::{Path, PathBuf};

/// What set-up got and what it could not get.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Package and reason, in the table's order.
    missing: Vec<(String, String)>,
    /// The lines of the closing table.
    rows: Vec<String>,
}

impl Report {
    fn servers(&mut self, got: servers::Got) {
        self.rows.extend(got.there.iter().map(|name| format!("server       {name}")));
        self.missing.extend(got.missing);
    }

    fn print(&self) {
        for row in &self.rows {
            println!("{row}");
        }
        for (name, why) in &self.missing {
            println!("could not get {name}: {}", why.lines().last().unwrap_or(why));
        }
    }
}

/// `setup`. True also when something is missing: what needs it says so.
pub(crate) fn run() -> Result<bool> {
    let toolbox = repo::toolbox();
    let mut report = sources(&toolbox)?;
    report.servers(servers::get(&toolbox));
    match peer() {
        Ok(_) => report.rows.push(format!("peer         {} {}", PEER.name, PEER.version)),
        Err(why) => report.missing.push((PEER.name.to_string(), format!("{why:#}"))),
    }
    report.print();
    Ok(true)
}

/// The part that the tests need: the corpus and the language servers. Says nothing when all of it was there.
pub(crate) fn for_tests() -> Result<()> {
    let toolbox = repo::toolbox();
    let fresh = !toolbox.join("corpus").join(".complete").is_file();
    let mut report = sources(&toolbox)?;
    let servers = servers::get(&toolbox);
    let fresh = fresh || servers.fresh;
    report.servers(servers);
    if fresh || !report.missing.is_empty() {
        report.print();
    }
    Ok(())
}

/// The peer's program, fetched when it is not there.
pub(crate) fn peer() -> Result<PathBuf> {
    let folder = fetch::package(&PEER, &repo::toolbox())
        .map_err(|trouble| anyhow::anyhow!(reason(trouble)))?;
    let program =
        folder.join(format!("ast_grep_cli-{}.data", PEER.version)).join("scripts").join("ast-grep");
    #[cfg(unix)]
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(program)
}

/// An empty folder of this name outside the repository, for a run of ours.
pub(crate) fn scratch(name: &str) -> Result<PathBuf> {
    let folder =
        std::env::temp_dir().join(format!("runbound-xtask-{}", std::process::id())).join(name);
    fetch::remove(&folder)?;
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Removes every folder that [`scratch`] gave to this process.
pub(crate) fn clear_scratch() -> Result<()> {
    fetch::remove(&std::env::temp_dir().join(format!("runbound-xtask-{}", std::process::id())))
}

fn reason(trouble: Trouble) -> String {
    match trouble {
        Trouble::NoClient(why) | Trouble::Failed(why) => why,
    }
}

/// Fetches the sources and builds the corpus where something changed.
fn sources(toolbox: &Path) -> Result<Report> {
    let mut report = Report::default();
    let mut folders = Vec::new();
    for (package, got) in fetch_all(toolbox) {
        match got {
            Ok(folder) => folders.push(folder),
            Err(why) => report.missing.push((format!("{} {}", package.name, package.version), why)),
        }
    }
    let corpus = toolbox.join("corpus");
    let stamp = corpus.join(".complete");
    let listing: String = folders.iter().map(|f| format!("{}\n", f.display())).collect();
    if fs::read_to_string(&stamp)
        .is_ok_and(|had| had.split("\n\n").next() == Some(listing.trim_end()))
    {
        let had = fs::read_to_string(&stamp)?;
        report.rows =
            had.split("\n\n").nth(1).unwrap_or_default().lines().map(str::to_string).collect();
        return Ok(report);
    }
    report.rows = corpus::build(&folders, &corpus)?.iter().map(row).collect();
    fs::write(&stamp, format!("{}\n\n{}", listing.trim_end(), report.rows.join("\n")))?;
    Ok(report)
}

fn row(taken: &corpus::Taken) -> String {
    let corpus::Taken { language, files, bytes, packages } = taken;
    if *files == 0 {
        return format!("{language:<12} no sources: the mined patterns use the bundled ones");
    }
    format!(
        "{language:<12} {files:>3} files {:>5} KB from {packages} package{}",
        bytes / 1000,
        if *packages == 1 { "" } else { "s" }
    )
}

/// Every source package, the registries side by side. A registry whose client is missing, or that
/// failed twice in a row, is not asked again.
fn fetch_all(toolbox: &Path) -> Vec<(&'static Package, Result<PathBuf, String>)> {
    let lanes = [
        &[Registry::PipWheel, Registry::PipSource][..],
        &[Registry::Npm],
        &[Registry::Cargo],
        &[Registry::Go],
    ];
    let one_lane = |registries: &[Registry]| {
        let mut results = Vec::new();
        let mut given_up: Option<String> = None;
        let mut failures = 0;
        for package in SOURCES.iter().filter(|p| registries.contains(&p.registry)) {
            let got = match &given_up {
                Some(why) => Err(why.clone()),
                None => fetch::package(package, toolbox).map_err(|trouble| {
                    failures += 1;
                    if failures == 2 || matches!(trouble, Trouble::NoClient(_)) {
                        let why = reason(trouble);
                        given_up = Some(format!("not asked again after: {why}"));
                        return why;
                    }
                    reason(trouble)
                }),
            };
            if got.is_ok() {
                failures = 0;
            }
            results.push((package, got));
        }
        results
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = lanes.iter().map(|lane| scope.spawn(|| one_lane(lane))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}
