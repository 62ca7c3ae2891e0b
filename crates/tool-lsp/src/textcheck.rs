//! Where a name stands in the text of the project, whatever a server says: to tell what a rename left, and to know each
//! file as it was when the server was asked.

mod lexis;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use tool_workspace::{ContentHash, Root, Walk, WalkOptions, WorkspaceError};

use crate::position::{is_letter, whole_identifiers};

pub(crate) use lexis::{Kind, kinds};

/// Larger files are not read: they are data.
const MOST_BYTES: u64 = 8 << 20;

/// The files below a folder that hold one of some names.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// By real path.
    pub(crate) files: BTreeMap<PathBuf, FileText>,
    /// Files that were too large to be read.
    pub(crate) unread: usize,
}

/// A file that holds one of the names.
#[derive(Clone, Debug)]
pub(crate) struct FileText {
    /// Relative to the run's root.
    pub(crate) rel: String,
    pub(crate) text: String,
    pub(crate) hash: ContentHash,
}

/// A place where a name stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hit {
    pub(crate) rel: String,
    /// From 1.
    pub(crate) line: u32,
    pub(crate) kind: Kind,
    /// The line, trimmed and cut.
    pub(crate) text: String,
}

/// Reads all text files below `folder`, by the rules of ignore files, that hold one of `names` as a whole word. Blocks.
///
/// # Errors
/// The folder cannot be walked.
pub(crate) fn search(
    root: &Root,
    folder: &Path,
    names: &[&str],
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Found, WorkspaceError> {
    let start = root.resolve(&root.relative(folder))?;
    let mut options = WalkOptions::default();
    options.count_excluded = false;
    let walked = Walk::new(root, &start).options(options).run_until(stop)?;
    let mut found = Found::default();
    for file in walked.files {
        if stop() {
            break;
        }
        if file.len > MOST_BYTES {
            found.unread += 1;
            continue;
        }
        // A file that went away or cannot be read holds nothing that could be renamed.
        let Ok(content) = root.read_walked(&file) else { continue };
        let hash = ContentHash::of(&content.bytes);
        let Ok(text) = String::from_utf8(content.bytes) else { continue };
        if names.iter().any(|name| words(&text, name).next().is_some()) {
            found.files.insert(file.path, FileText { rel: file.rel, text, hash });
        }
    }
    Ok(found)
}

/// Every place where a name stands alone; one that is no identifier (`foo-bar`) is found as it stands.
pub(crate) fn words<'t>(
    text: &'t str,
    name: &'t str,
) -> Box<dyn Iterator<Item = Range<usize>> + 't> {
    if name.is_empty() {
        return Box::new(std::iter::empty());
    }
    if name.chars().all(is_letter) {
        return Box::new(plain_words(text, name));
    }
    Box::new(text.match_indices(name).map(|(at, _)| at..at + name.len()))
}

/// With `$` as a letter only where the name has one: `$foo` holds `foo` in PHP and in shells.
fn plain_words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let dollar = name.contains('$');
    let letter = move |c: char| if c == '$' { dollar } else { is_letter(c) };
    let alone = move |at: usize| {
        let end = at + name.len();
        !text[..at].chars().next_back().is_some_and(letter)
            && !text[end..].chars().next().is_some_and(letter)
    };
    text.match_indices(name)
        .map(|(at, _)| at)
        .filter(move |at| alone(*at))
        .map(|at| at..at + name.len())
}

/// The places of a name in a text, with what they are part of.
pub(crate) fn hits(rel: &str, language: Option<&str>, text: &str, name: &str) -> Vec<Hit> {
    let ranges: Vec<Range<usize>> = words(text, name).collect();
    let kinds = kinds(language, text, ranges.iter().map(|range| range.start));
    ranges.iter().zip(kinds).map(|(range, kind)| hit(rel, text, range, kind)).collect()
}

fn hit(rel: &str, text: &str, range: &Range<usize>, kind: Kind) -> Hit {
    let before = &text[..range.start];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    let shown: String = text[start..end].trim().chars().take(100).collect();
    Hit { rel: rel.to_owned(), line: u32::try_from(line).unwrap_or(u32::MAX), kind, text: shown }
}

/// How often a name stands in a text as a whole identifier of any language.
pub(crate) fn count(text: &str, name: &str) -> usize {
    if name.chars().all(is_letter) {
        whole_identifiers(text, name).count()
    } else {
        words(text, name).count()
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, hits, search, words};
    use std::fs;
    use tool_workspace::{ContentHash, Root};

    #[test]
    fn words_stand_alone() {
        let at = |text, name| words(text, name).map(|r| r.start).collect::<Vec<_>>();
        assert_eq!(at("foo food $foo a_foo foo", "foo"), [0, 10, 20]);
        assert_eq!(at("größe größer", "größe"), [0]);
        assert_eq!(at("$foo foo", "$foo"), [0]);
        assert_eq!(at("foo-bar foo-bars", "foo-bar"), [0, 8]);
        assert!(at("foo", "").is_empty());
    }

    #[test]
    fn hits_say_line_and_kind() {
        let text = "let a = 1; // a\r\nf(\"a\", a)\n";
        let got: Vec<_> =
            hits("x.rs", Some("rust"), text, "a").into_iter().map(|h| (h.line, h.kind)).collect();
        assert_eq!(got, [(1, Kind::Code), (1, Kind::Comment), (2, Kind::Text), (2, Kind::Code)]);
        assert_eq!(hits("x.rs", Some("rust"), text, "a")[0].text, "let a = 1; // a");
        assert_eq!(hits("README", None, "a", "a")[0].kind, Kind::Other);
    }

    #[test]
    fn only_text_that_is_not_ignored_is_searched() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(dir.path().join("in/.git")).expect("made");
        for (name, bytes) in [
            ("in/a.rs", &b"foo"[..]),
            ("in/b.rs", b"food"),
            ("in/c.bin", b"foo \xff"),
            ("in/d.log", b"foo"),
            ("in/.gitignore", b"*.log"),
            ("e.rs", b"foo"),
        ] {
            fs::write(dir.path().join(name), bytes).expect("written");
        }
        let root = Root::open(dir.path()).expect("opened");
        let found =
            search(&root, &root.path().join("in"), &["foo", "nothing"], &|| false).expect("walked");
        let files: Vec<_> =
            found.files.iter().map(|(p, f)| (p.clone(), f.rel.as_str(), f.hash)).collect();
        assert_eq!(files, [(root.path().join("in/a.rs"), "in/a.rs", ContentHash::of(b"foo"))]);
    }
}
