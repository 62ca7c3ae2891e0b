//! Opens below the root that no symbolic link can divert, not even one put there between a check and the open.
//!
//! Everything here takes a *real* relative path: no link in it, no `..`. A component that has become a link since then
//! makes the open fail instead of following it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};
use std::time::SystemTime;

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat};

use crate::error::{WorkspaceError, WorkspaceErrorKind};
use crate::identity::{FileContent, Identity, wide};

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens the folder that is the root itself.
pub(crate) fn open_root(path: &Path) -> io::Result<OwnedFd> {
    Ok(fs::open(path, DIRECTORY, Mode::empty())?)
}

/// Opens the folder `rel` (empty: the root).
pub(crate) fn open_dir(root: BorrowedFd<'_>, rel: &Path) -> io::Result<OwnedFd> {
    open_at(root, rel, DIRECTORY)
}

/// Opens `rel` with `flags` and never through a symbolic link.
pub(crate) fn open_at(root: BorrowedFd<'_>, rel: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    if rel.as_os_str().is_empty() {
        return Ok(fs::openat(root, c".", flags, Mode::empty())?);
    }
    if rel.components().any(|part| !matches!(part, Component::Normal(_))) {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        use rustix::io::Errno;

        let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match fs::openat2(root, rel, flags, Mode::empty(), how) {
            // Old kernels lack the call, some sandboxes forbid it.
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => {}
            done => return Ok(done?),
        }
    }
    open_by_parts(root, rel, flags)
}

/// What [`open_at`] does where the system has no call for it: one `openat` a component.
fn open_by_parts(root: BorrowedFd<'_>, rel: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let mut parts = rel.components().peekable();
    let mut dir: Option<OwnedFd> = None;
    while let Some(part) = parts.next() {
        let at = dir.as_ref().map_or(root, AsFd::as_fd);
        let flags = if parts.peek().is_some() { DIRECTORY | OFlags::NOFOLLOW } else { flags };
        dir = Some(fs::openat(at, part.as_os_str(), flags, Mode::empty())?);
    }
    dir.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))
}

/// `lstat` of `name` in the folder `dir`; `None` when nothing is there.
pub(crate) fn stat_name(dir: BorrowedFd<'_>, name: &OsStr) -> io::Result<Option<Stat>> {
    match fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(rustix::io::Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn file_type(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// Permission bits of a file.
pub(crate) fn mode_bits(stat: &Stat) -> u32 {
    let mode = u32::try_from(wide(stat.st_mode)).unwrap_or(0);
    mode & 0o7777
}

/// Permission bits as a call takes them, whose width differs between systems.
pub(crate) fn to_mode(bits: u32) -> Mode {
    fn narrow<T: TryFrom<u32> + Default>(bits: u32) -> T {
        T::try_from(bits).unwrap_or_default()
    }
    Mode::from_raw_mode(narrow(bits))
}

/// Opens a regular file for reading; a pipe or device is refused without being waited for.
pub(crate) fn open_file(root: BorrowedFd<'_>, rel: &Path) -> io::Result<(File, Stat)> {
    let fd = open_at(root, rel, OFlags::RDONLY | OFlags::NONBLOCK)?;
    let stat = fs::fstat(&fd)?;
    if file_type(&stat) != FileType::RegularFile {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    Ok((File::from(fd), stat))
}

/// Reads an open file to its end, again when it changed meanwhile.
pub(crate) fn read_open(
    file: &mut File,
    shown: &str,
    most: u64,
) -> Result<FileContent, WorkspaceError> {
    const TRIES: u32 = 4;
    let failed = |error: io::Error| WorkspaceError::from_io(shown, &error);
    for _ in 0..TRIES {
        let read_at = SystemTime::now();
        let before = fs::fstat(&*file).map_err(|errno| failed(errno.into()))?;
        let identity = Identity::of(&before);
        if identity.len > most {
            return Err(WorkspaceError::new(
                WorkspaceErrorKind::TooLarge,
                shown,
                format!("{} bytes, the limit is {most}", identity.len),
            ));
        }
        let mut bytes = Vec::new();
        let expected = usize::try_from(identity.len).unwrap_or(0);
        if bytes.try_reserve_exact(expected.saturating_add(1)).is_err() {
            return Err(WorkspaceError::new(
                WorkspaceErrorKind::Io,
                shown,
                format!("no memory for its {expected} bytes"),
            ));
        }
        io::Seek::rewind(file).map_err(failed)?;
        file.read_to_end(&mut bytes).map_err(failed)?;
        let after = fs::fstat(&*file).map_err(|errno| failed(errno.into()))?;
        if Identity::of(&after) == identity && bytes.len() as u64 == identity.len {
            return Ok(FileContent { bytes, identity, mode: mode_bits(&before), read_at });
        }
    }
    Err(WorkspaceError::new(
        WorkspaceErrorKind::Io,
        shown,
        format!("it kept changing while it was read, {TRIES} times"),
    ))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn neither_way_of_opening_follows_a_link() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("a/b")).unwrap();
        std::fs::write(dir.path().join("a/b/c"), "x").unwrap();
        symlink("a", dir.path().join("l")).unwrap();
        symlink("c", dir.path().join("a/b/m")).unwrap();
        let root = open_root(dir.path()).unwrap();
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for (path, opens) in [
            ("a/b/c", true),
            ("a", true),
            ("l/b/c", false),
            ("a/b/m", false),
            ("a/b/c/d", false),
            ("none", false),
        ] {
            let path = Path::new(path);
            assert_eq!(open_at(root.as_fd(), path, flags).is_ok(), opens, "{path:?}");
            assert_eq!(open_by_parts(root.as_fd(), path, flags).is_ok(), opens, "{path:?}");
        }
        for path in ["../x", "/etc/passwd", "a/../a", "./a"] {
            assert!(open_at(root.as_fd(), Path::new(path), flags).is_err(), "{path}");
        }
    }
}
