//! What a write did to files: which are new, changed, renamed, gone, and in which lines.

use std::ops::Range;
use std::path::{Path, PathBuf};

use tool_workspace::ContentHash;

use crate::client::FileChange;

/// Larger files are not kept for comparison.
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// A file as it was before a write.
#[derive(Clone, Debug)]
pub(super) struct Old {
    pub(super) path: PathBuf,
    /// `None`: it was not there. An empty text may also be one that could not be kept.
    pub(super) bytes: Option<Vec<u8>>,
}

/// Reads a file to be compared later. Blocks.
pub(super) fn old(path: &Path) -> Old {
    let there = std::fs::symlink_metadata(path).is_ok();
    let small =
        std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES);
    let bytes = if small { std::fs::read(path).ok() } else { None };
    Old { path: path.to_owned(), bytes: there.then(|| bytes.unwrap_or_default()) }
}

/// What became of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Became {
    pub(super) path: PathBuf,
    pub(super) change: FileChange,
    /// The lines (from 0) that are not as they were; `None` where that is not known.
    pub(super) lines: Option<Range<u32>>,
    /// The content it has now; `None` for one that is gone.
    pub(super) hash: Option<ContentHash>,
    /// That content; empty for one that is gone or too large.
    pub(super) bytes: Vec<u8>,
    /// The file whose content it has, of those that went away in the same write.
    pub(super) was: Option<PathBuf>,
}

/// Compares. Files that are as they were before are left out. Blocks.
pub(super) fn became(before: &[Old], written: &[PathBuf]) -> Vec<Became> {
    let mut all = Vec::new();
    for path in written {
        let old = before.iter().find(|old| old.path == *path);
        let new = std::fs::read(path).ok();
        let hash = new.as_deref().map(ContentHash::of);
        let (change, lines) = match (old.map(|old| old.bytes.as_deref()), &new) {
            (Some(Some(was)), Some(is)) if was == is => continue,
            (Some(None), None) => continue,
            (_, None) => (FileChange::Deleted, None),
            (Some(None), Some(_)) => (FileChange::Created, None),
            (Some(Some(was)), Some(is)) => (FileChange::Changed, Some(changed_lines(was, is))),
            // Nobody said that it would be written. "Created" makes servers look anew in both cases.
            (None, Some(_)) => (FileChange::Created, None),
        };
        let bytes = new.filter(|new| new.len() as u64 <= MOST_BYTES).unwrap_or_default();
        all.push(Became { path: path.clone(), change, lines, hash, bytes, was: None });
    }
    pair_renames(before, &mut all);
    all
}

/// A file that went away and one that came with the same content: one that was renamed.
fn pair_renames(before: &[Old], all: &mut [Became]) {
    let mut gone: Vec<(PathBuf, ContentHash)> = all
        .iter()
        .filter(|b| b.change == FileChange::Deleted)
        .filter_map(|b| before.iter().find(|old| old.path == b.path))
        .filter_map(|old| Some((old.path.clone(), ContentHash::of(old.bytes.as_deref()?))))
        .collect();
    for b in all.iter_mut().filter(|b| b.change == FileChange::Created) {
        let at = gone.iter().position(|(_, hash)| Some(*hash) == b.hash);
        b.was = at.map(|at| gone.swap_remove(at).0);
    }
}

/// The lines of the new text (from 0) between the common start and the common end. Empty where lines were only removed.
fn changed_lines(was: &[u8], is: &[u8]) -> Range<u32> {
    let (was, is): (Vec<&[u8]>, Vec<&[u8]>) = (lines(was), lines(is));
    let start = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
    let most = was.len().min(is.len()) - start;
    let end = was.iter().rev().zip(is.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    narrow(start)..narrow(is.len() - end)
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{became, changed_lines, old};
    use crate::client::FileChange;
    use proptest::prelude::*;

    #[test]
    fn the_lines_that_changed() {
        for (was, is, lines) in [
            ("a\nb\nc\n", "a\nx\nc\n", 1..2),
            ("a\nb\nc\n", "a\nb\nc\nd\n", 3..4),
            ("a\nb\nc\n", "a\nc\n", 1..1),
            ("", "a\nb", 0..2),
            ("a\na\n", "a\na\na\n", 2..3),
            ("same", "same", 1..1),
        ] {
            assert_eq!(changed_lines(was.as_bytes(), is.as_bytes()), lines, "{was:?} {is:?}");
        }
    }

    #[test]
    fn created_changed_renamed_deleted_and_as_before() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = |name: &str| dir.path().join(name);
        for name in ["changed", "same", "moved", "deleted"] {
            std::fs::write(at(name), name).expect("written");
        }
        let names = ["changed", "same", "moved", "deleted", "created", "there", "never"];
        let before: Vec<_> = names.iter().map(|name| old(&at(name))).collect();
        std::fs::write(at("changed"), "other").expect("written");
        std::fs::write(at("created"), "x").expect("written");
        std::fs::rename(at("moved"), at("there")).expect("moved");
        std::fs::remove_file(at("deleted")).expect("removed");
        let written: Vec<_> = names.iter().chain(&["unsaid"]).map(|name| at(name)).collect();
        std::fs::write(at("unsaid"), "x").expect("written");
        let told: Vec<_> = became(&before, &written)
            .into_iter()
            .map(|b| (b.path.file_name().expect("named").to_owned(), b.change, b.was))
            .collect();
        assert_eq!(
            told,
            [
                ("changed".into(), FileChange::Changed, None),
                ("moved".into(), FileChange::Deleted, None),
                ("deleted".into(), FileChange::Deleted, None),
                ("created".into(), FileChange::Created, None),
                ("there".into(), FileChange::Created, Some(at("moved"))),
                ("unsaid".into(), FileChange::Created, None),
            ]
        );
    }

    proptest! {
        #[test]
        fn outside_of_the_changed_lines_nothing_changed(was in "[ab\n]{0,20}", is in "[ab\n]{0,20}") {
            let range = changed_lines(was.as_bytes(), is.as_bytes());
            let count = is.split_inclusive('\n').count();
            prop_assert!(range.start <= range.end && range.end as usize <= count);
            let head: String = is.split_inclusive('\n').take(range.start as usize).collect();
            let tail: String = is.split_inclusive('\n').skip(range.end as usize).collect();
            prop_assert!(was.starts_with(&head) && was.ends_with(&tail));
            prop_assert!(head.len() + tail.len() <= was.len());
        }
    }
}
