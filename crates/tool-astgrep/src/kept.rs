//! The first matches by path, collected from threads that finish in any order, and nothing more than that.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Keeps the values of the lowest keys until they hold at least `limit` values in all.
///
/// What is kept depends on what was offered, never on the order in which it was.
pub(crate) struct Kept<T> {
    limit: usize,
    state: Mutex<State<T>>,
}

struct State<T> {
    by_key: BTreeMap<usize, Vec<T>>,
    held: usize,
}

impl<T> Kept<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, state: Mutex::new(State { by_key: BTreeMap::new(), held: 0 }) }
    }

    /// Whether values of this key could be among the first. A no is final; a yes may change.
    pub(crate) fn wants(&self, key: usize) -> bool {
        let state = self.lock();
        state.held < self.limit
            || state.by_key.last_key_value().is_some_and(|(last, _)| key < *last)
    }

    /// Offers the values of a key, which are offered once, and in their order.
    pub(crate) fn offer(&self, key: usize, mut values: Vec<T>) {
        values.truncate(self.limit);
        if values.is_empty() {
            return;
        }
        let mut state = self.lock();
        state.held += values.len();
        state.by_key.insert(key, values);
        while let Some((_, last)) = state.by_key.last_key_value() {
            let without = state.held - last.len();
            if without < self.limit {
                break;
            }
            state.held = without;
            state.by_key.pop_last();
        }
    }

    /// The first `limit` values, by key.
    pub(crate) fn into_first(self) -> Vec<(usize, Vec<T>)> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut left = self.limit;
        let mut first = Vec::with_capacity(state.by_key.len());
        for (key, mut values) in state.by_key {
            values.truncate(left);
            left -= values.len();
            first.push((key, values));
        }
        first
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_by_key_whatever_the_order(counts in prop::collection::vec(0usize..6, 0..12), limit in 1usize..10, seed in any::<u64>()) {
            let all: Vec<(usize, Vec<(usize, usize)>)> = counts
                .iter()
                .enumerate()
                .map(|(key, n)| (key, (0..*n).map(|i| (key, i)).collect()))
                .collect();
            let mut shuffled = all.clone();
            shuffled.sort_by_key(|(key, _)| (*key as u64 + 1).wrapping_mul(seed | 1) >> 7);
            let kept = Kept::new(limit);
            for (key, values) in shuffled {
                if kept.wants(key) {
                    kept.offer(key, values);
                }
            }
            let got: Vec<_> = kept.into_first().into_iter().flat_map(|(_, v)| v).collect();
            let want: Vec<_> = all.into_iter().flat_map(|(_, v)| v).take(limit).collect();
            prop_assert_eq!(got, want);
        }
    }

    #[test]
    fn no_more_is_held_than_one_file_over_the_limit() {
        let kept = Kept::new(5);
        for key in (0..1000).rev() {
            kept.offer(key, vec![0u8; 4]);
            assert!(kept.lock().held <= 8);
        }
    }
}
