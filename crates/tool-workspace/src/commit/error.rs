//! Why a commit did not happen, per file where that helps, and in words that a model can act on.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// What is wrong with one file of a change set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// Its content is not the captured one any more.
    Changed,
    /// It is gone.
    Vanished,
    /// A folder, a link or something else stands there now.
    NotAFile,
    /// It was to be created, and is there.
    Appeared,
    /// The path now leads to another file, or out of the root.
    Moved,
    /// It may not be read any more; what the system said.
    Unreadable(String),
    /// Its mode has no write bit.
    ReadOnly,
    /// Its folder's mode has no write bit.
    FolderReadOnly,
    /// This user may not write it.
    NotPermitted,
    /// It has several names (hard links), and replacing it would part them.
    HardLinked(u64),
}

impl Problem {
    /// Whether the file is not what it was when the change was staged; else it cannot be written as it is.
    pub fn is_mismatch(&self) -> bool {
        !matches!(
            self,
            Self::ReadOnly | Self::FolderReadOnly | Self::NotPermitted | Self::HardLinked(_)
        )
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed => f.write_str("its content has changed"),
            Self::Vanished => f.write_str("it is gone"),
            Self::NotAFile => f.write_str("it is no regular file any more"),
            Self::Appeared => f.write_str("it exists by now"),
            Self::Moved => f.write_str("the path now leads elsewhere"),
            Self::Unreadable(said) => write!(f, "it cannot be read: {said}"),
            Self::ReadOnly => f.write_str("it is read-only"),
            Self::FolderReadOnly => f.write_str("its folder is read-only"),
            Self::NotPermitted => f.write_str("no permission to write it"),
            Self::HardLinked(names) => write!(f, "it has {names} names (hard links)"),
        }
    }
}

/// A file that stands in the way of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// The file, relative to the root.
    pub rel: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// Why a commit failed. In every case but [`CommitError::Stuck`] no file has changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum CommitError {
    /// Files are not what they were when the change was staged.
    Mismatch {
        /// Each of them.
        files: Vec<FileProblem>,
    },
    /// Files are what they were and cannot be written.
    Unwritable {
        /// Each of them.
        files: Vec<FileProblem>,
    },
    /// Another commit on this root did not end in time.
    Busy {
        /// How long it was waited for.
        waited: Duration,
    },
    /// The caller gave up before the first file was changed.
    Cancelled,
    /// The system failed; everything was put back.
    Io {
        /// What was being done.
        doing: &'static str,
        /// To which file or folder.
        rel: String,
        /// What the system said.
        source: io::Error,
    },
    /// The state folder, where the journal lives, could not be used.
    State {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An earlier change was cut short and cannot be brought to an end yet.
    Unrecovered {
        /// Its journal, and what the system said.
        why: String,
    },
    /// The change failed on the way, and so did putting it back. The journal stays; the next start tries again.
    Stuck {
        /// Files that have their new content now.
        changed: Vec<String>,
        /// The journal.
        journal: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl CommitError {
    /// The files that are not what they were, relative to the root.
    pub fn mismatched(&self) -> Vec<&str> {
        match self {
            Self::Mismatch { files } => files.iter().map(|file| file.rel.as_str()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Named files before a message stops listing them.
const NAMED: usize = 10;

fn list(f: &mut fmt::Formatter<'_>, files: &[FileProblem]) -> fmt::Result {
    for (n, file) in files.iter().take(NAMED).enumerate() {
        let comma = if n == 0 { "" } else { "; " };
        write!(f, "{comma}{}: {}", file.rel, file.problem)?;
    }
    if files.len() > NAMED {
        write!(f, " ({NAMED} of {} named)", files.len())?;
    }
    Ok(())
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch { files } => {
                f.write_str("nothing was written, because files have changed meanwhile: ")?;
                list(f, files)
            }
            Self::Unwritable { files } => {
                f.write_str("nothing was written, because files cannot be written: ")?;
                list(f, files)
            }
            Self::Busy { waited } => write!(
                f,
                "nothing was written: another change of this workspace has been running for over {} s",
                waited.as_secs()
            ),
            Self::Cancelled => f.write_str("cancelled; nothing was written"),
            Self::Io { doing, rel, source } if source.kind() == io::ErrorKind::StorageFull => {
                write!(f, "nothing was written: the disk is full ({doing} {rel})")
            }
            Self::Io { doing, rel, source } => {
                write!(f, "nothing was written: {doing} {rel} failed: {source}")
            }
            Self::State { folder, source } => write!(
                f,
                "nothing was written: the journal of the change cannot be kept in {}: {source}",
                folder.display()
            ),
            Self::Unrecovered { why } => {
                write!(
                    f,
                    "nothing was written: an earlier change was cut short and is not undone yet: {why}"
                )
            }
            Self::Stuck { changed, journal, source } => {
                let changed =
                    if changed.is_empty() { "none".to_owned() } else { changed.join(", ") };
                write!(
                    f,
                    "the change failed and could not be put back: {source}. Files with their new content: {changed}. \
                     The journal {} stays, and the next start takes all files to the same end",
                    journal.display()
                )
            }
        }
    }
}

impl std::error::Error for CommitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } | Self::State { source, .. } | Self::Stuck { source, .. } => {
                Some(source)
            }
            _ => None,
        }
    }
}
