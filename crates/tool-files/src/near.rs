//! Where a text that does not occur nearly does. Pure.

use std::ops::Range;

use crate::text::line_at;

/// Places that are shown.
const SHOWN: usize = 5;
/// Comparisons of lines that a look may cost.
const EFFORT: usize = 4_000_000;

/// Bytes of a text that is not looked through.
const HUGE: usize = 4 * 1024 * 1024;

/// What is different at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Differs {
    /// Only blanks and line ends.
    Blanks,
    /// Only the case of letters.
    Case,
    /// This line of the text, from 1; those before it are there.
    Line(usize),
}

/// A place that nearly has the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Near {
    /// The line, from 1: where the place starts, or the one that differs.
    pub(crate) line: usize,
    /// What stands in it.
    pub(crate) text: String,
    pub(crate) differs: Differs,
}

/// The places of the nearest kind there is, at most five. In a huge text none are looked for.
pub(crate) fn near(text: &str, old: &str) -> Vec<Near> {
    if text.len() > HUGE {
        return Vec::new();
    }
    let place = |differs| {
        move |range: Range<usize>| {
            let line = line_at(text, range.start);
            Near { line, text: shown(text, line), differs }
        }
    };
    let found: Vec<Near> = loosely(text, old, char::is_whitespace, |c| c)
        .into_iter()
        .map(place(Differs::Blanks))
        .collect();
    if !found.is_empty() {
        return found;
    }
    let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
    let found: Vec<Near> = loosely(text, old, char::is_whitespace, lower)
        .into_iter()
        .map(place(Differs::Case))
        .collect();
    if !found.is_empty() {
        return found;
    }
    partly(text, old).into_iter().collect()
}

/// A line as it stands, not too long.
fn shown(text: &str, line: usize) -> String {
    const LONG: usize = 160;
    let line = text.lines().nth(line - 1).unwrap_or_default();
    match line.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// Where `old` stands when some characters do not count and the others are compared in another form.
fn loosely(
    text: &str,
    old: &str,
    skip: impl Fn(char) -> bool,
    form: impl Fn(char) -> char,
) -> Vec<Range<usize>> {
    let reduced =
        |text: &str| -> String { text.chars().filter(|c| !skip(*c)).map(&form).collect() };
    let wanted = reduced(old);
    if wanted.is_empty() {
        return Vec::new();
    }
    // The reduced text, and for each of its characters where it stands in the reduced and in the whole one.
    let mut places = Vec::new();
    let mut all = String::with_capacity(text.len());
    for (at, char) in text.char_indices().filter(|(_, c)| !skip(*c)) {
        places.push((all.len(), at));
        all.push(form(char));
    }
    let whole = |reduced: usize| {
        let at = places.partition_point(|(r, _)| *r < reduced);
        places.get(at).map_or(text.len(), |(_, at)| *at)
    };
    let found = all.match_indices(&wanted);
    // A word in the middle of another is no near place: "an" in "banana".
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let apart = |range: &Range<usize>| {
        let (before, after) = (&text[..range.start], &text[range.end..]);
        let (first, last) =
            (text[range.clone()].chars().next(), text[range.clone()].chars().last());
        let joined_before = word(before.chars().last()) && word(first);
        let joined_after = word(last) && word(after.chars().next());
        !joined_before && !joined_after
    };
    found
        .map(|(start, found)| {
            let last = start + found.char_indices().last().map_or(0, |(at, _)| at);
            let end = whole(last);
            whole(start)..end + text[end..].chars().next().map_or(0, char::len_utf8)
        })
        .filter(apart)
        .take(SHOWN)
        .collect()
}

/// The place where most lines of `old` stand, and the first one that does not. Only where at least half of them do.
fn partly(text: &str, old: &str) -> Option<Near> {
    let wanted: Vec<&str> = old.trim_matches(['\r', '\n']).lines().map(str::trim).collect();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    if wanted.len() < 2 || wanted.len().saturating_mul(lines.len()) > EFFORT {
        return None;
    }
    let solid = |line: &str| line.len() > 2;
    let alike = |at: usize| {
        let pairs = wanted.iter().zip(lines.iter().skip(at));
        pairs.filter(|(a, b)| a == b && solid(a)).count()
    };
    let of = wanted.iter().filter(|line| solid(line)).count();
    let counts = (0..lines.len()).map(|at| (alike(at), at));
    let (best, at) = counts.max_by_key(|(count, at)| (*count, std::cmp::Reverse(*at)))?;
    if best * 2 < of || best == 0 {
        return None;
    }
    let odd = wanted.iter().enumerate().find(|(n, line)| lines.get(at + n) != Some(*line))?.0;
    let line = (at + odd + 1).min(lines.len());
    Some(Near { line, text: shown(text, line), differs: Differs::Line(odd + 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, old: &str) -> Vec<(usize, String, Differs)> {
        near(text, old).into_iter().map(|n| (n.line, n.text, n.differs)).collect()
    }

    #[test]
    fn blanks_anywhere_and_other_line_ends_are_looked_through() {
        let text = "fn a() {\n    one( x,y );\n\ttwo();\n}\n";
        let at = |line, text: &str| vec![(line, text.to_owned(), Differs::Blanks)];
        assert_eq!(found(text, "one(x, y);"), at(2, "    one( x,y );"));
        assert_eq!(found(text, "  one( x,y );\n  two();"), at(2, "    one( x,y );"));
        assert_eq!(found("a;\nb;\n", "a;\r\nb;"), at(1, "a;"));
        assert_eq!(found("a\r\nb\r\nc", "b c"), at(2, "b"));
        assert_eq!(found("   é\n", " \té"), at(1, "   é"));
    }

    #[test]
    fn other_letters_come_next_and_parts_of_words_never() {
        let text = "let Total = 1;\nbanana\n";
        assert_eq!(found(text, "total"), [(1, "let Total = 1;".to_owned(), Differs::Case)]);
        assert_eq!(found(text, "an an"), []);
        assert_eq!(found(text, "missing"), []);
        assert_eq!(found(text, " \n "), []);
    }

    #[test]
    fn the_line_that_differs_is_named() {
        let text = "head\nfn a() {\n    one();\n    two(2);\n    three();\n}\n";
        let old = "fn a() {\n    one();\n    two();\n    three();\n}";
        assert_eq!(found(text, old), [(4, "    two(2);".to_owned(), Differs::Line(3))]);
        assert_eq!(found(text, "fn b() {\n    four();\n    two();\n}"), [], "too little is alike");
        let end = "fn a() {\n    one();\n    two(2);\n    three();\n}\nmore();\n";
        assert_eq!(found(text, end), [(6, "}".to_owned(), Differs::Line(6))], "the file ends");
    }

    #[test]
    fn what_is_shown_is_bounded() {
        let text = "x  y\n".repeat(50);
        assert_eq!(near(&text, "x y").len(), SHOWN);
        let long = format!("{} b", "a".repeat(1_000));
        let [place] = &near(&long, &long.replace(' ', "  "))[..] else { panic!("one place") };
        assert!(place.text.chars().count() < 170 && place.text.ends_with('…'));
        let many = "line\n".repeat(100_000);
        assert_eq!(near(&many, &"other\n".repeat(1_000)), [], "and so is the look");
    }

    proptest::proptest! {
        #[test]
        fn anything_may_be_looked_for_in_anything(text in "[ab \r\nÄ€_😀]{0,60}", old in "[ab \r\nÄ€_😀]{0,12}") {
            for place in near(&text, &old) {
                proptest::prop_assert!(place.line >= 1 && place.line <= text.lines().count().max(1));
            }
        }
    }
}
