//! Live things that belong to a scope, and the report of closing one.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

/// A live thing (a server, a debugger, an interpreter) that a scope owns and closes.
///
/// It must not hold its scope strongly (keep a `Weak`): a scope that is never closed could not be dropped then.
#[async_trait]
pub trait Resource: Send + Sync + 'static {
    /// For the report: short, with an id if there are several.
    fn name(&self) -> String;

    /// Ends it, within the given time; its future is dropped after that and `abandon` is called.
    async fn close(&self, why: CloseWhy, within: Duration) -> Closed;

    /// Ends it at once, by force. Must not block; called from `Drop` too.
    fn abandon(&self);
}

/// Why a scope closes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CloseWhy {
    /// The work is done.
    Finished,
    /// Somebody stopped it.
    Cancelled,
    /// The host goes down.
    Shutdown,
}

impl fmt::Display for CloseWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Finished => "the run has finished",
            Self::Cancelled => "the run was stopped",
            Self::Shutdown => "the host is shutting down",
        })
    }
}

/// How a resource ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Closed {
    /// Wholly.
    Clean,
    /// Something is left; the words say what.
    Left(String),
}

/// What closing a scope came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CloseReport {
    /// What ended, in the order in which it did.
    pub closed: Vec<String>,
    /// What did not, and why.
    pub leaks: Vec<Leak>,
    /// Tasks of the scope that had panicked, by name.
    pub panicked: Vec<String>,
}

/// Something that did not end in time or not wholly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// Its name.
    pub name: String,
    /// What is known.
    pub why: String,
}

impl CloseReport {
    /// Did everything end?
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.leaks.is_empty()
    }

    pub(crate) fn leak(&mut self, name: impl Into<String>, why: impl Into<String>) {
        self.leaks.push(Leak { name: name.into(), why: why.into() });
    }

    pub(crate) fn absorb(&mut self, other: Self) {
        self.closed.extend(other.closed);
        self.leaks.extend(other.leaks);
        self.panicked.extend(other.panicked);
    }
}
