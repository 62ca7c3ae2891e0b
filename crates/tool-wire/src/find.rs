//! Where a program is: given folders first, then `PATH`; whether it works is asked of itself.

use crate::spawn::{Spawn, Stdin};
use crate::sync::lock;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};
use tokio::io::AsyncReadExt;
use tokio::process::ChildStdout;
use tokio::time::timeout;

/// How much of a version probe's output is read, in bytes.
const VERSION: usize = 4 * 1024;
/// How long a probe's output may take to arrive after its end.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Query {
    /// File names, best first. On Windows `.exe`, `.cmd` and `.bat` are tried too.
    pub names: Vec<String>,
    /// Folders that come before `PATH`, best first: `node_modules/.bin`, `.venv/bin`. Running what lies in a
    /// checkout is the caller's decision: an untrusted run passes none.
    pub folders: Vec<PathBuf>,
    /// Whether `PATH` is searched.
    pub path: bool,
    /// How it is asked whether it works. A name on `PATH` may be a stub that cannot run.
    pub probe: Option<Probe>,
}

/// A run that shows that a program works.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probe {
    /// Usually `--version`.
    pub args: Vec<String>,
    /// The folder it runs in; some stubs choose by it.
    pub dir: PathBuf,
    /// How long it may take. Then it is killed, with all that it started.
    pub limit: Duration,
}

/// A program that was found, and works if it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub program: PathBuf,
    /// Whether it came from one of the given folders.
    pub local: bool,
    /// The first line that the probe printed.
    pub version: Option<String>,
}

/// Nothing usable was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFound {
    /// What was looked for.
    pub names: Vec<String>,
    /// What was there and did not work, with its reason.
    pub broken: Vec<(PathBuf, String)>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.broken.is_empty() {
            return write!(f, "{} is not installed", self.names.join(" or "));
        }
        for (number, (program, why)) in self.broken.iter().enumerate() {
            let glue = if number == 0 { "" } else { "; " };
            write!(f, "{glue}{} does not work: {why}", program.display())?;
        }
        Ok(())
    }
}

impl std::error::Error for NotFound {}

/// Finds programs, and remembers those it found for as long as their file is the same. What was not found is
/// looked for anew each time, so that an installation is noticed.
#[derive(Debug)]
pub struct Finder {
    path: Vec<PathBuf>,
    known: Mutex<BTreeMap<Query, (Found, Stamp)>>,
}

type Stamp = (u64, Option<SystemTime>);

impl Finder {
    /// With the host's `PATH`.
    pub fn new() -> Self {
        Self::with_path(&std::env::var_os("PATH").unwrap_or_default())
    }

    /// With another `PATH`. Relative and empty entries are left out: they would mean the checkout.
    pub fn with_path(path: &OsString) -> Self {
        let path = std::env::split_paths(path).filter(|folder| folder.is_absolute()).collect();
        Self { path, known: Mutex::new(BTreeMap::new()) }
    }

    /// The first that is there and works: names before folders, so that the best name wins wherever it is.
    ///
    /// # Errors
    ///
    /// [`NotFound`] with what was there and why it does not work.
    pub async fn find(&self, query: &Query) -> Result<Found, NotFound> {
        let known = lock(&self.known).get(query).cloned();
        if let Some((found, then)) = known
            && stamp(&found.program) == Some(then)
        {
            return Ok(found);
        }
        let mut broken = Vec::new();
        for (program, local) in self.candidates(query) {
            let version = match &query.probe {
                None => None,
                Some(probe) => match ask(&program, probe).await {
                    Ok(version) => Some(version),
                    Err(why) => {
                        broken.push((program, why));
                        continue;
                    }
                },
            };
            let found = Found { program, local, version };
            if let Some(stamp) = stamp(&found.program) {
                lock(&self.known).insert(query.clone(), (found.clone(), stamp));
            }
            return Ok(found);
        }
        Err(NotFound { names: query.names.clone(), broken })
    }

    fn candidates(&self, query: &Query) -> Vec<(PathBuf, bool)> {
        let path: &[PathBuf] = if query.path { &self.path } else { &[] };
        let mut found: Vec<(PathBuf, bool)> = Vec::new();
        for name in &query.names {
            let folders = query.folders.iter().map(|folder| (folder, true));
            for (folder, local) in folders.chain(path.iter().map(|folder| (folder, false))) {
                for suffix in SUFFIXES {
                    let program = folder.join(format!("{name}{suffix}"));
                    if runnable(&program) && !found.iter().any(|(known, _)| *known == program) {
                        found.push((program, local));
                    }
                }
            }
        }
        found
    }
}

impl Default for Finder {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(not(windows))]
const SUFFIXES: &[&str] = &[""];
#[cfg(windows)]
const SUFFIXES: &[&str] = &[".exe", ".cmd", ".bat"];

fn runnable(program: &Path) -> bool {
    let Ok(metadata) = std::fs::metadata(program) else { return false };
    #[cfg(unix)]
    let runnable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runnable = true;
    metadata.is_file() && runnable
}

fn stamp(program: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(program).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

/// The first line that a program prints, or why it does not work.
async fn ask(program: &Path, probe: &Probe) -> Result<String, String> {
    let spawn = Spawn::new(program, &probe.dir).args(&probe.args).stdin(Stdin::Empty);
    let mut spawned =
        spawn.start().await.map_err(|error| match std::error::Error::source(&error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        })?;
    let watch = spawned.child.watch();
    let mut text = Vec::new();
    let mut stdout = spawned.stdout.take();
    let run = async {
        let gone = tokio::select! {
            () = read(&mut stdout, &mut text) => watch.gone().await,
            gone = watch.gone() => gone,
        };
        // What it said last; a daemon that it left in a session of its own may hold the stream open.
        let _ = timeout(LAST_WORDS, read(&mut stdout, &mut text)).await;
        gone.exit
    };
    let Ok(exit) = timeout(probe.limit, run).await else {
        spawned.child.kill();
        return Err(format!("no answer to {} within {:?}", probe.args.join(" "), probe.limit));
    };
    let stderr = watch.last_words().await;
    let text = String::from_utf8_lossy(&text).into_owned();
    let first =
        |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_string);
    if exit.code == Some(0) {
        // Some print their version on the error stream.
        return Ok(first(&text).or_else(|| first(&stderr)).unwrap_or_default());
    }
    let said = first(&stderr)
        .or_else(|| first(&text))
        .map_or_else(String::new, |said| format!(": {said}"));
    Err(format!("{} ends with {exit}{said}", probe.args.join(" ")))
}

/// Reads to the end, so that nobody dies of a closed pipe, and keeps the beginning.
async fn read(stdout: &mut Option<ChildStdout>, text: &mut Vec<u8>) {
    let Some(stdout) = stdout else { return };
    let mut buffer = [0; 1024];
    // What cannot be read is as good as nothing printed; the exit decides.
    while let Ok(n @ 1..) = stdout.read(&mut buffer).await {
        text.extend(buffer[..n].iter().take(VERSION.saturating_sub(text.len())));
    }
}
