//! What compiling a pattern may cost.

use std::cell::Cell;

/// Parses that one rung may cost. A pattern of many metavariables has more mixes of spellings than
/// anybody would wait for.
const OF_A_RUNG: usize = 40;
/// Parses that all rungs together may cost; each has a few of its own.
const OF_ALL: usize = 1_000;
/// What the least likely rung has in any case.
const LEAST: usize = 6;
/// Parses of a rung that hardly anybody means, once a usual one has accepted the pattern.
const OF_AN_EXTRA: usize = 20;

/// The parses that are left, and whether anybody still waits for them.
pub(crate) struct Effort<'a> {
    stop: &'a dyn Fn() -> bool,
    left: Cell<usize>,
}

impl<'a> Effort<'a> {
    pub(crate) fn new(stop: &'a dyn Fn() -> bool) -> Self {
        Self { stop, left: Cell::new(OF_ALL) }
    }

    /// Nobody waits any more.
    pub(crate) fn is_over(&self) -> bool {
        (self.stop)()
    }

    pub(super) fn stop(&self) -> &'a dyn Fn() -> bool {
        self.stop
    }

    /// Parses for a rung that `rungs` further ones come after; `accepted`: the pattern has a usual
    /// reading already.
    pub(super) fn share(&self, rare: bool, rungs: usize, accepted: bool) -> usize {
        let fair = (self.left.get() / (rungs + 1)).max(LEAST);
        match (rare, accepted) {
            (false, _) => OF_A_RUNG,
            (true, false) => fair.min(OF_A_RUNG),
            (true, true) => fair.min(OF_AN_EXTRA),
        }
    }

    /// One parse more has been made.
    pub(super) fn spend(&self) {
        self.left.set(self.left.get().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unlikely_gets_what_is_left() {
        let effort = Effort::new(&|| false);
        assert_eq!(effort.share(false, 70, false), OF_A_RUNG);
        assert_eq!(effort.share(true, 10, false), OF_A_RUNG);
        assert_eq!(effort.share(true, 10, true), OF_AN_EXTRA);
        for _ in 0..OF_ALL {
            effort.spend();
        }
        assert_eq!(effort.share(true, 10, false), LEAST);
        assert_eq!(effort.share(false, 10, true), OF_A_RUNG);
    }

    #[test]
    fn who_does_not_wait_stops_it() {
        assert!(Effort::new(&|| true).is_over());
    }
}
