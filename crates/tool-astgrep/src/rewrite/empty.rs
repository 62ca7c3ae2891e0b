//! Bodies that a deletion would leave empty: Python has no empty body, so `pass` takes the place.

use std::ops::Range;

use crate::tree::{NodeId, Tree};

/// What stands where nothing may.
pub(super) const PASS: &str = "pass";

/// Which of the deleted nodes are the first of a body of which nothing would be left, in the order
/// given.
pub(super) fn emptied(tree: &Tree, deleted: &[(NodeId, Range<usize>)]) -> Vec<usize> {
    if tree.language().id() != "python" {
        return Vec::new();
    }
    let places: Vec<Option<(NodeId, NodeId)>> =
        deleted.iter().map(|(node, range)| statement(tree, *node, range)).collect();
    let goes =
        |statement: NodeId| places.iter().flatten().any(|(_, deleted)| *deleted == statement);
    let mut seen = Vec::new();
    let mut first = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let Some((block, _)) = place else { continue };
        let mut left = tree.children(*block).filter(|id| tree.is_named(*id) && !tree.is_extra(*id));
        if !seen.contains(block) && left.all(goes) {
            first.push(at);
        }
        seen.push(*block);
    }
    first
}

/// The body that a deleted node is a whole statement of, and that statement.
fn statement(tree: &Tree, node: NodeId, range: &Range<usize>) -> Option<(NodeId, NodeId)> {
    let mut statement = node;
    for parent in tree.ancestors(node).into_iter().rev() {
        if tree.kind_name(parent) == "block" {
            return Some((parent, statement));
        }
        if tree.range(parent) != *range {
            return None;
        }
        statement = parent;
    }
    None
}
