//! Which way an unfinished change goes: forward or back. Pure; the disk is looked at elsewhere.

use crate::change::Action;
use crate::commit::ops::Look;
use crate::journal::codec::Phase;

/// The state of one file of an unfinished change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// As before the change. Can it still be carried out?
    Before { forward: bool },
    /// As after the change. Can it still be undone?
    After { back: bool },
    /// Somebody else changed the file since; what our part of it was by then, if that can be told.
    Foreign(Side),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
    Unknown,
}

/// Where an unfinished change is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Back,
}

/// Tells the state of a file from what stands at its name and at that of its temporary sibling.
pub(crate) fn judge(action: Action, target: Look, temp: Look) -> State {
    match (action, target) {
        (Action::Replace | Action::Delete, Look::Old) => {
            State::Before { forward: action == Action::Delete || temp == Look::New }
        }
        (Action::Replace, Look::New) => State::After { back: temp == Look::Old },
        (Action::Create, Look::New) => State::After { back: true },
        (Action::Create, Look::Missing) if temp == Look::New => State::Before { forward: true },
        (Action::Delete, Look::Missing) => State::After { back: temp == Look::Old },
        (_, _) => State::Foreign(match (action, temp) {
            (Action::Replace | Action::Create, Look::New) => Side::Before,
            (Action::Replace | Action::Delete, Look::Old) => Side::After,
            // The new file has left its temporary name, so it stood under its own for a while.
            (Action::Create, Look::Missing) => Side::After,
            (Action::Delete, Look::Missing) => Side::Before,
            _ => Side::Unknown,
        }),
    }
}

/// Decides for the whole change, so that its files end on one side wherever nobody interfered.
pub(crate) fn direction(phase: Phase, states: &[State]) -> Direction {
    match phase {
        Phase::Preparing | Phase::Aborted | Phase::Undone => Direction::Back,
        Phase::Carried => Direction::Forward,
        Phase::Committed => {
            let can_forward = states.iter().all(|state| {
                matches!(state, State::Before { forward: true } | State::After { .. })
            });
            let can_back = states.iter().all(|state| {
                matches!(
                    state,
                    State::Before { .. }
                        | State::After { back: true }
                        | State::Foreign(Side::Before)
                )
            });
            match (can_forward, can_back) {
                (false, true) => Direction::Back,
                _ => Direction::Forward,
            }
        }
    }
}

/// Whether a file in `state` cannot be brought to where the whole change goes.
pub(crate) fn is_stuck(state: State, direction: Direction) -> bool {
    match (state, direction) {
        (State::Before { forward }, Direction::Forward) => !forward,
        (State::After { back }, Direction::Back) => !back,
        (State::Before { .. }, Direction::Back) | (State::After { .. }, Direction::Forward) => {
            false
        }
        // Nothing of ours is in it when we go back, so there is nothing to undo.
        (State::Foreign(side), Direction::Back) => side != Side::Before,
        (State::Foreign(side), Direction::Forward) => side != Side::After,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOKS: [Look; 4] = [Look::Missing, Look::Old, Look::New, Look::Other];
    const ACTIONS: [Action; 3] = [Action::Replace, Action::Create, Action::Delete];

    #[test]
    fn the_states_that_a_commit_passes_through() {
        use Action::{Create, Delete, Replace};
        use Look::{Missing, New, Old};
        for (action, target, temp, expected) in [
            (Replace, Old, New, State::Before { forward: true }),
            (Replace, New, Old, State::After { back: true }),
            (Replace, New, Missing, State::After { back: false }),
            (Create, Missing, New, State::Before { forward: true }),
            (Create, New, Missing, State::After { back: true }),
            (Delete, Old, Missing, State::Before { forward: true }),
            (Delete, Missing, Old, State::After { back: true }),
            (Delete, Missing, Missing, State::After { back: false }),
        ] {
            assert_eq!(judge(action, target, temp), expected, "{action:?} {target:?} {temp:?}");
        }
    }

    #[test]
    fn a_target_that_is_neither_old_nor_new_is_always_foreign() {
        for action in ACTIONS {
            for temp in LOOKS {
                let state = judge(action, Look::Other, temp);
                assert!(matches!(state, State::Foreign(_)), "{action:?} {temp:?} {state:?}");
            }
        }
    }

    #[test]
    fn a_committed_change_goes_forward_unless_only_back_is_whole() {
        let before = State::Before { forward: true };
        let after = State::After { back: true };
        let phase = Phase::Committed;
        assert_eq!(direction(phase, &[before, after]), Direction::Forward);
        assert_eq!(direction(phase, &[after, State::Foreign(Side::Before)]), Direction::Back);
        assert_eq!(direction(phase, &[before, State::Foreign(Side::After)]), Direction::Forward);
        assert_eq!(direction(phase, &[before, State::Before { forward: false }]), Direction::Back);
        let spent = State::After { back: false };
        assert_eq!(direction(phase, &[spent, State::Foreign(Side::Before)]), Direction::Forward);
        assert_eq!(direction(Phase::Aborted, &[before, after]), Direction::Back);
    }
}
