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
use std::fmt::Write as _;
use std::process::ExitCode;

/// A command: what is typed, what it is for, what runs it. `Ok(false)` is a check that failed and has said why.
struct Command {
    name: &'static str,
    /// Its options and arguments.
    takes: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<bool>,
}

/// A command that takes nothing.
macro_rules! plain {
    ($name:literal, $about:literal, $run:expr) => {
        Command { name: $name, takes: "", about: $about, run: |args| nothing($name, args, $run) }
    };
}

const COMMANDS: &[Command] = &[
    plain!("setup", "fetches what tests and benches need into target/toolbox", setup::run),
    Command {
        name: "test",
        takes: "[--require] [FILTER]",
        about: "set-up, then every test whose name holds FILTER; --require turns a skip into a failure",
        run: test::run,
    },
    Command {
        name: "fixtures",
        takes: "[--bless] [FILTER]",
        about: "the scripted projects through the real binary; --bless takes what came",
        run: fixtures::run,
    },
    Command {
        name: "bench",
        takes: "ast|core",
        about: "ratios against the peer in the same interleaved run (--rounds, --only, --write)",
        run: bench::run,
    },
    plain!("deps", "the allowed edges between crates, and the size of the core's tree", deps::run),
    plain!("licences", "every dependency's licence is on the list", licences::run),
    plain!("tidy", "the house rules that no compiler checks", tidy::run),
    Command { name: "docs", takes: "[--check]", about: "the page of each tool", run: docs::run },
    Command {
        name: "features",
        takes: "[--light]",
        about: "each feature alone, none and all, by cargo check",
        run: features::run,
    },
    plain!("package", "each published crate packs on its own", package::run),
    plain!("ci", "everything that continuous integration runs", ci::run),
];

fn nothing(name: &str, args: &[String], run: fn() -> Result<bool>) -> Result<bool> {
    match args.first() {
        Some(extra) => bail!("{name} takes nothing, but there is {extra:?}"),
        None => run(),
    }
}

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

fn is_help(word: &str) -> bool {
    ["help", "--help", "-h"].contains(&word)
}

/// Runs one command.
fn dispatch(args: &[String]) -> Result<bool> {
    let Some((word, rest)) = args.split_first().filter(|(word, _)| !is_help(word)) else {
        print!("{}", usage());
        return Ok(true);
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == word) else {
        bail!("unknown command {word:?}\n\n{}", usage());
    };
    if rest.iter().any(|arg| arg.starts_with('-') && is_help(arg)) {
        println!("cargo xtask {} {}\n\n  {}", command.name, command.takes, command.about);
        return Ok(true);
    }
    (command.run)(rest)
}

/// Every command there is, a line each.
fn usage() -> String {
    let mut text = "cargo xtask COMMAND\n\n".to_owned();
    for command in COMMANDS {
        let typed = format!("{} {}", command.name, command.takes);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:<27} {}", typed.trim_end(), command.about);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usage_lists_every_command_once() {
        let usage = usage();
        for command in COMMANDS {
            let line = format!("\n  {} ", command.name);
            assert_eq!(usage.matches(&line).count(), 1, "{} in\n{usage}", command.name);
        }
    }

    #[test]
    fn help_runs_nothing() {
        let args = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(dispatch(&args(&["ci", "--help"])).unwrap());
        assert!(dispatch(&args(&["--help"])).unwrap());
        assert!(dispatch(&args(&["tidy", "all"])).is_err());
        assert!(dispatch(&args(&["frobnicate"])).unwrap_err().to_string().contains("licences"));
    }
}
