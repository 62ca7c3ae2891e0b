//! Whether a mined pattern still says what its node says.
//!
//! `$C<$A>$B` made of a generic call is a comparison wherever it stands: no engine can know
//! better. So the edited text is parsed in its own place with plain names for the holes: only if
//! all that was not replaced is read as before must the engine find the node.

use std::ops::Range;

use tree_sitter::{InputEdit, Node, Parser, Point, Tree};

use super::mine::Named;
use super::slots::{Fill, trimmed};

/// Names for a hole, likely first: as the text that stood there, with a `;` where a statement
/// stood.
fn names(language: &str, old: &str, number: usize) -> Vec<String> {
    let lower = format!("zq{number}");
    let upper = format!("Zq{number}");
    let first = match (language, old.chars().next()) {
        ("php", Some('$')) => format!("${lower}"),
        ("json", _) if old.contains(':') && !old.starts_with(['{', '[']) => {
            format!("\"{lower}\": 0")
        }
        ("json", _) => format!("\"{lower}\""),
        (_, Some(first)) if first.is_uppercase() => upper,
        _ => lower,
    };
    if old.ends_with([';', '}']) { vec![format!("{first};"), first] } else { vec![first] }
}

/// What may stand between brackets for a run: nothing, if there was something, or a name.
fn insides(old: &str) -> Vec<String> {
    let mut insides = vec![" ".to_owned(), " zq ".to_owned(), " zq; ".to_owned()];
    if old.trim().is_empty() {
        insides.remove(0);
    }
    insides
}

/// Stands for a hole among kinds.
const HOLE: u16 = u16::MAX - 1;

/// The kinds and depths of the nodes in `whole` in pre-order, a hole as one node with its field:
/// what stood for a body must not be read as a name.
fn kinds(
    tree: &Tree,
    src: &str,
    whole: &Range<usize>,
    holes: &[Range<usize>],
    runs: &[bool],
) -> Vec<(u16, u16, u32)> {
    let mut found = Vec::new();
    let mut holes_seen = vec![false; holes.len()];
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let range = trimmed(src, node.byte_range());
        let outside = range.end <= whole.start || whole.end <= range.start;
        let inside = whole.start <= range.start && range.end <= whole.end;
        let hole = holes.iter().position(|hole| hole.start <= range.start && range.end <= hole.end);
        // A hole that does not fit there may hide in an ERROR.
        if inside && holes.iter().any(|hole| hole.contains(&range.start)) && node.has_error() {
            found.push((u16::MAX, 0, 0));
        }
        let in_hole = hole.is_some() && !range.is_empty();
        if let Some(hole) = hole
            && in_hole
            && !runs[hole]
            && !std::mem::replace(&mut holes_seen[hole], true)
        {
            found.push((HOLE, cursor.field_id().map_or(0, |id| id.get()), cursor.depth()));
        }
        if inside && !in_hole && !node.is_extra() && (!range.is_empty() || node.is_missing()) {
            let kind = if node.is_missing() { u16::MAX } else { node.kind_id() };
            found.push((kind, 0, cursor.depth()));
        }
        if !outside && !in_hole && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn point(text: &str, at: usize) -> Point {
    let before = &text.as_bytes()[..at];
    let row = before.iter().filter(|byte| **byte == b'\n').count();
    let line = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    Point { row, column: at - line }
}

/// Parses mined text where its node stood.
pub(super) struct Sense {
    pub(super) parser: Parser,
    pub(super) language: &'static str,
}

impl Sense {
    pub(super) fn keeps(
        &mut self,
        node: Node<'_>,
        tree: &Tree,
        src: &str,
        chosen: &[Named],
    ) -> bool {
        let whole = trimmed(src, node.byte_range());
        let (holes, inside): (Vec<_>, Vec<_>) = chosen
            .iter()
            .map(|Named { slot, .. }| {
                let inside = slot.fill == Fill::Inside;
                let range = slot.range.clone();
                (if inside { range } else { trimmed(src, range) }, inside)
            })
            .unzip();
        let before = kinds(tree, src, &whole, &holes, &inside);
        let names: Vec<_> = holes
            .iter()
            .zip(&inside)
            .enumerate()
            .map(|(number, (hole, inside))| {
                let old = &src[hole.clone()];
                if *inside { insides(old) } else { names(self.language, old, number) }
            })
            .collect();
        let most = names.iter().map(Vec::len).max().unwrap_or(1);
        (0..most).any(|which| {
            let mut text = src[..whole.start].to_owned();
            let mut spans = Vec::new();
            let mut at = whole.start;
            for (number, hole) in holes.iter().enumerate() {
                text.push_str(&src[at..hole.start]);
                let names = &names[number];
                let start = text.len();
                text.push_str(&names[which.min(names.len() - 1)]);
                spans.push(start..text.len());
                at = hole.end;
            }
            text.push_str(&src[at..whole.end]);
            let end = text.len();
            text.push_str(&src[whole.end..]);
            let mut old = tree.clone();
            old.edit(&InputEdit {
                start_byte: whole.start,
                old_end_byte: whole.end,
                new_end_byte: end,
                start_position: point(src, whole.start),
                old_end_position: point(src, whole.end),
                new_end_position: point(&text, end),
            });
            let Some(new) = self.parser.parse(&text, Some(&old)) else { return false };
            kinds(&new, &text, &(whole.start..end), &spans, &inside) == before
        })
    }
}
