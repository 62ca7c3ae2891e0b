//! `ci`: every check, each timed, the cheap ones first; ends with the tests and their closing line.

use crate::{deps, sh, test};
use anyhow::Result;
use std::time::Instant;

/// One check: its name and what runs it. `Ok(false)` is a failure that has been explained.
type Step = (&'static str, fn() -> Result<bool>);

const STEPS: &[Step] = &[
    ("format", || sh::ok(sh::cargo().args(["fmt", "--all", "--check"]))),
    ("deps", deps::run),
    ("clippy", || {
        sh::ok(sh::cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ]))
    }),
    ("tests", || test::run(&["--require".to_string()])),
];

/// `ci`. All steps run, so that one run shows all that is wrong.
pub(crate) fn run(_args: &[String]) -> Result<bool> {
    let begun = Instant::now();
    let mut failed = Vec::new();
    for (name, step) in STEPS {
        if *name == "tests" && !failed.is_empty() {
            println!("== so far failed: {}", failed.join(", "));
        }
        println!("== {name}");
        let started = Instant::now();
        let ok = step().unwrap_or_else(|error| {
            eprintln!("{name}: {error:#}");
            false
        });
        eprintln!(
            "== {name}: {} in {} s",
            if ok { "ok" } else { "FAILED" },
            started.elapsed().as_secs()
        );
        if !ok {
            failed.push(*name);
        }
    }
    eprintln!(
        "== all of it took {} s; failed: {}",
        begun.elapsed().as_secs(),
        if failed.is_empty() { "nothing".into() } else { failed.join(", ") }
    );
    Ok(failed.is_empty())
}
