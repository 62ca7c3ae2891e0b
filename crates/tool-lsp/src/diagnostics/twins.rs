//! One error said twice: rust-analyzer finds some of rustc's errors by itself, under the same code and in other words.

use super::Diagnostic;

const NATIVE: &str = "rust-analyzer";
const COMPILERS: [&str; 2] = ["rustc", "clippy"];

/// Do the two say the same, one as rust-analyzer and one as the compiler? Wherever they stand.
pub(crate) fn are_twins(a: &Diagnostic, b: &Diagnostic) -> bool {
    let pair = |a: &Diagnostic, b: &Diagnostic| is_native(a) && is_compiled(b);
    (pair(a, b) || pair(b, a)) && a.code.is_some() && a.code == b.code
}

fn is_native(d: &Diagnostic) -> bool {
    d.source.as_deref() == Some(NATIVE)
}

fn is_compiled(d: &Diagnostic) -> bool {
    d.source.as_deref().is_some_and(|source| COMPILERS.contains(&source))
}

/// Each error once: the compiler's words win over those of rust-analyzer for the same code on the same lines. Things that
/// are wholly equal (a server that reports on two channels) are counted once, too.
pub(crate) fn without_twins(items: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(items.len());
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    let compiled: Vec<Diagnostic> = kept.iter().filter(|d| is_compiled(d)).cloned().collect();
    kept.retain(|d| !(is_native(d) && compiled.iter().any(|c| are_twins(d, c) && touch(d, c))));
    kept
}

fn touch(a: &Diagnostic, b: &Diagnostic) -> bool {
    a.first_line() <= b.last_line() && b.first_line() <= a.last_line()
}

#[cfg(test)]
mod tests {
    use super::without_twins;
    use crate::diagnostics::{Diagnostic, decode};
    use serde_json::{Value, json};
    use std::path::Path;

    fn items(list: &[(&str, &str, u32, &str)]) -> Vec<Diagnostic> {
        let items: Vec<Value> = list
            .iter()
            .map(|(source, code, line, message)| {
                json!({ "source": source, "code": code, "message": message, "severity": 1,
                    "range": { "start": { "line": line, "character": 4 }, "end": { "line": line, "character": 9 } } })
            })
            .collect();
        decode(Path::new("/p/a.rs"), &json!(items))
    }

    fn said(list: &[Diagnostic]) -> Vec<&str> {
        list.iter().map(|d| d.message.as_str()).collect()
    }

    #[test]
    fn the_compiler_wins_over_the_analyzer() {
        let both = items(&[
            ("rust-analyzer", "E0308", 3, "expected &str, found i32"),
            ("rustc", "E0308", 3, "mismatched types"),
            ("rust-analyzer", "E0308", 9, "expected bool, found i32"),
            ("rust-analyzer", "unresolved-thing", 3, "only native"),
        ]);
        assert_eq!(
            said(&without_twins(both)),
            ["mismatched types", "expected bool, found i32", "only native"],
            "another place is another error"
        );
    }

    #[test]
    fn equal_items_of_two_channels_count_once_and_two_places_twice() {
        let list = items(&[("ty", "x", 1, "bad"), ("ty", "x", 1, "bad"), ("ty", "x", 2, "bad")]);
        assert_eq!(without_twins(list).len(), 2);
    }

    #[test]
    fn codes_that_are_missing_make_no_twins() {
        let mut list =
            items(&[("rust-analyzer", "", 3, "syntax error"), ("rustc", "", 3, "expected `;`")]);
        assert!(list.iter().all(|d| d.code.is_none()));
        list.extend(items(&[("rustc", "E1", 3, "other")]));
        assert_eq!(without_twins(list).len(), 3);
    }
}
