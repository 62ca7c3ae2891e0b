//! A bounded unified diff of known edits: only the lines around the edits are compared, never the whole file.

use std::fmt::Write as _;
use std::ops::Range;

use similar::{ChangeTag, TextDiff};

use crate::lines::{clip, line_end, line_start};

/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Characters shown of one line (a minified file has lines of megabytes).
const LINE_CHARS: usize = 200;

/// One replacement in the old text: its byte range there, and how many bytes stand there now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Splice {
    pub(crate) old: Range<usize>,
    pub(crate) new_len: usize,
}

/// Appends the unified diff of one file to `out` until `out` holds `limit` bytes; says whether all of it went in.
///
/// `splices` are sorted and do not overlap.
pub(crate) fn unified(
    out: &mut String,
    limit: usize,
    path: &str,
    old: &str,
    new: &str,
    splices: &[Splice],
) -> bool {
    if out.len() >= limit {
        return false;
    }
    let _ = write!(out, "--- a/{path}\n+++ b/{path}\n");
    for region in regions(old, splices) {
        let hunk = hunk(old, new, &region);
        if out.len() + hunk.len() > limit {
            return false;
        }
        out.push_str(&hunk);
    }
    true
}

/// Whole lines of the old text with the lines of the new text that stand for them.
struct Region {
    old: Range<usize>,
    new: Range<usize>,
}

fn regions(old: &str, splices: &[Splice]) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut shift = 0isize;
    for splice in splices {
        let start = back(old, splice.old.start);
        let end = forth(old, splice.old.end);
        let after = shift + splice.new_len as isize - splice.old.len() as isize;
        match regions.last_mut() {
            Some(last) if last.old.end >= start => {
                last.old.end = end.max(last.old.end);
                last.new.end = last.old.end.saturating_add_signed(after);
            }
            _ => regions.push(Region {
                old: start..end,
                new: start.saturating_add_signed(shift)..end.saturating_add_signed(after),
            }),
        }
        shift = after;
    }
    regions
}

/// The start of the line `CONTEXT` lines above the one of `at`.
fn back(text: &str, at: usize) -> usize {
    let mut start = line_start(text, at);
    for _ in 0..CONTEXT {
        if start == 0 {
            break;
        }
        start = line_start(text, start - 1);
    }
    start
}

/// The end of the line `CONTEXT` lines below the one of `at`, its break included.
fn forth(text: &str, at: usize) -> usize {
    let mut end = at;
    for _ in 0..=CONTEXT {
        end = match memchr::memchr(b'\n', &text.as_bytes()[end..]) {
            Some(n) => end + n + 1,
            None => return text.len(),
        };
    }
    end
}

fn hunk(old: &str, new: &str, region: &Region) -> String {
    let (Some(before), Some(after)) = (old.get(region.old.clone()), new.get(region.new.clone()))
    else {
        return String::new();
    };
    let diff = TextDiff::from_lines(before, after);
    let line = |text: &str, at: usize| memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
    let (from, to) = (line(old, region.old.start), line(new, region.new.start));
    let mut out = String::new();
    for group in diff.grouped_ops(CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let spot = |base: usize, range: Range<usize>| match range.len() {
            0 => format!("{},0", base + range.start),
            1 => format!("{}", base + range.start + 1),
            n => format!("{},{n}", base + range.start + 1),
        };
        let _ = writeln!(
            out,
            "@@ -{} +{} @@",
            spot(from, first.old_range().start..last.old_range().end),
            spot(to, first.new_range().start..last.new_range().end)
        );
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let text: &str = change.value();
            let bare = &text[..line_end(text, 0)];
            let _ = writeln!(out, "{sign}{}", clip(bare, LINE_CHARS));
            if !text.ends_with('\n') {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces each occurrence of a text and gives the diff.
    fn replaced(old: &str, what: &str, with: &str, limit: usize) -> (String, bool) {
        let splices: Vec<Splice> = old
            .match_indices(what)
            .map(|(at, m)| Splice { old: at..at + m.len(), new_len: with.len() })
            .collect();
        let mut out = String::new();
        let all = unified(&mut out, limit, "f.txt", old, &old.replace(what, with), &splices);
        (out, all)
    }

    #[test]
    fn a_change_has_three_lines_around_it_and_true_line_numbers() {
        let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let (out, all) = replaced(&old, "line 10\n", "ten\n", 10_000);
        assert!(all);
        assert_eq!(
            out,
            "--- a/f.txt\n+++ b/f.txt\n@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+ten\n line 11\n line 12\n line 13\n"
        );
    }

    #[test]
    fn near_changes_share_a_hunk_and_far_ones_keep_their_numbers() {
        let mut lines: Vec<String> = (1..=40).map(|n| format!("{n}")).collect();
        for n in [5, 7, 30] {
            lines[n - 1] = "old".into();
        }
        let old = lines.join("\n");
        let (out, _) = replaced(&old, "old", "new\nnew", 10_000);
        assert_eq!(out.matches("@@ -").count(), 2, "{out}");
        assert!(out.contains("@@ -2,9 +2,11 @@\n"), "{out}");
        assert!(out.contains("@@ -27,7 +29,8 @@\n"), "{out}");
    }

    #[test]
    fn a_deleted_line_and_a_missing_last_newline() {
        let (out, _) = replaced("a\nb\nc", "b\n", "", 1000);
        assert_eq!(
            out,
            "--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,2 @@\n a\n-b\n c\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn the_limit_holds_and_long_lines_are_cut() {
        let old = format!("{}old\n", "x".repeat(100_000));
        let (out, all) = replaced(&old, "old", "new", 10_000);
        assert!(all && out.len() < 1000, "{}", out.len());
        let old: String = (1..=4000).map(|n| format!("{n}\n\n\n\n\n\n\n\nold\n")).collect();
        let (out, all) = replaced(&old, "old", "new", 2000);
        assert!(!all && out.len() <= 2000);
    }
}
