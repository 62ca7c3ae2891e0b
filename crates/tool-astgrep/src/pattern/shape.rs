//! A pattern as nodes: the part of a scaffold's tree that the pattern covers.

use super::holes::{FOR_HEAD, Holes, Metavariable, Spelled};
use crate::tree::{NodeId, Tree};
use crate::words::{spoken, with_article};

/// How a pattern node matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    /// A token of the grammar: by kind.
    Token,
    /// A named node without children: by kind and text.
    Leaf(Box<str>),
    /// By kind and children; `gap` is text that no child covers.
    Inner { gap: Option<Box<str>> },
    /// `$X`: any one named node.
    One { slot: Option<u16> },
    /// `$$$X`: any number of siblings. `wrapper` is the kind of a node that holds nothing but
    /// the run and is in a field of its parent: only that field is looked at.
    Run { slot: Option<u16>, wrapper: Option<u16> },
    /// A node of that kind whose text is `lead`, anything, `tail`: `"$X"` where the grammar does
    /// not look into strings.
    Quoted { slot: Option<u16>, lead: Box<str>, tail: Box<str> },
}

/// A node of a pattern, in pre-order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatNode {
    pub(crate) kind: u16,
    pub(crate) field: u8,
    /// Nodes in the subtree, itself included.
    pub(crate) size: u32,
    pub(crate) role: Role,
}

/// The nodes of a pattern in pre-order; the root first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) nodes: Vec<PatNode>,
    /// The keys of the captures there can be, by slot.
    pub(crate) keys: Vec<String>,
    /// How many runs there are: more than one makes matching remember its failures.
    pub(crate) runs: usize,
    /// Slots that occur more than once.
    pub(crate) repeated: Vec<u16>,
    /// The children of the root match siblings anywhere, whatever the node that holds them.
    pub(crate) sequence: Option<Sequence>,
}

/// Where in a list a pattern of several siblings may match: a run at one of its ends reaches to
/// that end of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) from_start: bool,
    pub(crate) to_end: bool,
}

impl Shape {
    /// Whether the other shape matches the same: what kind of node stood for a metavariable does
    /// not matter.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.nodes.len() == other.nodes.len()
            && self.sequence == other.sequence
            && self.keys == other.keys
            && self.nodes.iter().zip(&other.nodes).enumerate().all(|(at, (a, b))| {
                // Siblings are looked for whatever holds them.
                if at == 0 && self.sequence.is_some() {
                    return true;
                }
                let open = matches!(a.role, Role::One { .. } | Role::Run { .. });
                a.size == b.size
                    && a.field == b.field
                    && a.role == b.role
                    && (open || a.kind == b.kind)
            })
    }

    /// The same shape with metavariables that need not be the same text where they are repeated.
    pub(crate) fn without_captures(&self) -> Self {
        let mut free = self.clone();
        for node in &mut free.nodes {
            match &mut node.role {
                Role::One { slot } | Role::Run { slot, .. } | Role::Quoted { slot, .. } => {
                    *slot = None;
                }
                Role::Token | Role::Leaf(_) | Role::Inner { .. } => {}
            }
        }
        free
    }

    /// The kind of the node that matches.
    pub(crate) fn root_kind(&self) -> u16 {
        self.nodes[0].kind
    }

    /// The node `root` of `tree` as a pattern. `from` is where the pattern starts in `src`, and
    /// `end` where it ends: tokens after it were put in by the scaffold and are left out.
    pub(crate) fn of(
        tree: &Tree,
        root: NodeId,
        src: &str,
        from: usize,
        spelled: &Spelled,
        holes: &Holes,
    ) -> Result<Self, String> {
        let list = is_list(tree, root);
        Self::made(tree, root, root + 1, list, src, from, spelled, holes)
    }

    /// The children of `parent` that the pattern covers, `first` being the first of them, as a
    /// pattern of siblings.
    pub(crate) fn of_siblings(
        tree: &Tree,
        parent: NodeId,
        first: NodeId,
        src: &str,
        from: usize,
        spelled: &Spelled,
        holes: &Holes,
    ) -> Result<Self, String> {
        Self::made(tree, parent, first, true, src, from, spelled, holes)
    }

    #[expect(clippy::too_many_arguments, reason = "the two public ways in have one each")]
    fn made(
        tree: &Tree,
        root: NodeId,
        first: NodeId,
        list: bool,
        src: &str,
        from: usize,
        spelled: &Spelled,
        holes: &Holes,
    ) -> Result<Self, String> {
        let mut maker = Maker {
            tree,
            src,
            from,
            spelled,
            holes,
            found: vec![false; holes.holes().len()],
            nodes: Vec::new(),
        };
        maker.walk(root, first)?;
        maker.check()?;
        let mut shape = maker.finish();
        if list {
            shape.sequence = sequence(tree, &shape.nodes);
        }
        Ok(shape)
    }
}

/// Whether a node is nothing but a list of statements: two of them are looked for in longer lists
/// too.
fn is_list(tree: &Tree, id: NodeId) -> bool {
    let kind = tree.kind_name(id);
    let lists: &[&str] = match tree.language().id() {
        "go" => &["statement_list"],
        "python" | "lua" => &["block"],
        "ruby" => &["body_statement", "block_body"],
        "swift" | "kotlin" => &["statements"],
        "scala" => &["indented_block"],
        "elixir" => &["body"],
        _ => &[],
    };
    lists.contains(&kind)
        && tree.children(id).all(|child| {
            let class = tree.class(child);
            class.is_named() || class.is_soft() || class.is_separator()
        })
}

/// How the children of the first node are looked for; `None` when they are not several, or nothing
/// but holes.
fn sequence(tree: &Tree, nodes: &[PatNode]) -> Option<Sequence> {
    let mut at = 1;
    let mut children = Vec::new();
    while let Some(node) = nodes.get(at) {
        let word = |name: &str| name.starts_with(|c: char| c.is_alphabetic());
        if node.role != Role::Token || word(tree.language().kind_name(node.kind)) {
            children.push(node);
        }
        at += node.size as usize;
    }
    let run = |node: &&PatNode| matches!(node.role, Role::Run { .. });
    let fixed = |node: &&PatNode| !matches!(node.role, Role::Run { .. } | Role::One { .. });
    (children.len() > 1 && children.iter().any(fixed)).then(|| Sequence {
        from_start: children.first().is_some_and(run),
        to_end: children.last().is_some_and(run),
    })
}

struct Maker<'a> {
    tree: &'a Tree,
    src: &'a str,
    from: usize,
    spelled: &'a Spelled,
    holes: &'a Holes,
    found: Vec<bool>,
    nodes: Vec<PatNode>,
}

impl Maker<'_> {
    fn walk(&mut self, root: NodeId, first: NodeId) -> Result<(), String> {
        let end = self.from + self.spelled.text.len();
        let stop = root + self.tree.size(root);
        // Pattern nodes whose children are being taken: (place, end in the tree).
        let mut open: Vec<(usize, NodeId)> = Vec::new();
        let mut at = root;
        while at < stop {
            while let Some(&(place, over)) = open.last()
                && at >= over
            {
                self.nodes[place].size = (self.nodes.len() - place) as u32;
                open.pop();
            }
            let next = at + self.tree.size(at);
            let kind = self.tree.kind(at);
            let hole = if at == root { None } else { self.hole(at) };
            if let Some(number) = hole {
                self.found[number] = true;
                self.push(at, self.hole_role(at, number));
                at = next;
                continue;
            }
            if self.tree.is_error(at)
                || self.tree.is_missing(at)
                || self.tree.kind_name(at).starts_with("erroneous")
            {
                return Err(format!("syntax error at `{}`", self.tree.text(at, self.src).trim()));
            }
            let blank = self.tree.is_leaf(at) && self.tree.text(at, self.src).trim().is_empty();
            let injected = self.tree.start(at) >= end;
            if self.tree.is_extra(at) && at != root || blank || injected || self.is_stray(at) {
                at = next;
                continue;
            }
            let class = self.tree.class(at);
            if class.is_soft() && !class.is_separator() {
                at = next;
                continue;
            }
            if let Some(role) = self.quoted(at) {
                self.push(at, role);
                at = next;
                continue;
            }
            let leaf = self.tree.is_leaf(at);
            let role = if !leaf {
                let gap = self.tree.has_gap(at);
                let gap = gap.then(|| self.tree.gap_text(at, self.src).into());
                Role::Inner { gap }
            } else if class.is_named() {
                Role::Leaf(self.tree.text(at, self.src).into())
            } else {
                Role::Token
            };
            self.push(at, role);
            debug_assert_eq!(self.nodes.last().map(|node| node.kind), Some(kind));
            if !leaf {
                open.push((self.nodes.len() - 1, next));
            }
            at = if at == root { first } else { at + 1 };
        }
        for (place, _) in open {
            self.nodes[place].size = (self.nodes.len() - place) as u32;
        }
        Ok(())
    }

    fn push(&mut self, at: NodeId, role: Role) {
        self.nodes.push(PatNode {
            kind: self.tree.kind(at),
            field: self.tree.field(at),
            size: 1,
            role,
        });
    }

    /// The hole that the node's text is, all of it.
    fn hole(&self, at: NodeId) -> Option<usize> {
        // Arguments without parentheses: what is open is an argument, not the list.
        let lists = match self.tree.language().id() {
            "ruby" => "argument_list",
            "elixir" => "arguments",
            _ => "",
        };
        // The arguments of a clause or an anonymous function are a pattern: all of them may be open.
        let called = || {
            let parent = self.tree.ancestors(at).last().copied();
            parent.is_none_or(|parent| self.tree.kind_name(parent) != "stab_clause")
        };
        if self.tree.kind_name(at) == lists && !self.tree.is_leaf(at) && called() {
            return None;
        }
        let text = self.tree.text(at, self.src);
        let start = self.tree.start(at).checked_sub(self.from)?;
        let blanks = text.len() - text.trim_start().len();
        let start = start + blanks;
        let end = start + text.trim().len();
        let number = self.spelled.spans.binary_search_by_key(&start, |span| span.start).ok()?;
        let span = &self.spelled.spans[number];
        let run = self.holes.holes()[number].run;
        // A run of statements may be written, or was spelled, with a `;`.
        let rest = self.src.get(self.from + span.end..self.from + end)?.trim();
        let error = self.tree.is_error(at);
        let put_in = self.spelled.semicolons.contains(&span.end) || end > self.spelled.text.len();
        let fits = match rest {
            "" => run || !error,
            ";" => (run || put_in) && !error,
            FOR_HEAD => put_in && !error,
            _ => false,
        };
        fits.then_some(number)
    }

    fn hole_role(&self, at: NodeId, number: usize) -> Role {
        let hole = &self.holes.holes()[number];
        let slot = hole.slot;
        // The version that a pragma asks for is one thing to a reader and several nodes: `^0.8.0`.
        let version = self.tree.kind_name(at) == "solidity_version";
        if !hole.run && version {
            return Role::Run { slot, wrapper: None };
        }
        if !hole.run {
            return Role::One { slot };
        }
        // Between round or square brackets a run is all there is, whatever its fields.
        let span = &self.spelled.spans[number];
        let before = self.spelled.text[..span.start].trim_end();
        let after = self.spelled.text[span.end..].trim_start();
        let after = after.strip_prefix(FOR_HEAD).unwrap_or(after);
        let listed = before.ends_with(['(', '[']) && after.starts_with([')', ']']);
        // So are the formals of a Nix function, whose `...` is in a field of its own.
        let listed = listed || self.tree.kind_name(at) == "formal";
        let wraps = !listed && !self.tree.is_leaf(at) && self.tree.field(at) != 0;
        Role::Run { slot, wrapper: wraps.then(|| self.tree.kind(at)) }
    }

    /// A `;` that was put after a hole and did not become part of it, or a part of the head of a `for`
    /// that was put in.
    fn is_stray(&self, at: NodeId) -> bool {
        let start = self.tree.start(at).checked_sub(self.from);
        if start.is_some_and(|start| self.spelled.heads.iter().any(|head| head.contains(&start))) {
            return true;
        }
        self.tree.text(at, self.src) == ";"
            && self
                .tree
                .start(at)
                .checked_sub(self.from)
                .is_some_and(|start| self.spelled.semicolons.contains(&start))
    }

    /// A string that the grammar does not look into and that holds one metavariable.
    fn quoted(&mut self, at: NodeId) -> Option<Role> {
        let opaque = self.tree.is_leaf(at) || self.tree.has_gap(at);
        if !opaque || !self.tree.class(at).is_string() {
            return None;
        }
        let range = self.tree.range(at);
        let (start, end) = (range.start.checked_sub(self.from)?, range.end.checked_sub(self.from)?);
        let spans = &self.spelled.spans;
        let number = spans.iter().position(|span| start < span.start && span.end < end)?;
        let span = spans[number].clone();
        let lead = self.spelled.text.get(start..span.start)?;
        let tail = self.spelled.text.get(span.end..end)?;
        let quote = |text: &str| text.chars().all(|c| matches!(c, '"' | '\'' | '`'));
        let hole = &self.holes.holes()[number];
        let lead_quotes = lead.strip_prefix('@').unwrap_or(lead);
        if !quote(lead_quotes) || !quote(tail) || hole.run {
            return None;
        }
        let role = Role::Quoted { slot: hole.slot, lead: lead.into(), tail: tail.into() };
        self.found[number] = true;
        Some(role)
    }

    /// Every hole must have become a node: one that did not would be searched for literally.
    fn check(&self) -> Result<(), String> {
        for (number, found) in self.found.iter().enumerate() {
            if *found {
                continue;
            }
            let hole = &self.holes.holes()[number];
            let span = &self.spelled.spans[number];
            let over = self.tree.smallest_over(self.from + span.start..self.from + span.end);
            let typed = &self.holes.pattern()[hole.at.clone()];
            let kind = self.tree.kind_name(over);
            return Err(if self.tree.class(over).is_comment() {
                format!("`{typed}` is inside a comment")
            } else if self.tree.class(over).is_string() {
                format!("`{typed}` is part of longer text ({}); it must be all of it", spoken(kind))
            } else {
                format!(
                    "`{typed}` is not a node of its own there, but part of {}",
                    with_article(kind)
                )
            });
        }
        Ok(())
    }

    fn finish(self) -> Shape {
        let mut seen = Vec::new();
        let mut repeated = Vec::new();
        let mut runs = 0;
        for node in &self.nodes {
            let slot = match &node.role {
                Role::Run { slot, .. } => {
                    runs += 1;
                    *slot
                }
                Role::One { slot } | Role::Quoted { slot, .. } => *slot,
                _ => None,
            };
            if let Some(slot) = slot {
                if seen.contains(&slot) && !repeated.contains(&slot) {
                    repeated.push(slot);
                }
                seen.push(slot);
            }
        }
        Shape {
            keys: self.holes.metavariables().iter().map(Metavariable::key).collect(),
            nodes: self.nodes,
            runs,
            repeated,
            sequence: None,
        }
    }
}
