//! Text that a file must hold for a pattern to match in it.
//!
//! Sound by construction: a named leaf matches by equal text, so its text is in every matching
//! file. A token matches by kind; its text is a needle only where the kind has one spelling.

use super::shape::{Role, Shape};
use crate::language::Language;

/// A text that every match contains.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needle(Box<str>);

impl Needle {
    /// The bytes to look for.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The needles of a shape, likely the rarest first.
pub(super) fn of(language: Language, shape: &Shape) -> Vec<Needle> {
    let mut needles = Vec::new();
    for node in &shape.nodes {
        match &node.role {
            Role::Leaf(text) if !text.is_empty() && !text.contains(['\n', '\r']) => {
                needles.push(Needle(text.clone()));
            }
            Role::Token => {
                let name = language.kind_name(node.kind);
                if is_spelled_as_named(language, name) {
                    needles.push(Needle(name.into()));
                }
            }
            Role::Inner { .. }
            | Role::Leaf(_)
            | Role::One { .. }
            | Role::Run { .. }
            | Role::Quoted { .. } => {}
        }
    }
    needles.sort_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.cmp(b)));
    needles.dedup();
    needles
}

/// Longer names are rarer; operators and short words are everywhere.
fn rank(needle: &Needle) -> usize {
    let word = needle.0.chars().all(|c| c.is_alphanumeric() || c == '_');
    needle.0.len() * if word { 2 } else { 1 }
}

/// Whether a token of that kind is always spelled as the kind is named.
fn is_spelled_as_named(language: Language, name: &str) -> bool {
    let operator = name.len() >= 2
        && name.chars().all(|c| {
            matches!(
                c,
                '=' | '!'
                    | '<'
                    | '>'
                    | '&'
                    | '|'
                    | '+'
                    | '-'
                    | '*'
                    | '/'
                    | '%'
                    | '^'
                    | '?'
                    | ':'
                    | '.'
                    | '~'
                    | '@'
            )
        });
    let keyword = name.len() >= 3
        && name.chars().all(|c| c.is_ascii_lowercase())
        && !matches!(
            language.id(),
            "php" | "html" | "css" | "haskell" | "markdown" | "yaml" | "bash"
        );
    operator || keyword
}
