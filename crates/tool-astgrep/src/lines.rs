//! Byte offsets to lines and columns (Unicode scalar values, from 1), walking a file forward once.

use std::ops::Range;

/// A place in a text: line and column from 1, the column in Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Walks forward through a text, so that many offsets of one huge line cost one pass in all.
pub(crate) struct Cursor<'a> {
    src: &'a [u8],
    offset: usize,
    position: Position,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(src: &'a str) -> Self {
        Self { src: src.as_bytes(), offset: 0, position: Position { line: 1, column: 1 } }
    }

    /// The place of `offset`. Going backwards starts over from the beginning of the text.
    pub(crate) fn at(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.src.len());
        if offset < self.offset {
            self.offset = 0;
            self.position = Position { line: 1, column: 1 };
        }
        self.position = advance(self.position, &self.src[self.offset..offset]);
        self.offset = offset;
        self.position
    }

    /// First and last place of a range; the end column is exclusive, the end line inclusive.
    pub(crate) fn span(&mut self, range: &Range<usize>) -> (Position, Position) {
        let start = self.at(range.start);
        let mut end = range.end.clamp(self.offset, self.src.len());
        // A range that ends in a line break ends on the line it breaks.
        while end > self.offset && matches!(self.src[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        (start, advance(start, &self.src[self.offset..end]))
    }
}

fn advance(from: Position, bytes: &[u8]) -> Position {
    let breaks = memchr::memchr_iter(b'\n', bytes).count();
    if breaks == 0 {
        return Position { line: from.line, column: from.column + chars(bytes) };
    }
    let tail = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    Position { line: from.line + breaks, column: 1 + chars(&bytes[tail..]) }
}

/// Number of Unicode scalar values in UTF-8 bytes.
pub(crate) fn chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| (**b as i8) >= -0x40).count()
}

/// The largest character border of `text` that is not after `at`.
pub(crate) fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The smallest character border of `text` that is not before `at`.
pub(crate) fn ceil_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// `text` cut to at most `max` characters; a cut is marked by `…`.
pub(crate) fn clip(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The start of the line that `at` lies in.
pub(crate) fn line_start(src: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &src.as_bytes()[..at.min(src.len())]).map_or(0, |n| n + 1)
}

/// The end of the line that `at` lies in, its line break left out.
pub(crate) fn line_end(src: &str, at: usize) -> usize {
    let at = at.min(src.len());
    let end = memchr::memchr(b'\n', &src.as_bytes()[at..]).map_or(src.len(), |n| at + n);
    if end > at && src.as_bytes()[end - 1] == b'\r' { end - 1 } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pos(line: usize, column: usize) -> Position {
        Position { line, column }
    }

    #[test]
    fn columns_count_characters_and_lines_start_at_one() {
        let src = "añb\n  日本x\r\nend";
        let mut cursor = Cursor::new(src);
        assert_eq!(cursor.at(0), pos(1, 1));
        assert_eq!(cursor.at(src.find('b').unwrap()), pos(1, 3));
        assert_eq!(cursor.at(src.find('x').unwrap()), pos(2, 5));
        assert_eq!(cursor.at(src.find("end").unwrap()), pos(3, 1));
        assert_eq!(cursor.at(1), pos(1, 2));
    }

    #[test]
    fn a_span_that_ends_in_a_line_break_ends_on_that_line() {
        let src = "ab\ncd\r\nef";
        let mut cursor = Cursor::new(src);
        assert_eq!(cursor.span(&(0..7)), (pos(1, 1), pos(2, 3)));
        assert_eq!(cursor.span(&(3..5)), (pos(2, 1), pos(2, 3)));
        assert_eq!(cursor.span(&(7..9)), (pos(3, 1), pos(3, 3)));
    }

    #[test]
    fn the_cursor_agrees_with_counting_from_the_start() {
        let src = "fn f() {\n\tlet ü = \"€\";\n}\n".repeat(5);
        let mut cursor = Cursor::new(&src);
        for (at, _) in src.char_indices() {
            let line = src[..at].matches('\n').count() + 1;
            let column = src[line_start(&src, at)..at].chars().count() + 1;
            assert_eq!(cursor.at(at), pos(line, column));
        }
    }

    #[test]
    fn lines_end_before_their_break() {
        let src = "one\r\ntwo\n";
        assert_eq!(&src[line_start(src, 6)..line_end(src, 6)], "two");
        assert_eq!(&src[line_start(src, 1)..line_end(src, 1)], "one");
        assert_eq!(clip("日本語", 2), "日本…");
        assert_eq!(clip("日本", 2), "日本");
        assert_eq!((floor_char("日", 1), ceil_char("日", 1)), (0, 3));
    }
}
