//! The few changes of the checkout that a commit is made of, each relative to a folder that no link can divert.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{self, AtFlags, FileType, RenameFlags};
use rustix::io::Errno;

use crate::beneath;
use crate::faults::Faults;
use crate::identity::{ContentHash, wide};
use crate::journal::codec::{Entry, Print};

/// What stands at a name, compared with the contents that an entry knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Missing,
    Old,
    New,
    /// Anything else: another content, a folder, a link.
    Other,
}

/// Folders below one root, opened once and kept within bounds.
pub(crate) struct Folders {
    root: OwnedFd,
    open: HashMap<PathBuf, Arc<OwnedFd>>,
}

impl Folders {
    /// Well below the 256 descriptors that some systems allow a process.
    const KEPT: usize = 32;

    pub(crate) fn new(root: &Path) -> io::Result<Self> {
        Ok(Self { root: beneath::open_root(root)?, open: HashMap::new() })
    }

    pub(crate) fn get(&mut self, within: &Path) -> io::Result<Arc<OwnedFd>> {
        if let Some(dir) = self.open.get(within) {
            return Ok(Arc::clone(dir));
        }
        let dir = Arc::new(beneath::open_dir(self.root.as_fd(), within)?);
        if self.open.len() >= Self::KEPT {
            self.open.clear();
        }
        self.open.insert(within.to_path_buf(), Arc::clone(&dir));
        Ok(dir)
    }

    /// The folder that holds `within`, and the name in it.
    pub(crate) fn parent<'a>(&mut self, within: &'a Path) -> io::Result<(Arc<OwnedFd>, &'a OsStr)> {
        let name = within.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok((self.get(folder_of(within))?, name))
    }
}

pub(crate) fn folder_of(within: &Path) -> &Path {
    within.parent().unwrap_or(Path::new(""))
}

pub(crate) struct Ops<'a> {
    pub(crate) folders: Folders,
    pub(crate) faults: &'a Faults,
}

impl<'a> Ops<'a> {
    pub(crate) fn new(root: &Path, faults: &'a Faults) -> io::Result<Self> {
        Ok(Self { folders: Folders::new(root)?, faults })
    }

    /// Carries out one entry whose temporary file is ready.
    pub(crate) fn apply(&mut self, entry: &Entry) -> io::Result<()> {
        let (dir, name) = self.folders.parent(&entry.within)?;
        match (entry.old, entry.new) {
            (Some(_), Some(_)) => self.exchange(&dir, entry, name),
            (None, _) => self.shift(&dir, entry, &entry.temp, name),
            (Some(_), None) => self.shift(&dir, entry, name, &entry.temp),
        }
    }

    /// Undoes one entry that was carried out.
    pub(crate) fn revert(&mut self, entry: &Entry) -> io::Result<()> {
        let (dir, name) = self.folders.parent(&entry.within)?;
        match (entry.old, entry.new) {
            (Some(_), Some(_)) => self.exchange(&dir, entry, name),
            (None, _) => self.shift(&dir, entry, name, &entry.temp),
            (Some(_), None) => self.shift(&dir, entry, &entry.temp, name),
        }
    }

    /// Swaps the file and its temporary sibling.
    fn exchange(&self, dir: &OwnedFd, entry: &Entry, name: &OsStr) -> io::Result<()> {
        self.faults.at("exchange", &entry.within)?;
        if !self.faults.plain_renames {
            match fs::renameat_with(dir, &entry.temp, dir, name, RenameFlags::EXCHANGE) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
                done => return Ok(done?),
            }
        }
        // Three steps instead of one; `Ops::tidy` puts in order what a crash leaves between them.
        let spare = spare_name(&entry.temp);
        fs::linkat(dir, name, dir, &spare, AtFlags::empty())?;
        self.faults.at("rename", &entry.within)?;
        fs::renameat(dir, &entry.temp, dir, name)?;
        self.faults.at("rename spare", &entry.within)?;
        fs::renameat(dir, &spare, dir, &entry.temp)?;
        Ok(())
    }

    /// Renames within a folder and never over a file.
    fn shift(&self, dir: &OwnedFd, entry: &Entry, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.faults.at("shift", &entry.within)?;
        if !self.faults.plain_renames {
            match fs::renameat_with(dir, from, dir, to, RenameFlags::NOREPLACE) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
                done => return Ok(done?),
            }
        }
        fs::linkat(dir, from, dir, to, AtFlags::empty())?;
        self.faults.at("unlink shifted", &entry.within)?;
        fs::unlinkat(dir, from, AtFlags::empty())?;
        Ok(())
    }

    /// Finishes or undoes an exchange by three steps that was cut short.
    pub(crate) fn tidy(&mut self, entry: &Entry) -> io::Result<()> {
        let Some((dir, name)) = self.parent_if_there(&entry.within)? else {
            return Ok(());
        };
        let spare = spare_name(&entry.temp);
        let temp = beneath::stat_name(dir.as_fd(), &entry.temp)?;
        if beneath::stat_name(dir.as_fd(), &spare)?.is_some() {
            self.faults.at("tidy spare", &entry.within)?;
            if temp.is_none() {
                fs::renameat(&*dir, &spare, &*dir, &entry.temp)?;
            } else {
                fs::unlinkat(&*dir, &spare, AtFlags::empty())?;
            }
            return Ok(());
        }
        // A shift by link and unlink leaves one file under two names: it counts as not yet shifted for a deletion,
        // and as shifted for a creation. Both keep the name that the file is to be found under.
        let target = beneath::stat_name(dir.as_fd(), name)?;
        if let (Some(temp), Some(target)) = (temp, target)
            && (temp.st_dev, temp.st_ino) == (target.st_dev, target.st_ino)
        {
            self.faults.at("tidy temp", &entry.within)?;
            fs::unlinkat(&*dir, &entry.temp, AtFlags::empty())?;
        }
        Ok(())
    }

    /// What stands at the entry's own name.
    pub(crate) fn look(&mut self, entry: &Entry) -> io::Result<Look> {
        match self.parent_if_there(&entry.within)? {
            Some((dir, name)) => look_at(&dir, name, entry),
            None => Ok(Look::Missing),
        }
    }

    /// What stands at the name of the temporary sibling.
    pub(crate) fn look_temp(&mut self, entry: &Entry) -> io::Result<Look> {
        match self.parent_if_there(&entry.within)? {
            Some((dir, _)) => look_at(&dir, &entry.temp, entry),
            None => Ok(Look::Missing),
        }
    }

    /// The parent folder, or `None` when it has vanished or become something else.
    fn parent_if_there<'p>(
        &mut self,
        within: &'p Path,
    ) -> io::Result<Option<(Arc<OwnedFd>, &'p OsStr)>> {
        match self.folders.parent(within) {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes the temporary sibling, if there is one.
    pub(crate) fn remove_temp(&mut self, entry: &Entry) -> io::Result<()> {
        let Some((dir, _)) = self.parent_if_there(&entry.within)? else {
            return Ok(());
        };
        self.faults.at("remove temp", &entry.within)?;
        match fs::unlinkat(&*dir, &entry.temp, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a folder; `false` when it was there already.
    pub(crate) fn make_folder(&mut self, within: &Path) -> io::Result<bool> {
        let (dir, name) = self.folders.parent(within)?;
        self.faults.at("make folder", within)?;
        match fs::mkdirat(&*dir, name, beneath::to_mode(0o777)) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a folder that a commit had made, unless somebody has put something into it.
    pub(crate) fn remove_folder(&mut self, within: &Path) -> io::Result<()> {
        let Some((dir, name)) = self.parent_if_there(within)? else {
            return Ok(());
        };
        self.faults.at("remove folder", within)?;
        self.folders.open.remove(within);
        match fs::unlinkat(&*dir, name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes the names in a folder durable.
    pub(crate) fn sync_folder(&mut self, within: &Path) -> io::Result<()> {
        self.faults.at("sync folder", within)?;
        let dir = self.folders.get(within)?;
        match fs::fsync(&*dir) {
            // Some file systems cannot flush a folder; they order renames by themselves.
            Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The bytes of the temporary sibling, for keeping what would else be lost.
    pub(crate) fn read_temp(&mut self, entry: &Entry) -> io::Result<Vec<u8>> {
        let (dir, _) = self.folders.parent(&entry.within)?;
        let (mut file, _) = beneath::open_file(dir.as_fd(), Path::new(&entry.temp))?;
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)?;
        Ok(bytes)
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        || crate::error::is_loop(error)
}

fn spare_name(temp: &OsStr) -> std::ffi::OsString {
    let mut name = temp.to_os_string();
    name.push("~");
    name
}

fn look_at(dir: &OwnedFd, name: &OsStr, entry: &Entry) -> io::Result<Look> {
    let Some(stat) = beneath::stat_name(dir.as_fd(), name)? else {
        return Ok(Look::Missing);
    };
    if beneath::file_type(&stat) != FileType::RegularFile {
        return Ok(Look::Other);
    }
    let len = wide(stat.st_size);
    let may = |print: Option<Print>| print.is_some_and(|print| print.len == len);
    if !may(entry.old) && !may(entry.new) {
        return Ok(Look::Other);
    }
    let (mut file, _) = match beneath::open_file(dir.as_fd(), Path::new(name)) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Look::Missing),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut file, &mut bytes)?;
    let print = Print { len: bytes.len() as u64, hash: ContentHash::of(&bytes) };
    Ok(if entry.new == Some(print) {
        Look::New
    } else if entry.old == Some(print) {
        Look::Old
    } else {
        Look::Other
    })
}
