//! What a run already knows to be wrong, so that only what is new is told. Pure.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use tool_workspace::ContentHash;

use crate::diagnostics::{Diagnostic, Key, are_twins};

/// Of each file and server, the errors and warnings that were there when it was last known for sure.
///
/// It counts: a second error with the same words is new, one that was fixed and comes back is new again, and one that
/// moved is not. Only fresh and whole evidence replaces what is known; what a server did not say in time changes nothing.
#[derive(Default, Debug)]
pub(crate) struct Ledger {
    files: HashMap<PathBuf, HashMap<String, Vec<Diagnostic>>>,
    /// Of the bytes that were judged last.
    hashes: HashMap<(PathBuf, String), ContentHash>,
}

/// What an observation adds to what was known.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Delta {
    /// Newly introduced.
    pub(crate) new: Vec<Diagnostic>,
    /// How many are gone.
    pub(crate) fixed: usize,
    /// How many were there and are there.
    pub(crate) still: usize,
    /// Nothing was known before, so nobody can say what is new: `new` is all there is.
    pub(crate) unknown_before: bool,
}

/// Does the observation say all there is, or may more come (the compiler still runs)?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Whole,
    Part,
}

impl Ledger {
    /// Is anything known of the file, from this server?
    pub(crate) fn knows(&self, file: &Path, server: &str) -> bool {
        self.files.get(file).is_some_and(|servers| servers.contains_key(server))
    }

    /// Is anything known of the file, from any server?
    pub(crate) fn knows_any(&self, file: &Path) -> bool {
        self.files.get(file).is_some_and(|servers| !servers.is_empty())
    }

    /// Is what is known of the file, from this server, about these bytes?
    pub(crate) fn knows_as(&self, file: &Path, server: &str, hash: ContentHash) -> bool {
        self.hashes.get(&(file.to_owned(), server.to_owned())) == Some(&hash)
    }

    /// What is known of the file, from this server, is about these bytes.
    pub(crate) fn stamp(&mut self, file: &Path, server: &str, hash: ContentHash) {
        self.hashes.insert((file.to_owned(), server.to_owned()), hash);
    }

    /// Takes what is there for known, without telling anybody: before the first write, or after somebody else changed it.
    pub(crate) fn baseline(&mut self, file: &Path, server: &str, current: &[Diagnostic]) {
        self.put(file, server, counted(current));
    }

    /// Compares what is there now with what was known, and knows it from here on.
    ///
    /// `changed` are the lines (from 0) that the last write touched: of several equal ones those are the new ones.
    pub(crate) fn observe(
        &mut self,
        file: &Path,
        server: &str,
        current: &[Diagnostic],
        changed: Option<&Range<u32>>,
        extent: Extent,
    ) -> Delta {
        let current = counted(current);
        let known = self.files.get(file).and_then(|servers| servers.get(server));
        let Some(known) = known.cloned() else {
            // Of a part nothing is kept: the rest of it would come out as new later on.
            let delta = Delta { new: current.clone(), unknown_before: true, ..Delta::default() };
            if extent == Extent::Whole {
                self.put(file, server, current);
            }
            return delta;
        };
        let (mut new, mut gone) = difference(&known, &current, changed);
        drop_twins(&mut new, &mut gone);
        let delta = Delta {
            still: current.len() - new.len(),
            fixed: if extent == Extent::Whole { gone.len() } else { 0 },
            new: new.clone(),
            unknown_before: false,
        };
        match extent {
            Extent::Whole => self.put(file, server, current),
            Extent::Part => {
                // What is missing may still come; what is there was told.
                let mut all = known;
                all.extend(new);
                self.put(file, server, all);
            }
        }
        delta
    }

    /// What was known of the file, from this server, is not true any more.
    pub(crate) fn forget(&mut self, file: &Path, server: &str) {
        self.hashes.remove(&(file.to_owned(), server.to_owned()));
        if let Some(servers) = self.files.get_mut(file) {
            servers.remove(server);
        }
    }

    /// The file is gone, and what was known of it. How many errors and warnings went with it.
    pub(crate) fn removed(&mut self, file: &Path) -> usize {
        self.hashes.retain(|(path, _), _| path != file);
        self.files.remove(file).map_or(0, |servers| servers.values().map(Vec::len).sum())
    }

    /// The file has another name now: what was wrong in it is not new there.
    pub(crate) fn renamed(&mut self, from: &Path, to: &Path) {
        if let Some(mut servers) = self.files.remove(from) {
            for items in servers.values_mut() {
                for item in items {
                    item.path = to.to_owned();
                }
            }
            self.files.insert(to.to_owned(), servers);
        }
    }

    fn put(&mut self, file: &Path, server: &str, items: Vec<Diagnostic>) {
        self.files.entry(file.to_owned()).or_default().insert(server.to_owned(), items);
    }
}

fn counted(items: &[Diagnostic]) -> Vec<Diagnostic> {
    items.iter().filter(|d| d.counts()).cloned().collect()
}

/// What is in `current` more often than in `known`, and the other way round.
fn difference(
    known: &[Diagnostic],
    current: &[Diagnostic],
    changed: Option<&Range<u32>>,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let mut before: HashMap<Key, Vec<&Diagnostic>> = HashMap::new();
    for d in known {
        before.entry(d.key()).or_default().push(d);
    }
    let mut order: Vec<&Diagnostic> = current.iter().collect();
    // Those outside of what was changed are taken for the old ones.
    let touched = |d: &Diagnostic| {
        changed.is_some_and(|lines| {
            d.span.start.line < lines.end.max(lines.start + 1) && d.span.end.line >= lines.start
        })
    };
    order.sort_by_key(|d| (touched(d), d.span));
    let mut new = Vec::new();
    for d in order {
        match before.get_mut(&d.key()) {
            Some(left) if !left.is_empty() => {
                left.remove(0);
            }
            _ => new.push(d.clone()),
        }
    }
    let mut gone: Vec<Diagnostic> = before.into_values().flatten().cloned().collect();
    new.sort_by_key(|d| d.span);
    gone.sort_by_key(|d| d.span);
    (new, gone)
}

/// One error in the words of the analyzer before and of the compiler now (or the other way round) is neither new nor gone.
fn drop_twins(new: &mut Vec<Diagnostic>, gone: &mut Vec<Diagnostic>) {
    new.retain(|d| match gone.iter().position(|old| are_twins(d, old)) {
        Some(at) => {
            gone.remove(at);
            false
        }
        None => true,
    });
}

#[cfg(test)]
mod tests;
