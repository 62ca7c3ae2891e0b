//! Near misses: what a pattern without a match nearly matched, and why it did not.
//!
//! While a search has found nothing, [`NearMisses::look`] is given each tree; at the end
//! [`NearMisses::report`] looks for patterns that take the near misses. A pattern is only
//! suggested once it was seen to match one of them.

mod align;
mod cause;
mod hidden;
mod suggest;
mod wider;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use align::{Aligner, Diff};
use cause::Cause;
use hidden::{NotVisible, not_visible};
use wider::Wider;

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
    /// Longer patterns, each with the one that it is longer than.
    wider: Vec<(Arc<Compiled>, Wider)>,
    gathered: Mutex<Gathered>,
}

#[derive(Debug, Default)]
struct Gathered {
    /// Matches of the longer patterns, by pattern.
    wider: BTreeMap<usize, usize>,
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
    /// For a search for `patterns` over files of so many bytes; compiles longer patterns.
    pub(crate) fn over(
        bytes: u64,
        patterns: &[Option<Arc<Compiled>>],
        stop: &dyn Fn() -> bool,
    ) -> Self {
        let wider = patterns.iter().flatten().flat_map(|one| {
            let wider = wider::of(one, stop).into_iter();
            wider.map(|wider| (one.clone(), wider)).collect::<Vec<_>>()
        });
        let wider = wider.collect();
        Self { bytes, wider, gathered: Mutex::default() }
    }

    /// Counts what a longer pattern takes in a file, be there matches or not.
    pub(crate) fn look_wider(
        &self,
        compiled: &Arc<Compiled>,
        tree: &Tree,
        src: &str,
        matched: impl Iterator<Item = NodeId>,
    ) {
        if self.wider.is_empty() {
            return;
        }
        let matched: Vec<NodeId> = matched.collect();
        let ours = self.wider.iter().enumerate();
        for (at, (_, wider)) in ours.filter(|(_, (of, _))| Arc::ptr_eq(of, compiled)) {
            let count = wider.count(tree, src, &matched);
            if count > 0 {
                let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
                *gathered.wider.entry(at).or_default() += count;
            }
        }
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

    /// What is told of it; `matched`: there are matches, so that only what longer patterns take is
    /// worth a word. Parses up to three of the files again and tries patterns, until `stop` says so.
    pub(crate) fn report(self, matched: bool, stop: &dyn Fn() -> bool) -> NearReport {
        let gathered = self.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let wider: Vec<Told> = gathered
            .wider
            .iter()
            .filter_map(|(at, count)| {
                let (_, wider) = self.wider.get(*at)?;
                let pattern = Some(wider.compiled.pattern.clone());
                Some(Told { cause: wider.says.to_owned(), count: *count, pattern })
            })
            .collect();
        if matched {
            return NearReport { causes: wider, beside: true, ..NearReport::default() };
        }
        let names =
            |told: &Told, cause: &str| told.cause.contains("names") && cause == "further names";
        let told = |cause: &Cause| {
            let cause = cause.as_str();
            wider.iter().any(|told| told.cause == cause || names(told, cause))
        };
        let mut causes: Vec<(Cause, Near)> =
            gathered.causes.into_iter().filter(|(cause, _)| !told(cause)).collect();
        causes.sort_by_key(|(_, near)| Reverse(near.count));
        let others = causes.iter().skip(TOLD).map(|(_, near)| near.count).sum();
        let causes = causes.into_iter().take(TOLD).map(|(cause, near)| Told {
            cause: cause.as_str().to_owned(),
            count: near.count,
            pattern: near.first.pattern(stop),
        });
        NearReport {
            causes: wider.into_iter().chain(causes).collect(),
            beside: false,
            others,
            hidden: gathered.hidden,
            cut_short: gathered.cut_short,
        }
    }
}

type InFile = BTreeMap<Cause, (usize, NodeId, usize, Vec<Diff>)>;

impl Sample {
    fn pattern(&self, stop: &dyn Fn() -> bool) -> Option<String> {
        let tree = Tree::parse(self.compiled.language, &self.src, stop).ok()?;
        let shape = &self.compiled.readings.get(self.reading)?.shape;
        suggest::suggest(&self.compiled, shape, &self.diffs, &tree, &self.src, self.place.1, stop)
    }
}

/// What a search without a match says about near misses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NearReport {
    causes: Vec<Told>,
    /// There are matches besides.
    beside: bool,
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
    /// Nothing to tell.
    pub(crate) fn is_empty(&self) -> bool {
        self.causes.is_empty()
    }

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
                let further = if self.beside { " more" } else { "" };
                let head =
                    format!("{at_least}{count}{further} nearly {matches} but {have} {cause}");
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
