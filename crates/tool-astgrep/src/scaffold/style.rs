//! How metavariables are spelled so that a grammar takes them where names, types and values stand.

use crate::language::Language;
use crate::pattern::Hole;

/// At most this many holes are tried in every mix of spellings; more only all alike.
const MIXED: usize = 5;

/// Languages where a run of statements needs a `;` to be one.
pub(super) fn takes_semicolons(language: Language) -> bool {
    matches!(
        language.id(),
        "c" | "cpp" | "csharp" | "java" | "dart" | "php" | "solidity" | "zig" | "css"
    )
}

/// Languages where the columns of further lines mean something.
pub(super) fn has_layout(language: Language) -> bool {
    matches!(language.id(), "python" | "haskell" | "yaml")
}

/// The spellings to try: bit `n` set means that hole `n` takes the second style.
pub(super) fn spellings(language: Language, holes: &crate::pattern::Holes) -> Vec<u64> {
    let count = holes.holes().len().min(63);
    if count == 0 || !has_second(language) {
        return vec![0];
    }
    if count <= MIXED {
        return (0..1 << count).collect();
    }
    let mut spellings = vec![0, (1 << count) - 1];
    spellings.extend((0..count).map(|hole| 1 << hole));
    spellings.extend((0..count).map(|hole| ((1 << count) - 1) & !(1 << hole)));
    spellings
}

fn has_second(language: Language) -> bool {
    matches!(language.id(), "php" | "ruby" | "json" | "haskell" | "elixir" | "bash")
}

/// The text for a hole.
pub(super) fn spell(language: Language, spelling: u64, number: usize, hole: &Hole) -> String {
    let second = spelling >> number.min(63) & 1 == 1;
    let sigil = language.sigil().repeat(if hole.run { 3 } else { 1 });
    let name = if hole.name.is_empty() { "_" } else { &hole.name };
    match (language.id(), second) {
        // A variable carries its own dollar.
        ("php", true) => format!("${sigil}{name}"),
        // Constants, modules and constructors start with a capital letter.
        ("ruby" | "haskell" | "elixir", true) => format!("C{sigil}{name}"),
        // Names that are assigned or called are no expansions.
        ("bash", true) => format!("__{name}"),
        // A bare name is no JSON: a marked value, and in an object a marked pair.
        ("json", true) if hole.run => format!("\"{sigil}{name}\": 0"),
        ("json", true) => format!("\"{sigil}{name}\""),
        _ => format!("{sigil}{name}"),
    }
}
