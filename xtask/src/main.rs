//! Project chores: `cargo xtask COMMAND`. Each command lives in a module of its name.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program prints")]

mod bench;
mod ci;
mod deps;
mod docs;
mod features;
mod fixtures;
mod libtest;
mod licences;
mod package;
mod repo;
mod setup;
mod sh;
mod test;
mod tidy;

use anyhow::{Result, bail};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  setup                       fetches what tests and benches need into target/toolbox
  test [--require] [FILTER]   every test; --require turns a skip into a failure
  fixtures [--bless] [FILTER] the scripted projects through the real binary
  bench ast|core              ratios against the peer in the same interleaved run (--rounds, --only, --write)
  deps                        the allowed edges between crates, and the size of the core's tree
  licences                    every dependency's licence is on the list
  tidy                        the house rules that no compiler checks
  docs [--check]              the page of each tool
  features [--light]          each feature alone, none and all, by cargo check
  package                     each published crate packs on its own
  ci                          everything that continuous integration runs
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one command. `Ok(false)` is a check that failed and has said why.
fn dispatch(args: &[String]) -> Result<bool> {
    let Some((command, rest)) = args.split_first() else {
        print!("{USAGE}");
        return Ok(true);
    };
    match command.as_str() {
        "test" => test::run(rest),
        "setup" => setup::run(),
        "fixtures" => fixtures::run(rest),
        "bench" => bench::run(rest),
        "docs" => docs::run(rest),
        "deps" => deps::run(),
        "licences" => licences::run(),
        "tidy" => tidy::run(),
        "features" => features::run(rest),
        "package" => package::run(),
        "ci" => ci::run(),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(true)
        }
        other => bail!("unknown command {other:?}\n\n{USAGE}"),
    }
}
