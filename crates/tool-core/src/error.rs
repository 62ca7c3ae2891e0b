//! Errors as a model and a program read them.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::output::{ToolOutput, object};

/// The kinds of failure. The words are part of the host protocol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The arguments are wrong; other arguments may work.
    InvalidArgs,
    /// The view holds no tool of that name.
    UnknownTool,
    /// What the tool stands on is not there, or not yet.
    Unavailable,
    /// A person or a policy said no.
    Refused,
    /// The world has changed since, or is in the wrong state.
    Conflict,
    /// Somebody else holds what is needed.
    Busy,
    /// A limit is reached.
    Limit,
    /// It took too long.
    Timeout,
    /// Somebody stopped it.
    Cancelled,
    /// Nobody answered in time.
    Expired,
    /// It was tried and went wrong.
    Failed,
    /// A fault of the tool itself.
    Internal,
}

impl ErrorKind {
    /// All kinds, in the order of the protocol.
    pub const ALL: [Self; 12] = [
        Self::InvalidArgs,
        Self::UnknownTool,
        Self::Unavailable,
        Self::Refused,
        Self::Conflict,
        Self::Busy,
        Self::Limit,
        Self::Timeout,
        Self::Cancelled,
        Self::Expired,
        Self::Failed,
        Self::Internal,
    ];

    /// The word in the host protocol.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgs => "invalid_args",
            Self::UnknownTool => "unknown_tool",
            Self::Unavailable => "unavailable",
            Self::Refused => "refused",
            Self::Conflict => "conflict",
            Self::Busy => "busy",
            Self::Limit => "limit",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Failed => "failed",
            Self::Internal => "internal",
        }
    }

    /// The first words of the text a model reads, so that models and logs can tell the kinds apart.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::InvalidArgs => "invalid arguments",
            Self::UnknownTool => "unknown tool",
            Self::Unavailable => "unavailable",
            Self::Refused => "refused",
            Self::Conflict => "conflict",
            Self::Busy => "busy",
            Self::Limit => "limit reached",
            Self::Timeout => "timed out",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Failed => "failed",
            Self::Internal => "internal error",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a call has no success to show: what happened, what is known, what to do next.
///
/// Message, hint, details and partial output reach the model. The source reaches the host only. There is
/// deliberately no `From<io::Error>` and the like: `?` on a foreign error must not become text for a model unseen.
#[derive(Clone, Debug)]
pub struct ToolError {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    details: Map<String, Value>,
    partial: Option<Box<ToolOutput>>,
    source: Option<Arc<anyhow::Error>>,
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident => $kind:ident),* $(,)?) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $name(message: impl Into<String>) -> Self {
            Self::new(ErrorKind::$kind, message)
        })*
    };
}

impl ToolError {
    /// An error of any kind.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            details: Map::new(),
            partial: None,
            source: None,
        }
    }

    constructors! {
        /// The arguments are wrong.
        invalid => InvalidArgs,
        /// No such tool here.
        unknown_tool => UnknownTool,
        /// What the tool stands on is not there.
        unavailable => Unavailable,
        /// A person or a policy said no.
        refused => Refused,
        /// The state of the world does not fit.
        conflict => Conflict,
        /// Somebody else holds it.
        busy => Busy,
        /// A limit is reached.
        limit => Limit,
        /// Too slow.
        timeout => Timeout,
        /// Stopped.
        cancelled => Cancelled,
        /// Nobody answered.
        expired => Expired,
        /// Tried, and it went wrong.
        failed => Failed,
    }

    /// A fault of the tool itself. The model is told only that; the cause is kept for the host.
    #[must_use]
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let mut error = Self::new(ErrorKind::Internal, "the tool failed inside");
        error.source = Some(Arc::new(cause.into()));
        error
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the facts for a program. Anything but an object is put under `value`.
    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.details = object(details);
        self
    }

    /// Adds what there was before it went wrong.
    #[must_use]
    pub fn with_partial(mut self, partial: ToolOutput) -> Self {
        self.partial = Some(Box::new(partial));
        self
    }

    /// Adds the cause, for the host only.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<anyhow::Error>) -> Self {
        self.source = Some(Arc::new(cause.into()));
        self
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What happened, without the hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do next.
    #[must_use]
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The facts for a program.
    #[must_use]
    pub fn detail_map(&self) -> &Map<String, Value> {
        &self.details
    }

    /// What there was before it went wrong.
    #[must_use]
    pub fn partial(&self) -> Option<&ToolOutput> {
        self.partial.as_deref()
    }

    /// The cause: for the host's log, never for a model.
    #[must_use]
    pub fn host_source(&self) -> Option<&anyhow::Error> {
        self.source.as_deref()
    }

    /// Message and hint, as the protocol's `error.message` has them.
    #[must_use]
    pub fn full_message(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\n{hint}", self.message),
            None => self.message.clone(),
        }
    }

    pub(crate) fn set_kind(&mut self, kind: ErrorKind, message: String) {
        self.kind = kind;
        self.message = message;
    }

    pub(crate) fn partial_mut(&mut self) -> Option<&mut ToolOutput> {
        self.partial.as_deref_mut()
    }

    pub(crate) fn map_message(&mut self, change: impl FnOnce(String) -> String) {
        self.message = change(std::mem::take(&mut self.message));
    }

    pub(crate) fn refer_to(&mut self, call: impl fmt::Display) {
        if self.kind == ErrorKind::Internal {
            self.message = format!("{} (ref {call})", self.message);
        }
    }
}

impl fmt::Display for ToolError {
    /// The text a model reads: the kind's label, the message, the hint.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = self.kind.label();
        if self.message.starts_with(label) {
            f.write_str(&self.message)?;
        } else {
            write!(f, "{label}: {}", self.message)?;
        }
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\n{hint}"))
    }
}

impl std::error::Error for ToolError {}

impl From<anyhow::Error> for ToolError {
    fn from(cause: anyhow::Error) -> Self {
        Self::internal(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorKind, ToolError};

    #[test]
    fn an_inner_cause_never_reaches_the_text() {
        let fails = || -> Result<(), ToolError> {
            Err(anyhow::anyhow!("password at /home/me"))?;
            Ok(())
        };
        let error = fails().expect_err("fails");
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert!(!error.to_string().contains("password"), "{error}");
        assert!(error.host_source().is_some_and(|s| s.to_string().contains("password")));
    }

    #[test]
    fn the_first_words_name_the_kind_once() {
        let error = ToolError::cancelled("stopped by the caller").hint("go on");
        assert_eq!(error.to_string(), "cancelled: stopped by the caller\ngo on");
        assert_eq!(ToolError::busy("busy: lane x").to_string(), "busy: lane x");
        let mut words: Vec<_> = ErrorKind::ALL.iter().map(|k| k.label()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), ErrorKind::ALL.len());
    }
}
