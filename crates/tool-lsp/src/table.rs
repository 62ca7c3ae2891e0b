//! The servers that are known. What is set here was measured with each server unless its place says otherwise.

mod data;
mod jvm;
mod python;
mod script;
mod systems;
mod web;

use crate::spec::{Channel, CommandSpec, Readiness, ServerSpec, Untrusted};
use std::time::Duration;

/// All, in order of preference.
pub(crate) fn all() -> Vec<ServerSpec> {
    [systems::all(), python::all(), web::all(), jvm::all(), script::all(), data::all()].concat()
}

/// `"a b c"` as strings.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// `"rs=rust c,h=c"` as pairs of extension or file name and language id.
fn documents(text: &str) -> Vec<(String, String)> {
    text.split_whitespace()
        .filter_map(|part| part.split_once('='))
        .flat_map(|(names, id)| names.split(',').map(|name| (name.to_string(), id.to_string())))
        .collect()
}

/// A command line; the program is on `PATH`.
fn command(line: &str) -> CommandSpec {
    let mut words = line.split_whitespace();
    let program = words.next().unwrap_or_default();
    CommandSpec::new(program, &words.collect::<Vec<_>>())
}

/// A program that npm installs, perhaps into the project. Such servers start slowly and cannot always say
/// their version.
fn node(line: &str) -> CommandSpec {
    CommandSpec { local: words("node_modules/.bin"), ..command(line) }
}

/// A program that a virtual environment of the project may hold.
fn venv(line: &str) -> CommandSpec {
    CommandSpec { local: words(VENV), ..command(line) }
}

#[cfg(not(windows))]
const VENV: &str = ".venv/bin venv/bin";
#[cfg(windows)]
const VENV: &str = ".venv/Scripts venv/Scripts";

/// The command, but being there is enough: it has no argument that makes it say its version and end.
fn unasked(command: CommandSpec) -> CommandSpec {
    CommandSpec { probe: Vec::new(), ..command }
}

/// Ready when progress of one of these titles has ended.
fn progress(titles: &[&str], grace_ms: u64, settle_ms: u64) -> Readiness {
    Readiness::Progress {
        titles: titles.iter().map(ToString::to_string).collect(),
        grace: Duration::from_millis(grace_ms),
        settle: Duration::from_millis(settle_ms),
    }
}

/// Pushes without a version, the last of them after so many milliseconds of its own delay.
fn push_settled(ms: u64) -> Vec<Channel> {
    vec![Channel::Pull, Channel::PushVersioned, Channel::PushSettled { ms }]
}

/// Not for an untrusted checkout at all.
fn refused(why: &str) -> Untrusted {
    Untrusted { refused: Some(why.into()), ..Untrusted::default() }
}

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[cfg(test)]
mod tests;
