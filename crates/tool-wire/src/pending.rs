//! The table of requests that wait for a reply. Pure.

use std::collections::{BTreeMap, VecDeque};

/// How many abandoned requests are remembered, to tell a late reply from one to nothing.
const REMEMBERED: usize = 256;

/// Requests by number. A number is used once.
#[derive(Debug)]
pub struct Pending<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
    abandoned: VecDeque<u64>,
}

/// What a reply was to.
#[derive(Debug, PartialEq, Eq)]
pub enum Reply<T> {
    /// A request that waits.
    Waiting(T),
    /// A request that was given up before.
    Late,
    /// No request of ours, or one that was answered already.
    Unknown,
}

impl<T> Default for Pending<T> {
    fn default() -> Self {
        Self { next: 1, waiting: BTreeMap::new(), abandoned: VecDeque::new() }
    }
}

impl<T> Pending<T> {
    /// A number that no request has had.
    pub fn number(&mut self) -> u64 {
        let id = self.next;
        self.next += 1;
        id
    }

    /// Enters a request under its number.
    pub fn register(&mut self, id: u64, value: T) {
        self.waiting.insert(id, value);
    }

    /// A reply came.
    pub fn complete(&mut self, id: u64) -> Reply<T> {
        if let Some(value) = self.waiting.remove(&id) {
            return Reply::Waiting(value);
        }
        match self.abandoned.iter().position(|gone| *gone == id) {
            Some(at) => {
                self.abandoned.remove(at);
                Reply::Late
            }
            None => Reply::Unknown,
        }
    }

    /// Gives a request up. `None` if it waits no more.
    pub fn cancel(&mut self, id: u64) -> Option<T> {
        let value = self.waiting.remove(&id)?;
        if self.abandoned.len() == REMEMBERED {
            self.abandoned.pop_front();
        }
        self.abandoned.push_back(id);
        Some(value)
    }

    /// Everything that waits, oldest first; afterwards nothing does.
    pub fn close(&mut self) -> Vec<T> {
        std::mem::take(&mut self.waiting).into_values().collect()
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_reply_is_taken_once() {
        let mut table = Pending::default();
        let id = table.number();
        table.register(id, 'a');
        assert_eq!(table.complete(id), Reply::Waiting('a'));
        assert_eq!(table.complete(id), Reply::Unknown);
    }

    #[test]
    fn a_late_reply_is_known_as_such() {
        let mut table = Pending::default();
        let (one, two) = (table.number(), table.number());
        table.register(one, 'a');
        table.register(two, 'b');
        assert_eq!(table.cancel(one), Some('a'));
        assert_eq!(table.cancel(one), None);
        assert_eq!(table.complete(one), Reply::Late);
        assert_eq!(table.complete(one), Reply::Unknown);
        assert_eq!(table.close(), ['b']);
        assert!(table.is_empty());
    }

    proptest! {
        #[test]
        fn no_order_of_events_loses_or_doubles_a_request(events in prop::collection::vec((0u8..3, 1u64..40), 0..200)) {
            let mut table = Pending::default();
            let (mut entered, mut left) = (0, 0);
            for (event, id) in events {
                match event {
                    0 => { let id = table.number(); table.register(id, id); entered += 1; }
                    1 => if let Reply::Waiting(value) = table.complete(id) { prop_assert_eq!(value, id); left += 1; },
                    _ => if table.cancel(id).is_some() { left += 1; },
                }
                prop_assert_eq!(table.len(), entered - left);
            }
            prop_assert_eq!(table.close().len(), entered - left);
        }
    }
}
