//! A workspace root for agent tools: contained paths, walking, file identity and all-or-nothing change sets

mod beneath;
mod error;
mod identity;
mod root;
mod walk;

pub use error::{WorkspaceError, WorkspaceErrorKind};
pub use identity::{ContentHash, FileContent, Identity};
pub use root::{Located, Place, Root};
pub use walk::{SkipReason, Skipped, Walk, WalkFile, WalkOptions, Walked};
