//! How a commit goes, and what it tells when it is done.

use std::fmt;
use std::time::Duration;

use crate::change::Action;
use crate::commit::recover::RecoverReport;
use crate::faults::Faults;
use crate::identity::Identity;
use crate::journal::Journals;

/// How a commit goes.
pub struct CommitOptions<'a> {
    /// Asked until the first file is changed; `true` ends the commit with [`CommitError::Cancelled`](crate::CommitError::Cancelled).
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
    /// How long to wait for another commit on the same root.
    pub wait: Duration,
    /// For tests.
    #[doc(hidden)]
    pub faults: Faults,
}

impl Default for CommitOptions<'_> {
    fn default() -> Self {
        Self { cancelled: &|| false, wait: Journals::WAIT, faults: Faults::default() }
    }
}

impl fmt::Debug for CommitOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommitOptions").field("wait", &self.wait).finish_non_exhaustive()
    }
}

/// A change set that was carried out.
#[derive(Debug)]
pub struct Committed {
    /// Its files, in the order of their paths; those without a change are left out.
    pub files: Vec<CommittedFile>,
    /// What was brought to an end before, if a crash had left something.
    pub recovered: RecoverReport,
}

/// One file that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommittedFile {
    /// The file, relative to the root.
    pub rel: String,
    /// What happened to it.
    pub action: Action,
    /// Its identity now; `None` for a file that is gone.
    pub identity: Option<Identity>,
}
