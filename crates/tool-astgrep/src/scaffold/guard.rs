//! Clause keywords that a wrong context reads as names.

use crate::tree::{NodeId, Tree};

/// Words that start a clause and are never meant as a name at the start of a pattern.
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
];

/// Refuses a node whose first leaf is an identifier spelled like a clause keyword.
pub(super) fn keyword(tree: &Tree, root: NodeId, src: &str) -> Result<(), String> {
    let mut leaf = root;
    while !tree.is_leaf(leaf) {
        leaf += 1;
    }
    let text = tree.text(leaf, src);
    if tree.is_named(leaf) && CLAUSES.contains(&text) {
        return Err(format!(
            "`{text}` is read as a name ({}), not as the start of a clause",
            tree.kind_name(root)
        ));
    }
    Ok(())
}
