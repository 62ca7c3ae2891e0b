//! Edits of one document from the server's columns to bytes. Pure.

use tool_workspace::ByteEdit;

use crate::edits::{EditProblem, WireEdit};
use crate::text::{Encoding, Text};

/// The byte edits of one document, in the order in which insertions at one place stand.
///
/// Identical replacements count once; insertions are kept however often they come. `rel` names the file in an error.
///
/// # Errors
/// `Overlap`.
pub(crate) fn to_byte_edits(
    rel: &str,
    text: &Text,
    encoding: Encoding,
    edits: &[WireEdit],
) -> Result<Vec<ByteEdit>, EditProblem> {
    let eol = eol(text.src());
    let mut bytes: Vec<ByteEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        let range = text.range(edit.span, encoding);
        let new = with_line_ends(&edit.new, eol).into_bytes();
        bytes.push((range, new));
    }
    // Stable, so that insertions at one place stay in the order of the list, in front of what is replaced there.
    bytes.sort_by_key(|(range, _)| (range.start, range.end));
    bytes.dedup_by(|b, a| a == b && !a.0.is_empty());
    for pair in bytes.windows(2) {
        let (first, second) = (&pair[0].0, &pair[1].0);
        let same_place = first == second && !first.is_empty();
        if second.start < first.end || same_place {
            let line = |offset| text.line_of(offset) + 1;
            return Err(EditProblem::Overlap {
                rel: rel.to_owned(),
                first: line(first.start),
                second: line(second.start),
            });
        }
    }
    Ok(bytes)
}

/// The line end of a text: the one that most of its lines have.
fn eol(src: &str) -> &'static str {
    let crlf = src.matches("\r\n").count();
    let lf = src.matches('\n').count() - crlf;
    if crlf > lf { "\r\n" } else { "\n" }
}

fn with_line_ends(new: &str, eol: &str) -> String {
    if !new.contains(['\n', '\r']) {
        return new.to_owned();
    }
    let plain = new.replace("\r\n", "\n");
    if eol == "\n" { plain } else { plain.replace('\n', eol) }
}

#[cfg(test)]
mod tests;
