//! Clause keywords that a wrong context reads as names.

use crate::ladders::Rung;
use crate::tree::{NodeId, Tree};

/// Words that start a clause or a statement and are never meant as a name at the start of a
/// pattern.
const CLAUSES: &[&str] = &[
    "else",
    "catch",
    "finally",
    "except",
    "elif",
    "elsif",
    "rescue",
    "ensure",
    "when",
    "case",
    "default",
    "where",
    "companion",
    "import",
    "export",
    "package",
    "using",
    "namespace",
    "return",
    "throw",
];

/// Refuses a node that starts with a name spelled like a clause keyword.
pub(super) fn keyword(tree: &Tree, root: NodeId, src: &str) -> Result<(), String> {
    let mut first = root;
    loop {
        let leaf = tree.is_leaf(first);
        let text = tree.text(first, src);
        if tree.is_named(first)
            && (leaf || tree.kind_name(first).contains("identifier"))
            && CLAUSES.contains(&text)
        {
            return Err(format!(
                "`{text}` is read as a name ({}), not as the start of a clause",
                tree.kind_name(root)
            ));
        }
        if leaf {
            return Ok(());
        }
        first += 1;
    }
}

/// Refuses mere text: inside quotes and tags anything is accepted, and says nothing.
pub(super) fn text(tree: &Tree, root: NodeId, rung: &Rung) -> Result<(), String> {
    let class = tree.class(root);
    if rung.rare && tree.is_leaf(root) && (class.is_string() || class.is_comment()) {
        return Err("it is mere text there".into());
    }
    Ok(())
}
