//! Paths and `file:` addresses, tolerant of what servers write.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// Everything but what no reader takes for anything else.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of an absolute path, with everything escaped that has a meaning somewhere.
pub(crate) fn to_uri(path: &Path) -> String {
    format!("file://{}", percent_encode(path.as_os_str().as_bytes(), ESCAPED))
}

/// The path of an address, `None` where it is no `file:` address of this machine.
///
/// Servers write addresses in many ways (other characters escaped, none escaped, `file:/x`, `file://localhost/x`), so
/// paths are compared, never addresses. `#` and `?` are taken for parts of the path: servers that mean a fragment do not
/// exist, servers that forget to escape do.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let raw = raw_path(uri)?;
    let bytes: Vec<u8> = percent_decode_str(raw).collect();
    absolute(bytes)
}

/// As [`to_path`]; where nothing stands at that path and something at the path as it is written, that one. (A server that
/// escapes nothing writes `a%25b` for a folder of this very name.) Looks at the disk.
pub(crate) fn to_existing_path(uri: &str) -> Option<PathBuf> {
    let decoded = to_path(uri)?;
    let raw = raw_path(uri)?;
    if raw.contains('%')
        && !decoded.exists()
        && let Some(written) = absolute(raw.as_bytes().to_vec())
        && written.exists()
    {
        return Some(written);
    }
    Some(decoded)
}

fn raw_path(uri: &str) -> Option<&str> {
    let scheme = uri.get(..5)?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let rest = &uri[5..];
    let path = match rest.strip_prefix("//") {
        Some(after) => after.strip_prefix("localhost").unwrap_or(after),
        None => rest,
    };
    path.starts_with('/').then_some(path)
}

/// Without `.`, `..` and doubled slashes, as text.
fn absolute(bytes: Vec<u8>) -> Option<PathBuf> {
    if bytes.contains(&0) {
        return None;
    }
    let path = PathBuf::from(OsString::from_vec(bytes));
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out.is_absolute().then_some(out)
}

#[cfg(test)]
mod tests {
    use super::{to_existing_path, to_path, to_uri};
    use proptest::prelude::*;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;
    use std::path::{Path, PathBuf};

    #[test]
    fn what_servers_write_is_read() {
        let weird = Path::new("/p/we ird+@(é)#%25 dir/a.rs");
        for uri in [
            "file:///p/we%20ird%2B%40%28%C3%A9%29%23%2525%20dir/a.rs",
            "file:///p/we%20ird+@(%C3%A9)%23%2525%20dir/a.rs",
            "file:///p/we ird+@(é)#%2525 dir/a.rs",
            "file://localhost/p/we%20ird+@(%c3%a9)%23%2525%20dir/a.rs",
            "FILE:/p/we%20ird+@(%c3%a9)%23%2525%20dir//./x/../a.rs",
        ] {
            assert_eq!(to_path(uri).as_deref(), Some(weird), "{uri}");
        }
        // A percent sign that starts no escape stands for itself.
        assert_eq!(to_path("file:///100%/%zz"), Some(PathBuf::from("/100%/%zz")));
        for other in [
            "jdt://contents/x.class",
            "untitled:1",
            "file://host/x",
            "",
            "file",
            "file:x",
            "file:///a%00b",
        ] {
            assert_eq!(to_path(other), None, "{other}");
        }
    }

    #[test]
    fn every_reserved_character_is_escaped() {
        assert_eq!(
            to_uri(Path::new("/a b/#[%]+@é.rs")),
            "file:///a%20b/%23%5B%25%5D%2B%40%C3%A9.rs"
        );
        assert_eq!(to_uri(Path::new("/a-b_c.d~e/f")), "file:///a-b_c.d~e/f");
    }

    #[test]
    fn a_path_that_was_not_escaped_is_found_where_it_is() {
        let dir = tempfile::tempdir().expect("a folder");
        let real = dir.path().canonicalize().expect("it is there").join("a%25b");
        std::fs::write(&real, "").expect("it is written");
        let written = format!("file://{}", real.display());
        assert_eq!(to_existing_path(&written), Some(real.clone()));
        assert_eq!(to_existing_path(&to_uri(&real)), Some(real));
    }

    proptest! {
        #[test]
        fn a_path_comes_back(parts in proptest::collection::vec(proptest::collection::vec(1u8..=255, 1..9), 1..4)) {
            let mut path = PathBuf::from("/");
            for part in parts {
                let part: Vec<u8> = part.into_iter().filter(|b| *b != b'/').collect();
                if !part.is_empty() && part != b"." && part != b".." {
                    path.push(OsString::from_vec(part));
                }
            }
            let uri = to_uri(&path);
            prop_assert!(uri.is_ascii());
            prop_assert_eq!(to_path(&uri), Some(path));
        }
    }
}
