//! What is said of a pattern that no context accepts.

use super::{Holes, PatternError};
use crate::language::Language;
use crate::scaffold;

/// The error for a pattern that no rung accepted; `refused` is what each said.
pub(super) fn unparsable(
    language: Language,
    holes: &Holes,
    refused: Vec<(&'static str, String)>,
) -> PatternError {
    let lost = holes.literal().iter().find(|typed| {
        typed.starts_with('$') && typed[1..].starts_with(|c: char| c.is_ascii_alphabetic())
    });
    let mut error = PatternError::new(format!("the pattern is not parsable as {language}"));
    error.suggestion = nearest(language, holes).or_else(|| {
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

/// What to know when an accepted pattern finds nothing.
pub(super) fn notes(_language: Language, holes: &Holes) -> Vec<String> {
    holes
        .literal()
        .iter()
        .map(|typed| format!("`{typed}` is taken literally: metavariables are upper-case"))
        .collect()
}

/// Additions that turn a header into a whole, in the order tried.
const ADDITIONS: &[(&str, &str)] = &[
    (" { $$$BODY }", "add a body"),
    (": $$$BODY", "add a body"),
    ("\n$$$BODY\nend", "add a body"),
    (" $$$BODY end", "add a body"),
    (";", "end it with `;`"),
    ("()", "add the parameters"),
    ("() { $$$BODY }", "add parameters and a body"),
    ("(): $$$BODY", "add parameters and a body"),
    (" = $VALUE", "add a value"),
    (" do $$$BODY end", "add a body"),
];

/// The nearest pattern that parses, in a sentence.
fn nearest(language: Language, holes: &Holes) -> Option<String> {
    let pattern = holes.pattern();
    let parses =
        |text: &str| Holes::scan(text).is_ok_and(|holes| scaffold::parses(language, &holes));
    for (addition, what) in ADDITIONS {
        let longer = format!("{pattern}{addition}");
        if parses(&longer) {
            return Some(format!("{what}: `{}`", longer.replace('\n', "⏎")));
        }
    }
    let shorter = pattern.trim_end_matches([';', ',', '{', ':']).trim_end();
    (shorter != pattern && parses(shorter)).then(|| format!("this parses: `{shorter}`"))
}
