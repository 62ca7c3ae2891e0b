//! Whether returned ranges hold what was asked about, and if not, in which units the server really counts. Pure.
//!
//! Servers announce one encoding and answer in another. A range on a line of ASCII says nothing of it; on any other line
//! the identifier that was asked about must stand there.

use crate::text::{Encoding, Span, Text};

/// Code points first: servers that do not count as they say were all seen to count these.
const ORDER: [Encoding; 3] = [Encoding::Utf32, Encoding::Utf16, Encoding::Utf8];

/// The encoding in which more of the ranges hold `name` than in `now`, and none fewer; `None` where `now` does.
pub(crate) fn counted_in<'t>(
    now: Encoding,
    name: &str,
    ranges: impl Iterator<Item = (&'t Text, Span)>,
) -> Option<Encoding> {
    let telling: Vec<(&Text, Span)> = ranges.filter(|(text, span)| tells(text, *span)).collect();
    let hits = |encoding: Encoding| {
        telling.iter().filter(|(text, span)| holds(text, *span, encoding, name)).count()
    };
    let best = hits(now);
    if best == telling.len() {
        return None;
    }
    let others = ORDER.into_iter().filter(|encoding| *encoding != now);
    let better = others.map(|encoding| (hits(encoding), encoding)).filter(|(n, _)| *n > best);
    // The first of equals, so not `max_by_key`.
    better.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, encoding)| encoding)
}

/// Whether a range is exactly the name.
pub(crate) fn holds(text: &Text, span: Span, encoding: Encoding, name: &str) -> bool {
    text.src().get(text.range(span, encoding)) == Some(name)
}

/// Whether the encodings differ on the range's line before its end.
fn tells(text: &Text, span: Span) -> bool {
    text.line(span.end.line).is_some_and(|line| !line.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::counted_in;
    use crate::text::{Encoding, Pos, Span, Text};

    fn text(src: &str) -> Text {
        Text::new(src.as_bytes().to_vec()).expect("it is text")
    }

    fn on(line: u32, from: u32, to: u32) -> Span {
        Span { start: Pos::new(line, from), end: Pos::new(line, to) }
    }

    #[test]
    fn a_server_that_counts_otherwise_is_found_out() {
        // 𝒙 is two units of UTF-16, four bytes, one code point.
        let t = text("s = '𝒙'; name\nname\n");
        let of = |now, from| {
            let hits = [(&t, on(0, from, from + 4)), (&t, on(1, 0, 4))];
            counted_in(now, "name", hits.into_iter())
        };
        assert_eq!(of(Encoding::Utf16, 10), None, "as it says");
        assert_eq!(of(Encoding::Utf16, 9), Some(Encoding::Utf32));
        assert_eq!(of(Encoding::Utf8, 9), Some(Encoding::Utf32));
        assert_eq!(of(Encoding::Utf32, 10), Some(Encoding::Utf16));
        assert_eq!(of(Encoding::Utf16, 12), Some(Encoding::Utf8));
        assert_eq!(of(Encoding::Utf16, 3), None, "no encoding fits: it is something else");
    }

    #[test]
    fn lines_of_ascii_and_other_spellings_prove_nothing() {
        let t = text("import name as other\nother()\n");
        let hits = [(&t, on(0, 7, 11)), (&t, on(1, 0, 5))];
        assert_eq!(counted_in(Encoding::Utf16, "other", hits.into_iter()), None);
    }

    #[test]
    fn code_points_are_taken_where_two_encodings_fit() {
        // ä is one unit of both UTF-16 and UTF-32.
        let t = text("ä name");
        let hits = [(&t, on(0, 2, 6))];
        assert_eq!(counted_in(Encoding::Utf8, "name", hits.into_iter()), Some(Encoding::Utf32));
    }

    #[test]
    fn one_that_fits_more_is_not_taken_for_one_that_fits_fewer() {
        let t = text("ä name; é name\n");
        let hits = [(&t, on(0, 2, 6)), (&t, on(0, 10, 14)), (&t, on(0, 3, 7))];
        assert_eq!(counted_in(Encoding::Utf16, "name", hits.into_iter()), None);
    }
}
