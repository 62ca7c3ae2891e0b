//! Deleting matches: what goes with a deleted node, so that no stray line, separator or
//! terminator is left.

use std::ops::Range;

use super::heredoc::Heredocs;
use super::splice::Edit;
use super::text::{blanks, is_blank, line_start, next_line};
use crate::tree::{NodeId, Tree};

/// Languages in which `if (x)` takes a bare statement, and `{}` is an empty one.
const BARE_BODIES: &[&str] = &[
    "c",
    "cpp",
    "csharp",
    "dart",
    "java",
    "javascript",
    "kotlin",
    "php",
    "scala",
    "solidity",
    "tsx",
    "typescript",
];

/// Kinds that stand before a declaration and belong to it.
const LEADING: &[&str] = &["attribute_item", "decorator", "annotation", "marker_annotation"];

/// A node to delete, and what of its surroundings belongs to it.
#[derive(Debug, Clone)]
struct Unit {
    /// The bytes of the node with its terminator and its annotations.
    range: Range<usize>,
    /// The node as an element of its parent, when a comma is next to it.
    element: Option<Element>,
    /// The body of an `if (x)` and the like, without braces.
    bare_body: bool,
}

#[derive(Debug, Clone, Copy)]
struct Element {
    node: NodeId,
    before: Option<NodeId>,
    after: Option<NodeId>,
}

/// The bytes of a deleted match with what belongs to it; the text of a here-document comes on top.
pub(crate) fn reach(src: &str, tree: &Tree, node: NodeId, range: &Range<usize>) -> Range<usize> {
    unit(src, tree, node, range).range
}

/// Deletes `matches`, given by node and range, in source order and not overlapping.
pub(crate) fn deletions(
    src: &str,
    tree: &Tree,
    heredocs: &Heredocs,
    matches: &[(NodeId, Range<usize>)],
) -> Vec<Edit> {
    let with_text = |(node, range): &(NodeId, Range<usize>)| {
        let unit = unit(src, tree, *node, range);
        Unit { range: heredocs.with_text(src, unit.range.clone(), src.len()), ..unit }
    };
    let units: Vec<Unit> = matches.iter().map(with_text).collect();
    let mut edits: Vec<Edit> = Vec::new();
    let mut rest = &units[..];
    while !rest.is_empty() {
        let together =
            1 + rest.windows(2).take_while(|pair| adjacent(src, tree, &pair[0], &pair[1])).count();
        let (group, others) = rest.split_at(together);
        rest = others;
        let edit = delete_group(src, tree, group);
        match edits.last_mut() {
            // Neighbours on one line may both claim the blanks between them.
            Some(last) if edit.range.start < last.range.end => {
                last.range.end = last.range.end.max(edit.range.end);
            }
            _ => edits.push(edit),
        }
    }
    edits
}

/// Deletes the lines of `texts` that no edit deletes yet.
pub(crate) fn lines_of(src: &str, texts: &[Range<usize>], edits: &mut Vec<Edit>) {
    for text in texts {
        let gone = |edit: &Edit| edit.range.start <= text.start && text.end <= edit.range.end;
        if edits.iter().any(gone) {
            continue;
        }
        let (mut start, end) = (line_start(src, text.start), next_line(src, text.end));
        if end == src.len() && !src.ends_with('\n') {
            // The last line of a file without a final line break: the break before it goes.
            start = src[..start].trim_end_matches('\n').trim_end_matches('\r').len();
        }
        edits.push(edit(start..end, ""));
    }
}

/// Nothing but a comma, or blanks of one line, between two deleted nodes.
fn adjacent(src: &str, tree: &Tree, first: &Unit, second: &Unit) -> bool {
    if first.bare_body || second.bare_body {
        return false;
    }
    match (first.element, second.element) {
        (Some(a), Some(b)) => {
            a.after.is_some() && a.after == b.before && tree.start(a.node) < tree.start(b.node)
        }
        (None, None) => src
            .get(first.range.end..second.range.start)
            .is_some_and(|gap| gap.bytes().all(|b| matches!(b, b' ' | b'\t'))),
        _ => false,
    }
}

fn delete_group(src: &str, tree: &Tree, group: &[Unit]) -> Edit {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    let range = first.range.start..last.range.end;
    if first.bare_body {
        return edit(range, "{}");
    }
    let comma_after = last.element.and_then(|element| element.after);
    let comma_before = first.element.and_then(|element| element.before);
    match (comma_after, comma_before) {
        (Some(comma), _) => {
            let end = tree.end(comma);
            if fills_lines(src, range.start, end) {
                return edit(line_start(src, range.start)..next_line(src, end), "");
            }
            let after = &src[end..];
            let gap = blanks(after).len();
            if after[gap..].starts_with([')', ']', '}', '>']) {
                let before = src[..range.start].trim_end_matches([' ', '\t']).len();
                return edit(before..end, "");
            }
            let ends_line = is_blank(line_rest(src, end));
            edit(range.start..end + if ends_line { 0 } else { gap }, "")
        }
        (None, Some(comma)) => {
            let between = &src[tree.end(comma)..range.start];
            let text = if between.trim().is_empty() { "" } else { between.trim_end() };
            edit(tree.start(comma)..range.end, text)
        }
        (None, None) => edit(with_surroundings(src, range), ""),
    }
}

fn edit(range: Range<usize>, text: &str) -> Edit {
    Edit { range, text: text.to_owned(), kept: Vec::new() }
}

/// What goes with a deleted statement: its lines if it fills them, else the blanks on one side.
fn with_surroundings(src: &str, range: Range<usize>) -> Range<usize> {
    let Range { start, end } = range;
    if fills_lines(src, start, end) {
        return whole_lines(src, start, end);
    }
    let after = blanks(&src[end..]).len();
    if is_blank(line_rest(src, end)) || after == 0 {
        let lead = src[..start].trim_end_matches([' ', '\t']).len();
        // Blanks at the start of a line are its indentation.
        let indents = lead <= line_start(src, start);
        let closed = after == 0 && !is_blank(line_rest(src, end));
        return if indents || closed { start..end } else { lead..end };
    }
    start..end + after
}

fn fills_lines(src: &str, start: usize, end: usize) -> bool {
    is_blank(&src[line_start(src, start)..start]) && is_blank(line_rest(src, end))
}

/// The lines of `start..end`; one of two groups of blank lines around them goes as well.
fn whole_lines(src: &str, start: usize, end: usize) -> Range<usize> {
    let from = line_start(src, start);
    let mut to = next_line(src, end);
    if to == src.len() && !src.ends_with('\n') {
        // The last line of a file without a final line break: the break before it goes.
        let before = &src[..from];
        let cut =
            before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')).unwrap_or(before);
        return cut.len()..to;
    }
    let mut above = from;
    while to < src.len() {
        let next = next_line(src, to);
        let blank_below = is_blank(src[to..next].trim_end_matches('\n'));
        if !blank_below || !blank_line_above(src, &mut above) {
            break;
        }
        to = next;
    }
    from..to
}

/// Whether the line above the one that starts at `at` is blank; if so `at` moves there. The start of
/// the source counts as one.
fn blank_line_above(src: &str, at: &mut usize) -> bool {
    let Some(end) = at.checked_sub(1).filter(|end| src.as_bytes()[*end] == b'\n') else {
        return true;
    };
    let start = line_start(src, end);
    let blank = is_blank(&src[start.min(end)..end]);
    if blank {
        *at = start;
    }
    blank
}

fn line_rest(src: &str, at: usize) -> &str {
    let rest = &src[at..];
    &rest[..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())]
}

// ---- What belongs to a node -------------------------------------------------------------------

fn unit(src: &str, tree: &Tree, node: NodeId, range: &Range<usize>) -> Unit {
    let path = tree.ancestors(node);
    // Annotations that the pattern lacks are in the node, before the matched range.
    let mut start = range.start.min(tree.start(node));
    let mut end = range.end;
    let mut level = node;
    let mut element = None;
    loop {
        // What the pattern left out at the end of the node: its terminator.
        let tail = src.get(end..tree.end(level)).unwrap_or_default();
        if !is_terminator(tail) || tree.start(level) != start {
            break;
        }
        end += tail.trim_end().len();
        let Some(parent) = path.iter().rev().copied().find(|above| *above < level) else {
            break;
        };
        if is_redirected(tree, parent, level) {
            (level, end) = (parent, tree.end(parent));
            continue;
        }
        element = comma_beside(src, tree, parent, level);
        let tail = src.get(end..tree.end(parent)).unwrap_or_default();
        if element.is_some() || parent == 0 || tree.start(parent) != start || !is_terminator(tail) {
            break;
        }
        level = parent;
    }
    let mut bare_body = false;
    if element.is_none()
        && let Some(parent) = path.iter().rev().copied().find(|above| *above < level)
    {
        let siblings: Vec<NodeId> = tree.children(parent).collect();
        let at = siblings.iter().position(|sibling| *sibling == level);
        let at = at.unwrap_or(0);
        if let Some(next) = siblings.get(at + 1)
            && tree.text(*next, src) == ";"
            && !tree.kind_name(parent).contains("for")
        {
            end = tree.end(*next);
        }
        bare_body = is_bare_body(src, tree, level, &siblings[..at]);
        if !LEADING.contains(&tree.kind_name(level)) {
            for sibling in siblings[..at].iter().rev() {
                let attached =
                    src.get(tree.end(*sibling)..start).is_some_and(|gap| gap.trim().is_empty());
                if !attached || !LEADING.contains(&tree.kind_name(*sibling)) {
                    break;
                }
                start = tree.start(*sibling);
            }
        }
    }
    Unit { range: start..end.max(start), element, bare_body }
}

/// A shell command with redirections, of which none is left without it (`> file` alone empties a file).
fn is_redirected(tree: &Tree, parent: NodeId, command: NodeId) -> bool {
    let piped =
        |redirect: NodeId| tree.children(redirect).any(|id| tree.kind_name(id) == "pipeline");
    tree.kind_name(parent) == "redirected_statement"
        && tree.field_name(command) == "body"
        && !tree.children(parent).any(piped)
}

fn is_terminator(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_whitespace() || matches!(b, b';' | b','))
}

/// `node` in `parent`, if a comma is next to it.
fn comma_beside(src: &str, tree: &Tree, parent: NodeId, node: NodeId) -> Option<Element> {
    let is_comma = |id: &NodeId| tree.text(*id, src) == ",";
    let mut before = None;
    let mut after = None;
    let mut seen = false;
    for sibling in tree.children(parent).filter(|sibling| !tree.is_extra(*sibling)) {
        if sibling == node {
            seen = true;
        } else if seen {
            after = Some(sibling);
            break;
        } else {
            before = Some(sibling);
        }
    }
    let (before, after) = (before.filter(is_comma), after.filter(is_comma));
    (before.is_some() || after.is_some()).then_some(Element { node, before, after })
}

/// `node` is what `if (x)`, `else` or `while (x)` does, without braces: if it simply went, the next
/// statement would take its place.
fn is_bare_body(src: &str, tree: &Tree, node: NodeId, before: &[NodeId]) -> bool {
    if !BARE_BODIES.contains(&tree.language().id()) {
        return false;
    }
    let Some(previous) = before.iter().rev().find(|id| !tree.is_extra(**id)) else {
        return false;
    };
    let text = tree.text(*previous, src);
    let keyword = !tree.is_named(*previous) && matches!(text, "else" | "do");
    keyword || (tree.field(node) != 0 && text.ends_with(')') && is_head(tree, *previous))
}

/// The `)` of a head, or a node that is one (`parenthesized_expression`, `condition_clause`).
fn is_head(tree: &Tree, node: NodeId) -> bool {
    let kind = tree.kind_name(node);
    !tree.is_named(node) || kind.contains("parenthes") || kind.contains("condition")
}

#[cfg(test)]
mod tests;
