//! Patterns of several siblings (`f($A); g($B);`): they match anywhere in a list, one after the
//! other and not overlapping.

use super::machine::Machine;
use super::{Match, touches_error};
use crate::pattern::{Sequence, Shape};
use crate::tree::{NodeId, Tree};

/// A list that is being walked.
struct List {
    parent: NodeId,
    end: NodeId,
    /// Where it ends in the text.
    end_byte: usize,
    /// Nothing that means anything has been seen of it yet.
    fresh: bool,
    /// The first sibling after the last match.
    free: NodeId,
}

/// Every place where the siblings stand; `hits` as in [`super::find`].
pub(super) fn find(
    shape: &Shape,
    sequence: Sequence,
    tree: &Tree,
    src: &str,
    hits: Option<&[usize]>,
) -> Vec<Match> {
    let mut found = Vec::new();
    let mut machine = Machine::new(shape, tree, src);
    let has_hit = |from: usize, to: usize| {
        hits.is_none_or(|hits| {
            let next = hits.partition_point(|hit| *hit < from);
            hits.get(next).is_some_and(|hit| *hit < to)
        })
    };
    let mut open: Vec<List> = Vec::new();
    let mut id = 0;
    while id < tree.len() {
        while open.last().is_some_and(|list| list.end <= id) {
            open.pop();
        }
        if let Some(list) = open.last_mut() {
            // The bracket before the list is not in it.
            let first = list.fresh && machine.is_significant(id) && tree.is_named(id);
            list.fresh &= !first;
            let start = tree.start(id);
            let may = id >= list.free
                && (first || !sequence.from_start)
                && machine.may_start(id)
                && has_hit(start, list.end_byte);
            if may && let Some((range, over)) = machine.run_siblings(id, list.parent) {
                list.free = over;
                found.push(Match {
                    touches_error: touches_error(tree, id, &range),
                    captures: machine.captures(),
                    range,
                    node: id,
                    over,
                });
            }
        }
        if tree.is_leaf(id) || !has_hit(tree.start(id), tree.end(id)) {
            id += tree.size(id);
            continue;
        }
        let end = id + tree.size(id);
        open.push(List { parent: id, end, end_byte: tree.end(id), fresh: true, free: id + 1 });
        id += 1;
    }
    found
}
