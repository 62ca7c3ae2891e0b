//! Lines, blanks and line breaks of a source text.

/// How a file ends its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Newline {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
}

impl Newline {
    /// The style of most lines; `\n` where there is none or a tie.
    pub(crate) fn of(src: &str) -> Self {
        let (mut all, mut crlf) = (0_usize, 0_usize);
        for at in memchr::memchr_iter(b'\n', src.as_bytes()) {
            all += 1;
            crlf += usize::from(at > 0 && src.as_bytes()[at - 1] == b'\r');
        }
        if crlf * 2 > all { Self::CrLf } else { Self::Lf }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }
}

/// Where the line that holds byte `at` starts; a byte order mark is before the first line.
pub(crate) fn line_start(src: &str, at: usize) -> usize {
    match memchr::memrchr(b'\n', &src.as_bytes()[..at]) {
        Some(newline) => newline + 1,
        None if src.starts_with('\u{feff}') => '\u{feff}'.len_utf8().min(at),
        None => 0,
    }
}

/// Just behind the line break of the line that holds byte `at`, or the end of the source.
pub(crate) fn next_line(src: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &src.as_bytes()[at..]).map_or(src.len(), |newline| at + newline + 1)
}

/// The leading blanks of the line that holds byte `at`, cut at `at`.
pub(crate) fn indent_at(src: &str, at: usize) -> &str {
    blanks(&src[line_start(src, at)..at])
}

/// The blanks at the start of `text`.
pub(crate) fn blanks(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches([' ', '\t']).len()]
}

/// Nothing but blanks (and the `\r` of a line break).
pub(crate) fn is_blank(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\r'))
}

/// `blanks` without what it has in common with the start of `base`.
pub(crate) fn beyond<'a>(blanks: &'a str, base: &str) -> &'a str {
    let common = blanks.bytes().zip(base.bytes()).take_while(|(a, b)| a == b).count();
    &blanks[common..]
}

/// The 1-based line of byte `at`.
pub(crate) fn line_number(src: &str, at: usize) -> usize {
    let upto = &src.as_bytes()[..at.min(src.len())];
    memchr::memchr_iter(b'\n', upto).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_decides_the_line_break() {
        for (src, want) in [
            ("", Newline::Lf),
            ("a", Newline::Lf),
            ("a\r\nb\n", Newline::Lf),
            ("a\r\nb\r\nc\n", Newline::CrLf),
        ] {
            assert_eq!(Newline::of(src), want, "{src:?}");
        }
    }

    #[test]
    fn lines_start_behind_a_byte_order_mark() {
        let src = "\u{feff}  ab\n\tcd";
        assert_eq!(line_start(src, 6), 3);
        assert_eq!(indent_at(src, 6), "  ");
        assert_eq!(indent_at(src, 4), " ");
        assert_eq!(line_start(src, src.len()), 8);
        assert_eq!(indent_at(src, src.len()), "\t");
        assert_eq!(next_line(src, 3), 8);
        assert_eq!(next_line(src, 9), src.len());
        assert_eq!(line_number(src, 8), 2);
        assert_eq!(beyond("\t  ", "\t\t"), "  ");
    }
}
