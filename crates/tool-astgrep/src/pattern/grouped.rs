//! Imports of Go, each of which may stand alone or in a group: `import "fmt"` is looked for in both.

use super::{Reading, needles};
use crate::language::Language;
use crate::pattern::{PatNode, Role, Shape};

/// Adds to the reading as a whole declaration that of one entry of a group. A metavariable that is all
/// that is imported stands for one entry, never for a group.
pub(super) fn add(language: Language, readings: &mut Vec<Reading>) {
    /// The declaration and its `import`, which stand before the entry.
    const ENTRY: usize = 2;
    if language.id() != "go" {
        return;
    }
    let Some(whole) = readings
        .iter_mut()
        .find(|reading| language.kind_name(reading.root_kind) == "import_declaration")
    else {
        return;
    };
    let shape = &mut whole.shape;
    let Some(entry) = shape.nodes.get(ENTRY).cloned() else { return };
    if language.kind_name(entry.kind) != "import_spec"
        || shape.sequence.is_some()
        || shape.nodes.len() != ENTRY + entry.size as usize
    {
        return;
    }
    if let Role::One { slot } = entry.role {
        let all = Role::Run { slot, wrapper: None };
        shape.nodes[ENTRY] = PatNode { size: 2, role: Role::Inner { gap: None }, ..entry.clone() };
        shape.nodes.push(PatNode { field: 0, size: 1, role: all, ..entry.clone() });
        shape.nodes[0].size += 1;
        shape.runs += 1;
    } else if !matches!(entry.role, Role::Inner { .. }) {
        return;
    }
    let shape = Shape { nodes: shape.nodes[ENTRY..].to_vec(), ..shape.clone() };
    let in_family = whole.in_family;
    readings.push(Reading {
        context: "import-spec",
        in_family,
        needles: needles::of(language, &shape),
        root_kind: entry.kind,
        listed: Some(Listed { list: "import_spec_list", word: "import" }),
        shape,
    });
}

/// Where a reading matches only, and the word of the pattern that stands before the list instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The kind of the parent.
    pub(crate) list: &'static str,
    pub(crate) word: &'static str,
}

impl Listed {
    /// What a rewrite is in the list: without the word. `None` if it cannot stand there.
    pub(crate) fn rewrite<'t>(&self, text: &'t str) -> Option<&'t str> {
        if text.trim().is_empty() {
            return Some(text);
        }
        let rest = text.trim_start().strip_prefix(self.word)?;
        let entry = rest.trim_start();
        (rest.len() > entry.len() && !entry.starts_with('(') && !entry.trim_end().contains('\n'))
            .then_some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewrite_of_an_entry_loses_the_word() {
        let listed = Listed { list: "import_spec_list", word: "import" };
        assert_eq!(listed.rewrite("import $X"), Some("$X"));
        assert_eq!(listed.rewrite(""), Some(""));
        for other in ["import (\n\"a\"\n)", "import \"a\"\nimport \"b\"", "f()", "imports"] {
            assert_eq!(listed.rewrite(other), None, "{other}");
        }
    }
}
