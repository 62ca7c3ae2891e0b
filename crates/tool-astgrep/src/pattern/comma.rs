//! Runs that can match nothing: a comma is missing beside one (`f($$$A $X)`), or one stands where
//! only a name can.
//!
//! Grammars take it as a parameter with its type, a nested command or as tokens of a macro, and
//! then it can match no call.

use super::{Holes, PatternError};
use crate::language::Language;
use crate::scaffold::{self, Effort};

/// Words before a call that is still a call.
const BEFORE_CALLS: &[&str] = &["return", "await", "new", "throw", "yield", "not", "in", "else"];

/// The error for a call whose arguments lack a comma beside a run, with the corrected form.
pub(super) fn missing(
    language: Language,
    holes: &Holes,
    effort: &Effort<'_>,
) -> Option<PatternError> {
    if matches!(language.id(), "bash" | "css" | "haskell" | "html" | "markdown" | "nix" | "yaml") {
        return None;
    }
    let pattern = holes.pattern();
    let mut breaks = Vec::new();
    for hole in holes.holes().iter().filter(|hole| hole.run) {
        if !is_in_call(pattern, hole.at.start) {
            continue;
        }
        let before = pattern[..hole.at.start].trim_end_matches(' ');
        if before.len() < hole.at.start && ends_value(holes, before) {
            breaks.push((before.len(), hole.at.start));
        }
        let after = pattern[hole.at.end..].trim_start_matches(' ');
        let next = pattern.len() - after.len();
        if next > hole.at.end
            && after.starts_with(|c: char| c.is_ascii_digit() || "$\"'".contains(c))
        {
            breaks.push((hole.at.end, next));
        }
    }
    breaks.sort_unstable();
    breaks.dedup();
    let mut corrected = pattern.to_owned();
    for &(from, to) in breaks.iter().rev() {
        corrected.replace_range(from..to, ", ");
    }
    if breaks.is_empty() || !accepts(language, &corrected, effort) {
        return None;
    }
    let mut error = PatternError::new("a comma is missing beside a run");
    error.suggestion = Some(format!("write `{corrected}`"));
    Some(error)
}

/// The error for a run where only one name can stand: `$X.f().$$$M`.
pub(super) fn after_dot(language: Language, holes: &Holes) -> Option<PatternError> {
    // Paths of attributes are lists there, or a dot means something else.
    const OTHERS: [&str; 8] = ["bash", "css", "haskell", "hcl", "html", "markdown", "nix", "yaml"];
    // So are the names of modules in many languages.
    const MODULES: [&str; 8] =
        ["import", "package", "from", "export", "use", "using", "module", "namespace"];
    let pattern = holes.pattern();
    let module = MODULES.iter().any(|word| pattern.starts_with(word));
    if module || OTHERS.contains(&language.id()) {
        return None;
    }
    let hole = holes.holes().iter().find(|hole| {
        let before = pattern[..hole.at.start].strip_suffix('.');
        let before = before.map(|before| before.trim_end().trim_end_matches(['?', '!']));
        let ends = |c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '_');
        hole.run && before.is_some_and(|before| before.ends_with(ends))
    })?;
    let (head, tail) = (&pattern[..hole.at.start], &pattern[hole.at.end..]);
    let name = if hole.name.is_empty() { "NAME" } else { &hole.name };
    let args = if tail.trim_start().starts_with('(') { "" } else { "($$$ARGS)" };
    let mut error = PatternError::new(format!(
        "`{}` is a run where only one name can stand",
        &pattern[hole.at.clone()]
    ));
    error.suggestion = Some(format!("write `{head}${name}{args}{tail}`"));
    Some(error)
}

fn accepts(language: Language, pattern: &str, effort: &Effort<'_>) -> bool {
    Holes::scan(pattern).is_ok_and(|holes| scaffold::parses(language, &holes, effort))
}

/// Whether a metavariable, a number or a string ends there. After any other word there may be a
/// modifier and what it belongs to.
fn ends_value(holes: &Holes, before: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let number =
        before[before.trim_end_matches(word).len()..].starts_with(|c: char| c.is_ascii_digit());
    number
        || before.ends_with(['"', '\''])
        || holes.holes().iter().any(|h| h.at.end == before.len())
}

/// Whether `at` is directly inside the parentheses of what can only be meant as a call: a name
/// before them, and neither a result type before nor a body after.
fn is_in_call(pattern: &str, at: usize) -> bool {
    let mut depth = 0;
    let Some(open) = pattern[..at].rfind(|c| {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
        depth < 0
    }) else {
        return false;
    };
    let mut depth = 0;
    let Some(close) = pattern[at..].find(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth < 0
    }) else {
        return false;
    };
    if !pattern[open..].starts_with('(') || !pattern[at + close..].starts_with(')') {
        return false;
    }
    let word = |c: char| c.is_alphanumeric() || "_$.:!?@".contains(c);
    let name = pattern[..open].trim_end_matches(word);
    let before = name.trim_end();
    let last =
        &before[before.trim_end_matches(|c: char| c.is_alphanumeric() || "_$".contains(c)).len()..];
    let after = pattern[at + close + 1..].trim_start();
    name.len() < open
        && (last.is_empty() || BEFORE_CALLS.contains(&last))
        && (after.is_empty() || after.starts_with([';', '.', ',', ')', ']', '?']))
}
