//! Replacing a text that occurs in another. Pure: the arguments of `edit` against the content of a file.

use std::borrow::Cow;
use std::ops::Range;

use crate::near::{Near, near};
use crate::text::{Ending, line_at, to_crlf};

/// Why an edit does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// `old` is empty.
    Empty,
    /// `old` and `new` are the same.
    Same,
    /// `old` does not occur; places that nearly have it.
    Missing { near: Vec<Near> },
    /// `old` occurs several times, starting in these lines.
    Several { lines: Vec<usize> },
}

/// The places to be replaced, and what by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) ranges: Vec<Range<usize>>,
    /// Lines, from 1, where they start.
    pub(crate) lines: Vec<usize>,
    pub(crate) new: String,
}

/// Finds `old` in `text`. In a file whose lines end in `\r\n` an `\n` of the arguments stands for that.
pub(crate) fn plan(text: &str, old: &str, new: &str, all: bool) -> Result<Edit, Misfit> {
    if old.is_empty() {
        return Err(Misfit::Empty);
    }
    if old == new {
        return Err(Misfit::Same);
    }
    let crlf = Ending::of(text) == Ending::CrLf;
    let mut found = Cow::Borrowed(old);
    let mut ranges = occurrences(text, old);
    if ranges.is_empty() && crlf && old.contains('\n') {
        found = Cow::Owned(to_crlf(old));
        ranges = occurrences(text, &found);
    }
    let lines: Vec<usize> = ranges.iter().map(|range| line_at(text, range.start)).collect();
    if ranges.is_empty() {
        return Err(Misfit::Missing { near: near(text, old) });
    }
    if ranges.len() > 1 && !all {
        return Err(Misfit::Several { lines });
    }
    let new = if crlf { to_crlf(new) } else { new.to_owned() };
    if new == *found {
        return Err(Misfit::Same);
    }
    Ok(Edit { ranges, lines, new })
}

fn occurrences(text: &str, old: &str) -> Vec<Range<usize>> {
    text.match_indices(old).map(|(start, found)| start..start + found.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str, old: &str, new: &str, all: bool) -> Result<String, Misfit> {
        let edit = plan(text, old, new, all)?;
        let edits = edit.ranges.into_iter().map(|range| (range, edit.new.clone().into_bytes()));
        let done = tool_workspace::splice(text.as_bytes(), edits.collect()).unwrap();
        Ok(String::from_utf8(done).unwrap())
    }

    #[test]
    fn one_occurrence_is_replaced_and_several_only_when_asked() {
        assert_eq!(apply("a b c", "b", "x", false).unwrap(), "a x c");
        assert_eq!(apply("a\nb a\n", "a", "x", false), Err(Misfit::Several { lines: vec![1, 2] }));
        assert_eq!(apply("a\nb a\n", "a", "x", true).unwrap(), "x\nb x\n");
        assert_eq!(apply("aaa", "aa", "b", true).unwrap(), "ba", "occurrences do not overlap");
        assert_eq!(apply("abc", "b", "", false).unwrap(), "ac");
    }

    #[test]
    fn line_endings_of_the_file_win() {
        let text = "a\r\nb\r\nc\r\n";
        assert_eq!(apply(text, "a\nb", "x\ny\nz", false).unwrap(), "x\r\ny\r\nz\r\nc\r\n");
        assert_eq!(apply(text, "a\r\nb", "x\ny", false).unwrap(), "x\r\ny\r\nc\r\n");
        assert_eq!(apply(text, "b", "x\ny", false).unwrap(), "a\r\nx\r\ny\r\nc\r\n");
        assert_eq!(apply(text, "a\nb", "a\r\nb", false), Err(Misfit::Same));
        assert_eq!(apply("a\nb\n", "b", "x\r\ny", false).unwrap(), "a\nx\r\ny\n", "said outright");
    }

    #[test]
    fn what_does_not_occur_is_looked_for_with_other_blanks() {
        let text = "fn a() {\n    one();\n\ttwo();\n}\n";
        let lines = |old: &str| match apply(text, old, "x", false) {
            Err(Misfit::Missing { near }) => near.iter().map(|near| near.line).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(lines("  one();\n  two();"), [2]);
        assert_eq!(lines("three"), [0; 0]);
        assert_eq!(lines("   \n  "), [0; 0]);
        assert_eq!(apply(text, "", "x", false), Err(Misfit::Empty));
        assert_eq!(apply(text, "x", "x", false), Err(Misfit::Same));
    }
}
