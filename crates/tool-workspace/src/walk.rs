//! Walking a folder as ripgrep does, with every file that was left out accounted for.
//!
//! The rules are ripgrep's: `.gitignore` and `.git/info/exclude` inside a git repository (and the user's global ignore
//! file), `.ignore` and `.rgignore` everywhere, those of parent folders too; hidden files are left out; symbolic links
//! are not followed. A folder or file that is named outright is walked whatever the rules say of it.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::beneath;
use crate::error::{WorkspaceError, WorkspaceErrorKind, is_loop};
use crate::identity::Identity;
use crate::root::{Located, Root, shown};

/// A walk that is about to start; blocks in [`Walk::run`].
#[derive(Debug)]
pub struct Walk<'a> {
    root: &'a Root,
    start: &'a Located,
    options: WalkOptions,
}

/// How a walk goes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WalkOptions {
    /// Obey ignore files. Default: yes.
    pub ignore_files: bool,
    /// Enter hidden folders and give hidden files. Default: no.
    pub hidden: bool,
    /// Count what the rules left out, at the price of listing each folder twice. Default: yes.
    pub count_excluded: bool,
    /// Give only files with one of these extensions (lower case, without the dot; the case of the file's is ignored).
    /// The others cost no `stat`, and are neither given nor counted. Default: all files.
    pub extensions: Option<Vec<String>>,
    /// Threads; 0 chooses by the machine, at most 4. The result is the same with any number. Default: 0.
    pub threads: usize,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self {
            ignore_files: true,
            hidden: false,
            count_excluded: true,
            extensions: None,
            threads: 0,
        }
    }
}

impl WalkOptions {
    fn wants(&self, path: &Path) -> bool {
        let Some(wanted) = &self.extensions else {
            return true;
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|found| wanted.iter().any(|one| one.eq_ignore_ascii_case(found)))
    }
}

/// A regular file that a walk found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkFile {
    /// Absolute path.
    pub path: PathBuf,
    /// Path relative to the root, with `/`.
    pub rel: String,
    /// Length in bytes when it was found.
    pub len: u64,
    /// Identity when it was found.
    pub identity: Identity,
}

/// What a walk met and did not give, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Path relative to the root, with `/`.
    pub rel: String,
    /// Why it was left out.
    pub reason: SkipReason,
}

/// Why a walk left something out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipReason {
    /// A symbolic link; links are not followed.
    Link,
    /// A symbolic link that leads in a circle.
    LinkLoop,
    /// A pipe, socket or device.
    NotAFile,
    /// It could not be listed or looked at; what the system said.
    Unreadable(String),
    /// A line of an ignore file that is no valid pattern; the other lines count.
    BadIgnoreRule(String),
}

impl std::fmt::Display for SkipReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Link => f.write_str("symbolic link"),
            Self::LinkLoop => f.write_str("circle of symbolic links"),
            Self::NotAFile => f.write_str("not a regular file"),
            Self::Unreadable(said) => write!(f, "unreadable: {said}"),
            Self::BadIgnoreRule(said) => write!(f, "bad ignore rule: {said}"),
        }
    }
}

/// The result of a walk: files and skips in the order of their relative paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walked {
    /// All files that the rules let through.
    pub files: Vec<WalkFile>,
    /// What was met and is no file to be read.
    pub skipped: Vec<Skipped>,
    /// Entries that ignore files left out; an ignored folder counts as one, whatever is in it.
    pub ignored: usize,
    /// Entries left out because they are hidden; a hidden folder counts as one.
    pub hidden: usize,
    /// Whether `stop` ended the walk early; the rest is then incomplete.
    pub stopped: bool,
}

impl<'a> Walk<'a> {
    /// A walk of `start`, which may be a folder or a single file.
    pub fn new(root: &'a Root, start: &'a Located) -> Self {
        Self { root, start, options: WalkOptions::default() }
    }

    /// Sets how the walk goes.
    #[must_use]
    pub fn options(mut self, options: WalkOptions) -> Self {
        self.options = options;
        self
    }

    /// Walks to the end. Blocks.
    ///
    /// # Errors
    /// When the start is missing, or neither folder nor file. What goes wrong below it is in `skipped`.
    pub fn run(self) -> Result<Walked, WorkspaceError> {
        self.run_until(&|| false)
    }

    /// Walks until the end or until `stop` says yes; it is asked once an entry.
    ///
    /// # Errors
    /// As [`Walk::run`].
    pub fn run_until(self, stop: &(dyn Fn() -> bool + Sync)) -> Result<Walked, WorkspaceError> {
        self.start_walk(stop, None)
    }

    /// As [`Walk::run_until`], with each file given to `give` as it is met, from several threads and in no particular
    /// order, instead of gathered in [`Walked::files`]: for callers that keep less of it.
    ///
    /// # Errors
    /// As [`Walk::run`].
    pub fn run_into(
        self,
        stop: &(dyn Fn() -> bool + Sync),
        give: &(dyn Fn(WalkFile) + Sync),
    ) -> Result<Walked, WorkspaceError> {
        self.start_walk(stop, Some(give))
    }

    fn start_walk(
        self,
        stop: &(dyn Fn() -> bool + Sync),
        give: Option<&(dyn Fn(WalkFile) + Sync)>,
    ) -> Result<Walked, WorkspaceError> {
        let start = self.start;
        if start.is_file() {
            let mut walked = self.single()?;
            if let Some(give) = give {
                walked.files.drain(..).for_each(give);
            }
            return Ok(walked);
        }
        if !start.exists() {
            return Err(WorkspaceError::new(WorkspaceErrorKind::Missing, start.asked(), ""));
        }
        if !start.is_folder() {
            return Err(WorkspaceError::new(WorkspaceErrorKind::NotAFile, start.asked(), ""));
        }
        fs::read_dir(start.path())
            .map_err(|error| WorkspaceError::from_io(start.asked(), &error))?;
        Ok(self.folder(stop, give))
    }

    fn single(&self) -> Result<Walked, WorkspaceError> {
        let path = self.start.path();
        let stat = rustix::fs::stat(path)
            .map_err(|errno| WorkspaceError::from_io(self.start.asked(), &errno.into()))?;
        let identity = Identity::of(&stat);
        Ok(Walked {
            files: vec![WalkFile {
                path: path.to_path_buf(),
                rel: self.start.rel(),
                len: identity.len,
                identity,
            }],
            ..Walked::default()
        })
    }

    fn folder(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        give: Option<&(dyn Fn(WalkFile) + Sync)>,
    ) -> Walked {
        let gathered = Mutex::new(Gathered::default());
        let threads = match self.options.threads {
            0 => std::thread::available_parallelism().map_or(1, |n| n.get().min(4)),
            n => n,
        };
        let walker = WalkBuilder::new(self.start.path())
            .standard_filters(self.options.ignore_files)
            .hidden(!self.options.hidden)
            .follow_links(false)
            .add_custom_ignore_filename(".rgignore")
            .threads(threads)
            .build_parallel();
        walker.run(|| {
            // Each thread gathers for itself and hands over when its visitor is dropped.
            let mut mine = Local { walk: self, all: &gathered, give, own: Gathered::default() };
            Box::new(move |entry| {
                if stop() {
                    mine.own.stopped = true;
                    return WalkState::Quit;
                }
                mine.take(entry);
                WalkState::Continue
            })
        });
        let mut gathered = gathered.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (ignored, hidden) = if self.options.count_excluded && !gathered.stopped {
            gathered.excluded()
        } else {
            (0, 0)
        };
        gathered.files.sort_unstable_by(|a, b| a.rel.cmp(&b.rel));
        gathered.skipped.sort_unstable_by(|a, b| (&a.rel, &a.reason).cmp(&(&b.rel, &b.reason)));
        gathered.skipped.dedup();
        Walked {
            files: gathered.files,
            skipped: gathered.skipped,
            ignored,
            hidden,
            stopped: gathered.stopped,
        }
    }
}

/// What one thread, and in the end the whole walk, has seen.
#[derive(Debug, Default)]
struct Gathered {
    files: Vec<WalkFile>,
    skipped: Vec<Skipped>,
    folders: Vec<PathBuf>,
    /// Paths that the walker let through and that are no files: folders, links and the like.
    others: HashSet<PathBuf>,
    stopped: bool,
}

struct Local<'w, 'a> {
    walk: &'w Walk<'a>,
    all: &'w Mutex<Gathered>,
    give: Option<&'w (dyn Fn(WalkFile) + Sync)>,
    own: Gathered,
}

impl Drop for Local<'_, '_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        all.files.append(&mut self.own.files);
        all.skipped.append(&mut self.own.skipped);
        all.folders.append(&mut self.own.folders);
        all.others.extend(self.own.others.drain());
        all.stopped |= self.own.stopped;
    }
}

impl Local<'_, '_> {
    /// Notes what the rules let through, where it matters what they left out.
    fn met(&mut self, path: &Path) {
        if self.walk.options.count_excluded {
            self.own.others.insert(path.to_path_buf());
        }
    }

    fn take(&mut self, entry: Result<DirEntry, ignore::Error>) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return self.own.skip_error(self.walk, &error),
        };
        if let Some(error) = entry.error() {
            self.own.skip_error(self.walk, error);
        }
        let path = entry.path();
        let Some(kind) = entry.file_type() else {
            return;
        };
        if kind.is_dir() {
            if entry.depth() > 0 {
                self.met(path);
            }
            if self.walk.options.count_excluded {
                self.own.folders.push(path.to_path_buf());
            }
            return;
        }
        if kind.is_file() && !self.walk.options.wants(path) {
            return self.met(path);
        }
        let rel = shown(path.strip_prefix(self.walk.root.path()).unwrap_or(path));
        if !kind.is_file() {
            self.met(path);
            let reason = if !kind.is_symlink() {
                SkipReason::NotAFile
            } else if fs::metadata(path).is_err_and(|error| is_loop(&error)) {
                SkipReason::LinkLoop
            } else {
                SkipReason::Link
            };
            self.own.skipped.push(Skipped { rel, reason });
            return;
        }
        match rustix::fs::lstat(path) {
            // A file that was replaced by something else since it was listed.
            Ok(stat) if beneath::file_type(&stat) != rustix::fs::FileType::RegularFile => {
                self.met(path);
                self.own.skipped.push(Skipped { rel, reason: SkipReason::NotAFile });
            }
            Ok(stat) => {
                let identity = Identity::of(&stat);
                let file = WalkFile { path: path.to_path_buf(), rel, len: identity.len, identity };
                match self.give {
                    Some(give) => {
                        self.met(path);
                        give(file);
                    }
                    None => self.own.files.push(file),
                }
            }
            Err(errno) => {
                self.met(path);
                let said = io::Error::from(errno).to_string();
                self.own.skipped.push(Skipped { rel, reason: SkipReason::Unreadable(said) });
            }
        }
    }
}

impl Gathered {
    fn skip_error(&mut self, walk: &Walk<'_>, error: &ignore::Error) {
        match error {
            ignore::Error::Partial(errors) => {
                for error in errors {
                    self.skip_error(walk, error);
                }
            }
            error => {
                let (path, cause) = blamed(error);
                let rel = path.map_or_else(
                    || walk.start.rel(),
                    |path| shown(path.strip_prefix(walk.root.path()).unwrap_or(path)),
                );
                let reason = match cause.io_error() {
                    Some(error) if is_loop(error) => SkipReason::LinkLoop,
                    Some(error) => SkipReason::Unreadable(error.to_string()),
                    None => SkipReason::BadIgnoreRule(cause.to_string()),
                };
                self.skipped.push(Skipped { rel, reason });
            }
        }
    }

    /// Lists each walked folder once more: what the walker did not give was left out by a rule.
    fn excluded(&self) -> (usize, usize) {
        let files: HashSet<&Path> = self.files.iter().map(|file| file.path.as_path()).collect();
        let (mut ignored, mut hidden) = (0, 0);
        for folder in &self.folders {
            let Ok(entries) = fs::read_dir(folder) else {
                continue;
            };
            for entry in entries.flatten() {
                let path = entry.path();
                if files.contains(path.as_path()) || self.others.contains(&path) {
                    continue;
                }
                if is_hidden(&entry.file_name()) {
                    hidden += 1;
                } else {
                    ignored += 1;
                }
            }
        }
        (ignored, hidden)
    }
}

fn is_hidden(name: &OsString) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

/// The path that an error is about, and the innermost cause.
fn blamed(error: &ignore::Error) -> (Option<&Path>, &ignore::Error) {
    match error {
        ignore::Error::WithPath { path, err } => {
            let (inner, cause) = blamed(err);
            (inner.or(Some(path)), cause)
        }
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            blamed(err)
        }
        error => (None, error),
    }
}
