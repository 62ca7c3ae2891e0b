//! The edits of a run that are proposed and not yet decided: ids, their states, and the bytes that hang on them.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a call waits for another that is deciding the same edit.
const WAIT: Duration = Duration::from_secs(10);

/// The name of a staged edit: `edit_1`, `edit_2`, … in the order of staging, never used twice in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EditId(u64);

impl EditId {
    fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix("edit_")?;
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (plain && !digits.starts_with('0')).then_some(())?;
        digits.parse().ok().map(EditId)
    }
}

impl std::fmt::Display for EditId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "edit_{}", self.0)
    }
}

/// How an edit was used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    Accepted,
    Discarded,
    /// A file was no longer what had been captured.
    Stale,
    /// It failed on the way and could not be put back.
    Broken,
}

/// Why an edit cannot be resolved.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotOpen {
    /// No edit of this run has that id.
    Unknown { open: Vec<String> },
    /// It was used up before.
    Consumed(Closed),
    /// Another call is applying it at this moment.
    InUse,
}

/// There is no room for another edit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// Bytes that this edit needs, bytes held by open edits, bytes allowed in all.
    pub(crate) wanted: usize,
    pub(crate) held: usize,
    pub(crate) limit: usize,
    pub(crate) open: Vec<String>,
}

/// The ledger of a run. `P` is what is staged under an id.
pub(crate) struct Ledger<P> {
    limit: usize,
    state: Mutex<State<P>>,
    /// An edit that was in use has been decided, or is open again.
    decided: Condvar,
    wait: Duration,
}

struct State<P> {
    last: u64,
    held: usize,
    entries: BTreeMap<EditId, Entry<P>>,
}

enum Entry<P> {
    Open { payload: Arc<P>, bytes: usize },
    InUse { bytes: usize },
    Closed(Closed),
}

impl<P> Ledger<P> {
    /// `limit`: bytes that all open edits may hold together.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            state: Mutex::new(State { last: 0, held: 0, entries: BTreeMap::new() }),
            decided: Condvar::new(),
            wait: WAIT,
        }
    }

    /// Bytes that may still be staged.
    pub(crate) fn room(&self) -> usize {
        self.limit.saturating_sub(self.lock().held)
    }

    /// The ids that can still be resolved.
    pub(crate) fn open(&self) -> Vec<String> {
        self.lock().open()
    }

    /// Stages a change that holds `bytes` bytes.
    pub(crate) fn stage(&self, payload: P, bytes: usize) -> Result<EditId, Full> {
        let mut state = self.lock();
        if bytes > self.limit.saturating_sub(state.held) {
            return Err(Full {
                wanted: bytes,
                held: state.held,
                limit: self.limit,
                open: state.open(),
            });
        }
        state.last += 1;
        state.held += bytes;
        let id = EditId(state.last);
        let payload = Arc::new(payload);
        state.entries.insert(id, Entry::Open { payload, bytes });
        Ok(id)
    }

    /// What is staged under an open id.
    pub(crate) fn peek(&self, id: &str) -> Option<Arc<P>> {
        match self.lock().entries.get(&EditId::parse(id)?)? {
            Entry::Open { payload, .. } => Some(payload.clone()),
            Entry::InUse { .. } | Entry::Closed(_) => None,
        }
    }

    /// Uses an open edit up without applying it.
    pub(crate) fn discard(&self, id: &str) -> Result<(EditId, Arc<P>), NotOpen> {
        let mut claim = self.claim(id)?;
        claim.close(Closed::Discarded);
        Ok((claim.id, claim.payload.clone()))
    }

    /// Takes an open edit for applying it; nobody else can meanwhile. Dropped undecided, the edit is open again.
    ///
    /// Blocks for a while where another call is deciding it (one that was dropped goes on to its end).
    pub(crate) fn claim(&self, id: &str) -> Result<Claim<'_, P>, NotOpen> {
        let mut state = self.lock();
        let until = Instant::now() + self.wait;
        while let Some(Entry::InUse { .. }) =
            EditId::parse(id).and_then(|id| state.entries.get(&id))
        {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(NotOpen::InUse);
            }
            let waited = self.decided.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let parsed = EditId::parse(id).filter(|id| state.entries.contains_key(id));
        let Some(id) = parsed else {
            return Err(NotOpen::Unknown { open: state.open() });
        };
        match state.entries.get(&id) {
            Some(Entry::Open { payload, bytes }) => {
                let (payload, bytes) = (payload.clone(), *bytes);
                state.entries.insert(id, Entry::InUse { bytes });
                Ok(Claim { ledger: self, id, payload, decided: false })
            }
            Some(Entry::InUse { .. }) => Err(NotOpen::InUse),
            Some(Entry::Closed(how)) => Err(NotOpen::Consumed(*how)),
            None => Err(NotOpen::Unknown { open: state.open() }),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P> State<P> {
    fn open(&self) -> Vec<String> {
        self.entries
            .iter()
            .filter(|(_, e)| !matches!(e, Entry::Closed(_)))
            .map(|(id, _)| id.to_string())
            .collect()
    }
}

/// An edit that one call is deciding.
pub(crate) struct Claim<'l, P> {
    ledger: &'l Ledger<P>,
    pub(crate) id: EditId,
    pub(crate) payload: Arc<P>,
    decided: bool,
}

impl<P> Claim<'_, P> {
    /// Uses the edit up; its bytes are free for others.
    pub(crate) fn close(&mut self, how: Closed) {
        self.decided = true;
        let mut state = self.ledger.lock();
        let old = state.entries.insert(self.id, Entry::Closed(how));
        if let Some(Entry::InUse { bytes } | Entry::Open { bytes, .. }) = old {
            state.held -= bytes;
        }
        self.ledger.decided.notify_all();
    }
}

impl<P> Drop for Claim<'_, P> {
    fn drop(&mut self) {
        if self.decided {
            return;
        }
        let mut state = self.ledger.lock();
        if let Some(entry) = state.entries.get_mut(&self.id)
            && let Entry::InUse { bytes } = *entry
        {
            *entry = Entry::Open { payload: self.payload.clone(), bytes };
        }
        self.ledger.decided.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_count_up_and_are_never_reused() {
        let ledger = Ledger::new(100);
        assert_eq!(ledger.stage("a", 10).unwrap().to_string(), "edit_1");
        ledger.discard("edit_1").unwrap();
        assert_eq!(ledger.stage("b", 10).unwrap().to_string(), "edit_2");
        assert_eq!(ledger.room(), 90);
    }

    #[test]
    fn an_edit_is_consumed_once_and_says_how() {
        let ledger = Ledger::new(100);
        for how in [Closed::Accepted, Closed::Stale, Closed::Discarded] {
            let id = ledger.stage("x", 60).unwrap().to_string();
            let mut claim = ledger.claim(&id).unwrap();
            assert_eq!(*claim.payload, "x");
            claim.close(how);
            drop(claim);
            assert_eq!(ledger.claim(&id).err(), Some(NotOpen::Consumed(how)));
            assert_eq!(ledger.discard(&id).err(), Some(NotOpen::Consumed(how)));
        }
    }

    #[test]
    fn unknown_ids_are_answered_with_the_open_ones() {
        let ledger = Ledger::new(100);
        ledger.stage("a", 1).unwrap();
        ledger.stage("b", 1).unwrap();
        ledger.discard("edit_1").unwrap();
        for id in [
            "edit_3",
            "edit_02",
            "edit_0",
            "edit_",
            "2",
            "",
            "edit_+2",
            "edit_99999999999999999999",
        ] {
            let open = vec!["edit_2".to_owned()];
            assert_eq!(ledger.claim(id).err(), Some(NotOpen::Unknown { open }), "{id}");
        }
    }

    #[test]
    fn one_call_at_a_time_and_an_undecided_claim_reopens() {
        let mut ledger = Ledger::new(100);
        ledger.wait = Duration::from_millis(1);
        ledger.stage("a", 100).unwrap();
        let claim = ledger.claim("edit_1").unwrap();
        assert_eq!(ledger.claim("edit_1").err(), Some(NotOpen::InUse));
        assert_eq!(ledger.discard("edit_1").err(), Some(NotOpen::InUse));
        drop(claim);
        assert_eq!(ledger.room(), 0);
        assert_eq!(*ledger.discard("edit_1").unwrap().1, "a");
        assert_eq!(ledger.room(), 100);
    }

    #[test]
    fn a_second_call_waits_for_the_first_to_decide() {
        let ledger = Ledger::new(100);
        ledger.stage("a", 1).unwrap();
        let mut claim = ledger.claim("edit_1").unwrap();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| ledger.claim("edit_1").err());
            claim.close(Closed::Accepted);
            assert_eq!(second.join().unwrap(), Some(NotOpen::Consumed(Closed::Accepted)));
        });
    }

    #[test]
    fn a_full_ledger_refuses_and_names_what_is_open() {
        let ledger = Ledger::new(100);
        ledger.stage("a", 70).unwrap();
        let full = ledger.stage("b", 31).unwrap_err();
        assert_eq!((full.wanted, full.held, full.open), (31, 70, vec!["edit_1".to_owned()]));
        assert!(ledger.stage("c", 30).is_ok(), "a refused edit uses no id and no room");
    }
}
