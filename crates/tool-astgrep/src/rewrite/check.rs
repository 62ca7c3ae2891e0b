//! Whether a rewritten file still parses as well as before.

use super::splice::{Edit, spliced_ranges};
use super::text::line_number;
use crate::tree::{NodeId, Tree};

/// What the parser says of a file after its rewrite. Lines are 1-based, in the new text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterCheck {
    /// No more errors than before.
    Fine,
    /// The file parsed before; now it has a syntax error at `line`.
    NewlyBroken { line: usize },
    /// The file had syntax errors before; now it has more. The first that lies in an edit is at `line`.
    MoreErrors { before: usize, after: usize, line: usize },
}

/// What is wrong in a file: its ERROR and MISSING nodes, and bodies that must not be empty but are.
pub(crate) fn faults(tree: &Tree) -> usize {
    tree.error_count() + empty_bodies(tree).count()
}

/// Python's grammar takes `def f():` without a body; Python does not.
fn empty_bodies(tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
    let bodies = if tree.language().id() == "python" { tree.len() } else { 0 };
    (0..bodies).filter(|id| tree.range(*id).is_empty() && tree.kind_name(*id) == "block")
}

/// Compares the [`faults`] `before` with those of the `tree` of the new text.
pub(crate) fn after_check(before: usize, edits: &[Edit], text: &str, tree: &Tree) -> AfterCheck {
    let after = faults(tree);
    if after <= before {
        return AfterCheck::Fine;
    }
    let ranges = spliced_ranges(edits);
    let mut errors = tree.errors().to_vec();
    errors.extend(empty_bodies(tree));
    errors.sort_unstable();
    let near_an_edit = errors.iter().copied().find(|id| {
        let error = tree.range(*id);
        // The first edit that ends behind the start of the error.
        let at = ranges.partition_point(|range| range.end < error.start);
        // What is missing is missing before the blanks behind which a deleted line stood.
        let rest = &text[error.end..];
        let end = error.end + (rest.len() - rest.trim_start().len());
        ranges.get(at).is_some_and(|range| range.start <= end)
    });
    let id = near_an_edit.or_else(|| errors.first().copied());
    let line = line_number(text, id.map_or(0, |id| tree.start(id)));
    if before == 0 {
        AfterCheck::NewlyBroken { line }
    } else {
        AfterCheck::MoreErrors { before, after, line }
    }
}
