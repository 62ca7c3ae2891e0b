//! Carrying out a change set: all of it, or none of it, whenever the process dies.
//!
//! 1. Lock the root; bring to an end what a dead process left behind.
//! 2. Verify every file. A mismatch refuses the whole.
//! 3. Write down the intent, durably. From here on a crash is undone by the next start.
//! 4. Make folders, write every new content to a temporary sibling, flush them all.
//! 5. Mark the journal "committed", durably. From here on a crash is carried on by the next start.
//! 6. Exchange each file with its sibling, and check that what was displaced is what was verified.
//! 7. Flush the folders, remove the siblings (the old contents), remove the journal.
//!
//! A failure in 6 marks the journal "aborted" and exchanges back.

mod error;
mod judge;
pub(crate) mod ops;
mod options;
mod prepare;
mod recover;
mod run;
mod settle;
mod verify;

pub use error::{CommitError, FileProblem, Problem};
pub use options::{CommitOptions, Committed, CommittedFile};
pub use recover::{RecoverReport, Recovered};
pub use settle::{Conflict, Outcome};
