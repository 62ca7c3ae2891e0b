//! Why a server's edit is not applied. Nothing has been written then.

use std::fmt;

use tool_workspace::{StageError, WorkspaceError, WorkspaceErrorKind};

/// Why an edit is refused as a whole.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum EditProblem {
    /// It is not what the protocol says; dropping a part of it would be half a change.
    Unreadable { what: String },
    /// It has places to fill in, which only an editor can.
    Snippet,
    /// It is about something that is no file.
    Foreign { uri: String },
    /// Files outside the root would change.
    Outside { paths: Vec<String> },
    /// The path cannot be used.
    Path(WorkspaceError),
    /// A file to be changed, moved or deleted is not there.
    Missing { rel: String },
    /// A file to be created, or the goal of a move, is there.
    Exists { rel: String },
    /// A folder to be deleted has files, and it was not said that they go along.
    NotEmpty { rel: String },
    /// The file is no text.
    NotText { rel: String, why: String },
    /// Two edits touch the same text. Lines from 1.
    Overlap { rel: String, first: u32, second: u32 },
    /// The server had another version of an open document than it was sent.
    Version { rel: String, ours: i64, theirs: i64 },
    /// One document has edits for several versions.
    Versions { rel: String, one: i64, other: i64 },
    /// The file is not what it was when the server was asked.
    Changed { rel: String },
    /// An edit replaces something that is not the name. Line and column from 1.
    NotTheName { rel: String, line: u32, column: u32, text: String },
    /// More files or bytes than a change may have.
    TooMuch { what: String },
    /// The change set cannot hold it.
    Stage(StageError),
}

impl EditProblem {
    /// One word for programs.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } | Self::Foreign { .. } => "garbled",
            Self::Snippet => "snippet",
            Self::Outside { .. } => "outside",
            Self::Path(error) if error.kind() == WorkspaceErrorKind::Outside => "outside",
            Self::Path(_) | Self::Missing { .. } | Self::Exists { .. } | Self::NotEmpty { .. } => {
                "file"
            }
            Self::NotText { .. } => "not_text",
            Self::Overlap { .. } => "overlap",
            Self::Version { .. } | Self::Versions { .. } | Self::Changed { .. } => "stale",
            Self::NotTheName { .. } => "not_the_name",
            Self::TooMuch { .. } => "too_much",
            Self::Stage(_) => "stage",
        }
    }
}

impl From<StageError> for EditProblem {
    fn from(error: StageError) -> Self {
        Self::Stage(error)
    }
}

impl fmt::Display for EditProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { what } => write!(f, "the server's edit cannot be read: {what}"),
            Self::Snippet => f.write_str("the server's edit is a snippet with places to fill in"),
            Self::Foreign { uri } => {
                write!(f, "the server's edit is about {uri}, which is no file")
            }
            Self::Outside { paths } => {
                const NAMED: usize = 5;
                let named: Vec<&str> = paths.iter().take(NAMED).map(String::as_str).collect();
                write!(f, "it would change files outside the root: {}", named.join(", "))?;
                match paths.len().saturating_sub(NAMED) {
                    0 => Ok(()),
                    n => write!(f, " and {n} more"),
                }
            }
            Self::Path(error) => write!(f, "the server's edit names a path that {error}"),
            Self::Missing { rel } => {
                write!(f, "the server's edit is about {rel}, which is not there")
            }
            Self::Exists { rel } => write!(f, "{rel} exists already and would be overwritten"),
            Self::NotEmpty { rel } => write!(f, "the folder {rel} is to be deleted and has files"),
            Self::NotText { rel, why } => write!(f, "{rel} cannot be edited as text: {why}"),
            Self::Overlap { rel, first, second } => {
                write!(f, "edits of {rel} overlap (lines {first} and {second})")
            }
            Self::Version { rel, ours, theirs } => write!(
                f,
                "the server's edit of {rel} is for version {theirs}, and it was sent version {ours}"
            ),
            Self::Versions { rel, one, other } => {
                write!(f, "the server's edits of {rel} are for two versions, {one} and {other}")
            }
            Self::Changed { rel } => {
                write!(f, "{rel} has changed since the server was asked")
            }
            Self::NotTheName { rel, line, column, text } => write!(
                f,
                "an edit at {rel}:{line}:{column} would replace {text:?}, which is not the name"
            ),
            Self::TooMuch { what } => write!(f, "the server's edit is too large: {what}"),
            Self::Stage(error) => write!(f, "the server's edit does not go together: {error}"),
        }
    }
}
