//! Puts captures into a template: indentation, line breaks, and what an empty run takes with it.

use std::ops::Range;

use super::frozen::Frozen;
use super::heredoc::{Heredocs, Put};
use super::template::{Line, Piece, Template};
use super::text::{Newline, beyond, blanks, indent_at, is_blank, line_start};

/// Where a template is put.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) src: &'a str,
    /// Start of the replaced range.
    pub(crate) start: usize,
    /// Strings and comments of the source whose lines keep their blanks.
    pub(crate) frozen: &'a Frozen,
    pub(crate) heredocs: &'a Heredocs,
    pub(crate) newline: Newline,
    pub(crate) layout: Layout,
}

/// Whether a line break after a `:` means something, so that a capture which had one keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Free,
    /// A body of several lines cannot follow its `:` in the line.
    Python,
    /// Neither can a block value follow its key.
    Yaml,
}

impl Layout {
    /// By the id of a language.
    pub(crate) fn of(language: &str) -> Self {
        match language {
            "python" => Self::Python,
            "yaml" => Self::Yaml,
            _ => Self::Free,
        }
    }
}

/// What stands in the place of a match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    /// The captures in `text`, in its order.
    pub(crate) puts: Vec<Put>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Item<'t> {
    Text(&'t str),
    /// A capture's byte range in the source, and whether it is a run.
    Capture(Range<usize>, bool),
}

struct Row<'t> {
    line: &'t Line,
    items: Vec<Item<'t>>,
    /// Left without a character by an empty run: the line is not written.
    gone: bool,
}

/// Renders `template`; `capture` gives the byte range of a key (`X`, `$$$X`) in the source.
pub(crate) fn render<'t>(
    template: &'t Template,
    place: Place<'_>,
    capture: impl Fn(&str) -> Option<Range<usize>>,
) -> Rendered {
    let mut rows: Vec<Row<'t>> = template
        .lines()
        .iter()
        .map(|line| Row {
            line,
            items: line
                .pieces
                .iter()
                .filter_map(|piece| match piece {
                    Piece::Text(text) => Some(Item::Text(text)),
                    Piece::Capture(key) => Some(Item::Capture(capture(key)?, key.starts_with('$'))),
                })
                .collect(),
            gone: false,
        })
        .collect();
    drop_empty_runs(&mut rows);
    let base = indent_at(place.src, place.start);
    let mut out = Out { place, base, rendered: Rendered::default() };
    let mut first = true;
    for row in rows.iter().filter(|row| !row.gone) {
        if !first {
            out.rendered.text.push_str(place.newline.as_str());
        }
        out.row(row, first);
        first = false;
    }
    out.rendered
}

struct Out<'a> {
    place: Place<'a>,
    /// Blanks of the line on which the match starts.
    base: &'a str,
    rendered: Rendered,
}

impl Out<'_> {
    fn row(&mut self, row: &Row<'_>, first: bool) {
        let Line { indent, frozen, .. } = row.line;
        let blank = row.items.is_empty();
        if *frozen {
            self.rendered.text.push_str(indent);
        } else if !blank && !first {
            self.rendered.text.push_str(self.base);
            self.rendered.text.push_str(indent);
        }
        let prefix = format!("{}{indent}", self.base);
        let mut before = false;
        let mut trim = false;
        for (at, item) in row.items.iter().enumerate() {
            match item {
                Item::Text(text) => {
                    let text = if std::mem::take(&mut trim) {
                        text.trim_start_matches([' ', '\t'])
                    } else {
                        text
                    };
                    self.rendered.text.push_str(text);
                    before |= !is_blank(text);
                }
                Item::Capture(range, run) => {
                    let after = row.items[at + 1..].iter().any(|item| match item {
                        Item::Text(text) => !is_blank(text),
                        Item::Capture(range, _) => !range.is_empty(),
                    });
                    if *frozen {
                        self.verbatim(range);
                    } else if before && self.wants_lines(range, *run) {
                        trim = self.block(range, &prefix, after);
                    } else {
                        self.inline(range, &prefix);
                    }
                    before |= !range.is_empty();
                }
            }
        }
    }

    fn verbatim(&mut self, range: &Range<usize>) {
        let from = self.rendered.text.len();
        self.rendered.text.push_str(&self.place.src[range.clone()]);
        self.put(range, from);
    }

    /// A capture in the line: its further lines follow the line of the placeholder.
    fn inline(&mut self, range: &Range<usize>, prefix: &str) {
        let from = self.rendered.text.len();
        let Self { place, rendered, .. } = self;
        let own = line_indent(place.src, range.start);
        let mut at = range.start;
        for line in place.src[range.clone()].split_inclusive('\n') {
            if at == range.start || place.frozen.holds(at) {
                rendered.text.push_str(line);
            } else if is_blank(line.trim_end_matches('\n')) {
                rendered.text.push_str(line.trim_start_matches([' ', '\t']));
            } else {
                let lead = blanks(line);
                rendered.text.push_str(prefix);
                rendered.text.push_str(beyond(lead, own));
                rendered.text.push_str(&line[lead.len()..]);
            }
            at += line.len();
        }
        self.put(range, from);
    }

    /// What was written since `from` is the capture.
    fn put(&mut self, range: &Range<usize>, from: usize) {
        let to = from..self.rendered.text.len();
        self.rendered.puts.push(Put { from: range.clone(), to });
    }

    /// A run of several lines that had its own lines in the source, put behind other text: it keeps
    /// lines of its own (in Python anything else would change what the code means). True if what
    /// follows on the template line starts a line as well.
    fn block(&mut self, range: &Range<usize>, prefix: &str, after: bool) -> bool {
        let src = self.place.src;
        let own = line_indent(src, range.start);
        let deeper = match own.strip_prefix(self.base) {
            // In YAML the items of a list may stand under their key.
            Some(deeper) if !deeper.is_empty() || self.place.layout == Layout::Yaml => deeper,
            _ if own.contains('\t') || self.base.contains('\t') => "\t",
            _ => "    ",
        };
        let newline = self.place.newline.as_str();
        let text = &mut self.rendered.text;
        text.truncate(text.trim_end_matches([' ', '\t']).len());
        let inner = format!("{prefix}{deeper}");
        text.push_str(newline);
        text.push_str(&inner);
        self.inline(range, &inner);
        let closes = after && ends_its_line(src, range.end);
        if closes {
            self.rendered.text.push_str(newline);
            self.rendered.text.push_str(prefix);
        }
        closes
    }

    /// The capture starts its line and cannot stand behind the text that is written so far.
    fn wants_lines(&self, range: &Range<usize>, run: bool) -> bool {
        let Place { src, layout, .. } = self.place;
        if !is_blank(&src[line_start(src, range.start)..range.start]) {
            return false;
        }
        let colon = self.rendered.text.trim_end_matches([' ', '\t']).ends_with(':');
        match layout {
            Layout::Yaml if colon => true,
            Layout::Python if colon => self.has_lines(range),
            _ => run && self.has_lines(range),
        }
    }

    /// The capture has a line break of its own (not only inside strings).
    fn has_lines(&self, range: &Range<usize>) -> bool {
        let Place { src, frozen, heredocs, .. } = self.place;
        heredocs.closes_at(range.end)
            || memchr::memchr_iter(b'\n', &src.as_bytes()[range.clone()])
                .any(|at| !frozen.holds(range.start + at + 1))
    }
}

/// The leading blanks of the line that holds `at`.
fn line_indent(src: &str, at: usize) -> &str {
    blanks(&src[line_start(src, at)..])
}

/// Only a separator stands between `at` and the end of its line.
fn ends_its_line(src: &str, at: usize) -> bool {
    let rest = src[at..].trim_start_matches([' ', '\t', ',', ';']);
    rest.is_empty() || rest.starts_with(['\n', '\r'])
}

// ---- Empty runs -------------------------------------------------------------------------------

/// Takes out the captures that hold nothing, with one separator of the template each.
fn drop_empty_runs(rows: &mut [Row<'_>]) {
    for row in 0..rows.len() {
        let mut at = 0;
        let mut dropped = false;
        while at < rows[row].items.len() {
            if matches!(&rows[row].items[at], Item::Capture(range, _) if range.is_empty()) {
                rows[row].items.remove(at);
                drop_separator(rows, row, at);
                dropped = true;
            } else {
                at += 1;
            }
        }
        let left_blank = rows[row].items.iter().all(|item| match item {
            Item::Text(text) => is_blank(text),
            Item::Capture(..) => false,
        });
        if dropped && left_blank {
            rows[row].items.clear();
            rows[row].gone = !rows[row].line.frozen;
        }
    }
}

/// What is next to a place in the rows: a text item and whether it is on the same row.
fn neighbour(rows: &[Row<'_>], row: usize, at: usize, left: bool) -> Option<(usize, usize)> {
    let inked = |r: usize, i: usize| match &rows[r].items[i] {
        Item::Text(text) => !is_blank(text),
        Item::Capture(range, _) => !range.is_empty(),
    };
    if left {
        (0..at)
            .rev()
            .map(|i| (row, i))
            .chain((0..row).rev().flat_map(|r| (0..rows[r].items.len()).rev().map(move |i| (r, i))))
            .find(|(r, i)| inked(*r, *i))
    } else {
        (at..rows[row].items.len())
            .map(|i| (row, i))
            .chain(
                (row + 1..rows.len()).flat_map(|r| (0..rows[r].items.len()).map(move |i| (r, i))),
            )
            .find(|(r, i)| inked(*r, *i))
    }
}

fn text_at<'t>(rows: &[Row<'t>], place: Option<(usize, usize)>) -> Option<&'t str> {
    let (row, at) = place?;
    match rows[row].items[at] {
        Item::Text(text) => Some(text),
        Item::Capture(..) => None,
    }
}

/// An empty run stood before item `at` of `row`: one comma (or the `;` behind it) goes with it.
fn drop_separator(rows: &mut [Row<'_>], row: usize, at: usize) {
    let left = neighbour(rows, row, at, true);
    let right = neighbour(rows, row, at, false);
    let left_text = text_at(rows, left).map(str::trim_end);
    let right_text = text_at(rows, right).map(str::trim_start);
    let opens = match left {
        None => true,
        Some(_) => left_text.is_some_and(|text| text.ends_with(['{', '}', ';'])),
    };
    let takes_right =
        right_text.is_some_and(|text| text.starts_with(',') || (text.starts_with(';') && opens));
    if let (true, Some(text), Some((r, i))) = (takes_right, right_text, right) {
        rows[r].items[i] = Item::Text(text[1..].trim_start_matches([' ', '\t']));
        // A blank in between (`$$$A , b`) was before the separator.
        if r == row && i > at {
            rows[row].items.drain(at..i);
        }
        return;
    }
    if let (Some(text), Some((r, i))) = (left_text, left)
        && text.ends_with(',')
    {
        rows[r].items[i] = Item::Text(&text[..text.len() - 1]);
        if r == row {
            rows[row].items.drain(i + 1..at);
        }
        return;
    }
    one_blank(&mut rows[row].items, at);
}

/// Nothing stands between two texts any more: two blanks become one, and a line ends without any.
fn one_blank(items: &mut [Item<'_>], at: usize) {
    let (before, after) = items.split_at_mut(at);
    let next_is_blank = match after.first() {
        Some(Item::Text(text)) => text.starts_with([' ', '\t', ';']),
        Some(Item::Capture(..)) => false,
        None => true,
    };
    if next_is_blank
        && let Some(Item::Text(text)) = before.last_mut()
        && text.ends_with([' ', '\t'])
    {
        *text = text.trim_end_matches([' ', '\t']);
    }
}

#[cfg(test)]
mod tests;
