//! Structural search and rewrite as agent tools: `ast_grep`, `ast_edit` and `resolve`.
//!
//! A pattern is a fragment of code with metavariables. `scaffold` and `pattern` find out what it means in a language,
//! `targets` which files are meant, `scan` reads them, drops those whose bytes rule a match out (`filter`), and parses the
//! rest into compact trees (`tree`) or takes them from what the run remembers (`memory`); `matches` finds, `search` decides
//! which reading counts, `near` tells why there was nothing.
//!
//! `edit` goes on from there: `rewrite` makes text edits of matches, the changed files are parsed again, and old and new
//! bytes are staged under an id (`stage`). `resolve` compares and commits them through `tool-workspace`.

mod diff;
mod edit;
mod error;
mod filter;
mod found;
mod info;
mod kept;
mod ladders;
mod language;
mod lines;
mod matches;
mod memory;
#[cfg(test)]
mod mined;
mod near;
mod pack;
mod pattern;
mod render;
mod resolve;
mod rewrite;
mod scaffold;
mod scan;
mod schedule;
mod search;
mod source;
mod stage;
mod targets;
mod tools;
mod tree;
mod workshop;

pub use info::{LanguageInfo, languages, languages_of};
pub use pack::AstGrepPack;
pub use tools::{AstEditTool, AstGrepTool, ResolveTool};
pub use workshop::AstGrepConfig;
