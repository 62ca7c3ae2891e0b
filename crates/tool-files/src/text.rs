//! Lines and their endings. Pure.

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Lf,
    CrLf,
}

impl Ending {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// How most lines of `text` end; `Lf` for a text without any ending.
    pub(crate) fn of(text: &str) -> Self {
        let all = text.matches('\n').count();
        let crlf = text.matches("\r\n").count();
        if crlf * 2 > all { Self::CrLf } else { Self::Lf }
    }
}

/// `text` with every ending made `\r\n`.
pub(crate) fn to_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// A line without its ending, and the ending (empty for a last line without one).
pub(crate) fn split_ending(line: &str) -> (&str, &str) {
    let content =
        line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
    line.split_at(content.len())
}

/// Number of lines; a last line without an ending counts.
pub(crate) fn count_lines(text: &str) -> usize {
    text.split_inclusive('\n').count()
}

/// The line, from 1, that holds the byte at `offset`.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// "1 line", "3 lines".
pub(crate) fn plural(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

/// Some ascending numbers for a sentence, each once and at most ten: "3, 7 and 9", "1, 2, 3 … (10 of 12)".
pub(crate) fn listed(numbers: &[usize]) -> String {
    const NAMED: usize = 10;
    let mut numbers = numbers.to_vec();
    numbers.dedup();
    let mut words: Vec<String> = numbers.iter().take(NAMED).map(ToString::to_string).collect();
    if numbers.len() > NAMED {
        return format!("{} … ({NAMED} of {})", words.join(", "), numbers.len());
    }
    match words.pop() {
        Some(last) if !words.is_empty() => format!("{} and {last}", words.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// "line 4", "lines 1 and 3"; for ascending numbers.
pub(crate) fn at_lines(numbers: &[usize]) -> String {
    let word = if numbers.first() == numbers.last() { "line" } else { "lines" };
    format!("{word} {}", listed(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_decides_how_lines_end() {
        assert_eq!(Ending::of("no line ends"), Ending::Lf);
        assert_eq!(Ending::of("a\r\nb\r\nc\n"), Ending::CrLf);
        assert_eq!(Ending::of("a\r\nb\n"), Ending::Lf);
    }

    #[test]
    fn endings_are_told_from_content() {
        assert_eq!(split_ending("a\r\n"), ("a", "\r\n"));
        assert_eq!(split_ending("a\n"), ("a", "\n"));
        assert_eq!(split_ending("a\r"), ("a\r", ""));
        assert_eq!(to_crlf("a\nb\r\nc"), "a\r\nb\r\nc");
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(
            (count_lines(""), count_lines("a"), count_lines("a\n"), count_lines("a\nb")),
            (0, 1, 1, 2)
        );
        assert_eq!((line_at("a\nb", 0), line_at("a\nb", 1), line_at("a\nb", 2)), (1, 1, 2));
        assert_eq!(listed(&[4]), "4");
        assert_eq!(at_lines(&[1, 1, 2, 2]), "lines 1 and 2");
        assert_eq!(at_lines(&[3, 3]), "line 3");
        assert_eq!(listed(&[1, 2, 3]), "1, 2 and 3");
        assert_eq!(
            listed(&(1..=12).collect::<Vec<_>>()),
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 … (10 of 12)"
        );
    }
}
