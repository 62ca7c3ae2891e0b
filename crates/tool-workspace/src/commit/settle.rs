//! Brings an unfinished change to one of its two ends: after a crash, and when a commit fails on the way.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::commit::judge::{Direction, State, direction, is_stuck, judge};
use crate::commit::ops::{Look, Ops, folder_of};
use crate::journal::Live;
use crate::journal::codec::{Intent, Phase};
use crate::root::shown;

/// How an unfinished change ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All files are as after the change.
    Completed,
    /// All files are as before it.
    Undone,
}

/// A file that somebody else changed while a change was unfinished; it was left as they made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The file, relative to the root.
    pub rel: String,
    /// Where the content was put that would else be lost.
    pub kept: Option<PathBuf>,
}

/// What [`settle`] did.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) outcome: Outcome,
    pub(crate) conflicts: Vec<Conflict>,
}

/// Takes every file of `intent` to the same end, then removes the temporary files.
///
/// May be interrupted anywhere and run again. `keep` is given content that would be lost and says where it put it.
///
/// # Errors
/// When the system fails on the way; the journal must then stay, so that the next start tries again.
pub(crate) fn settle(
    ops: &mut Ops<'_>,
    live: &Live,
    intent: &Intent,
    phase: Phase,
    keep: &dyn Fn(usize, &[u8]) -> io::Result<PathBuf>,
) -> io::Result<Settled> {
    let direction = match phase {
        // All files are at their end, so none has to be looked at.
        Phase::Preparing | Phase::Undone => Direction::Back,
        Phase::Carried => Direction::Forward,
        Phase::Committed | Phase::Aborted => return settle_files(ops, live, intent, phase, keep),
    };
    clean(ops, intent, direction)?;
    Ok(Settled { outcome: outcome(direction), conflicts: Vec::new() })
}

fn settle_files(
    ops: &mut Ops<'_>,
    live: &Live,
    intent: &Intent,
    phase: Phase,
    keep: &dyn Fn(usize, &[u8]) -> io::Result<PathBuf>,
) -> io::Result<Settled> {
    let mut temps = Vec::with_capacity(intent.entries.len());
    let mut states = Vec::with_capacity(intent.entries.len());
    for entry in &intent.entries {
        ops.tidy(entry)?;
        let (target, temp) = (ops.look(entry)?, ops.look_temp(entry)?);
        temps.push(temp);
        states.push(judge(entry.action(), target, temp));
    }
    let direction = direction(phase, &states);
    if direction == Direction::Back && phase == Phase::Committed {
        live.decide(Phase::Aborted, ops.faults)?;
    }
    let mut conflicts = Vec::new();
    let mut touched = BTreeSet::new();
    let mut order: Vec<usize> = (0..intent.entries.len()).collect();
    if direction == Direction::Back {
        // As a stack is unwound.
        order.reverse();
    }
    for at in order {
        let (entry, state) = (&intent.entries[at], states[at]);
        match (direction, state) {
            (Direction::Forward, State::Before { forward: true }) => ops.apply(entry)?,
            (Direction::Back, State::After { back: true }) => ops.revert(entry)?,
            _ => {}
        }
        touched.insert(folder_of(&entry.within));
        // What was displaced in a race is somebody's newest content.
        let displaced = temps[at] == Look::Other;
        let stuck = is_stuck(state, direction);
        if displaced || stuck {
            let kept = match temps[at] {
                Look::Missing => None,
                _ => ops.read_temp(entry).ok().map(|bytes| keep(at, &bytes)).transpose()?,
            };
            conflicts.push(Conflict { rel: shown(&entry.within), kept });
        }
    }
    sync_folders(ops, &touched)?;
    let end = match direction {
        Direction::Forward => Phase::Carried,
        Direction::Back => Phase::Undone,
    };
    // Only spares a later start some looking.
    let _ = live.decide(end, ops.faults);
    clean(ops, intent, direction)?;
    Ok(Settled { outcome: outcome(direction), conflicts })
}

fn outcome(direction: Direction) -> Outcome {
    match direction {
        Direction::Forward => Outcome::Completed,
        Direction::Back => Outcome::Undone,
    }
}

/// Flushes folders; one that has vanished has nothing to lose.
pub(crate) fn sync_folders(ops: &mut Ops<'_>, folders: &BTreeSet<&Path>) -> io::Result<()> {
    for folder in folders {
        match ops.sync_folder(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => done?,
        }
    }
    Ok(())
}

pub(crate) fn clean(ops: &mut Ops<'_>, intent: &Intent, direction: Direction) -> io::Result<()> {
    for entry in &intent.entries {
        ops.remove_temp(entry)?;
    }
    if direction == Direction::Back {
        for folder in intent.folders.iter().rev() {
            ops.remove_folder(folder)?;
        }
    }
    Ok(())
}
