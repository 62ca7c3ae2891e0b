//! One commit from its first look to the removal of its journal.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::thread;

use rustix::fs::Stat;

use crate::beneath;
use crate::change::{Action, Change, ChangeSet};
use crate::commit::error::{CommitError, FileProblem, Problem};
use crate::commit::judge::Direction;
use crate::commit::ops::{Folders, Look, Ops, folder_of};
use crate::commit::options::{CommitOptions, Committed, CommittedFile};
use crate::commit::prepare::{self, Draft};
use crate::commit::settle::{clean, settle, sync_folders};
use crate::commit::verify::{Verified, verify};
use crate::identity::Identity;
use crate::journal::codec::{Entry, Intent, Phase, Print, TEMP_PREFIX};
use crate::journal::{Journals, Live, StoreError, fresh_id};
use crate::root::{Root, shown};

impl ChangeSet {
    /// Carries out all changes or none. Blocks; everything is flushed to the disk when it returns.
    ///
    /// # Errors
    /// [`CommitError`]; unless it is `Stuck`, every file is as it was.
    pub fn commit(&self, root: &Root, journals: &Journals) -> Result<Committed, CommitError> {
        self.commit_with(root, journals, &CommitOptions::default())
    }

    /// [`ChangeSet::commit`] that can be cancelled before the first file is changed.
    ///
    /// # Errors
    /// As `commit`.
    pub fn commit_with(
        &self,
        root: &Root,
        journals: &Journals,
        options: &CommitOptions<'_>,
    ) -> Result<Committed, CommitError> {
        let state = |error: StoreError| match error {
            StoreError::Busy(waited) => CommitError::Busy { waited },
            StoreError::Stopped => CommitError::Cancelled,
            StoreError::Io(source) => {
                CommitError::State { folder: journals.folder().to_path_buf(), source }
            }
        };
        if journals.root().path() != root.path() {
            let source = io::Error::other("these are the journals of another root");
            return Err(state(StoreError::Io(source)));
        }
        let _lock = journals.lock_root(options.wait, options.cancelled).map_err(state)?;
        let recovered = journals.recover_locked(&options.faults);
        if let Some((path, why)) = recovered.failed.first() {
            return Err(CommitError::Unrecovered { why: format!("{}: {why}", path.display()) });
        }
        if recovered.held > 0 {
            return Err(CommitError::Busy { waited: options.wait });
        }
        let verified = match verify(root, self, options.cancelled) {
            Ok(Some(verified)) => verified,
            Ok(None) => return Err(CommitError::Cancelled),
            Err(problems) => return Err(refusal(problems)),
        };
        let id = fresh_id();
        let work: Vec<Item<'_>> = self.items(&id, verified.stats.as_slice());
        let files = if work.is_empty() {
            Vec::new()
        } else {
            let intent = Intent {
                root: root.path().to_path_buf(),
                folders: verified.folders.iter().cloned().collect(),
                entries: work.iter().map(|item| item.entry.clone()).collect(),
            };
            let live =
                journals.begin(&id, &intent, &options.faults, options.wait).map_err(state)?;
            let commit = Commit { journals, live, intent, work, options };
            commit.run(&verified)?
        };
        Ok(Committed { files, recovered })
    }

    fn items<'a>(&'a self, id: &str, stats: &[Option<Stat>]) -> Vec<Item<'a>> {
        let stat_of = |within: &Path| {
            let at = self.changes.keys().position(|key| key == within)?;
            stats.get(at).copied().flatten()
        };
        let changed = self.changes.values().zip(stats).filter(|(change, _)| !change.is_idle());
        changed
            .enumerate()
            .map(|(number, (change, stat))| Item {
                entry: Entry {
                    within: change.at.within().to_path_buf(),
                    temp: OsString::from(format!("{TEMP_PREFIX}{id}-{number}")),
                    old: change
                        .old
                        .as_ref()
                        .map(|old| Print { len: old.bytes().len() as u64, hash: old.hash() }),
                    new: change.new.as_deref().map(Print::of),
                },
                like: match &change.like {
                    Some(like) => stat_of(like).map(|stat| (like.as_path(), stat)),
                    None => stat.map(|stat| (change.at.within(), stat)),
                },
                change,
            })
            .collect()
    }
}

/// One file's change with what it needs to be carried out.
struct Item<'a> {
    entry: Entry,
    change: &'a Change,
    like: Option<(&'a Path, Stat)>,
}

struct Commit<'a> {
    journals: &'a Journals,
    live: Live,
    intent: Intent,
    work: Vec<Item<'a>>,
    options: &'a CommitOptions<'a>,
}

/// A step that failed.
struct Failed {
    cancelled: bool,
    doing: &'static str,
    rel: String,
    source: io::Error,
    problem: Option<Problem>,
}

impl Failed {
    fn new(doing: &'static str, within: &Path, source: io::Error) -> Self {
        Self { cancelled: false, doing, rel: shown(within), source, problem: None }
    }

    fn cancelled() -> Self {
        let source = io::Error::from(io::ErrorKind::Interrupted);
        Self { cancelled: true, ..Self::new("writing copies", Path::new(""), source) }
    }

    fn into_error(self) -> CommitError {
        match self.problem {
            _ if self.cancelled => CommitError::Cancelled,
            Some(problem) => {
                CommitError::Mismatch { files: vec![FileProblem { rel: self.rel, problem }] }
            }
            None => CommitError::Io { doing: self.doing, rel: self.rel, source: self.source },
        }
    }
}

impl Commit<'_> {
    fn run(self, verified: &Verified) -> Result<Vec<CommittedFile>, CommitError> {
        let faults = &self.options.faults;
        let root = self.intent.root.clone();
        let mut ops = match Ops::new(&root, faults) {
            Ok(ops) => ops,
            Err(error) => {
                let _ = self.live.end(faults);
                return Err(Failed::new("opening", Path::new(""), error).into_error());
            }
        };
        let prepared = match self.prepare(&mut ops, verified) {
            Ok(()) if (self.options.cancelled)() => Err(CommitError::Cancelled),
            done => done.map_err(Failed::into_error),
        };
        if let Err(error) = prepared {
            return Err(self.give_up(&mut ops, Phase::Preparing, error));
        }
        if let Err(source) = self.live.decide(Phase::Committed, faults) {
            // The mark may be there all the same, so it has to be outdone.
            let _ = self.live.decide(Phase::Aborted, faults);
            let folder = self.journals.folder().to_path_buf();
            return Err(self.give_up(
                &mut ops,
                Phase::Aborted,
                CommitError::State { folder, source },
            ));
        }
        if let Err(failed) = self.apply(&mut ops) {
            // Should the mark fail, a crash from here on is carried on instead of undone: still all or nothing.
            let _ = self.live.decide(Phase::Aborted, faults);
            return Err(self.give_up(&mut ops, Phase::Aborted, failed.into_error()));
        }
        let files = self.files(&mut ops);
        // All files are changed and flushed. If tidying up fails, the journal stays and the next start does it.
        let tidied = self
            .live
            .decide(Phase::Carried, faults)
            .and_then(|()| clean(&mut ops, &self.intent, Direction::Forward))
            .and_then(|()| self.live.end(faults));
        drop(tidied);
        Ok(files)
    }

    fn prepare(&self, ops: &mut Ops<'_>, verified: &Verified) -> Result<(), Failed> {
        for folder in &verified.folders {
            ops.make_folder(folder)
                .map_err(|error| Failed::new("making the folder", folder, error))?;
        }
        let drafts: Vec<Draft<'_>> = self
            .work
            .iter()
            .filter_map(|item| {
                Some(Draft {
                    within: &item.entry.within,
                    temp: &item.entry.temp,
                    content: item.change.new.as_deref()?,
                    like: item.like,
                    executable: item.change.executable,
                })
            })
            .collect();
        self.write_drafts(&drafts)?;
        let mut folders: BTreeSet<&Path> =
            drafts.iter().map(|draft| folder_of(draft.within)).collect();
        folders.extend(verified.folders.iter().map(|folder| folder_of(folder)));
        self.sync(ops, &folders)
    }

    /// Flushing is what takes the time, so several wait for the disk at once.
    fn write_drafts(&self, drafts: &[Draft<'_>]) -> Result<(), Failed> {
        const PART: usize = 8;
        const THREADS: usize = 8;
        let root = self.intent.root.as_path();
        let options = self.options;
        let write = |part: &[Draft<'_>]| -> Result<(), Failed> {
            let mut folders =
                Folders::new(root).map_err(|error| Failed::new("opening", Path::new(""), error))?;
            for draft in part {
                if (options.cancelled)() {
                    return Err(Failed::cancelled());
                }
                prepare::write(&mut folders, draft, &options.faults)
                    .map_err(|error| Failed::new("writing a copy of", draft.within, error))?;
            }
            Ok(())
        };
        // Injected faults want a fixed order.
        let threads =
            if options.faults.is_set() { 1 } else { drafts.len().div_ceil(PART).min(THREADS) };
        if threads <= 1 {
            return write(drafts);
        }
        thread::scope(|scope| {
            let parts = drafts.chunks(drafts.len().div_ceil(threads));
            let running: Vec<_> = parts.map(|part| scope.spawn(move || write(part))).collect();
            let mut result = Ok(());
            for thread in running {
                let done = thread.join().unwrap_or_else(|_| {
                    Err(Failed::new(
                        "writing copies",
                        Path::new(""),
                        io::Error::other("a thread panicked"),
                    ))
                });
                result = result.and(done);
            }
            result
        })
    }

    fn sync(&self, ops: &mut Ops<'_>, folders: &BTreeSet<&Path>) -> Result<(), Failed> {
        sync_folders(ops, folders).map_err(|error| {
            let first = folders.first().copied().unwrap_or(Path::new(""));
            Failed::new("flushing the folder", first, error)
        })
    }

    /// Changes file after file, each checked as it is displaced.
    fn apply(&self, ops: &mut Ops<'_>) -> Result<(), Failed> {
        for entry in &self.intent.entries {
            ops.apply(entry).map_err(|error| Failed {
                problem: match (entry.action(), error.kind()) {
                    (_, io::ErrorKind::NotFound) => Some(Problem::Vanished),
                    (Action::Create, io::ErrorKind::AlreadyExists) => Some(Problem::Appeared),
                    _ => None,
                },
                ..Failed::new("replacing", &entry.within, error)
            })?;
            if entry.action() == Action::Create {
                continue;
            }
            let displaced = ops.look_temp(entry);
            if matches!(displaced, Ok(Look::Old)) {
                continue;
            }
            // Somebody wrote it after it was verified. Theirs goes back at once.
            let back = ops.revert(entry);
            let source = match (displaced, back) {
                (Err(error), _) | (_, Err(error)) => error,
                _ => io::Error::other("it changed in the last moment"),
            };
            return Err(Failed {
                problem: Some(Problem::Changed),
                ..Failed::new("replacing", &entry.within, source)
            });
        }
        let folders: BTreeSet<&Path> =
            self.intent.entries.iter().map(|entry| folder_of(&entry.within)).collect();
        self.sync(ops, &folders)
    }

    /// Puts everything back, then says `error`.
    fn give_up(&self, ops: &mut Ops<'_>, phase: Phase, error: CommitError) -> CommitError {
        let keep = |number, bytes: &[u8]| self.journals.keep(&self.live, number, bytes);
        let done = settle(ops, &self.live, &self.intent, phase, &keep)
            .and_then(|_| self.live.end(&self.options.faults));
        match done {
            Ok(()) => error,
            // No file was touched: the journal only holds temporary files for the next start to remove.
            Err(_) if phase == Phase::Preparing => error,
            Err(source) => self.stuck(ops, source),
        }
    }

    fn stuck(&self, ops: &mut Ops<'_>, source: io::Error) -> CommitError {
        let is_new = |entry: &&Entry| match entry.action() {
            Action::Delete => matches!(ops.look(entry), Ok(Look::Missing)),
            _ => matches!(ops.look(entry), Ok(Look::New)),
        };
        let changed =
            self.intent.entries.iter().filter(is_new).map(|entry| shown(&entry.within)).collect();
        CommitError::Stuck { changed, journal: self.live.path().to_path_buf(), source }
    }

    fn files(&self, ops: &mut Ops<'_>) -> Vec<CommittedFile> {
        let entries = self.intent.entries.iter();
        entries
            .map(|entry| CommittedFile {
                rel: shown(&entry.within),
                action: entry.action(),
                identity: ops.folders.parent(&entry.within).ok().and_then(|(dir, name)| {
                    let stat = beneath::stat_name(std::os::fd::AsFd::as_fd(&*dir), name).ok()??;
                    Some(Identity::of(&stat))
                }),
            })
            .collect()
    }
}

fn refusal(problems: Vec<FileProblem>) -> CommitError {
    let (mismatched, unwritable): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|file| file.problem.is_mismatch());
    if mismatched.is_empty() {
        CommitError::Unwritable { files: unwritable }
    } else {
        CommitError::Mismatch { files: mismatched }
    }
}
