//! What changed on disk since a server last heard of it: a bounded look at the files of its root, without a watcher.
//!
//! A look costs one `stat` for each folder and each file that somebody wants to hear of. Only when a folder has changed
//! is the tree walked again. Files that version control ignores, and hidden folders, are not looked at.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ignore::WalkBuilder;
use tool_workspace::{ContentHash, Identity};

use crate::client::FileChange;

/// So many files are looked at; of a larger tree only the open documents are.
const MOST_FILES: usize = 60_000;
/// The largest file that is read to see whether it changed when its times cannot tell.
const MOST_BYTES: u64 = 4 << 20;

/// The files of a root as they were at the last look, and what the server has not been told yet.
#[derive(Debug, Default)]
pub(crate) struct World {
    base: PathBuf,
    files: BTreeMap<PathBuf, Known>,
    folders: Vec<(PathBuf, Option<Identity>)>,
    /// The tree has more files than are looked at.
    too_large: bool,
    /// Found, and not told yet, in the order in which it was found.
    pending: Vec<(PathBuf, FileChange)>,
}

/// A file at the last look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    identity: Identity,
    /// Of its bytes, if it was so new that its identity does not tell states apart.
    hash: Option<ContentHash>,
    wanted: bool,
}

/// The identity of a file as one `stat` gives it, following no link; `None` if it is none.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    let metadata = fs::symlink_metadata(path).ok()?;
    metadata.is_file().then(|| of(&metadata))
}

fn of(metadata: &Metadata) -> Identity {
    let time = |seconds: i64, nanoseconds: i64| {
        i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)
    };
    Identity {
        dev: metadata.dev(),
        ino: metadata.ino(),
        len: metadata.len(),
        mtime_ns: time(metadata.mtime(), metadata.mtime_nsec()),
        ctime_ns: time(metadata.ctime(), metadata.ctime_nsec()),
    }
}

impl World {
    /// Looks at a root for the first time: nothing has changed yet. Blocks.
    pub(crate) fn first_look(base: &Path) -> Self {
        let mut world = Self { base: base.to_path_buf(), ..Self::default() };
        world.walk();
        world
    }

    /// Whether the tree is too large to be looked at.
    pub(crate) fn is_too_large(&self) -> bool {
        self.too_large
    }

    /// Files that somebody might ask about first: any that fits, in the order of their paths.
    pub(crate) fn find(&self, fits: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        self.files.keys().find(|path| fits(path)).cloned()
    }

    /// Notes every change since the last look among the files that are wanted. Blocks.
    pub(crate) fn look(&mut self, wants: &dyn Fn(&Path) -> bool) {
        if self.base.as_os_str().is_empty() {
            return;
        }
        for (path, known) in &mut self.files {
            known.wanted = wants(path);
        }
        let same = |(path, known): &(PathBuf, Option<Identity>)| {
            known.is_some() && folder(path, SystemTime::now()) == *known
        };
        if self.folders.iter().all(same) {
            self.look_at_files();
            return;
        }
        let old = std::mem::take(&mut self.files);
        self.walk();
        if self.too_large {
            return;
        }
        for path in old.keys().filter(|path| !self.files.contains_key(*path) && wants(path)) {
            self.pending.push((path.clone(), FileChange::Deleted));
        }
        for (path, known) in &mut self.files {
            known.wanted = wants(path);
            let before = old.get(path);
            let change = match before {
                None => FileChange::Created,
                Some(before) if before.is_same_as(known, path) => continue,
                Some(_) => FileChange::Changed,
            };
            if known.wanted {
                self.pending.push((path.clone(), change));
            }
        }
    }

    fn look_at_files(&mut self) {
        let now = SystemTime::now();
        let mut gone = Vec::new();
        for (path, known) in self.files.iter_mut().filter(|(_, known)| known.wanted) {
            let Some(identity) = identity(path) else {
                gone.push(path.clone());
                continue;
            };
            if identity == known.identity && known.hash.is_none() {
                continue;
            }
            let new = Known { wanted: true, ..Known::of(path, identity, now) };
            if !known.is_same_as(&new, path) {
                self.pending.push((path.clone(), FileChange::Changed));
            }
            *known = new;
        }
        for path in gone {
            self.files.remove(&path);
            self.pending.push((path, FileChange::Deleted));
        }
    }

    /// Takes note of a file that we have just written or removed, so that the next look does not find it.
    pub(crate) fn wrote(&mut self, path: &Path, wanted: bool) {
        match identity(path) {
            Some(identity) if path.starts_with(&self.base) => {
                let known = Known::of(path, identity, SystemTime::now());
                self.files.insert(path.to_path_buf(), Known { wanted, ..known });
            }
            _ => {
                self.files.remove(path);
            }
        }
    }

    /// What the server has not been told: of several changes of a file the last counts.
    pub(crate) fn untold(&self) -> Vec<(PathBuf, FileChange)> {
        coalesce(&self.pending)
    }

    /// It has been told.
    pub(crate) fn told(&mut self) {
        self.pending.clear();
    }

    /// More to be told.
    pub(crate) fn add(&mut self, changes: &[(PathBuf, FileChange)]) {
        self.pending.extend_from_slice(changes);
    }

    fn walk(&mut self) {
        let now = SystemTime::now();
        self.files.clear();
        self.folders.clear();
        let hidden_folder = |entry: &ignore::DirEntry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            is_folder && entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
        };
        let walk = WalkBuilder::new(&self.base)
            .hidden(false)
            .require_git(false)
            .filter_entry(move |entry| !hidden_folder(entry))
            .build();
        for entry in walk.flatten() {
            let Some(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                self.folders.push((entry.path().to_path_buf(), folder(entry.path(), now)));
            } else if kind.is_file()
                && let Some(identity) = identity(entry.path())
            {
                let path = entry.into_path();
                let known = Known::of(&path, identity, now);
                self.files.insert(path, known);
            }
            if self.files.len() > MOST_FILES {
                self.too_large = true;
                self.files.clear();
                self.folders.clear();
                return;
            }
        }
    }
}

impl Known {
    fn of(path: &Path, identity: Identity, now: SystemTime) -> Self {
        let settled = identity.settled_at(now) || identity.len > MOST_BYTES;
        let hash = (!settled).then(|| fs::read(path).ok()).flatten();
        Self { identity, hash: hash.map(|bytes| ContentHash::of(&bytes)), wanted: false }
    }

    /// Whether the file is as it was, as far as can be seen.
    fn is_same_as(&self, new: &Self, path: &Path) -> bool {
        match (self.hash, new.hash) {
            (None, _) => self.identity == new.identity,
            (Some(old), Some(new)) => old == new,
            // It has settled since: its bytes decide once more.
            (Some(old), None) => fs::read(path).is_ok_and(|bytes| ContentHash::of(&bytes) == old),
        }
    }
}

/// The identity of a folder; `None` if it changed so recently that another change would not show.
fn folder(path: &Path, now: SystemTime) -> Option<Identity> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let identity = of(&metadata);
    // The number of links and the size say less than the times, and the times are what a new entry changes.
    (metadata.is_dir() && identity.settled_at(now)).then_some(identity)
}

/// Failure to tell a file's whole story is no harm: what it came to is enough.
fn coalesce(changes: &[(PathBuf, FileChange)]) -> Vec<(PathBuf, FileChange)> {
    let mut last: Vec<(PathBuf, FileChange)> = Vec::with_capacity(changes.len());
    let mut place: BTreeMap<&Path, usize> = BTreeMap::new();
    for (path, change) in changes {
        match place.get(path.as_path()) {
            Some(at) => last[*at].1 = *change,
            None => {
                place.insert(path, last.len());
                last.push((path.clone(), *change));
            }
        }
    }
    last
}

#[cfg(test)]
mod tests;
