//! Rewriting matches: a template and the matches of one file become edits, and edits a new text.
//!
//! [`Template::parse`] once for a pattern, [`plan`] for each file, [`splice`] for its new text, then
//! [`after_check`] with the tree of the new text. Nothing here reads or writes files.

mod check;
mod delete;
mod empty;
mod frozen;
mod heredoc;
mod render;
mod splice;
mod template;
mod text;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::ops::Range;

pub(crate) use check::{AfterCheck, after_check, faults};
pub(crate) use splice::{Edit, splice};
pub(crate) use template::{Template, TemplateError};

use crate::matches::Match;
use crate::pattern::Compiled;
use crate::tree::{NodeId, Tree};
use frozen::Frozen;
use heredoc::{Fate, Heredocs};
use render::{Layout, Place, Rendered, render};
use splice::spliced_ranges;
use text::Newline;

pub(crate) use text::line_number;

/// What a rewrite does to one file. Each match is counted once: in `replacements`, `unchanged`,
/// `nested`, `broken`, `unbound` or `heredocs`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// In source order, without overlap. Neighbours that are deleted together are one edit.
    pub(crate) edits: Vec<Edit>,
    /// Matches that are replaced.
    pub(crate) replacements: usize,
    /// Matches that the template leaves as they are: no edit.
    pub(crate) unchanged: usize,
    /// Matches inside a replaced one: left for another run.
    pub(crate) nested: usize,
    /// Matches that have to do with a syntax error: never rewritten.
    pub(crate) broken: usize,
    /// Matches without a capture that the template needs: never rewritten.
    pub(crate) unbound: usize,
    /// Matches that open a here-document which the rewrite would tear from its text: never rewritten.
    pub(crate) heredocs: usize,
    /// Comments inside replaced matches that no capture keeps.
    pub(crate) comments_dropped: usize,
}

impl Plan {
    /// Adds what is done to other places of the same file.
    pub(crate) fn add(&mut self, other: Self) {
        self.edits.extend(other.edits);
        self.edits.sort_by_key(|edit| edit.range.start);
        self.replacements += other.replacements;
        self.unchanged += other.unchanged;
        self.nested += other.nested;
        self.broken += other.broken;
        self.unbound += other.unbound;
        self.heredocs += other.heredocs;
        self.comments_dropped += other.comments_dropped;
    }
}

impl Template {
    /// Reads the template of a rewrite for a pattern. Its metavariables must be the pattern's, of
    /// the same kind.
    pub(crate) fn parse(text: &str, compiled: &Compiled) -> Result<Self, TemplateError> {
        let known: Vec<String> =
            compiled.metavariables.iter().map(crate::pattern::Metavariable::key).collect();
        let mut template = Self::read(text, &compiled.pattern, &known)?;
        if template.lines().len() > 1
            && let Ok(tree) = Tree::parse(compiled.language, template.shadow(), &|| false)
        {
            template.freeze(&frozen_in(&tree, 0..tree.len()));
        }
        Ok(template)
    }
}

/// The edits that put `template` in the place of `matches` (in any order, nested ones included).
pub(crate) fn plan(template: &Template, src: &str, tree: &Tree, matches: &[Match]) -> Plan {
    let mut plan = Plan::default();
    let (sound, broken): (Vec<&Match>, Vec<&Match>) =
        matches.iter().partition(|found| !found.touches_error);
    plan.broken = broken.len();
    let (kept, nested) = outermost(sound);
    plan.nested = nested;
    if template.is_identity() {
        plan.unchanged = kept.len();
        return plan;
    }
    let file = File { src, tree, newline: Newline::of(src), heredocs: Heredocs::of(tree, src) };
    let places: Vec<Range<usize>> = kept.iter().map(|found| found.range.clone()).collect();
    let mut deleted: Vec<(NodeId, Range<usize>)> = Vec::new();
    let mut orphans: Vec<Range<usize>> = Vec::new();
    for found in kept {
        let Some(Rendered { text, puts }) = file.rendered(template, found) else {
            plan.unbound += 1;
            continue;
        };
        if src.get(found.range.clone()) == Some(text.as_str()) {
            plan.unchanged += 1;
            continue;
        }
        let deletes = text.trim().is_empty();
        let range = if deletes {
            delete::reach(src, tree, found.node, &found.range)
        } else {
            found.range.clone()
        };
        let Fate::Sound { orphans: left } = file.heredocs.fate(src, &range, &text, &puts) else {
            plan.heredocs += 1;
            continue;
        };
        if left
            .iter()
            .any(|text| places.iter().any(|at| at.start < text.end && text.start < at.end))
        {
            plan.heredocs += 1;
            continue;
        }
        orphans.extend(left);
        plan.replacements += 1;
        plan.comments_dropped += comments_dropped(template, tree, found);
        if deletes {
            deleted.extend(parts(tree, found));
        } else {
            let kept = puts.into_iter().map(|put| put.to).collect();
            plan.edits.push(Edit { range: found.range.clone(), text, kept });
        }
    }
    for at in empty::emptied(tree, &deleted).into_iter().rev() {
        let (_, range) = deleted.remove(at);
        plan.edits.push(Edit { range, text: empty::PASS.to_owned(), kept: Vec::new() });
    }
    plan.edits.sort_by_key(|edit| edit.range.start);
    if !deleted.is_empty() || !orphans.is_empty() {
        plan.edits.extend(delete::deletions(src, tree, &file.heredocs, &deleted));
        delete::lines_of(src, &orphans, &mut plan.edits);
        settle(&mut plan.edits);
    }
    plan
}

/// The matches that lie in no other one, in source order, and how many do. A place that is given
/// twice counts once.
fn outermost(mut matches: Vec<&Match>) -> (Vec<&Match>, usize) {
    matches.sort_by_key(|found| (found.range.start, Reverse(found.range.end)));
    matches.dedup_by(|a, b| a.range == b.range);
    let all = matches.len();
    let mut end = 0;
    matches.retain(|found| {
        let outer = found.range.start >= end;
        if outer {
            end = found.range.end;
        }
        outer
    });
    let nested = all - matches.len();
    (matches, nested)
}

/// How many of `edits` made text that one of `again`, the ranges of matches in the new text, would
/// take once more; matches inside captures, left because they were nested, do not count.
pub(crate) fn matches_again(edits: &[Edit], again: &[Range<usize>]) -> usize {
    let ranges = spliced_ranges(edits);
    let mut hit = vec![false; edits.len()];
    for found in again {
        let at = ranges.partition_point(|range| range.end <= found.start);
        let (Some(range), Some(edit)) = (ranges.get(at), edits.get(at)) else {
            continue;
        };
        let in_capture = edit.kept.iter().any(|kept| {
            range.start + kept.start <= found.start && found.end <= range.start + kept.end
        });
        if range.start <= found.start && found.end <= range.end && !in_capture {
            hit[at] = true;
        }
    }
    hit.iter().filter(|hit| **hit).count()
}

const MEMBERS_END_OUTSIDE: &[&str] = &["javascript", "typescript", "tsx"];

/// A file whose matches are rewritten.
struct File<'a> {
    src: &'a str,
    tree: &'a Tree,
    newline: Newline,
    heredocs: Heredocs,
}

impl File<'_> {
    /// The template with the captures of a match; `None` when one is missing.
    fn rendered(&self, template: &Template, found: &Match) -> Option<Rendered> {
        let Self { src, tree, newline, heredocs } = self;
        let keys = template.keys();
        if keys.iter().any(|key| capture(found, key).is_none()) {
            return None;
        }
        let several_lines = src.get(found.range.clone())?.contains('\n');
        let frozen =
            if several_lines { frozen_in(tree, found.node..found.over) } else { Frozen::default() };
        let start = found.range.start;
        let layout = Layout::of(tree.language().id());
        let place = Place { src, start, frozen: &frozen, heredocs, newline: *newline, layout };
        let whole = |key: &str, mut range: Range<usize>| {
            // In a class body of these grammars the `;` of a member stands behind it.
            if MEMBERS_END_OUTSIDE.contains(&tree.language().id())
                && range.end < found.range.end
                && !range.is_empty()
                && src[range.end..].starts_with(';')
                && template.is_unterminated(key)
            {
                range.end += 1;
            }
            heredocs.with_text(src, range, found.range.end)
        };
        Some(render(template, place, |key| Some(whole(key, capture(found, key)?))))
    }
}

/// The siblings of a match, each with its bytes.
fn parts(tree: &Tree, found: &Match) -> Vec<(NodeId, Range<usize>)> {
    let mut parts = Vec::new();
    let mut at = found.node;
    if at + tree.size(at) >= found.over {
        return vec![(at, found.range.clone())];
    }
    while at < found.over {
        let range = tree.range(at);
        if range.start < range.end && tree.is_named(at) {
            parts.push((at, range.start..range.end.min(found.range.end)));
        }
        at += tree.size(at);
    }
    parts
}

fn capture(found: &Match, key: &str) -> Option<Range<usize>> {
    let captures = found.captures.iter();
    captures.filter(|capture| capture.name == key).map(|capture| capture.range.clone()).next()
}

/// The strings and comments among nodes whose lines keep their blanks.
fn frozen_in(tree: &Tree, nodes: Range<NodeId>) -> Frozen {
    let mut frozen = Frozen::default();
    let mut at = nodes.start;
    while at < nodes.end {
        let taken = frozen.add(tree.kind_name(at), tree.range(at));
        at += if taken { tree.size(at) } else { 1 };
    }
    frozen
}

/// Comments in a match that the template does not put back.
fn comments_dropped(template: &Template, tree: &Tree, found: &Match) -> usize {
    let keys = template.keys();
    let kept: Vec<Range<usize>> = keys.iter().filter_map(|key| capture(found, key)).collect();
    let mut dropped = 0;
    let mut at = found.node;
    while at < found.over {
        let range = tree.range(at);
        if kept.iter().any(|kept| kept.start <= range.start && range.end <= kept.end) {
            at += tree.size(at);
            continue;
        }
        if tree.class(at).is_comment() && at != found.node {
            let inside = found.range.start <= range.start && range.end <= found.range.end;
            dropped += usize::from(inside);
            at += tree.size(at);
            continue;
        }
        at += 1;
    }
    dropped
}

/// Puts edits in order. Where a deletion reaches into its neighbour it is cut back.
fn settle(edits: &mut [Edit]) {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    for at in 1..edits.len() {
        let (before, after) = edits.split_at_mut(at);
        let (first, second) = (&mut before[at - 1], &mut after[0]);
        if first.range.end > second.range.start {
            if first.text.is_empty() {
                first.range.end = second.range.start;
            } else {
                second.range.start = first.range.end.min(second.range.end);
            }
        }
    }
}
