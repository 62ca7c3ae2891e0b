//! What a tool says about itself: name, tier, schema, lane, limits.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tier::Tier;

/// How long a tool may run when its spec does not say otherwise.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(120);
/// How long a tool may take to end after it was told to stop.
pub const DEFAULT_TEARDOWN_GRACE: Duration = Duration::from_secs(3);
/// Bytes of text a call may return before the middle is cut.
pub const DEFAULT_OUTPUT_BUDGET: usize = 24 * 1024;

/// Which calls may run at the same time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Lane {
    /// May run beside anything.
    Free,
    /// Alone among the calls of its conversation with the same key.
    Serial(LaneKey),
}

/// The name of a lane; by convention the tool's name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LaneKey(Cow<'static, str>);

impl LaneKey {
    /// A lane with this name.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What kind of work a tool does, for a harness that draws calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolKind {
    /// Reads something known by name.
    Read,
    /// Looks for something.
    Search,
    /// Changes files.
    Edit,
    /// Runs code.
    Execute,
    /// Asks a person.
    Ask,
    /// Drives a background worker.
    Worker,
    /// Anything else.
    Other,
}

/// What a tool is. Built once, owned by the tool, fixed for the run: what was shown is what runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolSpec {
    /// `[A-Za-z_][A-Za-z0-9_]{0,63}`; the registry refuses any other.
    pub name: String,
    /// For people.
    pub title: String,
    /// For the model.
    pub description: String,
    /// JSON schema of the arguments: an object schema.
    pub input_schema: Value,
    /// Decides which views show the tool, and whether the gate asks.
    pub tier: Tier,
    /// The lane of a call unless [`Tool::lane`](crate::Tool::lane) says otherwise.
    pub lane: Lane,
    /// For drawing.
    pub kind: ToolKind,
    /// Counts from the start of the tool itself, without waits for a person. `None`: the tool bounds itself.
    pub time_limit: Option<Duration>,
    /// After a stop: wait this long, then drop the call.
    pub teardown_grace: Duration,
    /// The tool waits for people: idle timers of the host must not count.
    pub paused_by_human: bool,
    /// Bytes of text before the middle of an answer is cut.
    pub output_budget: usize,
}

impl ToolSpec {
    /// A spec with the defaults: free lane, 120 s limit, 3 s grace, 24 KiB of text, kind by tier.
    ///
    /// Nothing is checked here; [`RegistryBuilder::build`](crate::RegistryBuilder::build) reports all that is wrong at once.
    #[must_use]
    pub fn new(
        name: &str,
        tier: Tier,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        Self {
            name: name.to_owned(),
            title: title_of(name),
            description: description.into(),
            input_schema,
            tier,
            lane: Lane::Free,
            kind: match tier {
                Tier::Read => ToolKind::Read,
                Tier::Write => ToolKind::Edit,
                Tier::Exec => ToolKind::Execute,
            },
            time_limit: Some(DEFAULT_TIME_LIMIT),
            teardown_grace: DEFAULT_TEARDOWN_GRACE,
            paused_by_human: false,
            output_budget: DEFAULT_OUTPUT_BUDGET,
        }
    }

    /// Sets the title people see.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// One call at a time per conversation, in a lane named like the tool.
    #[must_use]
    pub fn exclusive(self) -> Self {
        let key = LaneKey::new(self.name.clone());
        self.lane_of(Lane::Serial(key))
    }

    /// Sets the lane.
    #[must_use]
    pub fn lane_of(mut self, lane: Lane) -> Self {
        self.lane = lane;
        self
    }

    /// Sets the kind.
    #[must_use]
    pub fn kind(mut self, kind: ToolKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the time limit; `None` for a tool that bounds itself.
    #[must_use]
    pub fn time_limit(mut self, limit: Option<Duration>) -> Self {
        self.time_limit = limit;
        self
    }

    /// Sets how long the tool may take to end after a stop.
    #[must_use]
    pub fn teardown_grace(mut self, grace: Duration) -> Self {
        self.teardown_grace = grace;
        self
    }

    /// The tool waits for people.
    #[must_use]
    pub fn paused_by_human(mut self) -> Self {
        self.paused_by_human = true;
        self
    }

    /// Sets the bytes of text an answer may have.
    #[must_use]
    pub fn output_budget(mut self, bytes: usize) -> Self {
        self.output_budget = bytes;
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description for the model.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The schema of the arguments.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        &self.input_schema
    }

    /// The tier.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// May two calls of this tool run at the same time?
    #[must_use]
    pub fn parallel_safe(&self) -> bool {
        self.lane == Lane::Free
    }
}

/// Is this a name every provider takes?
pub(crate) fn valid_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    matches!(bytes.first(), Some(b) if b.is_ascii_alphabetic() || *b == b'_')
        && bytes.len() <= 64
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// Names that some export or some model would take for the same fold to the same text.
pub(crate) fn fold_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

fn title_of(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::{fold_name, title_of, valid_name};

    #[test]
    fn names_that_a_provider_would_refuse_are_refused() {
        for good in ["a", "_x", "lsp_rename", &"n".repeat(64)] {
            assert!(valid_name(good), "{good}");
        }
        for bad in ["", "1a", "a-b", "a.b", "a/b", "ä", "a b", &"n".repeat(65)] {
            assert!(!valid_name(bad), "{bad}");
        }
    }

    #[test]
    fn folding_makes_lookalikes_equal() {
        assert_eq!(fold_name("ast_grep"), fold_name("Ast-Grep"));
        assert_ne!(fold_name("ast_grep"), fold_name("ast_edit"));
        assert_eq!(title_of("lsp_rename"), "Lsp rename");
    }
}
