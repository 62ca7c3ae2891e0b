//! Byte edits of one file: refused when they overlap, then applied in one go.

use std::ops::Range;

/// One edit: the bytes of the old content that go, and what comes in their place.
pub type ByteEdit = (Range<usize>, Vec<u8>);

/// Why a list of edits cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpliceError {
    /// Two edits touch the same bytes, or one inserts inside what the other replaces.
    Overlap {
        /// Range of the one that starts first.
        first: Range<usize>,
        /// Range of the other.
        second: Range<usize>,
    },
    /// A range ends before it starts or behind the end of the content.
    OutOfRange {
        /// The range.
        range: Range<usize>,
        /// Length of the content in bytes.
        len: usize,
    },
}

/// Applies `edits` to `old`. Their order is free; several insertions at one place keep the order given.
///
/// # Errors
/// [`SpliceError`]; nothing is applied then.
pub fn splice(old: &[u8], mut edits: Vec<ByteEdit>) -> Result<Vec<u8>, SpliceError> {
    for (range, _) in &edits {
        if range.start > range.end || range.end > old.len() {
            return Err(SpliceError::OutOfRange { range: range.clone(), len: old.len() });
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    for pair in edits.windows(2) {
        let (first, second) = (&pair[0].0, &pair[1].0);
        if second.start < first.end {
            return Err(SpliceError::Overlap { first: first.clone(), second: second.clone() });
        }
    }
    let grown: usize = edits.iter().map(|(_, new)| new.len()).sum();
    let mut text = Vec::with_capacity(old.len().saturating_add(grown));
    let mut at = 0;
    for (range, new) in &edits {
        text.extend_from_slice(&old[at..range.start]);
        text.extend_from_slice(new);
        at = range.end;
    }
    text.extend_from_slice(&old[at..]);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit(range: Range<usize>, new: &str) -> ByteEdit {
        (range, new.as_bytes().to_vec())
    }

    #[test]
    fn edits_in_any_order_land_at_the_old_offsets() {
        let got = splice(b"one two three", vec![edit(8..13, "3"), edit(0..3, "1")]);
        assert_eq!(got.unwrap(), b"1 two 3");
    }

    #[test]
    fn insertions_at_one_place_keep_their_order_and_touching_edits_are_fine() {
        let got =
            splice(b"ab", vec![edit(1..1, "x"), edit(1..1, "y"), edit(1..2, "B"), edit(0..1, "A")]);
        assert_eq!(got.unwrap(), b"AxyB");
    }

    #[test]
    fn overlap_is_refused_and_named() {
        let got = splice(b"abcdef", vec![edit(2..5, "x"), edit(0..3, "y")]);
        assert_eq!(got, Err(SpliceError::Overlap { first: 0..3, second: 2..5 }));
        let inside = splice(b"abcdef", vec![edit(0..6, "x"), edit(3..3, "y")]);
        assert_eq!(inside, Err(SpliceError::Overlap { first: 0..6, second: 3..3 }));
    }

    #[test]
    fn a_range_outside_is_refused() {
        let got = splice(b"abc", vec![edit(2..4, "x")]);
        assert_eq!(got, Err(SpliceError::OutOfRange { range: 2..4, len: 3 }));
        #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
        let reversed = splice(b"abc", vec![edit(2..1, "x")]);
        assert!(matches!(reversed, Err(SpliceError::OutOfRange { .. })));
    }

    proptest! {
        #[test]
        fn applied_back_to_front_gives_the_same(
            old in proptest::collection::vec(any::<u8>(), 0..60),
            cuts in proptest::collection::vec((0usize..60, 0usize..8, proptest::collection::vec(any::<u8>(), 0..4)), 0..6),
        ) {
            let edits: Vec<ByteEdit> = cuts
                .into_iter()
                .map(|(start, len, new)| {
                    let start = start.min(old.len());
                    (start..(start + len).min(old.len()), new)
                })
                .collect();
            if let Ok(got) = splice(&old, edits.clone()) {
                let mut sorted = edits;
                sorted.sort_by_key(|(range, _)| (range.start, range.end));
                let mut text = old;
                for (range, new) in sorted.into_iter().rev() {
                    text.splice(range, new);
                }
                prop_assert_eq!(got, text);
            }
        }
    }
}
