//! Where in a node a metavariable may be put.

use std::ops::Range;

use tree_sitter::Node;

use super::rng::Rng;

/// A place in the source and what may stand there instead.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) range: Range<usize>,
    pub(super) fill: Fill,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// `$A` for one node.
    One,
    /// `$$$B` for all that is between two brackets.
    Inside,
    /// `$$$B` for some neighbours of a list.
    Some,
    /// `$$$B` for a body without brackets.
    Whole,
}

/// The named nodes below `node`, itself first, in pre-order.
pub(super) fn below<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let mut found = Vec::new();
    loop {
        if cursor.node().is_named() {
            found.push(cursor.node());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn children<'t>(node: Node<'t>) -> Vec<(Node<'t>, u16)> {
    let mut cursor = node.walk();
    let mut found = Vec::new();
    if cursor.goto_first_child() {
        loop {
            found.push((cursor.node(), cursor.field_id().map_or(0, |id| id.get())));
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    found
}

/// The first bracket among the children and its partner at the end.
fn brackets(children: &[(Node<'_>, u16)], src: &str) -> Option<(usize, usize)> {
    let text = |at: usize| {
        let node = children[at].0;
        (!node.is_named()).then(|| src.get(node.byte_range())).flatten()
    };
    let last = children.len().checked_sub(1)?;
    let open = match text(last)? {
        "}" => "{",
        ")" => "(",
        "]" => "[",
        ">" => "<",
        _ => return None,
    };
    let first = (0..last).find(|at| text(*at) == Some(open))?;
    Some((first, last))
}

/// A list of statements without brackets: it starts and ends with one.
fn is_body(node: Node<'_>, children: &[(Node<'_>, u16)]) -> bool {
    let named = |child: Option<&(Node<'_>, u16)>| child.is_some_and(|(child, _)| child.is_named());
    ["block", "body", "suite", "statements", "statement_list", "then"]
        .iter()
        .any(|word| node.kind().contains(word))
        && named(children.first())
        && named(children.last())
}

/// Prose, which a grammar of blocks does not look into.
fn is_text(node: Node<'_>) -> bool {
    matches!(node.kind(), "inline" | "pipe_table_cell" | "link_label" | "html_block")
}

/// Part of a longer word: nobody puts a metavariable there.
fn is_glued(src: &str, range: &Range<usize>) -> bool {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#' | '\\');
    src[..range.start].ends_with(|c: char| word(c) || matches!(c, '!' | '?'))
        || src[range.end..].starts_with(word)
}

/// All slots of a node.
pub(super) fn slots(node: Node<'_>, src: &str, rng: &mut Rng) -> Vec<Slot> {
    let whole = trimmed(src, node.byte_range());
    let mut slots = Vec::new();
    for inner in below(node) {
        if inner.is_extra() || inner.byte_range().is_empty() {
            continue;
        }
        let range = trimmed(src, inner.byte_range());
        if range.is_empty() {
            continue;
        }
        let kids = children(inner);
        // What is between brackets in mere text is no list.
        let pair = brackets(&kids, src).filter(|_| !is_text(inner));
        // Arguments without parentheses are as many as there are: one metavariable is one of them.
        let bare = pair.is_none() && matches!(inner.kind(), "argument_list" | "arguments");
        if range != whole {
            if !bare {
                slots.push(Slot { range: range.clone(), fill: Fill::One });
            }
            if pair.is_none() && is_body(inner, &kids) || bare {
                slots.push(Slot { range, fill: Fill::Whole });
            }
        }
        // The parameters of `{ |a| … }` are no part of its body.
        let parameters = kids.iter().any(|(kid, _)| kid.is_named() && kid.kind().contains("param"));
        let parameters = parameters && !inner.kind().contains("param");
        if let Some((first, last)) = pair.filter(|_| !parameters) {
            let range = kids[first].0.end_byte()..kids[last].0.start_byte();
            slots.push(Slot { range, fill: Fill::Inside });
        }
        let (from, to) = match pair {
            Some((first, last)) => (first + 1, last),
            None if is_body(inner, &kids) => (0, kids.len()),
            None => continue,
        };
        let items: Vec<_> = kids[from..to]
            .iter()
            .filter(|(kid, field)| *field == 0 && kid.is_named() && !kid.is_extra())
            .collect();
        if items.len() > 1 {
            let from = rng.below(items.len());
            let to = from + rng.below(items.len() - from);
            let range = items[from].0.start_byte()..items[to].0.end_byte();
            let range = trimmed(src, range);
            if range != whole && !range.is_empty() {
                slots.push(Slot { range, fill: Fill::Some });
            }
        }
    }
    slots.retain(|slot| slot.fill == Fill::Inside || !is_glued(src, &slot.range));
    slots
}

/// The range without blanks at its ends.
pub(super) fn trimmed(src: &str, range: Range<usize>) -> Range<usize> {
    let text = src.get(range.clone()).unwrap_or("");
    let start = range.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}
