//! From `line` and `symbol` to a place in a text. Pure.
//!
//! A model names a line and a piece of it, never a column. A whole identifier wins over a part of a longer one, by the
//! classes of Unicode; an operator or a piece of several tokens is found as it stands. Of a piece like `Foo::bar(` the
//! name that it ends in is meant.

use std::fmt;
use std::ops::Range;

use serde_json::json;
use tool_core::ToolError;

use crate::text::Text;

/// Lines that an error names.
const NEAREST: usize = 5;
/// Characters of a line that are shown.
const SHOWN: usize = 120;

/// A symbol as it was asked for: `name`, or `name#2` for the second on the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Symbol {
    pub(crate) text: String,
    /// Counted from 1.
    pub(crate) nth: Option<usize>,
}

impl Symbol {
    /// Reads `name#2`, where `#priv#2` is the second `#priv`.
    pub(crate) fn parse(asked: &str) -> Self {
        if let Some((name, number)) = asked.rsplit_once('#')
            && !name.trim().is_empty()
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && let Ok(nth) = number.parse()
        {
            return Self { text: name.to_owned(), nth: Some(nth) };
        }
        Self { text: asked.to_owned(), nth: None }
    }
}

/// A line that an error names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Near {
    /// Counted from 1.
    pub(crate) line: u32,
    pub(crate) text: String,
}

/// Why `line` and `symbol` name no place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PositionError {
    /// The symbol is empty or has a line break.
    NotASymbol { symbol: String },
    /// The file ends before that line.
    NoSuchLine { line: u32, lines: u32, symbol: String, nearest: Vec<Near>, total: usize },
    /// It is not on that line; the nearest lines that have it.
    NotOnLine { symbol: String, line: u32, text: String, nearest: Vec<Near>, total: usize },
    /// There are fewer on that line.
    NoNth { symbol: String, nth: usize, line: u32, text: String, count: usize },
}

/// The places on a line (counted from 1) that a symbol names: the bytes of the name that is meant, in order. Never empty.
pub(crate) fn occurrences(
    text: &Text,
    line_from_1: u32,
    symbol: &str,
) -> Result<Vec<Range<usize>>, PositionError> {
    if symbol.trim().is_empty() || symbol.contains(['\n', '\r']) {
        return Err(PositionError::NotASymbol { symbol: symbol.to_owned() });
    }
    let readings = readings(symbol);
    let Some(range) = line_from_1.checked_sub(1).and_then(|line| text.line_range(line)) else {
        let (nearest, total) = nearest(text, line_from_1, &readings);
        let lines = text.line_count();
        let symbol = symbol.to_owned();
        return Err(PositionError::NoSuchLine { line: line_from_1, lines, symbol, nearest, total });
    };
    let line = &text.src()[range.clone()];
    let mut too_few = None;
    for reading in &readings {
        let found = in_line(line, &reading.text);
        match reading.nth {
            None if found.is_empty() => {}
            None => return Ok(found.into_iter().map(|r| shifted(r, range.start)).collect()),
            Some(nth) => {
                if let Some(one) = nth.checked_sub(1).and_then(|at| found.get(at)) {
                    return Ok(vec![shifted(one.clone(), range.start)]);
                }
                if !found.is_empty() {
                    too_few.get_or_insert((reading.text.clone(), nth, found.len()));
                }
            }
        }
    }
    let shown = clipped(line);
    if let Some((symbol, nth, count)) = too_few {
        return Err(PositionError::NoNth { symbol, nth, line: line_from_1, text: shown, count });
    }
    let (nearest, total) = nearest(text, line_from_1, &readings);
    let symbol = readings[0].text.clone();
    Err(PositionError::NotOnLine { symbol, line: line_from_1, text: shown, nearest, total })
}

/// The ways to read a symbol, best first: with a number, as it stands, without blanks around it.
fn readings(symbol: &str) -> Vec<Symbol> {
    let mut readings = vec![Symbol::parse(symbol)];
    let mut add = |reading: Symbol| {
        if !readings.contains(&reading) {
            readings.push(reading);
        }
    };
    add(Symbol { text: symbol.to_owned(), nth: None });
    add(Symbol::parse(symbol.trim()));
    readings
}

fn shifted(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// Every occurrence of a name in one line: whole identifiers (with `$` as a letter, then without), else parts.
pub(crate) fn in_line(line: &str, name: &str) -> Vec<Range<usize>> {
    if name.is_empty() {
        return Vec::new();
    }
    let all: Vec<usize> = line.match_indices(name).map(|(at, _)| at).collect();
    let whole = |is_letter: fn(char) -> bool| -> Vec<usize> {
        all.iter().copied().filter(|at| stands_alone(line, *at, name, is_letter)).collect()
    };
    let mut found = whole(is_letter);
    if found.is_empty() {
        found = whole(is_plain_letter);
    }
    if found.is_empty() {
        found = all;
    }
    let meant = meant(name);
    found.into_iter().map(|at| at + meant.start..at + meant.end).collect()
}

/// Every whole occurrence of an identifier in a piece of text, as byte ranges.
pub(crate) fn whole_identifiers<'t>(
    text: &'t str,
    name: &'t str,
) -> impl Iterator<Item = Range<usize>> + 't {
    text.match_indices(name)
        .filter(move |(at, _)| stands_alone(text, *at, name, is_letter))
        .map(move |(at, _)| at..at + name.len())
}

/// Whether neither end of an occurrence cuts through an identifier.
fn stands_alone(line: &str, at: usize, name: &str, is_letter: fn(char) -> bool) -> bool {
    let joins = |outside: Option<char>, edge: Option<char>| {
        outside.is_some_and(is_letter) && edge.is_some_and(is_letter)
    };
    let end = at + name.len();
    !joins(line[..at].chars().next_back(), name.chars().next())
        && !joins(line[end..].chars().next(), name.chars().next_back())
}

/// May the character be a part of an identifier? `$` is one in JavaScript, Java, PHP and Dart.
pub(crate) fn is_letter(c: char) -> bool {
    c == '$' || is_plain_letter(c)
}

fn is_plain_letter(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_continue(c) || matches!(c, '\u{200c}' | '\u{200d}')
}

/// The name that is meant by a piece of code: the last one before its first bracket, comma, colon or equals sign; all
/// of it where it has no name, as an operator.
fn meant(piece: &str) -> Range<usize> {
    let mut named = false;
    let mut head = piece.len();
    let mut chars = piece.char_indices().peekable();
    let mut before = None;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let colon = c == ':' && next != Some(':') && before != Some(':');
        if named && (colon || matches!(c, '(' | '[' | '{' | '<' | '=' | ',' | ';')) {
            head = at;
            break;
        }
        named |= is_letter(c);
        before = Some(c);
    }
    let head = &piece[..head];
    let Some(end) = head.char_indices().rev().find(|(_, c)| is_letter(*c)) else {
        let start = piece.len() - piece.trim_start().len();
        return start..piece.trim_end().len().max(start);
    };
    let end = end.0 + end.1.len_utf8();
    let start = head[..end]
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_letter(*c))
        .last()
        .map_or(0, |(at, _)| at);
    start..end
}

/// The lines that have the symbol, nearest first, and how many there are.
fn nearest(text: &Text, line_from_1: u32, readings: &[Symbol]) -> (Vec<Near>, usize) {
    for reading in readings {
        let lines: Vec<(u32, &str)> = (0..text.line_count())
            .filter_map(|n| Some((n + 1, text.line(n)?)))
            .filter(|(_, line)| line.contains(&reading.text))
            .collect();
        let whole: Vec<(u32, &str)> = lines
            .iter()
            .copied()
            .filter(|(_, line)| {
                line.match_indices(&reading.text)
                    .any(|(at, name)| stands_alone(line, at, name, is_plain_letter))
            })
            .collect();
        let mut chosen = if whole.is_empty() { lines } else { whole };
        if chosen.is_empty() {
            continue;
        }
        let total = chosen.len();
        chosen.sort_by_key(|(n, _)| (n.abs_diff(line_from_1), *n));
        chosen.truncate(NEAREST);
        let near = chosen.into_iter().map(|(line, text)| Near { line, text: clipped(text) });
        return (near.collect(), total);
    }
    (Vec::new(), 0)
}

/// A line for showing: without the blanks around it, and not too long.
pub(crate) fn clipped(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASymbol { symbol } => {
                write!(f, "symbol {symbol:?} is empty or has a line break")
            }
            Self::NoSuchLine { line, lines, symbol, nearest, total } => {
                write!(f, "there is no line {line}: the file has {lines}")?;
                near(f, symbol, nearest, *total)
            }
            Self::NotOnLine { symbol, line, text, nearest, total } => {
                write!(f, "`{symbol}` is not on line {line}, which is `{text}`")?;
                near(f, symbol, nearest, *total)
            }
            Self::NoNth { symbol, nth, line, text, count } => {
                write!(f, "`{symbol}` stands {count} times on line {line} and not {nth}: `{text}`")
            }
        }
    }
}

fn near(f: &mut fmt::Formatter<'_>, symbol: &str, nearest: &[Near], total: usize) -> fmt::Result {
    if nearest.is_empty() {
        return write!(f, "; `{symbol}` is nowhere in the file");
    }
    let of = tool_core::n_of_m(nearest.len(), total);
    write!(f, "\nnearest lines that have it ({of}):")?;
    nearest.iter().try_for_each(|near| write!(f, "\n  {}: {}", near.line, near.text))
}

impl From<PositionError> for ToolError {
    fn from(error: PositionError) -> Self {
        let message = error.to_string();
        let told = Self::invalid(message);
        let lines = |nearest: &[Near]| -> Vec<_> {
            nearest.iter().map(|n| json!({ "line": n.line, "text": n.text })).collect()
        };
        match error {
            PositionError::NotASymbol { .. } => {
                told.hint("pass a piece of that line as it stands there, best a whole name")
            }
            PositionError::NoSuchLine { nearest, total, .. }
            | PositionError::NotOnLine { nearest, total, .. } => {
                let told = told.details(json!({ "nearest": lines(&nearest), "total": total }));
                match nearest.is_empty() {
                    true => told.hint("lines count from 1; the file was read just now"),
                    false => told.hint("call again with one of these lines"),
                }
            }
            PositionError::NoNth { count, .. } => told.details(json!({ "occurrences": count })),
        }
    }
}

#[cfg(test)]
mod tests;
