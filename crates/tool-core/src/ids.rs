//! Names of conversations, runs, calls and agents.

use std::fmt;
use std::sync::Arc;

use uuid::Uuid;

/// The conversation a run belongs to; the harness chooses the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConversationId(Arc<str>);

impl ConversationId {
    /// A conversation nobody has named before.
    #[must_use]
    pub fn fresh() -> Self {
        Self(Uuid::new_v4().to_string().into())
    }

    /// The text the harness gave.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ConversationId {
    fn from(s: &str) -> Self {
        Self(s.into())
    }
}

impl From<String> for ConversationId {
    fn from(s: String) -> Self {
        Self(s.into())
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// One run (or worker) of a conversation; unique in the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RunId(Uuid);

impl RunId {
    pub(crate) fn fresh() -> Self {
        Self(Uuid::new_v4())
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One call: the run and its number there, counted from 1.
///
/// A provider's own call id is another thing, see [`CallRequest::client_id`](crate::CallRequest::client_id).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CallId {
    pub(crate) run: RunId,
    pub(crate) seq: u64,
}

impl CallId {
    /// The run in which the call was made.
    #[must_use]
    pub fn run(self) -> RunId {
        self.run
    }

    /// The number of the call in its run, from 1.
    #[must_use]
    pub fn number(self) -> u64 {
        self.seq
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, ..) = self.run.0.as_fields();
        write!(f, "{head:08x}-{}", self.seq)
    }
}

/// Which agent acts: the root agent, or a worker below it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct AgentPath(Arc<[String]>);

impl AgentPath {
    /// The agent the person talks to.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The path of a worker of this agent.
    #[must_use]
    pub fn child(&self, label: &str) -> Self {
        let mut parts = self.0.to_vec();
        parts.push(label.to_owned());
        Self(parts.into())
    }

    /// Is this the root agent?
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for AgentPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("root")?;
        for part in self.0.iter() {
            write!(f, "/{part}")?;
        }
        Ok(())
    }
}

/// Who made a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// The model, through the harness.
    Model,
    /// The harness itself.
    Host,
    /// Another tool, through [`CallCx::call_tool`](crate::CallCx::call_tool).
    Nested {
        /// The call that made this one.
        parent: CallId,
        /// 1 for a call made by a tool that the model called.
        depth: u8,
    },
}

impl Origin {
    /// How deep the call is nested: 0 for the model's and the host's own calls.
    #[must_use]
    pub fn depth(self) -> u8 {
        match self {
            Self::Nested { depth, .. } => depth,
            Self::Model | Self::Host => 0,
        }
    }
}
