//! `test`: set-up, then every test of the workspace and its documentation, summed up in one line.

use crate::libtest::{Reader, Show, Summary};
use crate::{fixtures, repo, setup, sh};
use anyhow::{Result, bail};
use std::time::{Duration, Instant};

/// After this long without an end a run of tests is taken to hang. On two idle cores a run takes some minutes.
const BUDGET: Duration = Duration::from_secs(40 * 60);

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
    setup::for_tests()?;
    let mut summary = cargo_tests(options.filter.as_deref())?;
    let fixtures = fixtures::all(options.filter.as_deref().unwrap_or_default(), false)?;
    println!("  fixtures: {} ok, {} failed", fixtures.passed, fixtures.failed);
    summary.add(fixtures);
    println!("tests took {} s", started.elapsed().as_secs());
    let ok = verdict(&summary, options.require);
    Ok((summary, ok))
}

/// Builds first (so that the budget is the tests' own), then runs unit, integration and doc tests.
fn cargo_tests(filter: Option<&str>) -> Result<Summary> {
    println!("building the tests");
    if !sh::ok(sh::cargo().args(["test", "--workspace", "--locked", "--no-run", "--quiet"]))? {
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
    fn a_required_run_fails_on_a_skip() {
        let summary = Summary { passed: 1, skipped: vec!["a: b".into()], ..Summary::default() };
        assert!(verdict(&summary, false));
        assert!(!verdict(&summary, true));
    }
}
