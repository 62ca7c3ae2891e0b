//! What is said of a pattern that no context accepts.

use super::{Holes, PatternError};
use crate::language::Language;
use crate::scaffold::{self, Effort};

/// The error for a pattern that no rung accepted; `refused` is what each said.
pub(super) fn unparsable(
    language: Language,
    holes: &Holes,
    refused: Vec<(&'static str, String)>,
    effort: &Effort<'_>,
) -> PatternError {
    let lost = holes.literal().iter().find(|typed| {
        typed.starts_with('$') && typed[1..].starts_with(|c: char| c.is_ascii_alphabetic())
    });
    let mut error = PatternError::new(format!("the pattern is not parsable as {language}"));
    error.suggestion = nearest(language, holes, effort).or_else(|| {
        lost.map(|typed| {
            format!(
                "`{typed}` is no metavariable: their names are upper-case (`{}`)",
                typed.to_ascii_uppercase()
            )
        })
    });
    error.rungs = refused.into_iter().map(|(rung, said)| (rung.to_owned(), said)).collect();
    error
}

/// Refuses `$x` where the grammar takes it and yet no code that is searched can hold it: in Rust it
/// stands in the bodies of macro definitions only, which are not looked into.
pub(super) fn literal(language: Language, holes: &Holes) -> Result<(), PatternError> {
    if language.id() != "rust" || holes.pattern().contains("macro_rules") {
        return Ok(());
    }
    match holes.literal().iter().find(|typed| typed[1..].starts_with(|c: char| c.is_alphabetic())) {
        Some(typed) => Err(PatternError::new(format!(
            "`{typed}` is no metavariable and can match nothing: their names are upper-case (`{}`)",
            typed.to_ascii_uppercase()
        ))),
        None => Ok(()),
    }
}

/// What to know of an accepted pattern: `$x` where a name may hold a `$`. Not where variables
/// are written so, nor in a string.
pub(super) fn notes(language: Language, holes: &Holes) -> Vec<String> {
    if matches!(language.id(), "php" | "bash" | "ruby" | "haskell" | "nix" | "css") {
        return Vec::new();
    }
    let pattern = holes.pattern();
    let quoted = |typed: &str| {
        let before = &pattern[..pattern.find(typed).unwrap_or(0)];
        before.matches(['"', '\'', '`']).count() % 2 == 1
    };
    let names = holes.literal().iter().filter(|typed| !quoted(typed));
    names
        .map(|typed| {
            let upper = typed.to_ascii_uppercase();
            format!("`{typed}` is taken literally: metavariables are upper-case (`{upper}`)")
        })
        .collect()
}

/// The word that a pattern starts with when the grammar has no node for that clause alone.
fn lone_clause(language: Language, pattern: &str) -> Option<&'static str> {
    let words: &[&str] = match language.id() {
        "csharp" | "go" | "swift" | "java" => &["else"],
        "kotlin" => &["else"],
        "dart" => &["else", "catch", "on"],
        _ => &[],
    };
    words.iter().copied().find(|word| {
        let rest = pattern.strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// Additions that turn a header into a whole, in the order tried.
const ADDITIONS: &[(&str, &str)] = &[
    (" { $$$BODY }", "add a body"),
    (": $$$BODY", "add a body"),
    ("\n$$$BODY\nend", "add a body"),
    (" $$$BODY end", "add a body"),
    (";", "end it with `;`"),
    ("($$$ARGS) { $$$BODY }", "add parameters and a body"),
    ("($$$ARGS): $$$BODY", "add parameters and a body"),
    ("($$$ARGS)", "add the parameters"),
    (" = $VALUE", "add a value"),
    (" do $$$BODY end", "add a body"),
];

/// The pattern with quotes around one of its metavariables, each way.
fn quotings(holes: &Holes) -> impl Iterator<Item = String> {
    let pattern = holes.pattern();
    let single = holes.holes().iter().filter(|hole| !hole.run).rev().take(3);
    single.flat_map(move |hole| {
        ['\'', '"'].map(|quote| {
            let (before, after) = (&pattern[..hole.at.start], &pattern[hole.at.end..]);
            format!("{before}{quote}{}{quote}{after}", &pattern[hole.at.clone()])
        })
    })
}

/// The nearest pattern that parses, in a sentence.
fn nearest(language: Language, holes: &Holes, effort: &Effort<'_>) -> Option<String> {
    let pattern = holes.pattern();
    // A clause that is no node of its own.
    if let Some(word) = lone_clause(language, pattern) {
        return Some(format!(
            "`{word}` has no node of its own in {language}: write the whole statement"
        ));
    }
    let parses = |text: &str| {
        Holes::scan(text).is_ok_and(|holes| scaffold::parses(language, &holes, effort))
    };
    for (addition, what) in ADDITIONS {
        let longer = format!("{pattern}{addition}");
        if parses(&longer) {
            return Some(format!("{what}: `{}`", longer.replace('\n', "⏎")));
        }
    }
    let imports = ["from ", "import", "require", "include", "use "];
    if imports.iter().any(|word| pattern.contains(word)) {
        for quoted in quotings(holes) {
            if parses(&quoted) {
                return Some(format!("with quotes this parses: `{quoted}`"));
            }
        }
    }
    let shorter = pattern.trim_end_matches([';', ',', '{', ':']).trim_end();
    (shorter != pattern && parses(shorter)).then(|| format!("this parses: `{shorter}`"))
}
