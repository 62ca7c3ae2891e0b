//! What the engine makes of a mined pattern.

use std::ops::Range;

use super::mine::Mined;
use crate::language::Language;
use crate::matches::{Match, find};
use crate::pattern::{Reading, compile};
use crate::tree::Tree;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The node is among the matches that are answered.
    Found,
    /// It matches in a reading that is only counted, since the first has matches elsewhere.
    Counted(&'static str),
    /// The pattern is refused, with the reason.
    Refused(String),
    /// The pattern compiles and does not find the node.
    Missed(String),
}

pub(super) fn judge(language: Language, mined: &Mined, tree: &Tree, src: &str) -> Verdict {
    let compiled = match compile(language, &mined.pattern, None) {
        Ok(compiled) => compiled,
        Err(error) => {
            let empty = error.message.trim().is_empty();
            return if empty {
                Verdict::Missed("an error without words".into())
            } else {
                Verdict::Refused(error.to_string())
            };
        }
    };
    let mut family = 0;
    let mut at = None;
    let mut said = Vec::new();
    for reading in &compiled.readings {
        let matches = find(reading, tree, src, None);
        if let Some(wrong) = pruned_differs(reading, tree, src, &matches) {
            return Verdict::Missed(wrong);
        }
        family += if reading.in_family { matches.len() } else { 0 };
        if at.is_none() && matches.iter().any(|found| is_it(src, &found.range, &mined.range)) {
            at = Some(reading);
        }
        said.push(format!(
            "{} as {}: {}",
            reading.context,
            language.kind_name(reading.root_kind),
            matches.len()
        ));
    }
    match at {
        Some(reading) if reading.in_family || family == 0 => Verdict::Found,
        Some(reading) => Verdict::Counted(reading.context),
        None => Verdict::Missed(said.join("; ")),
    }
}

/// The same place, save what a pattern may leave open at the end.
fn is_it(src: &str, found: &Range<usize>, wanted: &Range<usize>) -> bool {
    let end = |range: &Range<usize>| {
        let text = src[range.clone()].trim_end_matches([';', ',', ' ', '\t', '\n']);
        range.start + text.len()
    };
    // A comment at the end of a node is no part of what the pattern matched.
    let comments = src.get(end(found)..end(wanted)).is_some_and(|rest| {
        rest.trim_start_matches([';', ',']).lines().map(str::trim).all(|line| {
            line.is_empty()
                || ["#", "//", "--", "/*", "*"].iter().any(|mark| line.starts_with(mark))
        })
    });
    found.start == wanted.start && (end(found) == end(wanted) || comments)
}

/// Searching with the occurrences of any needle must find the same.
fn pruned_differs(reading: &Reading, tree: &Tree, src: &str, all: &[Match]) -> Option<String> {
    reading.needles.iter().take(3).find_map(|needle| {
        let hits: Vec<usize> = memchr::memmem::find_iter(src.as_bytes(), needle.bytes()).collect();
        let pruned = find(reading, tree, src, Some(&hits));
        (pruned != all).then(|| {
            format!(
                "{} matches, but {} where `{}` is",
                all.len(),
                pruned.len(),
                String::from_utf8_lossy(needle.bytes())
            )
        })
    })
}
