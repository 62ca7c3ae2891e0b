//! A workspace root for agent tools: contained paths, walking, file identity, all-or-nothing change sets.

#![doc = include_str!("../README.md")]

#[cfg(not(unix))]
compile_error!("tool-workspace needs a Unix system");

mod beneath;
mod change;
mod commit;
mod error;
mod faults;
mod identity;
#[doc(hidden)]
pub mod journal;
mod lock;
mod root;
mod splice;
mod walk;

pub use change::{Action, Captured, ChangeSet, StageError, StagedFile};
pub use commit::{
    CommitError, CommitOptions, Committed, CommittedFile, Conflict, FileProblem, Outcome, Problem,
    RecoverReport, Recovered,
};
pub use error::{WorkspaceError, WorkspaceErrorKind};
#[doc(hidden)]
pub use faults::{Faults, Step};
pub use identity::{ContentHash, FileContent, Identity};
pub use journal::Journals;
pub use root::{Located, Place, Root};
pub use splice::{ByteEdit, SpliceError, splice};
pub use walk::{SkipReason, Skipped, Walk, WalkFile, WalkOptions, Walked};
