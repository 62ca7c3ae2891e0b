//! What can go wrong between a path that a model wrote and a file of the workspace.

use std::fmt;
use std::io;

/// Why a path could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WorkspaceErrorKind {
    /// It lies outside the root, lexically or through a symbolic link.
    Outside,
    /// Nothing is there.
    Missing,
    /// A file was needed and something else is there.
    NotAFile,
    /// A folder was needed and something else is there.
    NotADirectory,
    /// Symbolic links lead in a circle.
    LinkLoop,
    /// A symbolic link whose target does not exist.
    BrokenLink,
    /// Something is there already, and the caller wanted a new path.
    Exists,
    /// The permissions forbid it.
    Unreadable,
    /// It has more bytes than the caller wanted to read.
    TooLarge,
    /// No path at all: empty, or with a NUL byte.
    Invalid,
    /// Any other failure of the system.
    Io,
}

/// A path that could not be used, as it was written, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceError {
    kind: WorkspaceErrorKind,
    path: String,
    detail: String,
}

impl WorkspaceError {
    pub(crate) fn new(
        kind: WorkspaceErrorKind,
        path: impl Into<String>,
        detail: impl Into<String>,
    ) -> Self {
        Self { kind, path: path.into(), detail: detail.into() }
    }

    /// Sorts an error of the system under the kind that a caller branches on.
    pub(crate) fn from_io(path: impl Into<String>, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => WorkspaceErrorKind::Missing,
            io::ErrorKind::PermissionDenied => WorkspaceErrorKind::Unreadable,
            io::ErrorKind::NotADirectory => WorkspaceErrorKind::NotADirectory,
            io::ErrorKind::IsADirectory => WorkspaceErrorKind::NotAFile,
            _ if is_loop(error) => WorkspaceErrorKind::LinkLoop,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => {
                WorkspaceErrorKind::Invalid
            }
            _ => WorkspaceErrorKind::Io,
        };
        let detail = match kind {
            // These say it all.
            WorkspaceErrorKind::Missing
            | WorkspaceErrorKind::NotAFile
            | WorkspaceErrorKind::NotADirectory
            | WorkspaceErrorKind::LinkLoop => String::new(),
            _ => error.to_string(),
        };
        Self::new(kind, path, detail)
    }

    /// Why the path could not be used.
    pub fn kind(&self) -> WorkspaceErrorKind {
        self.kind
    }

    /// The path as the caller wrote it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What else is known, or an empty string.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

pub(crate) fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

/// Characters of a path that an error shows.
const PATH_SHOWN: usize = 300;

impl fmt::Display for WorkspaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let says = match self.kind {
            WorkspaceErrorKind::Outside => "is outside the workspace",
            WorkspaceErrorKind::Missing => "does not exist",
            WorkspaceErrorKind::NotAFile => "is not a regular file",
            WorkspaceErrorKind::NotADirectory => "is not a folder, or lies below a file",
            WorkspaceErrorKind::LinkLoop => "is a circle of symbolic links",
            WorkspaceErrorKind::BrokenLink => "is a symbolic link to nothing",
            WorkspaceErrorKind::Exists => "exists already",
            WorkspaceErrorKind::Unreadable => "may not be read",
            WorkspaceErrorKind::TooLarge => "is too large",
            WorkspaceErrorKind::Invalid => "is no usable path",
            WorkspaceErrorKind::Io => "could not be used",
        };
        match self.path.char_indices().nth(PATH_SHOWN) {
            None => write!(f, "{:?} {says}", self.path)?,
            Some((end, _)) => write!(f, "{:?}… {says}", &self.path[..end])?,
        }
        if self.detail.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", self.detail)
    }
}

impl std::error::Error for WorkspaceError {}
