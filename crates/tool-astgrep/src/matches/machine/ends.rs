//! What either side may leave out, and where a list ends.

use super::{Goal, Machine, NONE, Step};
use crate::pattern::{PatNode, Role};

impl Machine<'_> {
    /// What is left when the pattern node does not fit the source node: things that either side
    /// may leave out.
    pub(super) fn unmatched(&mut self, mut goal: Goal) -> Step {
        let pat = self.pat(goal.pat);
        if goal.at < goal.end {
            if self.first.is_none() && self.is_skippable_annotation(goal.at) {
                goal.at += self.tree.size(goal.at);
                return Step::Go(goal);
            }
            // A `;` where the pattern has a line end.
            if self.class(goal.at).is_soft() && !self.is_separator(pat) {
                goal.at += self.tree.size(goal.at);
                return Step::Go(goal);
            }
            // One more separator before the end of a list.
            if self.class(goal.at).is_separator() && !self.is_separator(pat) {
                let next = self.skip(goal.at + 1, goal.end);
                if next < goal.end && self.class(next).is_closer() {
                    goal.at = next;
                    return Step::Go(goal);
                }
            }
        }
        if self.is_separator(pat) && self.may_lack(goal, pat) {
            goal.pat += 1;
            return Step::Go(goal);
        }
        Step::Fail
    }

    /// A separator of the pattern that the source may lack: the last of a list, or one that a
    /// line end stands for.
    fn may_lack(&self, goal: Goal, pat: &PatNode) -> bool {
        if self.language.class(pat.kind).is_soft() {
            return true;
        }
        let next = goal.pat + 1;
        let closes = next < goal.pat_end && {
            let kind = self.pat(next).kind;
            self.pat(next).role == Role::Token && self.language.class(kind).is_closer()
        };
        let source_ends = goal.at >= goal.end || self.class(goal.at).is_closer();
        source_ends && (next == goal.pat_end || closes)
    }

    /// The pattern list is done: so must the source list be, save separators.
    pub(super) fn finish(&mut self, mut goal: Goal) -> Step {
        let open = self.shape.sequence.is_some_and(|sequence| !sequence.to_end);
        if open && goal.then == NONE {
            return Step::Done;
        }
        let mut whole = true;
        while goal.at < goal.end {
            let class = self.class(goal.at);
            if !class.is_separator() && !class.is_soft() {
                return Step::Fail;
            }
            whole = false;
            goal.at = self.skip(goal.at + self.tree.size(goal.at), goal.end);
        }
        if goal.then == NONE {
            return Step::Done;
        }
        if whole && self.tree.has_gap(goal.parent) {
            // Text after the last child, where the grammar does not look into a node.
            self.last = self.last.max(self.tree.end(goal.parent) as u32);
        }
        Step::Go(self.waiting[goal.then as usize])
    }
}
