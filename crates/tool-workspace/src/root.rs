//! The root of a workspace, and the only function that turns what a model wrote into a path.

use std::fmt;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::beneath;
use crate::error::{WorkspaceError, WorkspaceErrorKind as Kind, is_loop};
use crate::identity::{FileContent, Identity};
use crate::walk::WalkFile;

/// Bytes of a whole path that every system call takes (PATH_MAX without its NUL).
const LONGEST_PATH: usize = 4095;

/// The folder that a run may touch. Cheap to clone.
///
/// All calls block on the file system. The root is opened anew by each of them, so a checkout that was replaced as a
/// whole is seen as it now is.
#[derive(Clone)]
pub struct Root {
    path: Arc<Path>,
}

/// What stands at a located path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A pipe, socket or device.
    Other,
    /// Nothing yet.
    Nothing,
}

/// A path inside the root: as it was written, and as it really is with all symbolic links followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    asked: String,
    /// Where the caller pointed, before links were followed.
    pointed: PathBuf,
    real: PathBuf,
    within: PathBuf,
    place: Place,
}

impl Located {
    /// The path as the caller wrote it.
    pub fn asked(&self) -> &str {
        &self.asked
    }

    /// The absolute path without symbolic links.
    pub fn path(&self) -> &Path {
        &self.real
    }

    /// The path below the root without symbolic links; empty for the root itself.
    pub fn within(&self) -> &Path {
        &self.within
    }

    /// [`Located::within`] for people and models: `/` between the parts, `.` for the root.
    pub fn rel(&self) -> String {
        shown(&self.within)
    }

    /// What stood there when it was located.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Whether anything stood there.
    pub fn exists(&self) -> bool {
        self.place != Place::Nothing
    }

    /// Whether a folder stood there.
    pub fn is_folder(&self) -> bool {
        self.place == Place::Folder
    }

    /// Whether a regular file stood there.
    pub fn is_file(&self) -> bool {
        self.place == Place::File
    }
}

/// `/` between the parts, whatever the system writes; bytes that are no UTF-8 are shown as `�`.
pub(crate) fn shown(within: &Path) -> String {
    let mut text = String::new();
    for part in within.components() {
        if !text.is_empty() {
            text.push('/');
        }
        text.push_str(&part.as_os_str().to_string_lossy());
    }
    if text.is_empty() {
        text.push('.');
    }
    text
}

impl Root {
    /// Opens the folder `path` as a root.
    ///
    /// # Errors
    /// When it is missing, no folder, or may not be read.
    pub fn open(path: &Path) -> Result<Self, WorkspaceError> {
        let text = path.to_string_lossy();
        let failed = |error: io::Error| WorkspaceError::from_io(text.as_ref(), &error);
        let real = fs::canonicalize(path).map_err(failed)?;
        beneath::open_root(&real).map_err(failed)?;
        Ok(Self { path: real.into() })
    }

    /// The absolute path of the root, without symbolic links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn dir(&self) -> io::Result<OwnedFd> {
        beneath::open_root(&self.path)
    }

    /// Where `asked` really leads: relative to the root, or absolute. Links are followed, and the end must lie inside.
    ///
    /// # Errors
    /// `Outside`, `Missing`, `LinkLoop`, `BrokenLink`, `NotADirectory` (a file in the middle), `Unreadable`, `Invalid`.
    pub fn resolve(&self, asked: &str) -> Result<Located, WorkspaceError> {
        existing(self.locate(asked)?)
    }

    /// Locates a file that a walk found; unlike by its `rel`, also one whose name is no UTF-8.
    ///
    /// # Errors
    /// As [`Root::resolve`].
    pub fn resolve_walked(&self, file: &WalkFile) -> Result<Located, WorkspaceError> {
        existing(self.locate_path(&file.rel, &file.path)?)
    }

    /// Locates again what was located before, as the links now are.
    pub(crate) fn locate_again(&self, at: &Located) -> Result<Located, WorkspaceError> {
        self.locate_path(&at.asked, &at.pointed)
    }

    /// Like [`Root::resolve`] for a path that may not exist yet; what exists of its parents is checked.
    ///
    /// # Errors
    /// As `resolve`, without `Missing`, save for a path with `..` behind a missing part. `Invalid` also when it ends in `/`
    /// and no folder is there.
    pub fn resolve_new(&self, asked: &str) -> Result<Located, WorkspaceError> {
        self.locate(asked)
    }

    /// How `path` is shown: relative to the root with `/`, absolute outside it. Lexical, touches nothing.
    pub fn relative(&self, path: &Path) -> String {
        match path.strip_prefix(&self.path) {
            Ok(within) => shown(within),
            Err(_) => path.to_string_lossy().into_owned(),
        }
    }

    fn locate(&self, asked: &str) -> Result<Located, WorkspaceError> {
        if asked.is_empty() {
            return Err(WorkspaceError::new(
                Kind::Invalid,
                asked,
                "it is empty; \".\" is the root",
            ));
        }
        if asked.contains('\0') {
            return Err(WorkspaceError::new(Kind::Invalid, asked, "it has a NUL byte"));
        }
        self.locate_path(asked, &self.path.join(asked))
    }

    fn locate_path(&self, asked: &str, joined: &Path) -> Result<Located, WorkspaceError> {
        match fs::canonicalize(joined) {
            Ok(real) => self.located(asked, joined, real, &[]),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.locate_new(asked, joined),
            Err(error) => Err(self.blame(asked, joined, &error)),
        }
    }

    /// Finds the deepest parent that exists and hangs the rest on it.
    fn locate_new(&self, asked: &str, joined: &Path) -> Result<Located, WorkspaceError> {
        let parts: Vec<Component<'_>> = joined.components().collect();
        for cut in (1..parts.len()).rev() {
            let head: PathBuf = parts[..cut].iter().collect();
            let real = match fs::canonicalize(&head) {
                Ok(real) => real,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(self.blame(asked, joined, &error)),
            };
            if joined.starts_with(&self.path) && head != *self.path && self.path.starts_with(&head)
            {
                // Not even the root was found on the way up.
                let detail = format!("the root {} is not there any more", self.path.display());
                return Err(WorkspaceError::new(Kind::Missing, asked, detail));
            }
            if !real.starts_with(&self.path) {
                return Err(self.outside(asked, &real));
            }
            let rest = &parts[cut..];
            if let Some(link) = rest.first().map(|part| real.join(part))
                && fs::symlink_metadata(&link).is_ok_and(|data| data.file_type().is_symlink())
            {
                return Err(self.broken(asked, &link));
            }
            if rest.iter().any(|part| !matches!(part, Component::Normal(_))) {
                return Err(WorkspaceError::new(Kind::Missing, asked, ""));
            }
            return self.located(asked, joined, real, rest);
        }
        Err(WorkspaceError::new(Kind::Missing, asked, ""))
    }

    fn located(
        &self,
        asked: &str,
        joined: &Path,
        real: PathBuf,
        rest: &[Component<'_>],
    ) -> Result<Located, WorkspaceError> {
        let Ok(within) = real.strip_prefix(&self.path) else {
            return Err(self.outside(asked, &real));
        };
        let data = fs::metadata(&real).map_err(|error| WorkspaceError::from_io(asked, &error))?;
        let place = match data.file_type() {
            kind if kind.is_file() => Place::File,
            kind if kind.is_dir() => Place::Folder,
            _ => Place::Other,
        };
        // The system leaves such an ending out of account; whoever wrote it does not mean a file.
        if !rest.is_empty() && asked.ends_with(['/', std::path::MAIN_SEPARATOR]) {
            let detail = "it ends like a folder, and there is none";
            return Err(WorkspaceError::new(Kind::Invalid, asked, detail));
        }
        let mut located = Located {
            asked: asked.to_owned(),
            pointed: joined.to_path_buf(),
            within: within.to_path_buf(),
            real,
            place,
        };
        if rest.is_empty() {
            return Ok(located);
        }
        if place != Place::Folder {
            return Err(WorkspaceError::new(Kind::NotADirectory, asked, ""));
        }
        for part in rest {
            located.real.push(part);
            located.within.push(part);
        }
        if located.real.as_os_str().len() > LONGEST_PATH {
            let detail = format!("with the root's it has more than {LONGEST_PATH} bytes");
            return Err(WorkspaceError::new(Kind::Invalid, asked, detail));
        }
        located.place = Place::Nothing;
        Ok(located)
    }

    fn outside(&self, asked: &str, real: &Path) -> WorkspaceError {
        let lexical = Path::new(asked);
        let link = !lexical.is_absolute()
            && !lexical.components().any(|part| part == Component::ParentDir);
        let detail = if link {
            format!("a symbolic link leads to {}", real.display())
        } else {
            format!("the root is {}", self.path.display())
        };
        WorkspaceError::new(Kind::Outside, asked, detail)
    }

    /// A link to nothing. One that points outside is outside, so that nothing can be probed there.
    fn broken(&self, asked: &str, link: &Path) -> WorkspaceError {
        let target = fs::read_link(link).unwrap_or_default();
        let mut end = link.parent().unwrap_or(link).to_path_buf();
        for part in target.components() {
            match part {
                Component::ParentDir => {
                    end.pop();
                }
                part => end.push(part),
            }
        }
        if !end.starts_with(&self.path) {
            return self.outside(asked, &end);
        }
        let detail = format!("{} points to {}", self.relative(link), target.display());
        WorkspaceError::new(Kind::BrokenLink, asked, detail)
    }

    /// An error on the way that is not "missing"; a path that had left the root by then is outside, whatever it met there.
    fn blame(&self, asked: &str, joined: &Path, error: &io::Error) -> WorkspaceError {
        if is_loop(error) {
            return WorkspaceError::new(Kind::LinkLoop, asked, "");
        }
        for head in joined.ancestors().skip(1) {
            if let Ok(real) = fs::canonicalize(head) {
                if !real.starts_with(&self.path) {
                    return self.outside(asked, &real);
                }
                break;
            }
        }
        WorkspaceError::from_io(asked, error)
    }

    /// Reads a whole regular file. The open cannot be diverted by a link that appeared since it was located.
    ///
    /// # Errors
    /// `NotAFile`, `Missing`, `Unreadable`, `LinkLoop` (a part of the path has become a link), `Io`.
    pub fn read(&self, at: &Located) -> Result<FileContent, WorkspaceError> {
        self.read_up_to(at, u64::MAX)
    }

    /// [`Root::read`] that refuses a file of more than `most` bytes before it reads any.
    ///
    /// # Errors
    /// `TooLarge`, and as [`Root::read`].
    pub fn read_up_to(&self, at: &Located, most: u64) -> Result<FileContent, WorkspaceError> {
        if at.is_folder() {
            return Err(WorkspaceError::new(Kind::NotAFile, at.asked(), "it is a folder"));
        }
        self.read_within(at.within(), at.asked(), most)
    }

    /// Reads a file that a walk found.
    ///
    /// # Errors
    /// As [`Root::read`].
    pub fn read_walked(&self, file: &WalkFile) -> Result<FileContent, WorkspaceError> {
        match file.path.strip_prefix(&self.path) {
            Ok(within) => self.read_within(within, &file.rel, u64::MAX),
            Err(_) => Err(self.outside(&file.rel, &file.path)),
        }
    }

    /// The identity of a file now, from one `stat` that follows no link.
    ///
    /// # Errors
    /// `Missing`, `NotAFile`, `Outside`, `Io`.
    pub fn identify(&self, file: &WalkFile) -> Result<Identity, WorkspaceError> {
        let failed = |error: io::Error| WorkspaceError::from_io(file.rel.as_str(), &error);
        let stat = rustix::fs::lstat(&file.path).map_err(|errno| failed(errno.into()))?;
        if beneath::file_type(&stat) != rustix::fs::FileType::RegularFile {
            return Err(WorkspaceError::new(Kind::NotAFile, file.rel.as_str(), ""));
        }
        Ok(Identity::of(&stat))
    }

    fn read_within(
        &self,
        within: &Path,
        asked: &str,
        most: u64,
    ) -> Result<FileContent, WorkspaceError> {
        let failed = |error: io::Error| WorkspaceError::from_io(asked, &error);
        let root = self.dir().map_err(failed)?;
        let (mut file, _) = beneath::open_file(root.as_fd(), within).map_err(failed)?;
        beneath::read_open(&mut file, asked, most)
    }
}

fn existing(located: Located) -> Result<Located, WorkspaceError> {
    if located.exists() {
        return Ok(located);
    }
    Err(WorkspaceError::new(Kind::Missing, located.asked, ""))
}

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Root").field(&self.path).finish()
    }
}
