//! A pattern that takes a near miss: made from the pattern's text, and checked before it is told.

use std::ops::Range;

use super::align::{Diff, How};
use crate::matches::find;
use crate::pattern::{Compiled, Holes, Role, Shape, compile_until};
use crate::tree::{NodeId, Tree};

/// A change of the pattern's text.
struct Change {
    at: Range<usize>,
    text: String,
}

/// How literally what the pattern lacks is put into it.
const LEVELS: [Level; 4] = [Level::Open, Level::Children, Level::Blocks, Level::Verbatim];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Each named node is a metavariable.
    Open,
    /// Each named child of one is a metavariable.
    Children,
    /// As `Children`, but a block stays one, with a run in it.
    Blocks,
    /// As in the source.
    Verbatim,
}

/// A pattern that matches `candidate`, which differs from `shape` by `diffs`.
pub(super) fn suggest(
    compiled: &Compiled,
    shape: &Shape,
    diffs: &[Diff],
    tree: &Tree,
    src: &str,
    candidate: NodeId,
    stop: &dyn Fn() -> bool,
) -> Option<String> {
    let maker = Maker { compiled, shape, spans: spans(compiled, shape)?, tree, src };
    let mut tried: Vec<String> = Vec::new();
    let lacks = diffs.iter().any(|diff| matches!(diff, Diff::Lacking { .. }));
    // The arguments of a macro are mere tokens: one more says little of the next.
    let tokens = diffs.iter().any(|diff| match diff {
        Diff::Extra { parent, .. } => {
            compiled.language.kind_name(shape.nodes[*parent as usize].kind) == "token_tree"
        }
        _ => false,
    });
    for all in [lacks || tokens, !(lacks || tokens)] {
        for level in LEVELS {
            let Some(pattern) = maker.pattern(diffs, level, all) else {
                continue;
            };
            let pattern = pattern.trim().to_owned();
            if tried.contains(&pattern) || pattern == compiled.pattern {
                continue;
            }
            if stop() {
                return None;
            }
            if takes(compiled, &pattern, tree, src, candidate, stop) {
                return Some(pattern);
            }
            tried.push(pattern);
        }
    }
    None
}

/// Whether `pattern` compiles, and matches just there.
fn takes(
    compiled: &Compiled,
    pattern: &str,
    tree: &Tree,
    src: &str,
    candidate: NodeId,
    stop: &dyn Fn() -> bool,
) -> bool {
    let Ok(other) = compile_until(compiled.language, pattern, None, stop) else {
        return false;
    };
    let hits = [tree.start(candidate)];
    other.in_family().any(|reading| {
        find(reading, tree, src, Some(&hits)).iter().any(|found| found.node == candidate)
    })
}

/// Where each node of the shape stands in the pattern's text: leaves one after the other.
fn spans(compiled: &Compiled, shape: &Shape) -> Option<Vec<Range<usize>>> {
    let holes = Holes::scan(&compiled.pattern).ok()?;
    let mut hole = holes.holes().iter();
    let mut spans: Vec<Option<Range<usize>>> = Vec::with_capacity(shape.nodes.len());
    let mut at = 0;
    for node in &shape.nodes {
        let text = match &node.role {
            Role::Token => compiled.language.kind_name(node.kind),
            Role::Leaf(text) => text.trim(),
            Role::One { .. } | Role::Run { .. } | Role::Quoted { .. } => {
                let mut span = hole.next()?.at.clone();
                if let Role::Quoted { lead, tail, .. } = &node.role {
                    span = span.start.checked_sub(lead.len())?..span.end + tail.len();
                }
                at = span.end;
                spans.push(Some(span));
                continue;
            }
            Role::Inner { .. } => {
                spans.push(None);
                continue;
            }
        };
        let start = at + compiled.pattern.get(at..)?.find(text)?;
        at = start + text.len();
        spans.push(Some(start..at));
    }
    // An inner node spans its leaves; one without any is where the leaf before it ends.
    let mut out = Vec::with_capacity(spans.len());
    let mut last = 0;
    for (index, node) in shape.nodes.iter().enumerate() {
        let inside = spans.get(index..index + node.size as usize)?;
        let mut leaves = inside.iter().flatten();
        let span = match (leaves.next(), inside.iter().flatten().next_back()) {
            (Some(first), Some(end)) => first.start..end.end,
            _ => last..last,
        };
        if spans.get(index)?.is_some() {
            last = span.end;
        }
        out.push(span);
    }
    Some(out)
}

struct Maker<'a> {
    compiled: &'a Compiled,
    shape: &'a Shape,
    spans: Vec<Range<usize>>,
    tree: &'a Tree,
    src: &'a str,
}

impl Maker<'_> {
    /// The pattern with all differences let in; `all`: lists are opened as a whole.
    fn pattern(&self, diffs: &[Diff], level: Level, all: bool) -> Option<String> {
        let mut names = Names::new(self.compiled);
        let mut changes = Vec::new();
        for diff in diffs {
            changes.push(self.change(diff, level, all, &mut names)?);
        }
        changes.sort_by_key(|change| change.at.start);
        let mut text = String::new();
        let mut at = 0;
        for change in &changes {
            text.push_str(self.compiled.pattern.get(at..change.at.start)?);
            text.push_str(&change.text);
            at = change.at.end;
        }
        text.push_str(self.compiled.pattern.get(at..)?);
        Some(text.trim_end().to_owned())
    }

    fn change(&self, diff: &Diff, level: Level, all: bool, names: &mut Names) -> Option<Change> {
        match diff {
            Diff::Extra { parent, before, nodes } => {
                // What is between brackets may be no element (a block's parameters).
                if (all || level == Level::Open)
                    && let Some(change) = self.open_list(*parent, *before, all, names)
                {
                    return Some(change);
                }
                self.insert(*parent, *before, nodes, level, names)
            }
            Diff::Lacking { parent, nodes } => {
                if all && let Some(change) = self.open_list(*parent, nodes.start, true, names) {
                    return Some(change);
                }
                let start = self.spans.get(nodes.start as usize)?.start;
                let end = self.spans.get(nodes.end.checked_sub(1)? as usize)?.end;
                let rest = self.compiled.pattern.get(end..)?;
                let blanks = rest.len() - rest.trim_start().len();
                Some(Change { at: start..end + blanks, text: String::new() })
            }
            Diff::Other { pat, node, how } => {
                let text = match (how, level) {
                    (How::Value, Level::Open) => format!("${}", names.fresh("V")),
                    (How::Quotes, _) => self.requoted(*pat, *node)?,
                    _ => self.tree.text(*node, self.src).to_owned(),
                };
                Some(Change { at: self.spans.get(*pat as usize)?.clone(), text })
            }
            Diff::Repeated { pat, slot } => {
                let name = &self.compiled.metavariables.get(usize::from(*slot))?.name;
                Some(Change {
                    at: self.spans.get(*pat as usize)?.clone(),
                    text: format!("${}", names.fresh(name)),
                })
            }
        }
    }

    /// The pattern's string in the quotes of the source.
    fn requoted(&self, pat: u32, node: NodeId) -> Option<String> {
        let ours = self.compiled.pattern.get(self.spans.get(pat as usize)?.clone())?;
        let theirs = self.tree.text(node, self.src);
        let (open, close) = (theirs.chars().next()?, theirs.chars().next_back()?);
        Some(format!("{open}{}{close}", ours.trim_matches(['"', '\'', '`'])))
    }

    /// A run for what a bracketed list has more, or in place of all of it.
    fn open_list(&self, parent: u32, before: u32, all: bool, names: &mut Names) -> Option<Change> {
        let children = self.children(parent);
        let (first, last) = (*children.first()?, *children.last()?);
        let opens = matches!(self.token(first)?, "(" | "[" | "{" | "<");
        if !opens || children.len() < 2 || before == first {
            return None;
        }
        let inner = self.spans.get(first as usize)?.end..self.spans.get(last as usize)?.start;
        let has_comma = children.iter().any(|child| self.token(*child) == Some(","));
        let statements = self.token(first)? == "{" && !has_comma;
        let tokens = self.compiled.language.kind_name(self.shape.nodes[parent as usize].kind);
        let run = match self.only_hole(&children) {
            Some(name) if all && tokens == "token_tree" => format!("$$${name}"),
            _ => format!("$$${}", names.fresh(if statements { "B" } else { "ARGS" })),
        };
        if all || inner.is_empty() || children.len() == 2 {
            let text = if statements { format!(" {run} ") } else { run };
            return Some(Change { at: inner, text });
        }
        let separator = if statements { " " } else { ", " };
        if before == children[1] {
            let at = self.spans.get(before as usize)?.start;
            return Some(Change { at: at..at, text: format!("{run}{separator}") });
        }
        let place = children.iter().position(|child| *child >= before)?;
        let at = self.spans.get(*children.get(place.checked_sub(1)?)? as usize)?.end;
        Some(Change { at: at..at, text: format!("{separator}{run}") })
    }

    /// The name of the metavariable that is all that stands in a list and nowhere else.
    fn only_hole(&self, children: &[u32]) -> Option<&str> {
        let [_, only, _] = children else { return None };
        let Role::One { slot: Some(slot) } = self.shape.nodes.get(*only as usize)?.role else {
            return None;
        };
        let once = !self.shape.repeated.contains(&slot);
        let name = &self.compiled.metavariables.get(usize::from(slot))?.name;
        once.then_some(name.as_str())
    }

    fn insert(
        &self,
        parent: u32,
        before: u32,
        nodes: &[NodeId],
        level: Level,
        names: &mut Names,
    ) -> Option<Change> {
        let (first, last) = (*nodes.first()?, *nodes.last()?);
        let parts: Vec<String> =
            nodes.iter().map(|node| self.spelled(*node, level, names)).collect();
        let mut text = String::new();
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                let (from, to) = (self.tree.end(nodes[index - 1]), self.tree.start(nodes[index]));
                text.push_str(self.gap(from, to));
            }
            text.push_str(part);
        }
        let children = self.children(parent);
        let earlier = children.iter().rev().find(|child| **child < before);
        let Some(earlier) = earlier else {
            // First: with the blank that follows it in the source.
            let at = self.spans.get(before as usize)?.start;
            let after = self.tree.end(last);
            let blank = self.src.get(after..)?.starts_with(char::is_whitespace);
            let text = if blank { format!("{text} ") } else { text };
            return Some(Change { at: at..at, text });
        };
        let at = self.spans.get(*earlier as usize)?.end;
        let start = self.tree.start(first);
        let before_it = self.src.get(..start)?.trim_end().len();
        let gap = self.gap(before_it, start);
        let run = matches!(self.shape.nodes[*earlier as usize].role, Role::Run { .. });
        if run && text.starts_with('$') {
            // Nothing would tell where the run ends.
            return None;
        }
        Some(Change { at: at..at, text: format!("{gap}{text}") })
    }

    /// Nothing, a blank, or a line break: as much as the source has there.
    fn gap(&self, from: usize, to: usize) -> &'static str {
        let gap = self.src.get(from..to).unwrap_or(" ");
        if gap.contains('\n') && self.tree.language().id() == "python" {
            "\n"
        } else if gap.is_empty() {
            ""
        } else {
            " "
        }
    }

    fn spelled(&self, node: NodeId, level: Level, names: &mut Names) -> String {
        let verbatim = || self.tree.text(node, self.src).to_owned();
        if !self.tree.is_named(node) {
            return verbatim();
        }
        let hint = self.hint(node);
        match level {
            Level::Open => format!("${}", names.fresh(hint)),
            Level::Verbatim => verbatim(),
            _ if self.tree.is_leaf(node) => verbatim(),
            _ => self.children_spelled(node, hint, level, names),
        }
    }

    /// The tokens of a node, and metavariables for the rest of it.
    fn children_spelled(
        &self,
        node: NodeId,
        hint: &str,
        level: Level,
        names: &mut Names,
    ) -> String {
        if let Some(bracketed) = self.bracketed(node, hint, names) {
            return bracketed;
        }
        let mut text = String::new();
        let mut end = None;
        for child in self.tree.children(node) {
            if self.tree.is_extra(child) {
                continue;
            }
            if let Some(end) = end
                && end < self.tree.start(child)
            {
                text.push(' ');
            }
            end = Some(self.tree.end(child));
            if !self.tree.is_named(child) {
                text.push_str(self.tree.text(child, self.src));
                continue;
            }
            if level == Level::Blocks
                && let Some(bracketed) = self.bracketed(child, hint, names)
            {
                text.push_str(&bracketed);
                continue;
            }
            let kind = self.tree.kind_name(child);
            let block = kind.contains("block") || kind.contains("body");
            let run = level == Level::Blocks && block;
            text.push_str(if run { "$$$" } else { "$" });
            text.push_str(&names.fresh(hint));
        }
        text
    }

    /// `<$$$T>`, `{ $$$B }`: a node in brackets with a run for what is in them.
    fn bracketed(&self, node: NodeId, hint: &str, names: &mut Names) -> Option<String> {
        let mut children = self.tree.children(node);
        let open = self.tree.text(children.next()?, self.src);
        let close = self.tree.text(children.last()?, self.src);
        let run = match open {
            "{" => format!(" $$${} ", names.fresh(hint)),
            "(" | "[" | "<" => format!("$$${}", names.fresh(hint)),
            _ => return None,
        };
        Some(format!("{open}{run}{close}"))
    }

    /// A letter that says what is left open.
    fn hint(&self, node: NodeId) -> &'static str {
        let (kind, field) = (self.tree.kind_name(node), self.tree.field_name(node));
        let any = |word: &str| kind.contains(word) || field.contains(word);
        if any("return") || any("annotation") || any("result") {
            "R"
        } else if any("type") {
            "T"
        } else if any("block_parameter") {
            "P"
        } else if any("else") || any("alternative") {
            "E"
        } else if any("finally") {
            "F"
        } else if any("block") || any("body") {
            "B"
        } else {
            "X"
        }
    }

    fn children(&self, parent: u32) -> Vec<u32> {
        let end = parent + self.shape.nodes[parent as usize].size;
        let mut children = Vec::new();
        let mut at = parent + 1;
        while at < end {
            children.push(at);
            at += self.shape.nodes[at as usize].size;
        }
        children
    }

    /// The spelling of a token of the pattern; `Some("")` for what is none.
    fn token(&self, at: u32) -> Option<&'static str> {
        let node = self.shape.nodes.get(at as usize)?;
        Some(if node.role == Role::Token {
            self.compiled.language.kind_name(node.kind)
        } else {
            ""
        })
    }
}

/// Names that the pattern does not have yet.
struct Names {
    used: Vec<String>,
}

impl Names {
    fn new(compiled: &Compiled) -> Self {
        let used = compiled.metavariables.iter().map(|m| m.name.clone());
        Self { used: used.collect() }
    }

    fn fresh(&mut self, hint: &str) -> String {
        let numbered = (2..).map(|n| format!("{hint}{n}"));
        let name = std::iter::once(hint.to_owned())
            .chain(numbered)
            .find(|name| !self.used.contains(name))
            .unwrap_or_default();
        self.used.push(name.clone());
        name
    }
}
