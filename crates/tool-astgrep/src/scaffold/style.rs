//! How metavariables are spelled so that a grammar takes them where names, types and values stand.

use crate::language::Language;
use crate::pattern::{Hole, Holes};

/// At most this many mixes of spellings are tried.
const MIXES: usize = 24;

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

/// The spellings to try, each a text for every hole: all mixes where they are few, else all alike
/// and one apart.
pub(super) fn spellings(language: Language, holes: &Holes) -> Vec<Vec<String>> {
    let choices: Vec<Vec<String>> =
        holes.holes().iter().map(|hole| ways(language, holes.pattern(), hole)).collect();
    let mixes = choices
        .iter()
        .try_fold(1usize, |mixes, ways| mixes.checked_mul(ways.len()))
        .filter(|mixes| *mixes <= MIXES);
    let pick = |place: &dyn Fn(usize) -> usize| -> Vec<String> {
        let each = choices.iter().enumerate();
        each.map(|(hole, ways)| ways[place(hole).min(ways.len() - 1)].clone()).collect()
    };
    let mut spellings = Vec::new();
    if let Some(mixes) = mixes {
        for mix in 0..mixes {
            let mut rest = mix;
            let places: Vec<usize> = choices
                .iter()
                .map(|ways| {
                    let place = rest % ways.len();
                    rest /= ways.len();
                    place
                })
                .collect();
            spellings.push(pick(&|hole| places[hole]));
        }
    } else {
        let most = choices.iter().map(Vec::len).max().unwrap_or(1);
        spellings.extend((0..most).map(|place| pick(&|_| place)));
        for apart in 0..choices.len() {
            for place in 1..choices[apart].len() {
                spellings.push(pick(&|hole| if hole == apart { place } else { 0 }));
                spellings.push(pick(&|hole| if hole == apart { 0 } else { place }));
            }
        }
    }
    spellings
}

/// The ways to spell a hole, the usual one first.
fn ways(language: Language, pattern: &str, hole: &Hole) -> Vec<String> {
    let sigil = language.sigil().repeat(if hole.run { 3 } else { 1 });
    let name = if hole.name.is_empty() { "_" } else { &hole.name };
    let plain = format!("{sigil}{name}");
    let mut ways = vec![plain.clone()];
    let in_list = is_in_list(pattern, hole);
    match language.id() {
        // A variable carries its own dollar.
        "php" => ways.push(format!("${plain}")),
        // Names that are assigned or called are no expansions.
        "bash" => ways.push(format!("__{name}")),
        // Constants, modules and constructors start with a capital letter.
        "ruby" | "elixir" | "haskell" => ways.push(format!("C{plain}")),
        // A bare name is no JSON.
        "json" => ways.push(format!("\"{plain}\"")),
        _ => {}
    }
    if in_list {
        match language.id() {
            // A marked pair, where only pairs may stand.
            "json" => ways.push(format!("\"{plain}\": 0")),
            "python" | "ruby" | "elixir" | "yaml" => ways.push(format!("{plain}: 0")),
            // A whole parameter, where a name alone would share the type of the next.
            "go" => ways.push(format!("{plain} {plain}")),
            _ => {}
        }
    }
    ways
}

/// Whether a hole is all of an entry of a list.
fn is_in_list(pattern: &str, hole: &Hole) -> bool {
    let before = pattern[..hole.at.start].trim_end();
    let after = pattern[hole.at.end..].trim_start();
    before.ends_with(['{', ',', '(']) && (after.starts_with(['}', ',', ')']) || after.is_empty())
        || before.is_empty() && after.starts_with(',')
}
