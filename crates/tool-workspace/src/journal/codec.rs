//! The bytes of a journal. Pure: decoding never panics, and takes nothing that was cut short or altered.
//!
//! ```text
//! "RBJ1"  u32 length of the intent  the intent  u64 checksum of it  four marks of 16 bytes
//! ```
//!
//! All numbers are little-endian. The marks stand for committed, aborted, carried out and undone. A mark is zero until
//! its turn; one that is neither zero nor right was cut by a crash, and a decision that was cut was not made.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::change::Action;
use crate::identity::ContentHash;

const MAGIC: &[u8; 4] = b"RBJ1";
const HEAD: usize = 8;
const SUM: usize = 8;
/// Bytes of one mark.
pub(crate) const MARK: usize = 16;
/// In the order of their places; a later one wins over an earlier one.
const MARKS: [(Phase, &[u8; 8]); 4] = [
    (Phase::Committed, b"COMMITTD"),
    (Phase::Aborted, b"ABORTED!"),
    (Phase::Carried, b"CARRIED!"),
    (Phase::Undone, b"UNDONE!!"),
];
const MARKED: usize = MARKS.len() * MARK;
/// How the names of all temporary files start.
pub const TEMP_PREFIX: &str = ".runbound-";

/// What a commit is going to do, written and flushed before it touches the checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// Absolute path of the root.
    pub root: PathBuf,
    /// Folders that will be created, parents first, relative to the root.
    pub folders: Vec<PathBuf>,
    /// The files.
    pub entries: Vec<Entry>,
}

/// The change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file, relative to the root.
    pub within: PathBuf,
    /// Name of the temporary sibling: holds the new content before the change, the old one after it.
    pub temp: OsString,
    /// Content before; `None` for a file that is created.
    pub old: Option<Print>,
    /// Content afterwards; `None` for a file that is deleted.
    pub new: Option<Print>,
}

/// What a content is recognised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Print {
    /// Length in bytes.
    pub len: u64,
    /// Hash of the bytes.
    pub hash: ContentHash,
}

impl Print {
    /// The print of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self { len: bytes.len() as u64, hash: ContentHash::of(bytes) }
    }
}

impl Entry {
    /// What the change does to the file.
    pub fn action(&self) -> Action {
        match (self.old, self.new) {
            (None, _) => Action::Create,
            (Some(_), Some(_)) => Action::Replace,
            (Some(_), None) => Action::Delete,
        }
    }
}

/// How far a commit had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// No file has changed; temporary files may be there.
    Preparing,
    /// All temporary files are complete; from here on the change is carried out, by whoever comes.
    Committed,
    /// It failed on the way and is being undone.
    Aborted,
    /// All files are changed; what is left are temporary files.
    Carried,
    /// All files are as before; what is left are temporary files and folders.
    Undone,
}

/// Why bytes are no journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// Cut short, or longer than it says.
    Length,
    /// It does not start as a journal of this version does.
    Magic,
    /// The checksum does not fit.
    Checksum,
    /// A field makes no sense: a path that leaves the root, an unknown flag.
    Field,
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Length => "its length is wrong",
            Self::Magic => "it is no journal of this version",
            Self::Checksum => "its checksum is wrong",
            Self::Field => "a field of it makes no sense",
        })
    }
}

impl std::error::Error for DecodeError {}

/// The bytes of a journal in the phase `Preparing`.
pub fn encode(intent: &Intent) -> Vec<u8> {
    let mut body = Vec::new();
    put_bytes(&mut body, intent.root.as_os_str());
    put_len(&mut body, intent.folders.len());
    for folder in &intent.folders {
        put_bytes(&mut body, folder.as_os_str());
    }
    put_len(&mut body, intent.entries.len());
    for entry in &intent.entries {
        put_bytes(&mut body, entry.within.as_os_str());
        put_bytes(&mut body, &entry.temp);
        put_print(&mut body, entry.old);
        put_print(&mut body, entry.new);
    }
    let mut bytes = Vec::with_capacity(HEAD + body.len() + SUM + MARKED);
    bytes.extend_from_slice(MAGIC);
    put_len(&mut bytes, body.len());
    let sum = checksum(&body);
    bytes.extend_from_slice(&body);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes.resize(bytes.len() + MARKED, 0);
    bytes
}

/// The checksum over an intent.
pub fn checksum(body: &[u8]) -> u64 {
    xxh3_64(body)
}

/// Where in the file the mark of `phase` stands, and its bytes; `None` for `Preparing`.
pub fn mark(encoded: &[u8], phase: Phase) -> Option<(u64, [u8; MARK])> {
    let place = MARKS.iter().position(|(marked, _)| *marked == phase)?;
    let first = encoded.len().checked_sub(MARKED)?;
    let word = MARKS[place].1;
    let mut bytes = [0; MARK];
    bytes[..8].copy_from_slice(word);
    // Sealed with the whole intent, so that no other journal's mark fits.
    let seal = xxh3_64_with_seed(&encoded[..first], u64::from_le_bytes(*word));
    bytes[8..].copy_from_slice(&seal.to_le_bytes());
    Some(((first + place * MARK) as u64, bytes))
}

/// Reads the bytes of a journal file.
///
/// # Errors
/// [`DecodeError`] for anything that [`encode`] and [`mark`] did not write.
pub fn decode(bytes: &[u8]) -> Result<(Intent, Phase), DecodeError> {
    let head = bytes.get(..HEAD).ok_or(DecodeError::Length)?;
    if &head[..4] != MAGIC {
        return Err(DecodeError::Magic);
    }
    let mut reader = Reader(&head[4..]);
    let len = reader.len()?;
    let rest = &bytes[HEAD..];
    if len.checked_add(SUM + MARKED) != Some(rest.len()) {
        return Err(DecodeError::Length);
    }
    let (body, rest) = rest.split_at(len);
    if checksum(body).to_le_bytes() != rest[..SUM] {
        return Err(DecodeError::Checksum);
    }
    let intent = intent(body)?;
    let is_set = |phase| {
        mark(bytes, phase).is_some_and(|(at, mark)| {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            bytes.get(at..).is_some_and(|tail| tail.starts_with(&mark))
        })
    };
    let last = MARKS.iter().rev().map(|(phase, _)| *phase).find(|phase| is_set(*phase));
    let phase = last.unwrap_or(Phase::Preparing);
    Ok((intent, phase))
}

fn intent(body: &[u8]) -> Result<Intent, DecodeError> {
    let mut reader = Reader(body);
    let root = PathBuf::from(reader.bytes()?);
    if !root.is_absolute() {
        return Err(DecodeError::Field);
    }
    let mut folders = Vec::new();
    for _ in 0..reader.len()? {
        folders.push(reader.within()?);
    }
    let mut entries = Vec::new();
    for _ in 0..reader.len()? {
        let within = reader.within()?;
        let temp = reader.bytes()?;
        let name = temp.as_bytes();
        if !name.starts_with(TEMP_PREFIX.as_bytes()) || name.contains(&b'/') || name.contains(&0) {
            return Err(DecodeError::Field);
        }
        let entry = Entry { within, temp, old: reader.print()?, new: reader.print()? };
        if entry.old.is_none() && entry.new.is_none() {
            return Err(DecodeError::Field);
        }
        entries.push(entry);
    }
    if !reader.0.is_empty() {
        return Err(DecodeError::Field);
    }
    Ok(Intent { root, folders, entries })
}

fn put_len(to: &mut Vec<u8>, len: usize) {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    to.extend_from_slice(&len.to_le_bytes());
}

fn put_bytes(to: &mut Vec<u8>, bytes: &OsStr) {
    put_len(to, bytes.len());
    to.extend_from_slice(bytes.as_bytes());
}

fn put_print(to: &mut Vec<u8>, print: Option<Print>) {
    to.push(u8::from(print.is_some()));
    if let Some(print) = print {
        to.extend_from_slice(&print.len.to_le_bytes());
        to.extend_from_slice(&print.hash.0.to_le_bytes());
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(DecodeError::Field)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        self.take(N)?.try_into().map_err(|_| DecodeError::Field)
    }

    fn len(&mut self) -> Result<usize, DecodeError> {
        usize::try_from(u32::from_le_bytes(self.array()?)).map_err(|_| DecodeError::Field)
    }

    fn bytes(&mut self) -> Result<OsString, DecodeError> {
        let len = self.len()?;
        Ok(OsString::from_vec(self.take(len)?.to_vec()))
    }

    /// A path that stays below the root: plain names only, at least one.
    fn within(&mut self) -> Result<PathBuf, DecodeError> {
        let path = PathBuf::from(self.bytes()?);
        let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        let text = path.as_os_str().as_bytes();
        if plain && !text.is_empty() && !text.contains(&0) && is_tidy(&path) {
            Ok(path)
        } else {
            Err(DecodeError::Field)
        }
    }

    fn print(&mut self) -> Result<Option<Print>, DecodeError> {
        match self.array::<1>()? {
            [0] => Ok(None),
            [1] => {
                let len = u64::from_le_bytes(self.array()?);
                let hash = ContentHash(u128::from_le_bytes(self.array()?));
                Ok(Some(Print { len, hash }))
            }
            _ => Err(DecodeError::Field),
        }
    }
}

/// Whether the path is written as its parts are: no doubled, no trailing slash, no `.` in the middle.
fn is_tidy(path: &Path) -> bool {
    path.components().collect::<PathBuf>().as_os_str() == path.as_os_str()
}

#[cfg(test)]
mod tests;
