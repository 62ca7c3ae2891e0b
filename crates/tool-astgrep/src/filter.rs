//! The filter before the parse: which files can hold a match at all, and where, told from raw bytes.
//!
//! A reading's needles must all be there; the readings are alternatives. A reading without needles can match anywhere.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem::Finder;

/// The needles of several readings, each distinct text searched for once.
pub(crate) struct Filter {
    finders: Vec<Finder<'static>>,
    /// For each reading the needles (indices into `finders`) that it requires.
    readings: Vec<Vec<usize>>,
    /// Which needles have been seen in any file so far.
    seen: Vec<AtomicBool>,
}

/// What the bytes of a file say about one reading.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// A needle is missing: no match of this reading can be in the file.
    Absent,
    /// The reading has no needles; only the tree can tell.
    Unknown,
    /// Where the rarest needle stands, sorted: every match holds one of these offsets.
    At(Vec<usize>),
}

impl Filter {
    /// One list of needles a reading; an empty list passes every file.
    pub(crate) fn new<'n>(readings: impl IntoIterator<Item = Vec<&'n [u8]>>) -> Self {
        let mut index: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut finders = Vec::new();
        let readings = readings
            .into_iter()
            .map(|needles| {
                let mut wanted: Vec<usize> = Vec::with_capacity(needles.len());
                for needle in needles.into_iter().filter(|n| !n.is_empty()) {
                    let at = *index.entry(needle.to_vec()).or_insert_with(|| {
                        finders.push(Finder::new(needle).into_owned());
                        finders.len() - 1
                    });
                    if !wanted.contains(&at) {
                        wanted.push(at);
                    }
                }
                // The longest needle is most likely the one that is missing: ask for it first.
                wanted.sort_by_key(|&n| std::cmp::Reverse(finders[n].needle().len()));
                wanted
            })
            .collect();
        let seen = finders.iter().map(|_| AtomicBool::new(false)).collect();
        Self { finders, readings, seen }
    }

    /// Whether a file can be ruled out at all, that is, whether every reading has a needle.
    pub(crate) fn is_useful(&self) -> bool {
        !self.readings.is_empty() && self.readings.iter().all(|r| !r.is_empty())
    }

    /// Whether any reading can match in a file of these bytes.
    pub(crate) fn passes(&self, bytes: &[u8]) -> bool {
        self.note_unseen(bytes);
        self.readings.iter().any(|needles| needles.iter().all(|&n| self.has(n, bytes)))
    }

    /// What the bytes say about one reading (by its place in `new`).
    pub(crate) fn presence(&self, reading: usize, bytes: &[u8]) -> Presence {
        let needles = &self.readings[reading];
        if needles.is_empty() {
            return Presence::Unknown;
        }
        let mut rarest: Option<Vec<usize>> = None;
        for &n in needles {
            let most = rarest.as_ref().map_or(usize::MAX, Vec::len);
            let places: Vec<usize> = self.finders[n].find_iter(bytes).take(most).collect();
            if places.is_empty() {
                return Presence::Absent;
            }
            if places.len() < most {
                rarest = Some(places);
            }
        }
        rarest.map_or(Presence::Unknown, Presence::At)
    }

    /// The needles that stood in none of the files asked about.
    pub(crate) fn never_seen(&self) -> Vec<String> {
        self.finders
            .iter()
            .zip(&self.seen)
            .filter(|(_, seen)| !seen.load(Ordering::Relaxed))
            .map(|(f, _)| String::from_utf8_lossy(f.needle()).into_owned())
            .collect()
    }

    fn has(&self, needle: usize, bytes: &[u8]) -> bool {
        self.finders[needle].find(bytes).is_some()
    }

    /// Asks for each needle that no file had yet, also those that a lazy AND would skip.
    fn note_unseen(&self, bytes: &[u8]) {
        for (n, seen) in self.seen.iter().enumerate() {
            if !seen.load(Ordering::Relaxed) && self.has(n, bytes) {
                seen.store(true, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filter(readings: &[&[&str]]) -> Filter {
        Filter::new(readings.iter().map(|r| r.iter().map(|n| n.as_bytes()).collect()))
    }

    #[test]
    fn all_needles_of_any_reading() {
        let f = filter(&[&["foo", "bar"], &["baz"]]);
        assert!(f.is_useful());
        assert!(f.passes(b"bar foo"));
        assert!(f.passes(b"only baz"));
        assert!(!f.passes(b"only foo"));
        assert!(f.never_seen().is_empty());
    }

    #[test]
    fn a_reading_without_needles_lets_everything_through() {
        let f = filter(&[&["foo"], &[]]);
        assert!(!f.is_useful());
        assert!(f.passes(b""));
        assert_eq!(f.presence(1, b"x"), Presence::Unknown);
        assert_eq!(f.presence(0, b"x"), Presence::Absent);
    }

    #[test]
    fn the_rarest_needle_tells_where_to_look() {
        let f = filter(&[&["get", "only"]]);
        assert_eq!(f.presence(0, b"get get only get"), Presence::At(vec![8]));
    }

    #[test]
    fn a_needle_that_no_file_has_is_named_even_behind_a_missing_one() {
        let f = filter(&[&["longest_missing", "here", "gone"]]);
        assert!(!f.passes(b"here we are"));
        assert_eq!(f.never_seen(), ["longest_missing", "gone"]);
    }

    proptest! {
        #[test]
        fn passing_agrees_with_presence(hay in "[abc]{0,12}", a in "[abc]{1,3}", b in "[abc]{1,3}", c in "[abc]{1,3}") {
            let f = filter(&[&[&a, &b], &[&c]]);
            let any = (0..2).any(|r| f.presence(r, hay.as_bytes()) != Presence::Absent);
            prop_assert_eq!(f.passes(hay.as_bytes()), any);
            let plain = (hay.contains(&a) && hay.contains(&b)) || hay.contains(&c);
            prop_assert_eq!(any, plain);
        }
    }
}
