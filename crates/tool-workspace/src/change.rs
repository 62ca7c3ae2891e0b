//! A staged change of many files: what was captured and what will be written. Nothing here touches the disk.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::identity::{ContentHash, FileContent, Identity};
use crate::root::{Located, Place, shown};
use crate::splice::{ByteEdit, SpliceError, splice};

/// A file's content as it was when a change was staged. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    bytes: Arc<[u8]>,
    hash: ContentHash,
    identity: Identity,
}

impl Captured {
    /// The bytes that a commit compares with the disk.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Hash of the bytes.
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// Identity of the file when it was read.
    pub fn identity(&self) -> Identity {
        self.identity
    }
}

impl From<FileContent> for Captured {
    fn from(content: FileContent) -> Self {
        Self {
            hash: ContentHash::of(&content.bytes),
            identity: content.identity,
            bytes: content.bytes.into(),
        }
    }
}

/// What a change does to one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// New content for a file that is there.
    Replace,
    /// A file where nothing is.
    Create,
    /// The file goes.
    Delete,
}

/// The change of one file.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) at: Located,
    pub(crate) old: Option<Captured>,
    pub(crate) new: Option<Vec<u8>>,
    /// For a created file: the path whose mode and attributes it takes over (a rename).
    pub(crate) like: Option<PathBuf>,
    /// Whether it may be run afterwards, if that is said; else it stays as it is, and a new file may not.
    pub(crate) executable: Option<bool>,
}

impl Change {
    pub(crate) fn action(&self) -> Action {
        match (&self.old, &self.new) {
            (None, _) => Action::Create,
            (Some(_), Some(_)) => Action::Replace,
            (Some(_), None) => Action::Delete,
        }
    }

    /// Whether the new content is the old one: verified, and not written.
    pub(crate) fn is_idle(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => old.bytes() == new,
            _ => false,
        }
    }
}

/// Changes of files that are carried out together or not at all; see [`ChangeSet::commit`](crate::ChangeSet::commit).
#[derive(Debug, Clone, Default)]
pub struct ChangeSet {
    pub(crate) changes: BTreeMap<PathBuf, Change>,
}

/// One file of a change set, for showing it.
#[derive(Debug, Clone, Copy)]
pub struct StagedFile<'a> {
    /// Where it is.
    pub at: &'a Located,
    /// What happens to it.
    pub action: Action,
    /// Its content when the change was staged.
    pub old: Option<&'a [u8]>,
    /// Its content afterwards.
    pub new: Option<&'a [u8]>,
}

/// Why a change cannot be staged.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StageError {
    /// The edits of one file overlap or leave its content.
    Edits {
        /// The file.
        rel: String,
        /// Which edits, and how.
        why: SpliceError,
    },
    /// The same file is in the set already, perhaps under another name.
    Twice {
        /// The file.
        rel: String,
    },
    /// A file to be created is there already.
    Exists {
        /// The file.
        rel: String,
    },
    /// A file to be changed is no regular file.
    NotAFile {
        /// What is there instead.
        rel: String,
    },
    /// One file of the set would lie below another file of it.
    Below {
        /// The file below.
        rel: String,
        /// The other file.
        file: String,
    },
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edits { rel, why: SpliceError::Overlap { first, second } } => write!(
                f,
                "edits of {rel} overlap: bytes {}..{} and {}..{}",
                first.start, first.end, second.start, second.end
            ),
            Self::Edits { rel, why: SpliceError::OutOfRange { range, len } } => write!(
                f,
                "an edit of {rel} is out of range: bytes {}..{} of {len}",
                range.start, range.end
            ),
            Self::Twice { rel } => {
                write!(f, "{rel} is in the change set already; give all its edits at once")
            }
            Self::Exists { rel } => write!(f, "{rel} exists already, so it cannot be created"),
            Self::NotAFile { rel } => write!(f, "{rel} is no regular file"),
            Self::Below { rel, file } => {
                write!(f, "{rel} would lie below {file}, which is a file of the same change set")
            }
        }
    }
}

impl std::error::Error for StageError {}

impl ChangeSet {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stages new content for a file. Content that equals the captured one is verified at commit and not written.
    ///
    /// # Errors
    /// `Twice`, `NotAFile`, `Below`.
    pub fn replace(
        &mut self,
        at: &Located,
        captured: Captured,
        new: Vec<u8>,
    ) -> Result<(), StageError> {
        only_file(at)?;
        self.insert(at, Some(captured), Some(new), None)
    }

    /// Stages edits of a file, in offsets of the captured content.
    ///
    /// # Errors
    /// `Edits` when they overlap, and as [`ChangeSet::replace`].
    pub fn edits(
        &mut self,
        at: &Located,
        captured: Captured,
        edits: Vec<ByteEdit>,
    ) -> Result<(), StageError> {
        let new = splice(captured.bytes(), edits)
            .map_err(|why| StageError::Edits { rel: at.rel(), why })?;
        self.replace(at, captured, new)
    }

    /// Stages a new file. Missing parent folders are created with it.
    ///
    /// # Errors
    /// `Exists`, `Twice`, `Below`.
    pub fn create(&mut self, at: &Located, new: Vec<u8>) -> Result<(), StageError> {
        if at.exists() {
            return Err(StageError::Exists { rel: at.rel() });
        }
        self.insert(at, None, Some(new), None)
    }

    /// Stages a new file that may be run, by whom the user's mask allows.
    ///
    /// # Errors
    /// As [`ChangeSet::create`].
    pub fn create_executable(&mut self, at: &Located, new: Vec<u8>) -> Result<(), StageError> {
        self.create(at, new)?;
        self.make_executable(at, true);
        Ok(())
    }

    /// Says of a staged file whether it may be run afterwards: by whom it may be read, or by nobody. It goes with new
    /// content or a new name; the mode of a file whose content stays is left alone. Nothing happens if the file is not
    /// in the set.
    pub fn make_executable(&mut self, at: &Located, executable: bool) {
        if let Some(change) = self.changes.get_mut(at.within()) {
            change.executable = Some(executable);
        }
    }

    /// Stages the removal of a file. Its folder stays.
    ///
    /// # Errors
    /// `Twice`, `NotAFile`, `Below`.
    pub fn delete(&mut self, at: &Located, captured: Captured) -> Result<(), StageError> {
        only_file(at)?;
        self.insert(at, Some(captured), None, None)
    }

    /// Stages a move, with new content if that differs; mode and attributes go along.
    ///
    /// # Errors
    /// As `delete` for the one path and `create` for the other; the set is unchanged then.
    pub fn rename(
        &mut self,
        from: &Located,
        captured: Captured,
        to: &Located,
        new: Vec<u8>,
    ) -> Result<(), StageError> {
        if to.exists() {
            return Err(StageError::Exists { rel: to.rel() });
        }
        self.delete(from, captured)?;
        let done = self.insert(to, None, Some(new), Some(from.within().to_path_buf()));
        if done.is_err() {
            self.changes.remove(from.within());
        }
        done
    }

    fn insert(
        &mut self,
        at: &Located,
        old: Option<Captured>,
        new: Option<Vec<u8>>,
        like: Option<PathBuf>,
    ) -> Result<(), StageError> {
        let within = at.within();
        if self.changes.contains_key(within) {
            return Err(StageError::Twice { rel: at.rel() });
        }
        if let Some(file) = within.ancestors().skip(1).find(|up| self.changes.contains_key(*up)) {
            return Err(StageError::Below { rel: at.rel(), file: shown(file) });
        }
        // Paths are ordered by their parts, so whatever lies below stands right behind.
        if let Some((below, _)) = self.changes.range(within.to_path_buf()..).next()
            && below.starts_with(within)
        {
            return Err(StageError::Below { rel: shown(below), file: at.rel() });
        }
        let change = Change { at: at.clone(), old, new, like, executable: None };
        self.changes.insert(within.to_path_buf(), change);
        Ok(())
    }

    /// The files of the set, in the order of their paths.
    pub fn files(&self) -> impl Iterator<Item = StagedFile<'_>> {
        self.changes.values().map(|change| StagedFile {
            at: &change.at,
            action: change.action(),
            old: change.old.as_ref().map(Captured::bytes),
            new: change.new.as_deref(),
        })
    }

    /// Whether the real path `within` the root is in the set.
    pub fn contains(&self, within: &Path) -> bool {
        self.changes.contains_key(within)
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Bytes of old and new content that the set holds.
    pub fn staged_bytes(&self) -> usize {
        let sizes = self
            .files()
            .map(|file| file.old.map_or(0, <[u8]>::len) + file.new.map_or(0, <[u8]>::len));
        sizes.sum()
    }
}

fn only_file(at: &Located) -> Result<(), StageError> {
    match at.place() {
        Place::File => Ok(()),
        _ => Err(StageError::NotAFile { rel: at.rel() }),
    }
}
