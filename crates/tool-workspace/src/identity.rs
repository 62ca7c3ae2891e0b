//! What tells one state of a file from another: its place on the disk, its times, the hash of its bytes.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::Stat;

/// Where a file lies and when it changed last, as one `stat` tells it.
///
/// Equal identities of a *settled* file ([`Identity::settled_at`]) mean equal content for every writer that leaves the
/// change time alone. A commit never relies on it: it compares bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// Device that holds the file.
    pub dev: u64,
    /// Number of the inode on that device.
    pub ino: u64,
    /// Length in bytes.
    pub len: u64,
    /// Time of the last change of the content, in nanoseconds since 1970.
    pub mtime_ns: i128,
    /// Time of the last change of content or attributes, in nanoseconds since 1970.
    pub ctime_ns: i128,
}

impl Identity {
    /// A file that changed within this time before it was read may change again without a new time stamp.
    const CLOCK_STEP: Duration = Duration::from_millis(100);

    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            dev: wide(stat.st_dev),
            ino: wide(stat.st_ino),
            len: wide(stat.st_size),
            mtime_ns: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
            ctime_ns: nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
        }
    }

    /// Whether the file had been left alone long enough before `read_at` that a later change must show in the times.
    ///
    /// File systems stamp in steps of some milliseconds: a file written twice within one step keeps its identity.
    pub fn settled_at(&self, read_at: SystemTime) -> bool {
        let Ok(now) = read_at.duration_since(UNIX_EPOCH) else {
            return false;
        };
        let newest = self.mtime_ns.max(self.ctime_ns);
        i128::try_from(now.as_nanos()).is_ok_and(|now| {
            now - newest > i128::try_from(Self::CLOCK_STEP.as_nanos()).unwrap_or(i128::MAX)
        })
    }
}

/// Fields of `stat` have other widths and signs on other systems; none of those that are used is ever negative.
pub(crate) fn wide(field: impl TryInto<u64>) -> u64 {
    field.try_into().unwrap_or(0)
}

fn nanoseconds(seconds: impl TryInto<i128>, nanoseconds: impl TryInto<i128>) -> i128 {
    seconds.try_into().unwrap_or(0) * 1_000_000_000 + nanoseconds.try_into().unwrap_or(0)
}

/// The 128-bit xxh3 hash of some bytes: tells states of a file apart, keeps nobody out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub u128);

impl ContentHash {
    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxhash_rust::xxh3::xxh3_128(bytes))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A file as it was read: its bytes and what `stat` said of the same open file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    /// All bytes of the file.
    pub bytes: Vec<u8>,
    /// Identity before and after the read (a file that changed meanwhile was read again).
    pub identity: Identity,
    /// Permission bits, `0o7777` and below.
    pub mode: u32,
    /// When the read began.
    pub read_at: SystemTime,
}

impl FileContent {
    /// Whether this content may be remembered by its identity; see [`Identity::settled_at`].
    pub fn is_settled(&self) -> bool {
        self.identity.settled_at(self.read_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_file_is_not_settled() {
        let at = UNIX_EPOCH + Duration::from_secs(1_000);
        let mut identity = Identity {
            dev: 1,
            ino: 2,
            len: 3,
            mtime_ns: 1_000 * 1_000_000_000 - 50_000_000,
            ctime_ns: 0,
        };
        assert!(!identity.settled_at(at), "50 ms old");
        identity.mtime_ns -= 100_000_000;
        assert!(identity.settled_at(at), "150 ms old");
        identity.ctime_ns = 2_000 * 1_000_000_000;
        assert!(!identity.settled_at(at), "stamped in the future");
    }
}
