//! Comments and strings by a light scan: enough to say of a name whether it stands in code. Pure.

/// What a place in a text is part of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(crate) enum Kind {
    Code,
    Comment,
    /// A string.
    Text,
    /// A file of no programming language that is known.
    Other,
}

/// Languages without code.
const PROSE: &[&str] = &["markdown", "plaintext", "json", "jsonc", "latex", "restructuredtext"];

struct Syntax {
    ids: &'static [&'static str],
    line: &'static [&'static str],
    block: &'static [(&'static str, &'static str)],
    /// Opening and closing marks of strings, longest first; whether they go over line ends.
    strings: &'static [(&'static str, &'static str, bool)],
    /// `'` opens a string only where one character and another `'` follow (Rust, C).
    chars: bool,
    /// Blocks of comments lie in each other.
    nested: bool,
}

const DOUBLE: (&str, &str, bool) = ("\"", "\"", false);
const SINGLE: (&str, &str, bool) = ("'", "'", false);

const TABLE: &[Syntax] = &[
    Syntax {
        ids: &["rust"],
        line: &["//"],
        block: &[("/*", "*/")],
        strings: &[("\"", "\"", true)],
        chars: true,
        nested: true,
    },
    Syntax {
        ids: &[
            "c",
            "cpp",
            "objective-c",
            "objective-cpp",
            "cuda",
            "java",
            "kotlin",
            "scala",
            "csharp",
            "swift",
            "zig",
        ],
        line: &["//"],
        block: &[("/*", "*/")],
        strings: &[("\"\"\"", "\"\"\"", true), DOUBLE],
        chars: true,
        nested: false,
    },
    Syntax {
        ids: &["javascript", "javascriptreact", "typescript", "typescriptreact", "go"],
        line: &["//"],
        block: &[("/*", "*/")],
        strings: &[DOUBLE, SINGLE, ("`", "`", true)],
        chars: false,
        nested: false,
    },
    Syntax {
        ids: &["dart"],
        line: &["//"],
        block: &[("/*", "*/")],
        strings: &[("\"\"\"", "\"\"\"", true), ("'''", "'''", true), DOUBLE, SINGLE],
        chars: false,
        nested: true,
    },
    Syntax {
        ids: &["python"],
        line: &["#"],
        block: &[],
        strings: &[("\"\"\"", "\"\"\"", true), ("'''", "'''", true), DOUBLE, SINGLE],
        chars: false,
        nested: false,
    },
    Syntax {
        ids: &["ruby", "shellscript", "elixir", "yaml", "toml", "terraform", "dockerfile", "r"],
        line: &["#"],
        block: &[("=begin", "=end")],
        strings: &[("\"", "\"", true), SINGLE],
        chars: false,
        nested: false,
    },
    Syntax {
        ids: &["php"],
        line: &["//", "#"],
        block: &[("/*", "*/")],
        strings: &[("\"", "\"", true), ("'", "'", true)],
        chars: false,
        nested: false,
    },
    Syntax {
        ids: &["lua"],
        line: &["--"],
        block: &[("--[[", "]]")],
        strings: &[("[[", "]]", true), DOUBLE, SINGLE],
        chars: false,
        nested: false,
    },
    Syntax {
        ids: &["haskell"],
        line: &["--"],
        block: &[("{-", "-}")],
        strings: &[DOUBLE],
        chars: true,
        nested: true,
    },
    Syntax {
        ids: &["css", "scss", "less"],
        line: &[],
        block: &[("/*", "*/")],
        strings: &[DOUBLE, SINGLE],
        chars: false,
        nested: false,
    },
    Syntax {
        ids: &["html", "xml", "vue", "svelte"],
        line: &[],
        block: &[("<!--", "-->")],
        strings: &[],
        chars: false,
        nested: false,
    },
];

/// What each of some places (bytes, in order) is part of.
pub(crate) fn kinds(
    language: Option<&str>,
    text: &str,
    places: impl Iterator<Item = usize>,
) -> Vec<Kind> {
    let syntax = language.and_then(|id| TABLE.iter().find(|syntax| syntax.ids.contains(&id)));
    let Some(syntax) = syntax else {
        // Of a language that is not known here everything may be code.
        let kind = match language {
            None => Kind::Other,
            Some(id) if PROSE.contains(&id) => Kind::Other,
            Some(_) => Kind::Code,
        };
        return places.map(|_| kind).collect();
    };
    let spans = spans(syntax, text);
    places
        .map(|at| {
            let next = spans.partition_point(|(_, end, _)| *end <= at);
            match spans.get(next) {
                Some((start, _, kind)) if *start <= at => *kind,
                _ => Kind::Code,
            }
        })
        .collect()
}

/// Comments and strings, in order: start, end, which.
fn spans(syntax: &Syntax, text: &str) -> Vec<(usize, usize, Kind)> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some((open, close)) = syntax.block.iter().find(|(open, _)| rest.starts_with(open)) {
            let end = at + block(rest, open, close, syntax.nested);
            spans.push((at, end, Kind::Comment));
            at = end;
        } else if syntax.line.iter().any(|mark| rest.starts_with(mark)) && opens(text, at, syntax) {
            let end = rest.find('\n').map_or(text.len(), |len| at + len);
            spans.push((at, end, Kind::Comment));
            at = end;
        } else if let Some((open, close, lines)) =
            syntax.strings.iter().find(|(open, ..)| rest.starts_with(open))
        {
            let end = at + open.len() + string(&rest[open.len()..], close, *lines);
            spans.push((at, end, Kind::Text));
            at = end;
        } else if syntax.chars && rest.starts_with('\'') {
            at += character(rest);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    spans
}

/// `#` opens a comment in a shell or in YAML only at the start of a word: `$#`, `a#b`.
fn opens(text: &str, at: usize, syntax: &Syntax) -> bool {
    let loose = syntax.line == ["#"] && !syntax.block.is_empty();
    !loose || text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == ';')
}

fn block(text: &str, open: &str, close: &str, nested: bool) -> usize {
    let (mut at, mut depth) = (open.len(), 1);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(close) {
            (at, depth) = (at + close.len(), depth - 1);
            if depth == 0 {
                return at;
            }
        } else if nested && rest.starts_with(open) {
            (at, depth) = (at + open.len(), depth + 1);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Up to and with the closing mark, or to the end of the line where strings end there.
fn string(text: &str, close: &str, lines: bool) -> usize {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(close) {
            return at + close.len();
        }
        let Some(c) = rest.chars().next() else { break };
        if c == '\n' && !lines {
            return at;
        }
        at += c.len_utf8();
        if c == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    text.len()
}

/// `'a'` and `'\n'`, but not a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some(_)) => text[2..]
            .char_indices()
            .skip(1)
            .find(|(_, c)| *c == '\'' || *c == '\n')
            .map_or(2, |(at, _)| at + 3),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, kinds};
    use proptest::prelude::*;

    /// The kind of each `x` in a text.
    fn of(language: &str, text: &str) -> Vec<Kind> {
        kinds(Some(language), text, text.match_indices('x').map(|(at, _)| at))
    }

    #[test]
    fn comments_and_strings_by_language() {
        use Kind::{Code, Comment, Text};
        for (language, text, want) in [
            (
                "rust",
                "x // x\nx /* x /* x */ x */ x",
                vec![Code, Comment, Code, Comment, Comment, Comment, Code],
            ),
            ("rust", "f('\"', x, \"x\\\" x\", 'x)", vec![Code, Text, Text, Code]),
            ("rust", "'\\'' x '\\u{1}' x \"x\nx\" x", vec![Code, Code, Text, Text, Code]),
            ("c", "/* x /* x */ x", vec![Comment, Comment, Code]),
            ("c", "\"x\nx", vec![Text, Code]),
            ("typescript", "`x\nx` 'x' x // x", vec![Text, Text, Text, Code, Comment]),
            (
                "python",
                "x # x\n'''x\n\"x''' x \"x\" x",
                vec![Code, Comment, Text, Text, Code, Text, Code],
            ),
            ("shellscript", "echo $# x # x\n'x' a#x", vec![Code, Comment, Text, Code]),
            ("php", "// x\n# x\nx", vec![Comment, Comment, Code]),
            (
                "lua",
                "-- x\nx --[[x\nx]] x [[x]]",
                vec![Comment, Code, Comment, Comment, Code, Text],
            ),
            ("css", "/* x */ .x { a: 'x' }", vec![Comment, Code, Text]),
            ("html", "<!-- x --> x", vec![Comment, Code]),
            ("haskell", "{- x {- x -} x -} x -- x", vec![Comment, Comment, Comment, Code, Comment]),
        ] {
            assert_eq!(of(language, text), want, "{language}: {text}");
        }
        assert_eq!(kinds(None, "x", [0].into_iter()), [Kind::Other]);
        assert_eq!(of("markdown", "x"), [Kind::Other]);
        assert_eq!(of("cobol", "x"), [Kind::Code]);
    }

    proptest! {
        #[test]
        fn any_text_is_scanned_to_its_end(
            language in proptest::sample::select(vec!["rust", "c", "python", "lua", "php", "haskell", "html"]),
            text in "[x'\"\\\\/*#\n{}<>!\\-\\[\\]ä]{0,40}",
        ) {
            prop_assert_eq!(of(language, &text).len(), text.matches('x').count());
        }
    }
}
