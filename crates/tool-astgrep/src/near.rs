//! Near misses: what a pattern without a match nearly matched, and why it did not.
//!
//! While a search has found nothing, [`NearMisses::look`] is given each tree; at the end
//! [`NearMisses::report`] looks for patterns that take the near misses. A pattern is only
//! suggested once it was seen to match one of them.

mod align;
mod cause;
mod hidden;
mod suggest;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use align::{Aligner, Diff};
use cause::Cause;
use hidden::{NotVisible, not_visible};

use crate::pattern::Compiled;
use crate::tree::{NodeId, Tree};

/// Steps of alignment that one search may take (a few seconds of one thread at the very most),
/// shared out to its files by their size: what is found does not hang on which thread is first.
const STEPS: u64 = 20_000_000;
/// What a small file may take in any case.
const STEPS_OF_A_FILE: u64 = 2_000;
/// Causes that are told, each with a pattern if there is one.
const TOLD: usize = 3;

/// The near misses of one search, gathered by its threads. The work is bounded.
#[derive(Debug, Default)]
pub(crate) struct NearMisses {
    /// Bytes of all files of the search.
    bytes: u64,
    gathered: Mutex<Gathered>,
}

#[derive(Debug, Default)]
struct Gathered {
    causes: BTreeMap<Cause, Near>,
    hidden: NotVisible,
    cut_short: bool,
}

/// The near misses of one cause.
#[derive(Debug)]
struct Near {
    count: usize,
    /// The first of them, by file and place.
    first: Sample,
}

/// What is needed to look for a pattern later.
#[derive(Debug)]
struct Sample {
    place: (usize, NodeId),
    compiled: Arc<Compiled>,
    /// Which reading of it.
    reading: usize,
    diffs: Vec<Diff>,
    src: String,
}

impl NearMisses {
    /// For a search over files of so many bytes.
    pub(crate) fn over(bytes: u64) -> Self {
        Self { bytes, gathered: Mutex::default() }
    }

    /// Steps that a file of that length may take.
    fn steps(&self, len: usize) -> u64 {
        let share = u128::from(STEPS) * len as u128 / u128::from(self.bytes.max(1));
        u64::try_from(share).unwrap_or(STEPS).min(STEPS) + STEPS_OF_A_FILE
    }

    /// Adds the near misses of a file without a match; `index` is its place among all.
    pub(crate) fn look(&self, index: usize, compiled: &Arc<Compiled>, tree: &Tree, src: &str) {
        let hidden = not_visible(compiled, tree, src);
        let (mut found, cut_short) = self.in_file(compiled, tree, src);
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let gathered = &mut *gathered;
        gathered.hidden.merge(index, &hidden);
        gathered.cut_short |= cut_short;
        for (cause, (count, id, reading, diffs)) in std::mem::take(&mut found) {
            let place = (index, id);
            let sample = || Sample {
                place,
                compiled: compiled.clone(),
                reading,
                diffs,
                src: src.to_owned(),
            };
            match gathered.causes.get_mut(&cause) {
                Some(near) => {
                    near.count += count;
                    if place < near.first.place {
                        near.first = sample();
                    }
                }
                None => {
                    let first = sample();
                    gathered.causes.insert(cause, Near { count, first });
                }
            }
        }
    }

    /// The near misses of one file, by cause: how many, and the first one. Second: the bound was
    /// reached.
    fn in_file(&self, compiled: &Compiled, tree: &Tree, src: &str) -> (InFile, bool) {
        let mut found = InFile::new();
        let mut left = self.steps(src.len());
        let names: Vec<String> =
            compiled.metavariables.iter().map(|metavariable| metavariable.name.clone()).collect();
        for (number, reading) in compiled.readings.iter().enumerate() {
            // Two readings with one root kind would count one node twice.
            let earlier = &compiled.readings[..number];
            let again =
                earlier.iter().any(|other| other.in_family && other.root_kind == reading.root_kind);
            let several = reading.shape.sequence.is_some();
            if several || !reading.in_family || again || !tree.has_kind(reading.root_kind) {
                continue;
            }
            let mut aligner = Aligner::new(&reading.shape, tree, src);
            for (id, kind) in tree.kinds().iter().enumerate() {
                if *kind != reading.root_kind {
                    continue;
                }
                let id = id as NodeId;
                let (diffs, steps) = aligner.differences(id);
                left = left.saturating_sub(u64::from(steps) + 1);
                if left == 0 {
                    return (found, true);
                }
                if let Some(diffs) = diffs {
                    let cause = Cause::of(&aligner, &diffs, &names);
                    let entry = found.entry(cause).or_insert((0, id, number, diffs));
                    entry.0 += 1;
                }
            }
        }
        (found, false)
    }

    /// What is told of it. Parses up to three of the files again.
    pub(crate) fn report(self) -> NearReport {
        let gathered = self.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut causes: Vec<(Cause, Near)> = gathered.causes.into_iter().collect();
        causes.sort_by_key(|(_, near)| Reverse(near.count));
        let others = causes.iter().skip(TOLD).map(|(_, near)| near.count).sum();
        let causes = causes.into_iter().take(TOLD).map(|(cause, near)| Told {
            cause: cause.as_str().to_owned(),
            count: near.count,
            pattern: near.first.pattern(),
        });
        NearReport {
            causes: causes.collect(),
            others,
            hidden: gathered.hidden,
            cut_short: gathered.cut_short,
        }
    }
}

type InFile = BTreeMap<Cause, (usize, NodeId, usize, Vec<Diff>)>;

impl Sample {
    fn pattern(&self) -> Option<String> {
        let tree = Tree::parse(self.compiled.language, &self.src, &|| false).ok()?;
        let shape = &self.compiled.readings.get(self.reading)?.shape;
        suggest::suggest(&self.compiled, shape, &self.diffs, &tree, &self.src, self.place.1)
    }
}

/// What a search without a match says about near misses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NearReport {
    causes: Vec<Told>,
    /// Near misses of further causes.
    others: usize,
    hidden: NotVisible,
    cut_short: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    cause: String,
    count: usize,
    pattern: Option<String>,
}

impl NearReport {
    /// Lines such as "214 nearly match but have a return type: try `function $F($$$P): $R { $$$B }`".
    pub(crate) fn lines(&self) -> Vec<String> {
        let at_least = if self.cut_short { "at least " } else { "" };
        let mut lines: Vec<String> = self
            .causes
            .iter()
            .map(|told| {
                let (matches, have) = match told.count {
                    1 => ("matches", "has"),
                    _ => ("match", "have"),
                };
                let Told { count, cause, .. } = told;
                let head = format!("{at_least}{count} nearly {matches} but {have} {cause}");
                match &told.pattern {
                    Some(pattern) => format!("{head}: try `{pattern}`"),
                    None => head,
                }
            })
            .collect();
        if self.others > 0 {
            lines.push(format!("{at_least}{} nearly match in other ways", self.others));
        }
        lines.extend(self.hidden.sentence());
        lines
    }

    /// The same as an object.
    pub(crate) fn details(&self) -> Value {
        let causes: Vec<Value> = self
            .causes
            .iter()
            .map(
                |told| json!({ "cause": told.cause, "count": told.count, "pattern": told.pattern }),
            )
            .collect();
        json!({
            "causes": causes,
            "other_causes": self.others,
            "at_least": self.cut_short,
            "not_visible": self.hidden.details(),
        })
    }
}
