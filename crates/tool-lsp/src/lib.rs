//! Language servers as agent tools.

#![doc = include_str!("../README.md")]

mod actions;
mod backoff;
mod caps;
mod check;
mod client;
mod config;
mod decode;
mod deferred;
mod dependents;
mod diagnostics;
mod documents;
mod edits;
mod error;
mod evidence;
mod find;
mod ident;
mod layer;
mod ledger;
mod pack;
mod position;
mod ready;
mod rename;
mod render;
mod roots;
mod scratch;
mod spec;
mod supervisor;
mod survey;
mod table;
mod text;
mod textcheck;
mod tool;
mod trust;
mod uri;
mod verdict;
mod watch;

pub use config::{ConfigError, LspConfig, Servers};
pub use layer::DiagnosticsLayer;
pub use pack::LspPack;
pub use rename::{RenameArgs, RenameTool};
pub use spec::{
    Channel, CommandSpec, Condition, Quirks, Readiness, RenameQuirks, Role, Scratch, ServerSpec,
    Untrusted, Watching, WorkspaceKind,
};
pub use survey::{Surveyed, survey};
pub use tool::{LspArgs, LspTool};

#[cfg(test)]
extern crate self as tool_lsp;
#[cfg(all(test, unix))]
#[expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    reason = "it belongs to the tests outside, which use all of it"
)]
#[path = "../tests/it/real.rs"]
mod real;
