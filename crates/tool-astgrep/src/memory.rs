//! What a run remembers: parsed files within a budget, answered only while the bytes on disk are the ones that were parsed.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Length and hash of a file's content: what a remembered value was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    len: u64,
    hash: u128,
}

impl Stamp {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { len: bytes.len() as u64, hash: xxhash_rust::xxh3::xxh3_128(bytes) }
    }
}

/// Values by key, with a byte budget.
///
/// A scan never evicts what it or the scan before it may use: a full memory admits nothing rather than turn over.
pub(crate) struct Memory<K, V> {
    budget: usize,
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    entries: HashMap<K, Entry<V>>,
    used: usize,
    scan: u64,
    /// No entry older than this scan is left to evict (keeps a full memory from searching for victims again and again).
    no_victims_in: u64,
}

struct Entry<V> {
    stamp: Stamp,
    cost: usize,
    value: V,
    last_scan: u64,
}

/// A scan in progress, as handed out by [`Memory::begin`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scan(u64);

/// Scans that may pass without an entry's use before it can be evicted.
const KEEP_SCANS: u64 = 2;

impl<K: Hash + Eq + Clone, V: Clone> Memory<K, V> {
    /// A budget in bytes; 0 remembers nothing.
    pub(crate) fn new(budget: usize) -> Self {
        Self {
            budget,
            state: Mutex::new(State {
                entries: HashMap::new(),
                used: 0,
                scan: 0,
                no_victims_in: 0,
            }),
        }
    }

    pub(crate) fn is_off(&self) -> bool {
        self.budget == 0
    }

    /// Starts a scan over files with these keys; what is remembered of them is safe until after the next scan.
    pub(crate) fn begin(&self, keys: impl IntoIterator<Item = K>) -> Scan {
        if self.is_off() {
            return Scan(0);
        }
        let mut state = self.lock();
        state.scan += 1;
        let scan = state.scan;
        for key in keys {
            if let Some(entry) = state.entries.get_mut(&key) {
                entry.last_scan = scan;
            }
        }
        Scan(scan)
    }

    /// The value remembered for a file of exactly this content.
    pub(crate) fn get(&self, key: &K, stamp: &Stamp) -> Option<V> {
        if self.is_off() {
            return None;
        }
        let state = self.lock();
        let entry = state.entries.get(key)?;
        (entry.stamp == *stamp).then(|| entry.value.clone())
    }

    /// Whether anything is remembered under the key, of whatever content.
    #[cfg(test)]
    pub(crate) fn knows(&self, key: &K) -> bool {
        !self.is_off() && self.lock().entries.contains_key(key)
    }

    /// Remembers a value of `cost` bytes if there is room; says whether it did.
    pub(crate) fn put(&self, scan: Scan, key: K, stamp: Stamp, value: V, cost: usize) -> bool {
        if cost > self.budget {
            return false;
        }
        let mut state = self.lock();
        if let Some(old) = state.entries.remove(&key) {
            state.used -= old.cost;
        }
        if state.used + cost > self.budget && !state.make_room(scan, self.budget - cost) {
            return false;
        }
        state.used += cost;
        state.entries.insert(key, Entry { stamp, cost, value, last_scan: scan.0 });
        true
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq + Clone, V> State<K, V> {
    /// Evicts entries that the last scans did not use, oldest first, until at most `limit` bytes are used.
    fn make_room(&mut self, scan: Scan, limit: usize) -> bool {
        if self.no_victims_in == scan.0 {
            return false;
        }
        let mut old: Vec<(u64, K)> = self
            .entries
            .iter()
            .filter(|(_, e)| e.last_scan + KEEP_SCANS <= scan.0)
            .map(|(k, e)| (e.last_scan, k.clone()))
            .collect();
        old.sort_by_key(|(last, _)| *last);
        for (_, key) in old {
            if self.used <= limit {
                return true;
            }
            if let Some(entry) = self.entries.remove(&key) {
                self.used -= entry.cost;
            }
        }
        if self.used > limit {
            self.no_victims_in = scan.0;
        }
        self.used <= limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(text: &str) -> Stamp {
        Stamp::of(text.as_bytes())
    }

    #[test]
    fn a_changed_file_is_not_answered_from_memory() {
        let memory = Memory::new(100);
        let scan = memory.begin([]);
        assert!(memory.put(scan, "a", stamp("old"), 1, 10));
        assert_eq!(memory.get(&"a", &stamp("old")), Some(1));
        assert_eq!(memory.get(&"a", &stamp("new")), None);
        assert!(memory.put(scan, "a", stamp("new"), 2, 10));
        assert_eq!(memory.get(&"a", &stamp("old")), None);
        assert_eq!(memory.get(&"a", &stamp("new")), Some(2));
        assert_eq!(memory.lock().used, 10);
    }

    #[test]
    fn a_scan_larger_than_the_budget_keeps_what_it_put_in_first() {
        let memory = Memory::new(30);
        let keys: Vec<u32> = (0..10).collect();
        for round in 0..4 {
            let scan = memory.begin(keys.clone());
            let hits = keys
                .iter()
                .filter(|k| match memory.get(k, &stamp("x")) {
                    Some(()) => true,
                    None => {
                        memory.put(scan, **k, stamp("x"), (), 10);
                        false
                    }
                })
                .count();
            assert_eq!(hits, if round == 0 { 0 } else { 3 });
        }
    }

    #[test]
    fn what_two_scans_did_not_use_makes_room() {
        let memory = Memory::new(20);
        let scan = memory.begin([]);
        memory.put(scan, "old", stamp("x"), (), 20);
        let scan = memory.begin(["new"]);
        assert!(!memory.put(scan, "new", stamp("x"), (), 20), "used by the scan before");
        let scan = memory.begin(["new"]);
        assert!(memory.put(scan, "new", stamp("x"), (), 20));
        assert!(!memory.knows(&"old"));
        assert_eq!(memory.lock().used, 20);
    }

    #[test]
    fn no_budget_remembers_nothing() {
        let memory = Memory::new(0);
        let scan = memory.begin(["a"]);
        assert!(!memory.put(scan, "a", stamp("x"), (), 1));
        assert!(memory.is_off() && memory.get(&"a", &stamp("x")).is_none());
    }
}
