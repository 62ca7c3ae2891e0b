//! `test`: set-up, then every test of the workspace and its documentation, summed up in one line.

use crate::libtest::{Reader, Show, Summary};
use crate::{fixtures, repo, setup, sh};
use anyhow::{Result, bail};
use std::time::{Duration, Instant};

/// After this long without an end a run of tests is taken to hang. On two idle cores a run takes some minutes.
const BUDGET: Duration = Duration::from_secs(40 * 60);

/// After this long a build is taken to hang. From an empty target on two idle cores it takes some minutes.
const BUILD_BUDGET: Duration = Duration::from_secs(60 * 60);
/// How often a build tells how far it is.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    require: bool,
    filter: Option<String>,
}

fn options(args: &[String]) -> Result<Options> {
    let mut options = Options::default();
    for arg in args {
        match arg.as_str() {
            "--require" => options.require = true,
            flag if flag.starts_with('-') => {
                bail!("test: unknown option {flag} (known: --require)")
            }
            filter if options.filter.is_none() => options.filter = Some(filter.to_string()),
            extra => bail!("test: one filter at most, but there is also {extra:?}"),
        }
    }
    Ok(options)
}

/// `test [--require] [FILTER]`. The closing line is printed last and alone on its line.
pub(crate) fn run(args: &[String]) -> Result<bool> {
    let (summary, ok) = collect(args)?;
    println!("{}", summary.closing_line());
    Ok(ok)
}

/// The same without the closing line: the sums, and whether they are good enough.
pub(crate) fn collect(args: &[String]) -> Result<(Summary, bool)> {
    let options = options(args)?;
    let started = Instant::now();
    println!("setting up: sources of the registries, in target/toolbox");
    setup::for_tests()?;
    let filter = options.filter.as_deref();
    let mut summary = cargo_tests(filter)?;
    let fixtures = fixtures::all(filter.unwrap_or_default(), false)?;
    match filter {
        Some(filter) if fixtures.passed + fixtures.failed == 0 => {
            println!("  fixtures: none has {filter:?} in its name");
        }
        _ => println!("  fixtures: {} ok, {} failed", fixtures.passed, fixtures.failed),
    }
    summary.add(fixtures);
    if let Some(filter) = filter
        && summary.passed + summary.failed + summary.skipped.len() == 0
    {
        println!("no test and no fixture has {filter:?} in its name");
        return Ok((summary, false));
    }
    println!("tests took {} s", started.elapsed().as_secs());
    let ok = verdict(&summary, options.require);
    Ok((summary, ok))
}

/// Builds the tests and tells how far it is; what the compiler has to say is passed on.
fn build() -> Result<bool> {
    println!("building the tests; the grammars take some minutes the first time");
    let mut cargo = sh::cargo();
    cargo.args(["test", "--workspace", "--locked", "--no-run"]);
    let mut progress = Progress::default();
    let end = sh::watch(&mut cargo, BUILD_BUDGET, |line| {
        if let Some(text) = progress.line(line, Instant::now()) {
            println!("{text}");
        }
    })?;
    match end {
        sh::End::Exited(status) => Ok(status.success()),
        sh::End::Killed => {
            println!("the build was killed after {} s", BUILD_BUDGET.as_secs());
            Ok(false)
        }
    }
}

/// What of cargo's lines is shown: one in a while of those that only tell how far it is, and all others.
#[derive(Default)]
struct Progress {
    compiled: usize,
    told: Option<Instant>,
}

impl Progress {
    fn line(&mut self, line: &str, now: Instant) -> Option<String> {
        let text = line.trim_start();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "Compiling" => {
                self.compiled += 1;
                let due = self.told.is_none_or(|told| now.duration_since(told) >= TELL_EVERY);
                due.then(|| {
                    self.told = Some(now);
                    format!("  crate {}: {rest}", self.compiled)
                })
            }
            "Executable" | "Downloaded" | "Downloading" | "Finished" | "Fresh" | "Checking" => None,
            _ => Some(line.to_owned()),
        }
    }
}

/// Builds first (so that the budget is the tests' own), then runs unit, integration and doc tests.
fn cargo_tests(filter: Option<&str>) -> Result<Summary> {
    if !build()? {
        return Ok(Reader::default().finish(false));
    }
    let mut cargo = sh::cargo();
    cargo
        .args(["test", "--workspace", "--locked", "--no-fail-fast", "--"])
        .args(filter)
        .arg("--show-output");
    let corpus = repo::toolbox().join("corpus");
    cargo.env("RUNBOUND_TOOLBOX", repo::toolbox()).env("RUNBOUND_CORPUS", corpus);
    let mut reader = Reader::default();
    let end = sh::watch(&mut cargo, BUDGET, |line| match reader.line(line) {
        Show::Hide => {}
        Show::Line => println!("{line}"),
        Show::Text(text) => println!("{text}"),
    })?;
    match end {
        sh::End::Exited(status) => Ok(reader.finish(status.success())),
        sh::End::Killed => {
            println!("killed after {} s; still running: {}", BUDGET.as_secs(), reader.running());
            Ok(reader.finish(false))
        }
    }
}

/// Lists failures and skips; false when there is one that counts.
fn verdict(summary: &Summary, require: bool) -> bool {
    for failure in &summary.failures {
        println!("FAILED {failure}");
    }
    for skip in &summary.skipped {
        println!("skipped {skip}");
    }
    let refused = require && !summary.skipped.is_empty();
    if refused {
        println!("--require: a skip is a failure");
    }
    summary.failed == 0 && !refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_options() {
        let args =
            |words: &[&str]| options(&words.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(args(&[]).unwrap(), Options::default());
        assert_eq!(
            args(&["--require", "lane"]).unwrap(),
            Options { require: true, filter: Some("lane".into()) }
        );
        assert!(args(&["--requires"]).is_err());
        assert!(args(&["a", "b"]).is_err());
    }

    #[test]
    fn a_build_tells_how_far_it_is_and_passes_on_what_is_wrong() {
        let start = Instant::now();
        let mut progress = Progress::default();
        let mut line =
            |text: &str, after: u64| progress.line(text, start + Duration::from_secs(after));
        assert_eq!(line("   Compiling a v1", 0).as_deref(), Some("  crate 1: a v1"));
        assert_eq!(line("   Compiling b v1", 3), None);
        assert_eq!(line("  Executable unittests (x)", 3), None);
        assert_eq!(line("   Compiling c v1", 11).as_deref(), Some("  crate 3: c v1"));
        assert_eq!(line("error[E0425]: no `x`", 12).as_deref(), Some("error[E0425]: no `x`"));
        assert_eq!(line("  --> src/a.rs:1:1", 12).as_deref(), Some("  --> src/a.rs:1:1"));
    }

    #[test]
    fn a_required_run_fails_on_a_skip() {
        let summary = Summary { passed: 1, skipped: vec!["a: b".into()], ..Summary::default() };
        assert!(verdict(&summary, false));
        assert!(!verdict(&summary, true));
    }
}
