//! A pattern held against a node that it does not match: what is in the way.
//!
//! Bounded and approximate: an inner node is aligned in the first way that fits, and the number
//! of steps is limited. What comes out is checked by the real matcher before anybody is told.

use std::ops::Range;

use crate::pattern::{PatNode, Role, Shape};
use crate::tree::{NodeId, Tree};

/// One difference between a pattern and a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Diff {
    /// Siblings of the source that the pattern lacks.
    Extra {
        /// The pattern node in whose children they are.
        parent: u32,
        /// The pattern node before which they stand; the end of `parent` if they come last.
        before: u32,
        nodes: Vec<NodeId>,
    },
    /// Pattern nodes, siblings, that the source lacks.
    Lacking { parent: u32, nodes: Range<u32> },
    /// A name or literal that is another one in the source.
    Other { pat: u32, node: NodeId, how: How },
    /// A repeated metavariable whose texts differ.
    Repeated { pat: u32, slot: u16 },
}

/// How a text differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Only in letter case or underscores.
    Case,
    /// Only in the quotes.
    Quotes,
    /// The pattern has a literal, the source another value.
    Value,
}

/// Steps that one candidate may take.
const STEPS: u32 = 600;
/// Patterns nested deeper are not aligned.
const DEPTH: u32 = 60;

/// Aligns one shape with nodes of one tree.
pub(super) struct Aligner<'a> {
    pub(super) shape: &'a Shape,
    pub(super) tree: &'a Tree,
    pub(super) src: &'a str,
    diffs: Vec<Diff>,
    bound: Vec<Option<Range<usize>>>,
    most: usize,
    left: u32,
}

/// What is open at the place reached: a group that may go on without a further difference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Extra,
    Lacking,
    /// A run was just before: what it could hold is not extra.
    Run,
}

struct List {
    parent: u32,
    pat_end: u32,
    end: NodeId,
    depth: u32,
}

impl<'a> Aligner<'a> {
    pub(super) fn new(shape: &'a Shape, tree: &'a Tree, src: &'a str) -> Self {
        Self {
            shape,
            tree,
            src,
            diffs: Vec::new(),
            bound: vec![None; shape.keys.len()],
            most: 0,
            left: 0,
        }
    }

    /// The fewest differences, one or two, between the shape and `id`; `None` if there are none or
    /// more. Second: the steps it took.
    pub(super) fn differences(&mut self, id: NodeId) -> (Option<Vec<Diff>>, u32) {
        let mut steps = 0;
        for most in 1..=2 {
            self.most = most;
            self.left = STEPS;
            self.diffs.clear();
            self.bound.fill(None);
            let fits = self.node(0, id, 0);
            steps += STEPS - self.left;
            if fits {
                let diffs = std::mem::take(&mut self.diffs);
                return ((!diffs.is_empty()).then_some(diffs), steps);
            }
            if self.left == 0 {
                break;
            }
        }
        (None, steps)
    }

    fn pat(&self, at: u32) -> &'a PatNode {
        &self.shape.nodes[at as usize]
    }

    /// Goes back to a state before a failed try.
    fn undo(&mut self, diffs: usize, bound: &[Option<Range<usize>>]) -> bool {
        self.diffs.truncate(diffs);
        self.bound.clone_from_slice(bound);
        false
    }

    fn node(&mut self, pat: u32, id: NodeId, depth: u32) -> bool {
        let node = self.pat(pat);
        if self.tree.kind(id) != node.kind || depth > DEPTH {
            return false;
        }
        match &node.role {
            Role::Token => true,
            Role::Leaf(text) => {
                let found = self.tree.text(id, self.src);
                **text == *found
                    || (same_but_for_case(text, found) && self.other(pat, id, How::Case))
            }
            Role::Quoted { .. } => true,
            Role::Inner { gap } => {
                if let Some(gap) = gap
                    && **gap != *self.tree.gap_text(id, self.src)
                {
                    return false;
                }
                let list = List {
                    parent: pat,
                    pat_end: pat + node.size,
                    end: id + self.tree.size(id),
                    depth,
                };
                self.list(&list, pat + 1, id + 1, Open::Nothing)
            }
            Role::One { .. } | Role::Run { .. } => true,
        }
    }

    fn other(&mut self, pat: u32, node: NodeId, how: How) -> bool {
        self.push(Diff::Other { pat, node, how })
    }

    /// Adds a difference if there may be one more. What the source lacks must be the only one:
    /// with another it would say that `a != b` nearly is `a == b`.
    fn push(&mut self, diff: Diff) -> bool {
        let lacking = |diff: &Diff| matches!(diff, Diff::Lacking { .. });
        let alone = !self.diffs.is_empty() && (lacking(&diff) || self.diffs.iter().any(lacking));
        if self.diffs.len() >= self.most || alone {
            return false;
        }
        self.diffs.push(diff);
        true
    }

    fn list(&mut self, list: &List, pat: u32, at: NodeId, open: Open) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut at = self.skip(at, list.end);
        if list.parent == 0 && pat == 1 {
            // As the matcher does: annotations before what is declared are not part of it.
            while at < list.end && self.is_annotation(at) {
                at = self.skip(at + self.tree.size(at), list.end);
            }
        }
        if pat == list.pat_end {
            return self.rest(list, at, open);
        }
        let (diffs, bound) = (self.diffs.len(), self.bound.clone());
        let node = self.pat(pat);
        match node.role {
            Role::Run { wrapper, .. } => {
                if wrapper.is_some() && self.comes_later(node.field, at, list.end) {
                    // What stands before the body (a block's parameters) is extra, not the body.
                    if self.leave_extra(list, pat, at, open) {
                        return true;
                    }
                    self.undo(diffs, &bound);
                }
                if self.run(list, pat, at, wrapper) {
                    return true;
                }
                return self.undo(diffs, &bound);
            }
            Role::One { slot } => {
                if at < list.end && self.tree.is_named(at) && self.bind(pat, slot, at) {
                    let next = at + self.tree.size(at);
                    if self.list(list, pat + 1, next, Open::Nothing) {
                        return true;
                    }
                }
                self.undo(diffs, &bound);
            }
            _ => {
                // The fewest differences inside first: what comes after may need the others.
                let most = self.most;
                let mut tried = None;
                for within in diffs..=most {
                    if at >= list.end {
                        break;
                    }
                    self.most = within;
                    let fits = self.fixed(pat, at, list.depth + 1);
                    self.most = most;
                    let next = at + self.tree.size(at);
                    if fits && tried != Some(self.diffs.len()) {
                        tried = Some(self.diffs.len());
                        if self.list(list, pat + node.size, next, Open::Nothing) {
                            return true;
                        }
                    }
                    self.undo(diffs, &bound);
                }
            }
        }
        if self.leave_extra(list, pat, at, open) {
            return true;
        }
        self.undo(diffs, &bound);
        if self.leave_lacking(list, pat, at, open) {
            return true;
        }
        self.undo(diffs, &bound)
    }

    /// The source's next node is one that the pattern lacks.
    fn leave_extra(&mut self, list: &List, pat: u32, at: NodeId, open: Open) -> bool {
        if at >= list.end || open == Open::Run || !self.extra(list, pat, at, open) {
            return false;
        }
        let grown = self.diffs.len();
        if self.list(list, pat, at + self.tree.size(at), Open::Extra) {
            return true;
        }
        if open == Open::Extra
            && let Some(Diff::Extra { nodes, .. }) = self.diffs.get_mut(grown - 1)
        {
            nodes.retain(|node| *node < at);
        }
        false
    }

    fn extra(&mut self, list: &List, pat: u32, at: NodeId, open: Open) -> bool {
        if open == Open::Extra
            && let Some(Diff::Extra { nodes, .. }) = self.diffs.last_mut()
        {
            nodes.push(at);
            return true;
        }
        self.push(Diff::Extra { parent: list.parent, before: pat, nodes: vec![at] })
    }

    /// The pattern's next node is one that the source lacks.
    fn leave_lacking(&mut self, list: &List, pat: u32, at: NodeId, open: Open) -> bool {
        let size = self.pat(pat).size;
        let grows = open == Open::Lacking;
        if grows && let Some(Diff::Lacking { nodes, .. }) = self.diffs.last_mut() {
            nodes.end = pat + size;
        } else if !self.push(Diff::Lacking { parent: list.parent, nodes: pat..pat + size }) {
            return false;
        }
        if self.list(list, pat + size, at, Open::Lacking) {
            return true;
        }
        if grows && let Some(Diff::Lacking { nodes, .. }) = self.diffs.last_mut() {
            nodes.end = pat;
        }
        false
    }

    /// The pattern's children are used up: what the source still has.
    fn rest(&mut self, list: &List, at: NodeId, open: Open) -> bool {
        if !self.lacks_something() {
            return false;
        }
        let mut at = at;
        let mut open = open;
        while at < list.end {
            let class = self.tree.class(at);
            if !class.is_separator() && !class.is_soft() {
                if open == Open::Run || !self.extra(list, list.pat_end, at, open) {
                    return false;
                }
                open = Open::Extra;
            }
            at = self.skip(at + self.tree.size(at), list.end);
        }
        true
    }

    /// A group of punctuation alone is nothing that code may or may not have: `a != b` does not
    /// "lack" `==`.
    fn lacks_something(&self) -> bool {
        self.diffs.iter().all(|diff| {
            let Diff::Lacking { nodes, .. } = diff else {
                return true;
            };
            nodes.clone().any(|at| {
                let pat = self.pat(at);
                let word = |name: &str| name.starts_with(|c: char| c.is_alphabetic());
                pat.role != Role::Token || word(self.tree.language().kind_name(pat.kind))
            })
        })
    }

    /// Not the node at `at`, but a later sibling has the field.
    fn comes_later(&self, field: u8, at: NodeId, end: NodeId) -> bool {
        let mut next = at;
        while next < end && self.tree.field(next) != field {
            next += self.tree.size(next);
        }
        at < next && next < end
    }

    /// A run of any length. That one which occurs again must have one text is not looked at.
    fn run(&mut self, list: &List, pat: u32, at: NodeId, wrapper: Option<u16>) -> bool {
        let (diffs, bound) = (self.diffs.len(), self.bound.clone());
        let field = self.pat(pat).field;
        let mut upto = at;
        loop {
            let next = self.skip(upto, list.end);
            let outside = next < list.end
                && (wrapper.is_some() && self.tree.field(next) != field
                    || self.tree.class(next).is_clause());
            let open = if outside { Open::Nothing } else { Open::Run };
            if self.list(list, pat + 1, upto, open) {
                return true;
            }
            self.undo(diffs, &bound);
            if next >= list.end || outside || self.left == 0 {
                return false;
            }
            upto = next + self.tree.size(next);
            if wrapper == Some(self.tree.kind(next)) {
                // A body that holds the clauses after its statements too.
                let children = self.tree.children(next);
                let nodes: Vec<_> = children.filter(|c| self.tree.class(*c).is_clause()).collect();
                if !nodes.is_empty() {
                    return self.push(Diff::Extra { parent: list.parent, before: pat + 1, nodes })
                        && self.list(list, pat + 1, upto, Open::Nothing);
                }
            }
        }
    }

    fn bind(&mut self, pat: u32, slot: Option<u16>, id: NodeId) -> bool {
        let Some(slot) = slot else { return true };
        let range = self.tree.range(id);
        let Some(place) = self.bound.get_mut(usize::from(slot)) else {
            return false;
        };
        match place {
            Some(first) if self.src.get(first.clone()) == self.src.get(range.clone()) => true,
            Some(_) => self.push(Diff::Repeated { pat, slot }),
            None => {
                *place = Some(range);
                true
            }
        }
    }

    /// A token, leaf or inner node of the pattern against a source node.
    fn fixed(&mut self, pat: u32, id: NodeId, depth: u32) -> bool {
        let (diffs, bound) = (self.diffs.len(), self.bound.clone());
        let node = self.pat(pat);
        let language = self.tree.language();
        let is_string = language.class(node.kind).is_string();
        if is_string && self.tree.class(id).is_string() {
            let (ours, theirs) = (self.pattern_text(pat), self.tree.text(id, self.src));
            if self.tree.kind(id) == node.kind
                && self.node(pat, id, depth)
                && self.diffs.len() == diffs
            {
                return true;
            }
            self.undo(diffs, &bound);
            let open = |text: &str| text.chars().next();
            let same = self.has_hole(pat) || unquoted(&ours) == unquoted(theirs);
            let how = if same && open(&ours) != open(theirs) { How::Quotes } else { How::Value };
            return self.other(pat, id, how);
        }
        if self.node(pat, id, depth) {
            return true;
        }
        self.undo(diffs, &bound);
        let literal = is_string || is_literal(language.kind_name(node.kind));
        literal && self.tree.is_named(id) && self.other(pat, id, How::Value)
    }

    /// A metavariable stands in the pattern node.
    fn has_hole(&self, pat: u32) -> bool {
        let nodes = &self.shape.nodes[pat as usize..(pat + self.pat(pat).size) as usize];
        nodes.iter().any(|node| {
            matches!(node.role, Role::One { .. } | Role::Run { .. } | Role::Quoted { .. })
        })
    }

    /// The text that the leaves of a pattern node have.
    fn pattern_text(&self, pat: u32) -> String {
        let mut text = String::new();
        for node in &self.shape.nodes[pat as usize..(pat + self.pat(pat).size) as usize] {
            match &node.role {
                Role::Leaf(leaf) => text.push_str(leaf),
                Role::Token => text.push_str(self.tree.language().kind_name(node.kind)),
                Role::Inner { gap: Some(gap) } => text.push_str(gap),
                Role::Quoted { lead, tail, .. } => text.extend([&**lead, &**tail]),
                _ => {}
            }
        }
        text
    }

    fn is_annotation(&self, at: NodeId) -> bool {
        let class = self.tree.class(at);
        let mut children = self.tree.children(at);
        class.is_annotation()
            || (class.is_modifiers()
                && children.all(|child| self.tree.class(child).is_annotation()))
    }

    fn skip(&self, mut at: NodeId, end: NodeId) -> NodeId {
        while at < end {
            let class = self.tree.class(at);
            let soft = class.is_soft() && !class.is_separator();
            let empty = self.tree.is_leaf(at) && self.tree.text(at, self.src).trim().is_empty();
            if !(self.tree.is_extra(at) || soft || empty) {
                break;
            }
            at += self.tree.size(at);
        }
        at
    }
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

fn same_but_for_case(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> String {
        let kept = text.chars().filter(|c| *c != '_');
        kept.flat_map(char::to_lowercase).collect()
    };
    a.len().abs_diff(b.len()) < 8 && letters(a) == letters(b)
}

/// Kinds of numbers and constants.
fn is_literal(kind: &str) -> bool {
    kind.ends_with("_literal")
        || ["number", "integer", "float", "true", "false", "null", "nil", "none"]
            .iter()
            .any(|word| kind.contains(word))
}
