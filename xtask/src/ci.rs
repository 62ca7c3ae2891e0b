//! `ci`: every check, each timed, the cheap ones first; ends with the tests' closing line.

use crate::{deps, docs, features, licences, package, sh, test, tidy};
use anyhow::Result;
use std::time::{Duration, Instant};

/// One check: its name and what runs it. `Ok(false)` is a failure that has been explained.
type Step = (&'static str, fn() -> Result<bool>);

const STEPS: &[Step] = &[
    ("format", format),
    ("tidy", tidy::run),
    ("deps", deps::run),
    ("licences", licences::run),
    ("clippy", clippy),
    ("package", package::run),
    ("features", || features::run(&[])),
];

fn format() -> Result<bool> {
    sh::ok(sh::cargo().args(["fmt", "--all", "--check"]))
}

/// Shipped code, then tests, whose helpers may unwrap and print like the tests themselves.
fn clippy() -> Result<bool> {
    const RELAXED: &[&str] = &[
        "clippy::unwrap_used",
        "clippy::print_stdout",
        "clippy::format_push_string",
        "unfulfilled_lint_expectations",
        "dead_code",
    ];
    let run = |targets: &[&str], relaxed: &[&str]| {
        let mut cargo = sh::cargo();
        cargo.args(["clippy", "--workspace", "--locked", "--quiet"]).args(targets);
        cargo.args(["--", "-D", "warnings"]);
        sh::ok(cargo.args(relaxed.iter().flat_map(|lint| ["-A", lint])))
    };
    let shipped = run(&["--lib", "--bins"], &[])?;
    Ok(run(&["--tests", "--examples"], RELAXED)? && shipped)
}

/// `ci`. All steps run, so that one run shows all that is wrong.
pub(crate) fn run() -> Result<bool> {
    let mut report = Report::default();
    for (name, step) in STEPS {
        report.step(name, *step);
    }
    let mut closing = "0 passed, 1 failed, 0 skipped".to_string();
    report.step("tests", || {
        let (summary, ok) = test::collect(&["--require".to_string()])?;
        closing = summary.closing_line();
        Ok(ok)
    });
    // With the binary that the tests have built.
    report.step("docs", || docs::pages(true));
    println!("{}", report.table());
    println!("{closing}");
    Ok(report.failed() == 0)
}

/// What each step came to.
#[derive(Default)]
struct Report {
    rows: Vec<(&'static str, bool, Duration)>,
}

impl Report {
    fn step(&mut self, name: &'static str, step: impl FnOnce() -> Result<bool>) {
        println!("== {name}");
        let started = Instant::now();
        let ok = step().unwrap_or_else(|error| {
            println!("{name}: {error:#}");
            false
        });
        self.rows.push((name, ok, started.elapsed()));
    }

    fn failed(&self) -> usize {
        self.rows.iter().filter(|(_, ok, _)| !ok).count()
    }

    fn table(&self) -> String {
        let total: Duration = self.rows.iter().map(|(_, _, time)| *time).sum();
        let row = |name: &str, word: &str, time: Duration| {
            format!("{name:<12} {word:<7} {:>5} s", time.as_secs())
        };
        let rows = self
            .rows
            .iter()
            .map(|(name, ok, time)| row(name, if *ok { "ok" } else { "FAILED" }, *time));
        let rows: Vec<String> = rows.chain([row("all", "", total)]).collect();
        rows.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_fails_or_breaks_is_counted_and_the_rest_runs() {
        let mut report = Report::default();
        report.step("good", || Ok(true));
        report.step("bad", || Ok(false));
        report.step("broken", || anyhow::bail!("no cargo"));
        assert_eq!(report.failed(), 2);
        assert_eq!(report.table().lines().count(), 4);
        assert!(report.table().contains("bad          FAILED"));
    }
}
