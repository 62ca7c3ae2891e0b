//! Rewrites through a real grammar: compile, find, plan, splice.

mod cases;
mod deleting;
mod heredocs;
mod properties;

use super::*;
use crate::language::Language;
use crate::matches::find_any;
use crate::pattern::compile;

/// A rewritten source with what was counted.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) text: String,
    pub(super) plan: Plan,
}

/// `None` when the grammar is not compiled in.
pub(super) fn rewrite(
    language: &str,
    pattern: &str,
    template: &str,
    src: &str,
) -> Option<Result<Outcome, String>> {
    let language = Language::by_id(language).ok()?;
    let compiled = match compile(language, pattern, None) {
        Ok(compiled) => compiled,
        Err(error) => return Some(Err(error.to_string())),
    };
    let template = match Template::parse(template, &compiled) {
        Ok(template) => template,
        Err(error) => return Some(Err(error.to_string())),
    };
    let tree = Tree::parse(language, src, &|| false).ok()?;
    let readings = compiled.in_family().map(|reading| (reading, None));
    let matches: Vec<Match> =
        find_any(readings, &tree, src).into_iter().map(|(found, _)| found).collect();
    let plan = plan(&template, src, &tree, &matches);
    let counted = plan.replacements
        + plan.unchanged
        + plan.nested
        + plan.broken
        + plan.unbound
        + plan.heredocs;
    assert_eq!(counted, matches.len(), "each match is counted once");
    let text = splice(src, &plan.edits).expect("edits do not overlap");
    Some(Ok(Outcome { text, plan }))
}

/// Asserts a table of (name, language, pattern, template, source, rewritten).
pub(super) fn table(rows: &[(&str, &str, &str, &str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (name, language, pattern, template, src, want) in rows {
        match rewrite(language, pattern, template, src) {
            None => {}
            Some(Ok(outcome)) if outcome.text == *want => {}
            Some(other) => wrong.push(format!(
                "{name}: wanted {want:?}\n  got {:?}",
                other.map(|outcome| outcome.text)
            )),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
