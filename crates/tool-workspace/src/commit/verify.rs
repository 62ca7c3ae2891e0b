//! Looks at every file of a change set before the first is touched.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{self, Access, AtFlags, FileType, Stat};

use crate::beneath;
use crate::change::{Action, Change, ChangeSet};
use crate::commit::error::{FileProblem, Problem};
use crate::commit::ops::{Folders, folder_of};
use crate::error::WorkspaceErrorKind;
use crate::identity::wide;
use crate::root::Root;

/// What was found to be in order.
#[derive(Debug, Default)]
pub(crate) struct Verified {
    /// `stat` of each file that exists, in the order of the set.
    pub(crate) stats: Vec<Option<Stat>>,
    /// Folders that the created files need, parents first.
    pub(crate) folders: BTreeSet<PathBuf>,
}

/// Compares every file with what was captured; `stop` ends it early with `None`.
///
/// # Errors
/// All files that stand in the way, in the order of the set.
pub(crate) fn verify(
    root: &Root,
    set: &ChangeSet,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Verified>, Vec<FileProblem>> {
    let mut verified = Verified::default();
    let mut problems = Vec::new();
    let mut folders = match Folders::new(root.path()) {
        Ok(folders) => folders,
        Err(error) => {
            let problem = unreadable(&error);
            let all = set
                .changes
                .values()
                .map(|change| FileProblem { rel: change.at.rel(), problem: problem.clone() });
            return Err(all.collect());
        }
    };
    for change in set.changes.values() {
        if stop() {
            return Ok(None);
        }
        match check(root, &mut folders, change, &mut verified.folders) {
            Ok(stat) => verified.stats.push(stat),
            Err(problem) => problems.push(FileProblem { rel: change.at.rel(), problem }),
        }
    }
    if problems.is_empty() { Ok(Some(verified)) } else { Err(problems) }
}

fn check(
    root: &Root,
    folders: &mut Folders,
    change: &Change,
    missing: &mut BTreeSet<PathBuf>,
) -> Result<Option<Stat>, Problem> {
    let within = change.at.within();
    let now = root.locate_again(&change.at).map_err(|error| match error.kind() {
        WorkspaceErrorKind::Missing | WorkspaceErrorKind::NotADirectory => Problem::Vanished,
        WorkspaceErrorKind::Unreadable => Problem::Unreadable(error.detail().to_owned()),
        WorkspaceErrorKind::Io => Problem::Unreadable(error.detail().to_owned()),
        _ => Problem::Moved,
    })?;
    if now.within() != within {
        return Err(Problem::Moved);
    }
    if change.action() == Action::Create {
        if now.exists() {
            return Err(Problem::Appeared);
        }
        let existing = missing_folders(folders, folder_of(within), missing)?;
        let dir = folders.get(&existing).map_err(|error| unreadable(&error))?;
        may_change_folder(dir.as_fd())?;
        return Ok(None);
    }
    let (dir, name) = folders.parent(within).map_err(|error| gone(&error))?;
    let stat = beneath::stat_name(dir.as_fd(), name)
        .map_err(|error| unreadable(&error))?
        .ok_or(Problem::Vanished)?;
    if beneath::file_type(&stat) != FileType::RegularFile {
        return Err(Problem::NotAFile);
    }
    same_content(dir.as_fd(), name, change)?;
    if change.is_idle() {
        return Ok(Some(stat));
    }
    let names = wide(stat.st_nlink);
    if names > 1 {
        return Err(Problem::HardLinked(names));
    }
    // The mode is looked at as well, because the superuser may write everything.
    if beneath::mode_bits(&stat) & 0o222 == 0 {
        return Err(Problem::ReadOnly);
    }
    may_write(dir.as_fd(), name)?;
    may_change_folder(dir.as_fd())?;
    Ok(Some(stat))
}

fn same_content(dir: BorrowedFd<'_>, name: &OsStr, change: &Change) -> Result<(), Problem> {
    let Some(old) = &change.old else {
        return Ok(());
    };
    let (mut file, stat) =
        beneath::open_file(dir, Path::new(name)).map_err(|error| gone(&error))?;
    if wide(stat.st_size) != old.bytes().len() as u64 {
        return Err(Problem::Changed);
    }
    let mut bytes = Vec::with_capacity(old.bytes().len() + 1);
    io::Read::read_to_end(&mut file, &mut bytes).map_err(|error| unreadable(&error))?;
    if bytes == old.bytes() { Ok(()) } else { Err(Problem::Changed) }
}

/// Adds the folders that are missing above a new file, and gives the deepest one that is there.
fn missing_folders(
    folders: &mut Folders,
    folder: &Path,
    missing: &mut BTreeSet<PathBuf>,
) -> Result<PathBuf, Problem> {
    for up in folder.ancestors() {
        match folders.get(up) {
            Ok(_) => return Ok(up.to_path_buf()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                missing.insert(up.to_path_buf());
            }
            Err(error) => return Err(gone(&error)),
        }
    }
    Err(Problem::Vanished)
}

fn may_write(dir: BorrowedFd<'_>, name: &OsStr) -> Result<(), Problem> {
    match fs::accessat(dir, name, Access::WRITE_OK, AtFlags::EACCESS) {
        Err(rustix::io::Errno::ACCESS | rustix::io::Errno::PERM) => Err(Problem::NotPermitted),
        Err(rustix::io::Errno::ROFS) => Err(Problem::ReadOnly),
        // Anything else will be met again, and handled, when it is written.
        _ => Ok(()),
    }
}

fn may_change_folder(dir: BorrowedFd<'_>) -> Result<(), Problem> {
    let stat = fs::fstat(dir).map_err(|errno| unreadable(&errno.into()))?;
    if beneath::mode_bits(&stat) & 0o222 == 0 {
        return Err(Problem::FolderReadOnly);
    }
    match may_write(dir, OsStr::new(".")) {
        Err(Problem::ReadOnly) => Err(Problem::FolderReadOnly),
        done => done,
    }
}

fn unreadable(error: &io::Error) -> Problem {
    Problem::Unreadable(error.to_string())
}

fn gone(error: &io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Problem::Vanished,
        io::ErrorKind::IsADirectory => Problem::NotAFile,
        _ if crate::error::is_loop(error) => Problem::Moved,
        _ => unreadable(error),
    }
}
