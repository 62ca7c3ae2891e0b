//! Structural search and rewrite as agent tools: `ast_grep`, `ast_edit` and `resolve`.
//!
//! A pattern is a fragment of code with metavariables: `$X` is any one node, `$$$X` a run of siblings. [`AstGrepPack`]
//! brings the three tools of a run. `ast_grep` finds every place where the pattern stands, however it is spaced, or says
//! why there is none. `ast_edit` writes nothing: it stages what a template makes of each match, under an id and with a
//! diff. `resolve` compares every file with what was staged, and writes all of them or none.
//!
//! Each grammar is a feature (`lang-rust`, `lang-python`, …; `langs-all`), and none is on by default: [`languages`] tells
//! which there are. A pattern of a language whose grammar is not compiled in is answered with `unavailable`.
//!
//! ```
//! use serde_json::json;
//! use tool_astgrep::{AstGrepConfig, AstGrepPack};
//! use tool_core::{CallRequest, ConversationId, RegistryBuilder, RunScope, Tier};
//! use tool_workspace::Root;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (checkout, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
//! std::fs::write(checkout.path().join("a.py"), "f(1)\n")?;
//!
//! let scope = RunScope::builder(ConversationId::fresh()).workspace(checkout.path()).cap(Tier::Write).build();
//! let view = RegistryBuilder::new()
//!     .pack(AstGrepPack::new(Root::open(checkout.path())?, state.path(), &AstGrepConfig::default()))
//!     .build(scope)?;
//! let call = CallRequest::new("ast_grep", json!({ "pattern": "f($A)", "path": "a.py" }));
//! let outcome = view.invoke(call).await;
//! # if cfg!(feature = "lang-python") {
//! assert!(outcome.render_text().starts_with("1 match in a.py"));
//! # }
//! # Ok(())
//! # }
//! ```

// The way of a search: `scaffold` and `pattern` find out what a pattern means in a language, `targets` which files are
// meant, `scan` reads them, drops those whose bytes rule a match out (`filter`), and parses the rest into compact trees
// (`tree`) or takes them from what the run remembers (`memory`); `matches` finds, `search` decides which reading counts,
// `near` tells why there was nothing. `edit` goes on from there: `rewrite` makes text edits of matches, the changed files
// are parsed again, and old and new bytes are staged under an id (`stage`). `resolve` commits them.

mod diff;
mod edit;
mod error;
mod filter;
mod found;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
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
mod words;
mod workshop;

pub use info::{LanguageInfo, languages, languages_of};
pub use pack::AstGrepPack;
pub use tools::{AstEditTool, AstGrepTool, ResolveTool};
pub use workshop::{AstGrepConfig, Decided};
