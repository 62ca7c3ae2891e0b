//! Writes new contents to temporary siblings, with everything of the old file that is not its content.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{self, Gid, OFlags, Stat, Uid, XattrFlags};

use crate::beneath;
use crate::commit::ops::Folders;
use crate::faults::Faults;

/// One temporary file to be written.
pub(crate) struct Draft<'a> {
    pub(crate) within: &'a Path,
    pub(crate) temp: &'a OsStr,
    pub(crate) content: &'a [u8],
    /// The file whose mode, owner and attributes it takes over, and its `stat`.
    pub(crate) like: Option<(&'a Path, Stat)>,
    /// Whether it may be run, if that is said.
    pub(crate) executable: Option<bool>,
}

/// Writes and flushes one temporary file.
pub(crate) fn write(folders: &mut Folders, draft: &Draft<'_>, faults: &Faults) -> io::Result<()> {
    let (dir, _) = folders.parent(draft.within)?;
    faults.at("create temp", draft.within)?;
    // A new file gets its mode from the user's mask; a copy is nobody's business until it has that of the old one.
    let mode = match (&draft.like, draft.executable) {
        (Some(_), _) => 0o600,
        (None, Some(true)) => 0o777,
        (None, _) => 0o666,
    };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = fs::openat(&*dir, draft.temp, flags, beneath::to_mode(mode))?;
    let mut file = File::from(fd);
    let (first, second) = draft.content.split_at(draft.content.len() / 2);
    file.write_all(first)?;
    faults.at("write temp", draft.within)?;
    file.write_all(second)?;
    if let Some((like, stat)) = &draft.like {
        faults.at("set attributes", draft.within)?;
        let (from, name) = folders.parent(like)?;
        let source =
            beneath::open_at(from.as_fd(), Path::new(name), OFlags::RDONLY | OFlags::NONBLOCK)?;
        copy_attributes(&source, stat, draft.executable, file.as_fd())?;
    }
    faults.at("sync temp", draft.within)?;
    file.sync_all()
}

/// Owner and extended attributes as far as this user may set them; the mode always.
fn copy_attributes(
    source: &OwnedFd,
    stat: &Stat,
    executable: Option<bool>,
    to: BorrowedFd<'_>,
) -> io::Result<()> {
    let now = fs::fstat(to)?;
    let mut mode = with_run_bits(beneath::mode_bits(stat), executable);
    if (now.st_uid, now.st_gid) != (stat.st_uid, stat.st_gid) {
        let (owner, group) = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
        let whole = fs::fchown(to, Some(owner), Some(group)).is_ok();
        if !whole && fs::fchown(to, None, Some(group)).is_err() {
            // Under another owner these bits would give away other rights than they did.
            mode &= !0o6000;
        }
    }
    copy_xattrs(source, to);
    // Last, because a change of owner clears bits of it.
    Ok(fs::fchmod(to, beneath::to_mode(mode))?)
}

/// Who may read may run, or nobody may; unsaid, it stays.
fn with_run_bits(mode: u32, executable: Option<bool>) -> u32 {
    match executable {
        Some(true) => mode | (mode & 0o444) >> 2,
        Some(false) => mode & !0o111,
        None => mode,
    }
}

/// Access lists are extended attributes as well.
fn copy_xattrs(source: &OwnedFd, to: BorrowedFd<'_>) {
    const MAX: usize = 64 * 1024;
    let mut names = vec![0_u8; MAX];
    let Ok(len) = fs::flistxattr(source, &mut names) else {
        return;
    };
    for name in names[..len.min(MAX)].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0_u8; MAX];
        if let Ok(len) = fs::fgetxattr(source, name, &mut value) {
            // Some are the system's own and cannot be set; the file is whole without them.
            let _ = fs::fsetxattr(to, name, &value[..len.min(MAX)], XattrFlags::empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_run_bits;

    #[test]
    fn the_bits_to_run_follow_those_to_read() {
        assert_eq!(with_run_bits(0o644, Some(true)), 0o755);
        assert_eq!(with_run_bits(0o640, Some(true)), 0o750);
        assert_eq!(with_run_bits(0o4755, Some(false)), 0o4644);
        assert_eq!(with_run_bits(0o711, None), 0o711);
    }
}
