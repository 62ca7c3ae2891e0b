//! Where a pattern matches in a tree.

mod machine;
mod siblings;
#[cfg(test)]
mod tests;

use std::ops::Range;

use machine::Machine;

use crate::pattern::{Reading, Shape};
use crate::tree::{NodeId, Tree};

/// What a metavariable stands for in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Capture {
    /// `X`, or `$$$X` for a run.
    pub(crate) name: String,
    /// Bytes of the source; empty for a run of nothing.
    pub(crate) range: Range<usize>,
}

/// A place where a pattern matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    /// The bytes that are reported and replaced: from the first token that the pattern matched
    /// to the last. Annotations before it and a `;` after it that the pattern lacks are outside.
    pub(crate) range: Range<usize>,
    /// By slot; captures that the reading does not have are absent.
    pub(crate) captures: Vec<Capture>,
    /// Contains, touches or lies in an ERROR or MISSING node: never to be rewritten.
    pub(crate) touches_error: bool,
    /// The node that matched, or the first of several siblings.
    pub(crate) node: NodeId,
    /// The first node, in pre-order, after all that matched.
    pub(crate) over: NodeId,
}

/// Every match of a reading, in pre-order, nested ones included.
///
/// `hits` are the sorted byte offsets of one of the reading's needles in `src`: subtrees without
/// any are not looked at.
pub(crate) fn find(
    reading: &Reading,
    tree: &Tree,
    src: &str,
    hits: Option<&[usize]>,
) -> Vec<Match> {
    let mut found = Vec::new();
    let root = reading.root_kind;
    if let Some(sequence) = reading.shape.sequence {
        return siblings::find(&reading.shape, sequence, tree, src, hits);
    }
    if !tree.has_kind(root) {
        return found;
    }
    let mut machine = Machine::new(&reading.shape, tree, src);
    let elsewhere = |id: NodeId| {
        let list = reading.listed.map(|listed| listed.list);
        list.is_some_and(|list| {
            tree.ancestors(id).last().is_none_or(|parent| tree.kind_name(*parent) != list)
        })
    };
    let mut try_at = |id: NodeId| {
        if elsewhere(id) {
            return;
        }
        if let Some(range) = machine.run(id) {
            found.push(Match {
                touches_error: touches_error(tree, id, &range),
                captures: machine.captures(),
                range,
                node: id,
                over: id + tree.size(id),
            });
        }
    };
    match hits {
        None => {
            for (id, kind) in tree.kinds().iter().enumerate() {
                if *kind == root {
                    try_at(id as NodeId);
                }
            }
        }
        Some(hits) => {
            let mut id = 0;
            while id < tree.len() {
                let next = hits.partition_point(|hit| *hit < tree.start(id));
                if hits.get(next).is_none_or(|hit| *hit >= tree.end(id)) {
                    id += tree.size(id);
                    continue;
                }
                if tree.kind(id) == root {
                    try_at(id);
                }
                id += 1;
            }
        }
    }
    found
}

/// Whether a shape matches at `id`, whatever its metavariables stand for elsewhere in it: the bytes
/// that it took.
pub(crate) fn takes(shape: &Shape, tree: &Tree, src: &str, id: NodeId) -> Option<Range<usize>> {
    let free = shape.without_captures();
    let mut machine = Machine::new(&free, tree, src);
    if shape.sequence.is_some() {
        let parent = tree.ancestors(id).last().copied()?;
        return machine.run_siblings(id, parent).map(|(range, _)| range);
    }
    machine.run(id)
}

/// [`find`] for several readings: in pre-order, each place once, by the first reading that
/// matches there.
#[cfg(test)]
pub(crate) fn find_any<'r>(
    readings: impl IntoIterator<Item = (&'r Reading, Option<&'r [usize]>)>,
    tree: &Tree,
    src: &str,
) -> Vec<(Match, &'r Reading)> {
    let mut all: Vec<(Match, &Reading)> = Vec::new();
    for (reading, hits) in readings {
        let matches = find(reading, tree, src, hits);
        all.extend(matches.into_iter().map(|found| (found, reading)));
    }
    // Stable: the earlier reading stays first among equals.
    all.sort_by_key(|(found, _)| found.node);
    all.dedup_by_key(|(found, _)| found.node);
    all
}

/// Whether a match at `id` over `range` has to do with broken source.
fn touches_error(tree: &Tree, id: NodeId, range: &Range<usize>) -> bool {
    tree.error_count() > 0
        && (tree.has_error(id)
            || tree
                .errors()
                .iter()
                .any(|&error| tree.start(error) <= range.end && range.start <= tree.end(error)))
}
