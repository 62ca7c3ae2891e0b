//! Runs: any number of siblings, the fewest first.

use std::ops::Range;

use super::{Failed, Goal, Machine, Other, Step};
use crate::pattern::Role;
use crate::tree::NodeId;

impl Machine<'_> {
    /// A run begins: first it is empty, and takes the separator after it along.
    pub(super) fn start_run(&mut self, goal: Goal, slot: Option<u16>) -> Step {
        let mut pat = goal.pat + 1;
        if pat < goal.pat_end && self.is_separator(self.pat(pat)) {
            pat += 1;
        }
        let after = Goal { pat, ..goal };
        let other = Other::Longer { from: goal.at, upto: goal.at };
        let mark = self.trail.len();
        let at = self.last as usize;
        if !self.bind(slot, at..at) {
            return match self.longer(goal, goal.at, goal.at) {
                Some(goal) => Step::Go(goal),
                None => Step::Fail,
            };
        }
        let memo = self.memo(after);
        let known = memo.is_some_and(|memo| self.failed.contains(&memo));
        self.choose_from(goal, other, memo, mark);
        if known { Step::Fail } else { Step::Go(after) }
    }

    /// The run at `goal` takes the next sibling (and what cannot end a run) too.
    pub(super) fn longer(&mut self, goal: Goal, from: NodeId, upto: NodeId) -> Option<Goal> {
        let Role::Run { slot, wrapper } = self.pat(goal.pat).role else {
            return None;
        };
        let field = self.pat(goal.pat).field;
        let mut upto = upto;
        loop {
            let next = self.skip_in(Goal { at: upto, ..goal });
            if next >= goal.end {
                return None;
            }
            let class = self.class(next);
            // What follows a body is no part of it; the branches of a `case` are its very list.
            if class.is_clause() && !self.is_case(goal.parent)
                || class.is_opener()
                || wrapper == Some(self.tree.kind(next)) && self.has_clause(next)
            {
                return None;
            }
            let separator = class.is_separator();
            if !separator && wrapper.is_some() && self.tree.field(next) != field {
                return None;
            }
            if separator
                && (upto == from
                    || wrapper.is_some()
                        && field != 0
                        && !self.field_goes_on(next, goal.end, field))
            {
                return None;
            }
            upto = next + self.tree.size(next);
            if separator {
                continue;
            }
            let mut range = self.extent(from, next, wrapper);
            if let Some(end) = self.last_semicolon(goal, upto) {
                upto = end + 1;
                range.end = self.tree.end(end);
            }
            let after = Goal { pat: goal.pat + 1, at: upto, ..goal };
            let mark = self.trail.len();
            let (first, last) = (self.first, self.last);
            if self.bind(slot, range.clone()) {
                self.take_range(&range);
                let memo = self.memo(after);
                let known = memo.is_some_and(|memo| self.failed.contains(&memo));
                if !known {
                    self.choose_with(goal, Other::Longer { from, upto }, memo, mark, first, last);
                    return Some(after);
                }
            }
            for slot in self.trail.drain(mark..) {
                self.bound[usize::from(slot)] = None;
            }
            self.first = first;
            self.last = last;
        }
    }

    /// The `;` after the last of a list of members or statements: it ends that one rather than
    /// parts it from the next.
    fn last_semicolon(&self, goal: Goal, upto: NodeId) -> Option<NodeId> {
        let closes = goal.pat + 1 < goal.pat_end && {
            let pat = self.pat(goal.pat + 1);
            pat.role == Role::Token && self.language.class(pat.kind).is_closer()
        };
        let at = self.skip(upto, goal.end);
        if !closes || at >= goal.end || self.tree.kind_name(at) != ";" {
            return None;
        }
        let next = self.skip(at + 1, goal.end);
        (next < goal.end && self.class(next).is_closer()).then_some(at)
    }

    /// Whether a wrapper holds more than the statements of a body.
    fn has_clause(&self, id: NodeId) -> bool {
        !self.is_case(id) && self.tree.children(id).any(|child| self.class(child).is_clause())
    }

    fn is_case(&self, id: NodeId) -> bool {
        self.tree.kind_name(id).starts_with("case")
    }

    fn field_goes_on(&self, separator: NodeId, end: NodeId, field: u8) -> bool {
        let next = self.skip(separator + 1, end);
        next < end && self.tree.field(next) == field
    }

    /// The bytes of the siblings `first..=last`.
    fn extent(&self, first: NodeId, last: NodeId, wrapper: Option<u16>) -> Range<usize> {
        let first = if self.tree.is_error(first) { first } else { self.skip(first, last) };
        if first == last && wrapper == Some(self.tree.kind(first)) {
            let mut inner = self.tree.children(first).filter(|&child| !self.is_filler(child));
            if let Some(start) = inner.next() {
                let end = inner.last().unwrap_or(start);
                return self.tree.start(start)..self.tree.end(end);
            }
        }
        self.tree.start(first)..self.tree.end(last)
    }

    /// The key under which a goal's failure is remembered; only patterns with several runs can
    /// come to the same goal twice.
    fn memo(&self, goal: Goal) -> Option<Failed> {
        if self.shape.runs < 2 {
            return None;
        }
        let mut hash = u64::from(self.first.is_none());
        for slot in &self.shape.repeated {
            if let Some((start, end)) = self.bound[usize::from(*slot)] {
                let bits = u64::from(start) << 32 | u64::from(end);
                hash = (hash.rotate_left(7) ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
            hash = hash.wrapping_add(1);
        }
        Some((goal.pat, goal.at, goal.end, hash))
    }
}
