//! Which lines of a source must keep their indentation: those that start inside a string or a comment.

use std::ops::Range;

/// Byte ranges inside which a line's leading blanks are content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Frozen {
    /// Sorted by start; `true` where a line that starts exactly there is held as well (heredocs).
    spans: Vec<(Range<usize>, bool)>,
}

impl Frozen {
    /// Adds a node if lines in it are content. Nodes come in source order, parents first.
    pub(crate) fn add(&mut self, kind: &str, range: Range<usize>) -> bool {
        let Some(from_start) = freezes(kind) else {
            return false;
        };
        self.spans.push((range, from_start));
        true
    }

    /// Whether the line that starts at `line_start` keeps its blanks.
    pub(crate) fn holds(&self, line_start: usize) -> bool {
        self.spans.iter().any(|(span, from_start)| {
            (span.start < line_start || (*from_start && span.start == line_start))
                && line_start < span.end
        })
    }
}

/// Whether lines inside a node of this kind are content, and if so whether one that starts with
/// the node is. By the words grammars use; `template_declaration` and the like are no strings.
fn freezes(kind: &str) -> Option<bool> {
    let any = |words: &[&str]| words.iter().any(|word| kind.contains(word));
    // Adjacent literals stand on lines of their own; each literal is seen by itself.
    if kind.starts_with("concatenated_string") {
        return None;
    }
    if any(&["heredoc", "nowdoc", "raw_text", "here_document"]) || kind == "text" {
        return Some(true);
    }
    (any(&["string", "comment", "char_literal", "charlist", "sigil", "regex"])
        || matches!(kind, "template_literal" | "quoted_template" | "doc"))
    .then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_hold_the_lines_inside_them_only() {
        let mut frozen = Frozen::default();
        assert!(frozen.add("raw_string_literal", 3..20));
        assert!(frozen.add("heredoc_body", 30..40));
        assert!(!frozen.add("template_declaration", 50..90));
        assert!(!frozen.add("concatenated_string", 50..90));
        for (at, want) in
            [(3, false), (4, true), (19, true), (20, false), (30, true), (40, false), (60, false)]
        {
            assert_eq!(frozen.holds(at), want, "{at}");
        }
    }
}
