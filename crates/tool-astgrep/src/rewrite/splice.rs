//! Edits of one file and their way into its text.

use std::ops::Range;

/// One replaced byte range of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// What is replaced, in bytes of the source.
    pub(crate) range: Range<usize>,
    /// What stands there afterwards.
    pub(crate) text: String,
    /// Byte ranges of `text` that come from captures.
    pub(crate) kept: Vec<Range<usize>>,
}

/// Edits that cannot be made together, or not in this source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SpliceError {
    /// Two edits replace the same bytes.
    #[error("the edits of bytes {first:?} and {second:?} overlap")]
    Overlap { first: Range<usize>, second: Range<usize> },
    /// A range that does not lie in the source, or cuts a character.
    #[error("bytes {range:?} are no range of the source")]
    NoRange { range: Range<usize> },
}

/// The source with all edits made at once. The edits are in source order; they may touch, but not overlap.
pub(crate) fn splice(src: &str, edits: &[Edit]) -> Result<String, SpliceError> {
    let grown: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut out = String::with_capacity(src.len() + grown);
    let mut at = 0;
    for (index, edit) in edits.iter().enumerate() {
        let range = edit.range.clone();
        if range.start < at {
            let first = edits[index - 1].range.clone();
            return Err(SpliceError::Overlap { first, second: range });
        }
        let (Some(before), Some(_)) = (src.get(at..range.start), src.get(range.clone())) else {
            return Err(SpliceError::NoRange { range });
        };
        out.push_str(before);
        out.push_str(&edit.text);
        at = range.end;
    }
    match src.get(at..) {
        Some(rest) => out.push_str(rest),
        None => {
            return Err(SpliceError::NoRange { range: at..src.len() });
        }
    }
    Ok(out)
}

/// Where each edit's text lies in the spliced source, in the order of the edits.
pub(crate) fn spliced_ranges(edits: &[Edit]) -> Vec<Range<usize>> {
    let (mut grown, mut shrunk) = (0, 0);
    edits
        .iter()
        .map(|edit| {
            let start = edit.range.start + grown - shrunk;
            grown += edit.text.len();
            shrunk += edit.range.len();
            start..start + edit.text.len()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edit(range: Range<usize>, text: &str) -> Edit {
        Edit { range, text: text.to_owned(), kept: Vec::new() }
    }

    #[test]
    fn touching_edits_are_made_and_overlapping_ones_refused() {
        let made = splice("abcdef", &[edit(0..2, "X"), edit(2..2, "-"), edit(2..4, "")]);
        assert_eq!(made.unwrap(), "X-ef");
        assert!(matches!(
            splice("abcdef", &[edit(0..3, ""), edit(2..4, "")]),
            Err(SpliceError::Overlap { .. })
        ));
        assert!(matches!(splice("aé", &[edit(0..2, "")]), Err(SpliceError::NoRange { .. })));
        assert!(matches!(splice("a", &[edit(3..3, "")]), Err(SpliceError::NoRange { .. })));
    }

    proptest! {
        #[test]
        fn equals_replacing_one_by_one_from_the_back(
            src in "[a-zé\n]{0,40}",
            cuts in prop::collection::vec((0_usize..40, "[xyz\r\n]{0,4}"), 0..6),
        ) {
            let mut points: Vec<usize> = cuts
                .iter()
                .map(|(at, _)| (*at).min(src.len()))
                .filter(|at| src.is_char_boundary(*at))
                .collect();
            points.sort_unstable();
            let edits: Vec<Edit> = points
                .chunks_exact(2)
                .zip(&cuts)
                .map(|(pair, (_, text))| edit(pair[0]..pair[1], text))
                .collect();
            let mut naive = src.clone();
            for edit in edits.iter().rev() {
                naive.replace_range(edit.range.clone(), &edit.text);
            }
            let spliced = splice(&src, &edits).unwrap();
            for (range, edit) in spliced_ranges(&edits).into_iter().zip(&edits) {
                prop_assert_eq!(&spliced[range], &edit.text);
            }
            prop_assert_eq!(spliced, naive);
        }
    }
}
