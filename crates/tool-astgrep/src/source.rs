//! A file's bytes as text that can be parsed, or the reason why it is not searched.

use std::borrow::Cow;
use std::io::{self, Read as _};
use std::path::Path;

/// Files larger than this are skipped in a folder (generated code, data); a file named by itself is searched.
pub(crate) const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// How far into a file a NUL byte makes it binary (ripgrep looks at its first buffer of this size).
const BINARY_PROBE: usize = 64 * 1024;
const BOM: &[u8] = "\u{feff}".as_bytes();

/// Why a file was not searched, or not edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unsearched {
    Binary,
    NotUtf8,
    TooLarge(u64),
    Unreadable(String),
    /// As the walk says it (symlink loops, unreadable folders).
    Walk(String),
}

impl std::fmt::Display for Unsearched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Binary => f.write_str("binary"),
            Self::NotUtf8 => f.write_str("not UTF-8"),
            Self::TooLarge(len) => {
                write!(f, "larger than 4 MiB ({:.1} MiB)", *len as f64 / (1024.0 * 1024.0))
            }
            Self::Unreadable(why) => write!(f, "unreadable: {why}"),
            Self::Walk(why) => f.write_str(why),
        }
    }
}

/// Text to parse. Offsets into `text` start after the byte order mark.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Bytes of the byte order mark that stands before `text` in the file.
    pub(crate) bom: usize,
}

impl Source<'_> {
    /// Whether invalid bytes were replaced, so that offsets are not those of the file.
    pub(crate) fn is_lossy(&self) -> bool {
        matches!(self.text, Cow::Owned(_))
    }
}

/// Reads a whole file into a buffer that is used again and again.
pub(crate) fn read_into(path: &Path, buffer: &mut Vec<u8>) -> Result<(), Unsearched> {
    buffer.clear();
    std::fs::File::open(path)
        .and_then(|mut file| file.read_to_end(buffer))
        .map(|_| ())
        .map_err(|error| Unsearched::Unreadable(plain(&error)))
}

/// The message of an IO error without the number that means nothing to an agent.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

/// Bytes as text. A file that was named by itself is searched whatever it is, invalid bytes shown as `�`.
pub(crate) fn decode(bytes: &[u8], explicit: bool) -> Result<Source<'_>, Unsearched> {
    let bom = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let body = &bytes[bom..];
    if !explicit && memchr::memchr(0, &body[..body.len().min(BINARY_PROBE)]).is_some() {
        return Err(Unsearched::Binary);
    }
    match std::str::from_utf8(body) {
        Ok(text) => Ok(Source { text: Cow::Borrowed(text), bom }),
        Err(_) if explicit => Ok(Source { text: String::from_utf8_lossy(body), bom }),
        Err(_) => Err(Unsearched::NotUtf8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_starts_after_the_byte_order_mark() {
        let source = decode("\u{feff}a = 1".as_bytes(), false).unwrap();
        assert_eq!((source.text.as_ref(), source.bom), ("a = 1", 3));
        assert!(!source.is_lossy());
    }

    #[test]
    fn what_is_not_text_is_skipped_in_a_folder_and_searched_by_name() {
        assert_eq!(decode(b"a\0b", false).unwrap_err(), Unsearched::Binary);
        assert_eq!(decode(b"caf\xe9", false).unwrap_err(), Unsearched::NotUtf8);
        assert_eq!(decode(b"a\0b", true).unwrap().text, "a\0b");
        let lossy = decode(b"caf\xe9", true).unwrap();
        assert_eq!(lossy.text, "caf\u{fffd}");
        assert!(lossy.is_lossy());
        let late = [b"x".repeat(BINARY_PROBE), b"\0".to_vec()].concat();
        assert!(decode(&late, false).is_ok());
    }

    #[test]
    fn reasons_read_well() {
        assert_eq!(
            Unsearched::TooLarge(5 * 1024 * 1024 + 300_000).to_string(),
            "larger than 4 MiB (5.3 MiB)"
        );
        let mut buffer = vec![1];
        let missing = read_into(Path::new("/nonexistent/file"), &mut buffer).unwrap_err();
        assert_eq!(missing.to_string(), "unreadable: no such file or directory");
    }
}
