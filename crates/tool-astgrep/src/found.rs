//! One match as it is shown: where, which text, which captures, and the lines around it, all bounded.

use std::ops::Range;

use crate::lines::{Cursor, Position, ceil_char, floor_char, line_end, line_start};

/// Bytes of a match's or a capture's text that go into the details.
const TEXT_BYTES: usize = 16 * 1024;
/// Characters shown of one line, around the match.
const LINE_CHARS: usize = 200;
/// Lines shown of one match.
const LINES: usize = 5;

/// A match of an answer.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) start: Position,
    pub(crate) end: Position,
    pub(crate) text: String,
    /// Bytes of the text that were left out.
    pub(crate) cut: usize,
    /// `X` or `$$$X`, and the text.
    pub(crate) captures: Vec<(String, String)>,
    /// The rung whose reading matched.
    pub(crate) context: String,
    /// The lines of the match, each cut to what stands around it.
    pub(crate) lines: Vec<String>,
    /// Lines of the match that are not shown.
    pub(crate) more_lines: usize,
    /// In or at a syntax error: what the parser made of it can be incomplete.
    pub(crate) at_error: bool,
}

impl Found {
    /// A match at `range` of `src`; `cursor` walks the same text.
    pub(crate) fn new<'c>(
        src: &str,
        cursor: &mut Cursor<'_>,
        range: &Range<usize>,
        captures: impl IntoIterator<Item = (&'c str, Range<usize>)>,
        context: &str,
    ) -> Self {
        let (start, end) = cursor.span(range);
        let text = &src[range.clone()];
        let kept = head(text);
        let (lines, more_lines) = excerpt(src, range);
        Self {
            start,
            end,
            text: kept.to_owned(),
            cut: text.len() - kept.len(),
            captures: captures
                .into_iter()
                .map(|(name, at)| (name.to_owned(), head(&src[at]).to_owned()))
                .collect(),
            context: context.to_owned(),
            lines,
            more_lines,
            at_error: false,
        }
    }
}

fn head(text: &str) -> &str {
    &text[..floor_char(text, TEXT_BYTES)]
}

/// The source lines that a range lies on, the first without its indentation and the others aligned to it.
fn excerpt(src: &str, range: &Range<usize>) -> (Vec<String>, usize) {
    let text = src[range.clone()].trim_end();
    let end = range.start + text.len();
    let first_end = line_end(src, range.start);
    let line = line_start(src, range.start);
    let indent = src[line..range.start].len() - src[line..range.start].trim_start().len();
    let mut lines = vec![window(src, line + indent..first_end, range.start, end)];
    if first_end >= end {
        return (lines, 0);
    }
    let total = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    for rest in text.lines().skip(1).take(LINES - 1) {
        let blank = rest.len() - rest.trim_start().len();
        let rest = &rest[blank.min(indent)..];
        lines.push(window(rest, 0..rest.len(), 0, 0));
    }
    let more = total.saturating_sub(lines.len());
    (lines, more)
}

/// At most `LINE_CHARS` of a line, so that as much of the match as fits is in it.
fn window(src: &str, line: Range<usize>, from: usize, to: usize) -> String {
    let room = LINE_CHARS;
    let Range { start, end } = line;
    // A byte budget first keeps this cheap on lines of megabytes; a character is at most four bytes.
    if end - start <= room
        || src[start..floor_char(src, end.min(start + 4 * room + 4))].chars().nth(room).is_none()
    {
        return src[start..end].trim_end().to_owned();
    }
    let matched = to.min(end).saturating_sub(from).min(room);
    let before = (room - matched) / 2;
    let mut left = ceil_char(src, from.saturating_sub(before).max(start)).min(end);
    if left - start <= 3 {
        left = start;
    }
    let mut right = floor_char(src, (left + room).min(end)).max(left);
    if end - right <= 3 {
        right = end;
    }
    format!(
        "{}{}{}",
        if left > start { "…" } else { "" },
        src[left..right].trim_end(),
        if right < end { "…" } else { "" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(src: &str, what: &str) -> Found {
        let at = src.find(what).unwrap();
        let range = at..at + what.len();
        Found::new(src, &mut Cursor::new(src), &range, [], "expression")
    }

    #[test]
    fn a_match_within_a_line_shows_the_line() {
        let f = found("def f():\n    x = foo(a)  # why\n", "foo(a)");
        assert_eq!(f.lines, ["x = foo(a)  # why"]);
        assert_eq!(
            (f.start, f.end),
            (Position { line: 2, column: 9 }, Position { line: 2, column: 15 })
        );
        assert_eq!(f.more_lines, 0);
    }

    #[test]
    fn a_long_match_shows_its_first_lines_and_how_many_more() {
        let body: String = (0..10).map(|n| format!("        line{n}\n")).collect();
        let src = format!("class A:\n    def f():\n{body}\nend\n");
        let text = format!("def f():\n{body}");
        let f = found(&src, text.trim_end());
        assert_eq!(f.lines, ["def f():", "    line0", "    line1", "    line2", "    line3"]);
        assert_eq!(f.more_lines, 6);
    }

    #[test]
    fn a_minified_line_is_cut_around_the_match() {
        let src = format!("{}foo(日本){}", "aé;".repeat(50_000), ";b".repeat(50_000));
        let f = found(&src, "foo(日本)");
        let line = &f.lines[0];
        assert!(
            line.contains("foo(日本)") && line.starts_with('…') && line.ends_with('…'),
            "{line}"
        );
        assert!(line.chars().count() <= LINE_CHARS + 2);
        let long = format!("x({})", "y".repeat(100_000));
        let f = found(&long, &long);
        assert_eq!(f.cut, long.len() - TEXT_BYTES);
        assert!(f.lines[0].starts_with("x(yyy"));
    }

    #[test]
    fn windows_line_breaks_do_not_show() {
        let f = found("a\r\n  f(\r\n    b\r\n  )\r\n", "f(\r\n    b\r\n  )");
        assert_eq!(f.lines, ["f(", "  b", ")"]);
    }
}
