//! The matcher: one candidate against one shape.
//!
//! A backtracking machine instead of recursion. A *goal* is a place in a list of pattern
//! children together with a place in a list of source children; goals that wait for an inner
//! list lie in `waiting`, linked. Where there is a choice (how long a run is, whether a separator
//! goes with an empty run, whether an annotation is skipped) a *choice point* remembers the
//! state to come back to.

mod ends;
mod runs;

use std::collections::HashSet;
use std::ops::Range;

use super::Capture;
use crate::language::{Class, Language};
use crate::pattern::{PatNode, Role, Shape};
use crate::tree::{NodeId, Tree};

const NONE: u32 = u32::MAX;

/// A place in both lists.
#[derive(Clone, Copy)]
struct Goal {
    /// Next pattern node, and the end of its list.
    pat: u32,
    pat_end: u32,
    /// Next source node, and the end of its list.
    at: NodeId,
    end: NodeId,
    /// The source node whose children these are.
    parent: NodeId,
    /// The goal that goes on when this list is done.
    then: u32,
}

/// What is tried when the attempt after it fails.
#[derive(Clone, Copy)]
enum Other {
    /// The run at the goal takes one more sibling: it holds `from..upto` so far.
    Longer { from: NodeId, upto: NodeId },
    /// The separator at the goal and the (empty) run after it are left out.
    NoRun,
    /// The annotation at the goal is not part of the match.
    Skip,
}

struct Choice {
    goal: Goal,
    other: Other,
    waiting: usize,
    trail: usize,
    first: Option<u32>,
    last: u32,
    /// What is known to fail once the attempt has failed.
    memo: Option<Failed>,
}

/// A goal that cannot be met, given what the repeated metavariables stand for.
type Failed = (u32, NodeId, NodeId, u64);

/// Matches one shape against candidates of one tree.
pub(super) struct Machine<'a> {
    shape: &'a Shape,
    tree: &'a Tree,
    src: &'a str,
    classes: &'static [Class],
    language: Language,
    waiting: Vec<Goal>,
    choices: Vec<Choice>,
    /// Slots bound, in order, to be unbound when going back.
    trail: Vec<u16>,
    bound: Vec<Option<(u32, u32)>>,
    failed: HashSet<Failed>,
    /// First and last byte matched.
    first: Option<u32>,
    last: u32,
}

impl<'a> Machine<'a> {
    pub(super) fn new(shape: &'a Shape, tree: &'a Tree, src: &'a str) -> Self {
        Self {
            shape,
            tree,
            src,
            classes: tree.language().classes(),
            language: tree.language(),
            waiting: Vec::new(),
            choices: Vec::new(),
            trail: Vec::new(),
            bound: vec![None; shape.keys.len()],
            failed: HashSet::new(),
            first: None,
            last: 0,
        }
    }

    /// Whether the node `id` matches: the bytes that the pattern took of it.
    pub(super) fn run(&mut self, id: NodeId) -> Option<Range<usize>> {
        self.reset(id);
        let goal = Goal {
            pat: 0,
            pat_end: self.shape.nodes.len() as u32,
            at: id,
            end: id + self.tree.size(id),
            parent: id,
            then: NONE,
        };
        let next = self.enter(goal, id);
        self.go_on(next)?;
        Some(self.matched(id))
    }

    /// Whether the siblings from `id` on match the children of the pattern's root; `parent` is
    /// the node that holds them. Second: the first node after them.
    pub(super) fn run_siblings(
        &mut self,
        id: NodeId,
        parent: NodeId,
    ) -> Option<(Range<usize>, NodeId)> {
        self.reset(id);
        // The bracket after the list is not in it.
        let end = parent + self.tree.size(parent);
        let closer = self.tree.children(parent).last().filter(|last| self.class(*last).is_closer());
        let end = closer.unwrap_or(end);
        let goal = Goal {
            pat: 1,
            pat_end: self.shape.nodes.len() as u32,
            at: id,
            end,
            parent,
            then: NONE,
        };
        self.go_on(Some(goal))?;
        let range = self.matched(id);
        let mut over = id;
        while over < end && self.tree.start(over) < range.end {
            over += self.tree.size(over);
        }
        let starts = range.start == self.tree.start(id) && !range.is_empty();
        starts.then_some((range, over))
    }

    /// Whether a pattern of siblings can start at `id`.
    pub(super) fn may_start(&self, id: NodeId) -> bool {
        self.shape.nodes.get(1).is_some_and(|first| match first.role {
            Role::One { .. } | Role::Run { .. } => self.is_significant(id),
            _ => first.kind == self.tree.kind(id),
        })
    }

    /// Neither a comment nor a line end.
    pub(super) fn is_significant(&self, id: NodeId) -> bool {
        !self.is_filler(id)
    }

    fn reset(&mut self, id: NodeId) {
        self.waiting.clear();
        self.choices.clear();
        self.trail.clear();
        self.bound.fill(None);
        self.failed.clear();
        self.first = None;
        self.last = self.tree.start(id) as u32;
    }

    /// Steps until the pattern matches; `None`: no way is left.
    fn go_on(&mut self, first: Option<Goal>) -> Option<()> {
        let mut next = first;
        loop {
            match next {
                Some(goal) => match self.step(goal) {
                    Step::Go(goal) => next = Some(goal),
                    Step::Fail => next = self.back()?,
                    Step::Done => return Some(()),
                },
                None => next = self.back()?,
            }
        }
    }

    /// The bytes that were taken, of a match at `id`.
    fn matched(&self, id: NodeId) -> Range<usize> {
        let start = self.first.map_or(self.tree.start(id), |first| first as usize);
        let whole = self.src.get(start..self.last as usize).unwrap_or("");
        start..start + whole.trim_end().len()
    }

    /// The captures of the match just found.
    pub(super) fn captures(&self) -> Vec<Capture> {
        let bound = self.bound.iter().enumerate();
        bound
            .filter_map(|(slot, range)| {
                let (start, end) = (*range)?;
                Some(Capture {
                    name: self.shape.keys[slot].clone(),
                    range: start as usize..end as usize,
                })
            })
            .collect()
    }

    fn class(&self, id: NodeId) -> Class {
        let kind = usize::from(self.tree.kind(id));
        match self.classes.get(kind) {
            Some(class) => *class,
            None => self.language.class(self.tree.kind(id)),
        }
    }

    fn pat(&self, at: u32) -> &'a PatNode {
        &self.shape.nodes[at as usize]
    }

    /// The next sibling that means anything.
    fn skip(&self, mut at: NodeId, end: NodeId) -> NodeId {
        while at < end && self.is_filler(at) {
            at += self.tree.size(at);
        }
        at
    }

    /// [`Self::skip`], save that beside a run broken source is not passed over: the run holds it.
    fn skip_in(&self, goal: Goal) -> NodeId {
        let run = |at: u32| self.is_run(at, goal.pat_end);
        let mut at = self.skip(goal.at, goal.end);
        if self.tree.error_count() > 0 && (run(goal.pat) || goal.pat > 0 && run(goal.pat - 1)) {
            let error = |at: &NodeId| self.tree.is_error(*at);
            let between = self.tree.errors().iter().copied().filter(error);
            let first = between.filter(|id| (goal.at..at).contains(id)).min();
            at = first.unwrap_or(at);
        }
        at
    }

    fn is_filler(&self, at: NodeId) -> bool {
        if self.tree.is_extra(at) {
            return true;
        }
        let class = self.class(at);
        if class.is_soft() && !class.is_separator() {
            return true;
        }
        self.tree.is_leaf(at) && self.tree.text(at, self.src).trim_start().is_empty()
    }

    fn step(&mut self, mut goal: Goal) -> Step {
        goal.at = self.skip_in(goal);
        if goal.pat == goal.pat_end {
            return self.finish(goal);
        }
        let pat = self.pat(goal.pat);
        match &pat.role {
            Role::Run { slot, .. } => self.start_run(goal, *slot),
            Role::One { slot } => {
                if goal.at >= goal.end {
                    return Step::Fail;
                }
                if self.first.is_none() && self.is_skippable_annotation(goal.at) {
                    goal.at += self.tree.size(goal.at);
                    return Step::Go(goal);
                }
                let class = self.class(goal.at);
                let wrong = self.is_elsewhere(pat.field, self.tree.field(goal.at));
                if !class.is_node() || wrong {
                    return self.unmatched(goal);
                }
                let range = self.tree.range(goal.at);
                self.take(goal.at);
                if self.bind(*slot, range) { Step::Go(self.past(goal)) } else { Step::Fail }
            }
            Role::Token | Role::Leaf(_) | Role::Inner { .. } | Role::Quoted { .. } => {
                self.fixed(goal, pat)
            }
        }
    }

    /// Whether one of two different fields is a body or a branch: a result type is none. Other fields
    /// that differ may be the same part spelled another way (`x => y` and `(x) => y`).
    fn is_elsewhere(&self, pattern: u8, source: u8) -> bool {
        const CLAUSES: [&str; 5] = ["body", "block", "consequence", "alternative", "finalizer"];
        let clause = |field| CLAUSES.contains(&self.tree.language().field_name(field));
        pattern != 0 && source != 0 && pattern != source && (clause(pattern) || clause(source))
    }

    /// A token, leaf or inner node of the pattern.
    fn fixed(&mut self, goal: Goal, pat: &PatNode) -> Step {
        if self.is_separator(pat) && self.is_run(goal.pat + 1, goal.pat_end) {
            self.choose(goal, Other::NoRun, None);
        }
        if goal.at >= goal.end || self.tree.kind(goal.at) != pat.kind {
            return self.unmatched(goal);
        }
        if self.first.is_none() && self.is_skippable_annotation(goal.at) {
            self.choose(goal, Other::Skip, None);
        }
        match self.enter(goal, goal.at) {
            Some(goal) => Step::Go(goal),
            None => Step::Fail,
        }
    }

    /// Matches the pattern node of `goal` with `id`, of equal kind or the root: the goal after it,
    /// or that of its children.
    fn enter(&mut self, goal: Goal, id: NodeId) -> Option<Goal> {
        let pat = self.pat(goal.pat);
        if self.tree.kind(id) != pat.kind {
            return None;
        }
        match &pat.role {
            Role::Token => self.take(id),
            Role::Leaf(text) => {
                if !same_text(text, self.tree.text(id, self.src)) {
                    return None;
                }
                self.take(id);
            }
            Role::Quoted { slot, lead, tail } => {
                let text = self.tree.text(id, self.src);
                let inner = text.strip_prefix(&**lead)?.strip_suffix(&**tail)?;
                let start = self.tree.start(id) + lead.len();
                self.take(id);
                if !self.bind(*slot, start..start + inner.len()) {
                    return None;
                }
            }
            Role::Inner { gap } => {
                let has_gap = self.tree.has_gap(id);
                if has_gap != gap.is_some() {
                    return None;
                }
                if let Some(gap) = gap
                    && **gap != *self.tree.gap_text(id, self.src)
                {
                    return None;
                }
                if has_gap {
                    self.first.get_or_insert(self.tree.start(id) as u32);
                }
                let then = self.waiting.len() as u32;
                self.waiting.push(Goal {
                    pat: goal.pat + pat.size,
                    at: id + self.tree.size(id),
                    ..goal
                });
                return Some(Goal {
                    pat: goal.pat + 1,
                    pat_end: goal.pat + pat.size,
                    at: id + 1,
                    end: id + self.tree.size(id),
                    parent: id,
                    then,
                });
            }
            Role::One { .. } | Role::Run { .. } => return None,
        }
        Some(Goal { pat: goal.pat + 1, at: id + self.tree.size(id), ..goal })
    }

    fn past(&self, goal: Goal) -> Goal {
        Goal { pat: goal.pat + 1, at: goal.at + self.tree.size(goal.at), ..goal }
    }

    /// The source node counts as matched.
    fn take(&mut self, id: NodeId) {
        let range = self.tree.range(id);
        self.take_range(&range);
    }

    fn take_range(&mut self, range: &Range<usize>) {
        self.first.get_or_insert(range.start as u32);
        self.last = self.last.max(range.end as u32);
    }

    fn bind(&mut self, slot: Option<u16>, range: Range<usize>) -> bool {
        let Some(slot) = slot else { return true };
        let text = self.src.get(range.clone()).unwrap_or("");
        let start = range.start + (text.len() - text.trim_start().len());
        let range = start..start + text.trim().len();
        match self.bound[usize::from(slot)] {
            Some((start, end)) => self.src.get(start as usize..end as usize) == self.src.get(range),
            None => {
                self.bound[usize::from(slot)] = Some((range.start as u32, range.end as u32));
                self.trail.push(slot);
                true
            }
        }
    }

    fn is_separator(&self, pat: &PatNode) -> bool {
        pat.role == Role::Token && self.language.class(pat.kind).is_separator()
    }

    fn is_run(&self, at: u32, end: u32) -> bool {
        at < end && matches!(self.pat(at).role, Role::Run { .. })
    }

    fn is_skippable_annotation(&self, at: NodeId) -> bool {
        let class = self.class(at);
        class.is_annotation()
            || class.is_modifiers()
                && self
                    .tree
                    .children(at)
                    .all(|child| self.class(child).is_annotation() || self.is_filler(child))
    }

    fn choose(&mut self, goal: Goal, other: Other, memo: Option<Failed>) {
        self.choices.push(Choice {
            goal,
            other,
            waiting: self.waiting.len(),
            trail: self.trail.len(),
            first: self.first,
            last: self.last,
            memo,
        });
    }

    /// Goes back to the last choice point that has another way. `None`: there is none left;
    /// `Some(None)`: that way fails as well.
    #[expect(clippy::option_option, reason = "no way left is not the same as a way that fails")]
    fn back(&mut self) -> Option<Option<Goal>> {
        let choice = self.choices.pop()?;
        for slot in self.trail.drain(choice.trail..) {
            self.bound[usize::from(slot)] = None;
        }
        self.waiting.truncate(choice.waiting);
        self.first = choice.first;
        self.last = choice.last;
        self.failed.extend(choice.memo);
        let goal = choice.goal;
        Some(match choice.other {
            Other::Longer { from, upto } => self.longer(goal, from, upto),
            Other::NoRun => {
                let Role::Run { slot, .. } = self.pat(goal.pat + 1).role else {
                    return Some(None);
                };
                let at = self.last as usize;
                self.bind(slot, at..at).then(|| Goal { pat: goal.pat + 2, ..goal })
            }
            Other::Skip => Some(Goal { at: goal.at + self.tree.size(goal.at), ..goal }),
        })
    }

    fn choose_from(&mut self, goal: Goal, other: Other, memo: Option<Failed>, trail: usize) {
        let (first, last) = (self.first, self.last);
        self.choose_with(goal, other, memo, trail, first, last);
    }

    fn choose_with(
        &mut self,
        goal: Goal,
        other: Other,
        memo: Option<Failed>,
        trail: usize,
        first: Option<u32>,
        last: u32,
    ) {
        self.choices.push(Choice {
            goal,
            other,
            waiting: self.waiting.len(),
            trail,
            first,
            last,
            memo,
        });
    }
}

enum Step {
    Go(Goal),
    Fail,
    Done,
}

/// Equal text, whatever the line ends.
fn same_text(a: &str, b: &str) -> bool {
    a == b
        || (a.contains('\n') || b.contains('\n'))
            && a.bytes().filter(|byte| *byte != b'\r').eq(b.bytes().filter(|byte| *byte != b'\r'))
}
