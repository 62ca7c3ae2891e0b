//! Compact syntax trees: what is left of a tree-sitter tree once it has been walked.
//!
//! Nodes lie in pre-order in parallel arrays, 12 bytes each: the children of node `n` start at
//! `n + 1`, its next sibling is `n + size(n)`. Lengths and sizes that need more than 16 bits are
//! kept aside. Nothing here recurses: trees of any depth are fine.

mod build;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(crate) use build::{ParseStopped, RawTree};

use crate::language::{Class, ERROR_KIND, Language};

/// A node's place in pre-order; the root is 0.
pub(crate) type NodeId = u32;

const EXTRA: u8 = 1;
const MISSING: u8 = 2;
const HAS_ERROR: u8 = 4;
const GAP: u8 = 8;

/// Stands in the 16-bit arrays for "look it up in the table beside".
const LONG: u16 = u16::MAX;

/// A parsed file.
#[derive(Debug)]
pub(crate) struct Tree {
    language: Language,
    kinds: Vec<u16>,
    fields: Vec<u8>,
    flags: Vec<u8>,
    starts: Vec<u32>,
    lens: Vec<u16>,
    sizes: Vec<u16>,
    /// `(node, length)`, by node, for lengths that do not fit.
    long_lens: Vec<(NodeId, u32)>,
    /// `(node, size)`, by node, for sizes that do not fit.
    long_sizes: Vec<(NodeId, u32)>,
    /// One bit for each kind that occurs.
    present: Vec<u64>,
    /// ERROR and MISSING nodes, in pre-order.
    errors: Vec<NodeId>,
}

fn wide(short: u16, table: &[(NodeId, u32)], id: NodeId) -> u32 {
    if short != LONG {
        return u32::from(short);
    }
    match table.binary_search_by_key(&id, |entry| entry.0) {
        Ok(at) => table[at].1,
        Err(_) => u32::from(short),
    }
}

impl Tree {
    /// Parses `src`; `stop` is asked now and then and ends the parse when it says so.
    pub(crate) fn parse(
        language: Language,
        src: &str,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, ParseStopped> {
        let raw = RawTree::parse(language, src, None, stop)?;
        Ok(Self::from_raw(&raw, src))
    }

    /// The language that it was parsed as.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> u32 {
        self.kinds.len() as u32
    }

    /// Bytes of memory that the tree holds.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.kinds.capacity() * 2
            + self.fields.capacity()
            + self.flags.capacity()
            + self.starts.capacity() * 4
            + self.lens.capacity() * 2
            + self.sizes.capacity() * 2
            + (self.long_lens.capacity() + self.long_sizes.capacity()) * 8
            + self.present.capacity() * 8
            + self.errors.capacity() * 4
    }

    /// Number of ERROR and MISSING nodes.
    pub(crate) fn error_count(&self) -> usize {
        self.errors.len()
    }

    /// ERROR and MISSING nodes, in pre-order.
    pub(crate) fn errors(&self) -> &[NodeId] {
        &self.errors
    }

    /// The kind number, as the grammar counts.
    #[inline]
    pub(crate) fn kind(&self, id: NodeId) -> u16 {
        self.kinds[id as usize]
    }

    /// The kinds of all nodes, in pre-order: scanning them is the kind index.
    pub(crate) fn kinds(&self) -> &[u16] {
        &self.kinds
    }

    /// Whether any node is of that kind.
    pub(crate) fn has_kind(&self, kind: u16) -> bool {
        let word = self.present.get(usize::from(kind) / 64).copied();
        word.unwrap_or(0) >> (kind % 64) & 1 == 1
    }

    /// The name of the node's kind.
    pub(crate) fn kind_name(&self, id: NodeId) -> &'static str {
        self.language.kind_name(self.kind(id))
    }

    /// The number of the field that the node is in; 0 for none.
    #[inline]
    pub(crate) fn field(&self, id: NodeId) -> u8 {
        self.fields[id as usize]
    }

    /// The name of the field that the node is in; empty for none.
    pub(crate) fn field_name(&self, id: NodeId) -> &'static str {
        self.language.field_name(self.field(id))
    }

    /// Nodes in the subtree, itself included.
    #[inline]
    pub(crate) fn size(&self, id: NodeId) -> u32 {
        wide(self.sizes[id as usize], &self.long_sizes, id)
    }

    /// First byte.
    #[inline]
    pub(crate) fn start(&self, id: NodeId) -> usize {
        self.starts[id as usize] as usize
    }

    /// One past the last byte.
    #[inline]
    pub(crate) fn end(&self, id: NodeId) -> usize {
        self.start(id) + wide(self.lens[id as usize], &self.long_lens, id) as usize
    }

    /// The bytes of the node.
    #[inline]
    pub(crate) fn range(&self, id: NodeId) -> Range<usize> {
        self.start(id)..self.end(id)
    }

    /// The text of the node in the source that the tree was made of.
    #[inline]
    pub(crate) fn text<'s>(&self, id: NodeId, src: &'s str) -> &'s str {
        src.get(self.range(id)).unwrap_or("")
    }

    /// What the grammar's table says of the node's kind.
    #[inline]
    pub(crate) fn class(&self, id: NodeId) -> Class {
        self.language.class(self.kind(id))
    }

    /// A rule of the grammar, not a token spelled in it.
    pub(crate) fn is_named(&self, id: NodeId) -> bool {
        self.class(id).is_named()
    }

    /// A comment, or what else the grammar takes anywhere.
    #[inline]
    pub(crate) fn is_extra(&self, id: NodeId) -> bool {
        self.flags[id as usize] & EXTRA != 0
    }

    /// A token that the parser made up.
    pub(crate) fn is_missing(&self, id: NodeId) -> bool {
        self.flags[id as usize] & MISSING != 0
    }

    /// An ERROR node.
    #[inline]
    pub(crate) fn is_error(&self, id: NodeId) -> bool {
        self.kind(id) == ERROR_KIND
    }

    /// The subtree holds an ERROR or MISSING node.
    #[inline]
    pub(crate) fn has_error(&self, id: NodeId) -> bool {
        self.flags[id as usize] & HAS_ERROR != 0
    }

    /// The node holds text that none of its children covers.
    #[inline]
    pub(crate) fn has_gap(&self, id: NodeId) -> bool {
        self.flags[id as usize] & GAP != 0
    }

    /// A node without children.
    #[inline]
    pub(crate) fn is_leaf(&self, id: NodeId) -> bool {
        self.sizes[id as usize] == 1
    }

    /// The children in order, named and not.
    pub(crate) fn children(&self, id: NodeId) -> Children<'_> {
        Children { tree: self, at: id + 1, end: id + self.size(id) }
    }

    /// The smallest node that holds the bytes `range`.
    pub(crate) fn smallest_over(&self, range: Range<usize>) -> NodeId {
        self.path_over(range).last().copied().unwrap_or(0)
    }

    /// From the root down to the smallest node that holds the bytes `range`.
    pub(crate) fn path_over(&self, range: Range<usize>) -> Vec<NodeId> {
        let mut path = vec![0];
        let mut at = 0;
        while let Some(child) = self
            .children(at)
            .find(|&child| self.start(child) <= range.start && range.end <= self.end(child))
        {
            path.push(child);
            at = child;
        }
        path
    }

    /// From the root down to the parent of `id`; empty for the root.
    pub(crate) fn ancestors(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = 0;
        while at != id {
            path.push(at);
            let Some(child) =
                self.children(at).find(|&child| child <= id && id < child + self.size(child))
            else {
                break;
            };
            at = child;
        }
        path
    }

    /// The text of `id` that its children do not cover, without blanks, separators and line
    /// continuations.
    pub(crate) fn gap_text(&self, id: NodeId, src: &str) -> String {
        let mut text = String::new();
        let mut at = self.start(id);
        for child in self.children(id) {
            push_gap(&mut text, src.get(at..self.start(child)).unwrap_or(""));
            at = at.max(self.end(child));
        }
        push_gap(&mut text, src.get(at..self.end(id)).unwrap_or(""));
        text
    }
}

fn push_gap(into: &mut String, text: &str) {
    into.extend(text.chars().filter(|&c| !is_filler(c)));
}

/// What may stand between the children of a node without meaning anything.
fn is_filler(c: char) -> bool {
    c.is_whitespace() || matches!(c, ';' | ',' | '\\' | '\u{feff}')
}

/// See [`Tree::children`].
pub(crate) struct Children<'t> {
    tree: &'t Tree,
    at: NodeId,
    end: NodeId,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.at >= self.end {
            return None;
        }
        let id = self.at;
        self.at += self.tree.size(id);
        Some(id)
    }
}
