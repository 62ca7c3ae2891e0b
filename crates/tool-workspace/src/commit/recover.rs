//! After a crash: brings the changes that a dead process left unfinished to one of their ends.

use std::path::PathBuf;
use std::time::Duration;

use crate::commit::ops::Ops;
use crate::commit::settle::{Conflict, Outcome, settle};
use crate::faults::Faults;
use crate::journal::{Found, Journals, StoreError};
use crate::root::shown;

/// What a recovery found and did. Empty in all but rare cases.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RecoverReport {
    /// Changes that were brought to an end.
    pub settled: Vec<Recovered>,
    /// Journals that a living process holds; they were left alone.
    pub held: usize,
    /// Journals that cannot be read; where they were set aside.
    pub damaged: Vec<PathBuf>,
    /// Journals that could not be brought to an end now, and why. The next recovery tries again.
    pub failed: Vec<(PathBuf, String)>,
}

/// One change that a crash had cut short.
#[derive(Debug)]
pub struct Recovered {
    /// Where it was taken.
    pub outcome: Outcome,
    /// Its files, relative to the root.
    pub files: Vec<String>,
    /// Files that somebody else had changed meanwhile; they were left as they are.
    pub conflicts: Vec<Conflict>,
}

impl RecoverReport {
    /// Whether there was nothing to do and nothing to tell.
    pub fn is_quiet(&self) -> bool {
        self.settled.is_empty()
            && self.held == 0
            && self.damaged.is_empty()
            && self.failed.is_empty()
    }
}

impl Journals {
    /// How long one commit or recovery waits for another on the same root.
    pub(crate) const WAIT: Duration = Duration::from_secs(10);

    /// Brings changes that a crash cut short to all-old or all-new. To be called when a run starts.
    ///
    /// Blocks, at most about ten seconds for another process. A journal that a living process holds is never touched.
    /// Safe to be run by several starts at once, and to be interrupted and run again. A later commit does the same first.
    pub fn recover(&self) -> RecoverReport {
        self.recover_with(&Faults::default())
    }

    /// [`Journals::recover`] with a hook at each step.
    #[doc(hidden)]
    pub fn recover_with(&self, faults: &Faults) -> RecoverReport {
        let mut report = RecoverReport::default();
        if self.is_idle() {
            return report;
        }
        let dead = match self.journals() {
            Ok(paths) => paths.iter().any(|path| Self::is_dead(path)),
            Err(error) => return report.fail(self.folder().to_path_buf(), error.to_string()),
        };
        if !dead {
            report.held = self.journals().map_or(0, |paths| paths.len());
            if let Err(error) = self.sweep(Self::WAIT) {
                return report.fail(self.folder().to_path_buf(), store_says(&error));
            }
            return report;
        }
        match self.lock_root(Self::WAIT, &|| false) {
            Ok(_lock) => self.recover_locked(faults),
            Err(error) => report.fail(self.folder().to_path_buf(), store_says(&error)),
        }
    }

    /// Recovers while the caller holds the root's lock.
    pub(crate) fn recover_locked(&self, faults: &Faults) -> RecoverReport {
        let mut report = RecoverReport::default();
        if self.is_idle() {
            return report;
        }
        if let Err(error) = self.sweep(Self::WAIT) {
            report = report.fail(self.folder().to_path_buf(), store_says(&error));
        }
        let paths = match self.journals() {
            Ok(paths) => paths,
            Err(error) => return report.fail(self.folder().to_path_buf(), error.to_string()),
        };
        for path in paths {
            match self.claim(&path) {
                Ok(None) => {}
                Ok(Some(Found::Held)) => report.held += 1,
                Ok(Some(Found::Damaged(aside))) => report.damaged.push(aside),
                Ok(Some(Found::Dead(found))) => {
                    let (live, intent, phase) = *found;
                    let keep = |number, bytes: &[u8]| self.keep(&live, number, bytes);
                    let done = Ops::new(self.root().path(), faults).and_then(|mut ops| {
                        let settled = settle(&mut ops, &live, &intent, phase, &keep)?;
                        live.end(faults)?;
                        Ok(settled)
                    });
                    match done {
                        Ok(settled) => report.settled.push(Recovered {
                            outcome: settled.outcome,
                            files: intent
                                .entries
                                .iter()
                                .map(|entry| shown(&entry.within))
                                .collect(),
                            conflicts: settled.conflicts,
                        }),
                        Err(error) => report.failed.push((path, error.to_string())),
                    }
                }
                Err(error) => report.failed.push((path, error.to_string())),
            }
        }
        report
    }
}

impl RecoverReport {
    fn fail(mut self, path: PathBuf, why: String) -> Self {
        self.failed.push((path, why));
        self
    }
}

pub(crate) fn store_says(error: &StoreError) -> String {
    match error {
        StoreError::Busy(waited) => {
            format!("another change has been running for over {} s", waited.as_secs())
        }
        StoreError::Stopped => "stopped".to_owned(),
        StoreError::Io(error) => error.to_string(),
    }
}
