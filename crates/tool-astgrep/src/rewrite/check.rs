//! Whether a rewritten file still parses as well as before.

use super::splice::{Edit, spliced_ranges};
use super::text::line_number;
use crate::tree::Tree;

/// What the parser says of a file after its rewrite. Lines are 1-based, in the new text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterCheck {
    /// No more ERROR and MISSING nodes than before.
    Fine,
    /// The file parsed before; now it has a syntax error at `line`.
    NewlyBroken { line: usize },
    /// The file had syntax errors before; now it has more. The first that lies in an edit is at `line`.
    MoreErrors { before: usize, after: usize, line: usize },
}

/// Compares the number of ERROR and MISSING nodes `before` with those of the `tree` of the new text.
pub(crate) fn after_check(before: usize, edits: &[Edit], text: &str, tree: &Tree) -> AfterCheck {
    let after = tree.error_count();
    if after <= before {
        return AfterCheck::Fine;
    }
    let ranges = spliced_ranges(edits);
    let errors = tree.errors();
    let near_an_edit = errors.iter().copied().find(|id| {
        let error = tree.range(*id);
        // The first edit that ends behind the start of the error.
        let at = ranges.partition_point(|range| range.end < error.start);
        ranges.get(at).is_some_and(|range| range.start <= error.end)
    });
    let id = near_an_edit.or_else(|| errors.first().copied());
    let line = line_number(text, id.map_or(0, |id| tree.start(id)));
    if before == 0 {
        AfterCheck::NewlyBroken { line }
    } else {
        AfterCheck::MoreErrors { before, after, line }
    }
}
