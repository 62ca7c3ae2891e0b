//! Counts by grammar, and what fails the test.

use std::collections::BTreeMap;

use super::judge::Verdict;
use super::limits;
use super::mine::Mined;

/// How many failures are shown in full.
const SHOWN: usize = 12;

/// What came of one grammar's patterns.
pub(super) struct Report {
    id: &'static str,
    seed: u64,
    found: usize,
    counted: BTreeMap<String, usize>,
    refused: BTreeMap<&'static str, Vec<String>>,
    missed: BTreeMap<&'static str, Vec<String>>,
}

pub(super) fn say(text: &str) {
    println!("{text}");
}

fn top<T>(by: &BTreeMap<&'static str, Vec<T>>, most: usize) -> String {
    let mut kinds: Vec<_> = by.iter().map(|(kind, list)| (list.len(), *kind)).collect();
    kinds.sort_by(|a, b| b.cmp(a));
    let words = kinds.iter().take(most).map(|(count, kind)| format!("{kind} {count}"));
    words.collect::<Vec<_>>().join(", ")
}

fn count<T>(by: &BTreeMap<&'static str, Vec<T>>) -> usize {
    by.values().map(Vec::len).sum()
}

impl Report {
    pub(super) fn new(id: &str, seed: u64) -> Self {
        let id = limits::of(id).id;
        let (counted, refused, missed) = Default::default();
        Self { id, seed, found: 0, counted, refused, missed }
    }

    pub(super) fn total(&self) -> usize {
        let counted: usize = self.counted.values().sum();
        self.found + counted + count(&self.refused) + count(&self.missed)
    }

    pub(super) fn add(&mut self, file: &str, kind: &'static str, mined: &Mined, verdict: Verdict) {
        let line = |said: String| {
            format!("{file}:{} {}\n{}\n-- {said}", mined.range.start, kind, mined.pattern)
        };
        match verdict {
            Verdict::Found => self.found += 1,
            Verdict::Counted(context) => {
                *self.counted.entry(format!("{kind} ({context})")).or_default() += 1;
            }
            Verdict::Refused(said) => {
                self.refused.entry(kind).or_default().push(line(said));
            }
            Verdict::Missed(said) => {
                self.missed.entry(kind).or_default().push(line(said));
            }
        }
    }

    /// Prints the counts; panics when a pattern silently missed its node or too many were refused.
    pub(super) fn finish(&self, wanted: usize) {
        let total = self.total();
        let share = |part: usize| part as f64 * 100.0 / total.max(1) as f64;
        let (refused, missed) = (count(&self.refused), count(&self.missed));
        let counted: usize = self.counted.values().sum();
        say(&format!(
            "mined {}: seed {} total {total} found {:.1}% counted {:.1}% refused {:.1}% missed {missed}\n  refused: {}\n  missed: {}\n  counted: {:?}",
            self.id,
            self.seed,
            share(self.found),
            share(counted),
            share(refused),
            top(&self.refused, 12),
            top(&self.missed, 12),
            self.counted,
        ));
        if std::env::var_os("RUNBOUND_MINED_REFUSED").is_some() {
            self.show(&self.refused);
        }
        self.show(&self.missed);
        assert!(total * 10 >= wanted * 9, "{}: only {total} patterns", self.id);
        let limits = limits::of(self.id);
        assert!(
            missed <= limits.missed * total / 1000,
            "{}: {missed} of {total} patterns compile and do not find their node (seed {})",
            self.id,
            self.seed
        );
        assert!(
            share(refused) <= limits.refused as f64,
            "{}: {:.1}% of the patterns are refused, at most {}% may be (seed {})",
            self.id,
            share(refused),
            limits.refused,
            self.seed
        );
    }

    /// One of each kind in turn.
    fn show(&self, by: &BTreeMap<&'static str, Vec<String>>) {
        let deepest = by.values().map(Vec::len).max().unwrap_or(0);
        let rounds = (0..deepest).flat_map(|at| by.values().filter_map(move |list| list.get(at)));
        let most = super::number("RUNBOUND_MINED_SHOWN").map_or(SHOWN, |most| most as usize);
        for text in rounds.take(most) {
            say(&format!("---- {text}"));
        }
    }
}
