//! Unified diffs. Pure: text in, text out; reading and writing files is the tool's business.

pub(crate) mod apply;
mod header;
pub(crate) mod parse;

#[cfg(test)]
mod tests;

/// What a patch does to one file, and whether that may be run afterwards, if it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verb {
    Change { path: String, executable: Option<bool> },
    Create { path: String, executable: Option<bool> },
    Delete { path: String },
    Rename { from: String, to: String, executable: Option<bool> },
    Copy { from: String, to: String, executable: Option<bool> },
}

impl Verb {
    /// The paths that it touches, as written.
    pub(crate) fn paths(&self) -> Vec<&str> {
        match self {
            Self::Change { path, .. } | Self::Create { path, .. } | Self::Delete { path } => {
                vec![path]
            }
            Self::Rename { from, to, .. } | Self::Copy { from, to, .. } => vec![from, to],
        }
    }
}

/// One file's part of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePatch {
    pub(crate) verb: Verb,
    pub(crate) hunks: Vec<Hunk>,
}

/// A run of lines that are kept, removed and added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    /// Line of its header in the patch, from 1.
    pub(crate) header: usize,
    /// Where it says that it starts in the old file, from 1 (0 for before the first line), if it says so.
    pub(crate) start: Option<usize>,
    pub(crate) lines: Vec<Line>,
    pub(crate) endings: Endings,
    /// Whether any line is marked as one without an ending.
    pub(crate) marked: bool,
}

/// What the carriage returns at the ends of a hunk's lines mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endings {
    /// There are none: the file decides.
    Plain,
    /// All lines have one, so it is how the patch was carried; they are taken off.
    CrLf,
    /// Some have one: they are part of what is changed.
    Literal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// No line ending follows ("\ No newline at end of file").
    pub(crate) open: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Keep,
    Remove,
    Add,
}

/// Why a text is no patch that can be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatchError {
    /// Line of the patch, from 1.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl PatchError {
    fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}
