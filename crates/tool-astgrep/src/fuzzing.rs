//! One pattern, one template and one source, from end to end: what the fuzz targets and nothing else call.

use crate::language::Language;
use crate::matches::{Match, find};
use crate::near::NearMisses;
use crate::pattern::{Compiled, compile};
use crate::rewrite::{Template, after_check, faults, matches_again, plan, splice};
use crate::tree::Tree;

/// Compiles `pattern`, matches it in `source`, rewrites by `template` and looks for near misses.
/// `language` is taken modulo the compiled ones. Returns the number of matches.
///
/// # Panics
/// When a range does not lie in the source, when edits overlap, or when matches are not each
/// counted once: a finding.
pub fn search_and_rewrite(language: u8, pattern: &str, template: &str, source: &str) -> usize {
    let languages: Vec<Language> = Language::compiled().collect();
    if languages.is_empty() {
        return 0;
    }
    let language = languages[usize::from(language) % languages.len()];
    let Ok(compiled) = compile(language, pattern, None) else {
        return 0;
    };
    let Ok(tree) = Tree::parse(language, source, &|| false) else {
        return 0;
    };
    let matches = all(&compiled, &tree, source);
    for found in &matches {
        assert!(source.get(found.range.clone()).is_some(), "a match cuts a character");
        for capture in &found.captures {
            assert!(source.get(capture.range.clone()).is_some(), "a capture cuts a character");
        }
    }
    if matches.is_empty() {
        let near = NearMisses::default();
        near.look(0, &compiled, &tree, source);
        let _ = near.report(false, &|| false).lines();
    }
    let Ok(template) = Template::parse(template, &compiled) else {
        return matches.len();
    };
    let plan = plan(&template, source, &tree, &matches);
    let counted = plan.replacements
        + plan.unchanged
        + plan.nested
        + plan.broken
        + plan.unbound
        + plan.heredocs;
    assert_eq!(counted, matches.len(), "each match is counted once");
    let text = match splice(source, &plan.edits) {
        Ok(text) => text,
        Err(error) => panic!("{error}"),
    };
    if let Ok(again) = Tree::parse(language, &text, &|| false) {
        let _ = after_check(faults(&tree), &plan.edits, &text, &again);
        let ranges: Vec<_> = all(&compiled, &again, &text).into_iter().map(|m| m.range).collect();
        let _ = matches_again(&plan.edits, &ranges);
    }
    matches.len()
}

/// The matches of the deciding readings, each place once.
fn all(compiled: &Compiled, tree: &Tree, source: &str) -> Vec<Match> {
    let mut all: Vec<Match> =
        compiled.in_family().flat_map(|reading| find(reading, tree, source, None)).collect();
    all.sort_by_key(|found| (found.range.start, found.range.end));
    all.dedup_by(|later, first| later.range == first.range);
    all
}
