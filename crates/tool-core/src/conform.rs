//! The conformance kit: the rules that a registry, a model and a host rely on, for any tool.
//!
//! Give it a factory of views (a fresh run over throw-away data each time) and for each tool some arguments that it
//! accepts. The kit calls every tool with them, with nothing, with nulls, with junk; cancels and drops calls; calls at
//! the same time and through narrowed views; and reports what broke a rule.
//!
//! ```
//! use serde_json::json;
//! use tool_core::conform::{Conform, check};
//! use tool_core::{FnTool, RegistryBuilder, RunScope, Tier, ToolOutput, ToolSpec};
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! let views = || {
//!     let schema = json!({
//!         "type": "object",
//!         "properties": { "text": { "type": "string", "description": "What to say." } },
//!         "required": ["text"], "additionalProperties": false,
//!     });
//!     let echo = FnTool::new(ToolSpec::new("echo", Tier::Read, "Says it.", schema), |args, _cx| async move {
//!         Ok(ToolOutput::text(args.value()["text"].as_str().unwrap_or_default()))
//!     });
//!     RegistryBuilder::new().tool(echo).build(RunScope::builder("c").build()).expect("it builds")
//! };
//! check(&Conform::new(views).sample("echo", json!({ "text": "hi" }))).await.assert_clean();
//! # }
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

use crate::resource::CloseWhy;
use crate::view::ToolView;

mod checks;
mod fields;
mod junk;
mod shape;

pub use shape::check_result_object;

/// Calls with random arguments that each tool gets unless said otherwise.
pub const DEFAULT_JUNK: usize = 64;

/// What to check, and with what.
#[must_use]
pub struct Conform {
    views: Box<dyn Fn() -> ToolView + Send + Sync>,
    samples: BTreeMap<String, Vec<Value>>,
    before: BTreeMap<String, Vec<(String, Value)>>,
    junk: usize,
    junk_of: BTreeMap<String, usize>,
    seed: u64,
    patience: Duration,
    foreign: bool,
}

impl Conform {
    /// Checks every tool of the views that this makes. Each must be a run of its own over throw-away data: junk calls
    /// may change it.
    pub fn new(views: impl Fn() -> ToolView + Send + Sync + 'static) -> Self {
        Self {
            views: Box::new(views),
            samples: BTreeMap::new(),
            before: BTreeMap::new(),
            junk: DEFAULT_JUNK,
            junk_of: BTreeMap::new(),
            seed: 1,
            patience: Duration::from_secs(30),
            foreign: false,
        }
    }

    /// Arguments that the tool accepts. The first that is given is the one most rules use.
    pub fn sample(mut self, tool: impl Into<String>, args: Value) -> Self {
        self.samples.entry(tool.into()).or_default().push(args);
        self
    }

    /// A call to be made in every fresh run before the tool is checked, say to stage what it then accepts.
    pub fn before(mut self, tool: impl Into<String>, call: impl Into<String>, args: Value) -> Self {
        self.before.entry(tool.into()).or_default().push((call.into(), args));
        self
    }

    /// How many calls with random arguments each tool gets; [`DEFAULT_JUNK`] unless said.
    pub fn junk(mut self, calls: usize) -> Self {
        self.junk = calls;
        self
    }

    /// The same for one tool, say a slow one: most random arguments are refused before the tool runs, but not all.
    pub fn junk_of(mut self, tool: impl Into<String>, calls: usize) -> Self {
        self.junk_of.insert(tool.into(), calls);
        self
    }

    /// The seed of the random arguments.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How long any one call may take; 30 s unless said.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The tools are somebody else's: their schemas need not be portable.
    pub fn foreign(mut self) -> Self {
        self.foreign = true;
        self
    }
}

/// A rule that a tool broke.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The tool; empty for the view itself.
    pub tool: String,
    /// The rule, in a word or two.
    pub rule: &'static str,
    /// What happened.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]: {}", self.tool, self.rule, self.message)
    }
}

/// What the kit found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The broken rules.
    pub findings: Vec<Finding>,
    /// Calls that were made.
    pub calls: usize,
    /// Tools that were checked.
    pub tools: usize,
    /// Tools whose schema could not be compared with the fields of their arguments, and why: no finding, but a rule
    /// that was not checked. Empty when every tool is [`Typed`](crate::Typed) over a type with `deny_unknown_fields`.
    pub not_compared: Vec<NotCompared>,
}

/// A tool that does not show the fields of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotCompared {
    /// The tool.
    pub tool: String,
    /// Why its fields are not known.
    pub why: &'static str,
}

impl fmt::Display for NotCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: its fields were not compared with its schema: {}", self.tool, self.why)
    }
}

impl Report {
    /// Panics with all findings unless there are none (and some tool was checked).
    ///
    /// # Panics
    /// When a rule was broken.
    pub fn assert_clean(&self) {
        assert!(self.tools > 0, "the view has no tool to check");
        let texts: Vec<String> = self.findings.iter().map(ToString::to_string).collect();
        assert!(texts.is_empty(), "findings ({}):\n{}", texts.len(), texts.join("\n"));
    }

    /// [`assert_clean`](Self::assert_clean), and no tool may have kept its fields to itself.
    ///
    /// # Panics
    /// When a rule was broken, or the fields of a tool could not be compared with its schema.
    pub fn assert_complete(&self) {
        self.assert_clean();
        let texts: Vec<String> = self.not_compared.iter().map(ToString::to_string).collect();
        assert!(texts.is_empty(), "{}", texts.join("\n"));
    }

    pub(crate) fn find(&mut self, tool: &str, rule: &'static str, message: impl Into<String>) {
        self.findings.push(Finding { tool: tool.to_owned(), rule, message: message.into() });
    }
}

/// Puts every tool through every rule. Needs a tokio runtime with time running (not paused).
pub async fn check(conform: &Conform) -> Report {
    let mut report = Report::default();
    let view = (conform.views)();
    let names: Vec<String> = view.surface().iter().map(|s| s.name.clone()).collect();
    checks::surface(&view, &(conform.views)(), &mut report);
    let named = conform.samples.keys().chain(conform.before.keys()).chain(conform.junk_of.keys());
    for name in named.filter(|name| !names.contains(name)) {
        report.find(
            name,
            "sample",
            "there is something said for it, but the view does not show it",
        );
    }
    for name in &names {
        report.tools += 1;
        checks::tool(conform, name, &mut report).await;
    }
    let closed = view.scope().close(CloseWhy::Finished, conform.patience).await;
    if !closed.is_clean() {
        report.find("", "close", format!("closing the run left something: {:?}", closed.leaks));
    }
    report
}

#[cfg(test)]
mod tests;
