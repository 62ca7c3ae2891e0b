//! The fields of `details`: what a tool's page lists against the results that fixtures expect. No IO.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A field whose keys are data (names of captures, ids of languages) and not fields of ours.
const FREE: [&str; 2] = ["captures", "languages"];

/// Of arguments that do not fit the schema, whatever the tool; and what diagnostics on write add to a tool that writes,
/// which its page tells in words.
const COMMON: [&str; 7] =
    ["faults", "diagnostics", "new", "fixed", "server", "verdict_ms", "unavailable"];

/// Tools whose every row is shown by some fixture. Tools that stand on a server of another party are not here: what a
/// fixture can show of them hangs on what is installed.
const COVERED: [&str; 7] =
    ["read", "write", "edit", "apply_patch", "ast_grep", "ast_edit", "resolve"];

/// Rows that no fixture shows, each with the reason.
const UNSEEN: [(&str, &str, &str); 4] = [
    ("ast_grep", "reason", "the binary has every grammar"),
    ("ast_edit", "reason", "the binary has every grammar"),
    ("ast_grep", "suggestion", "which patterns have one changes with the ladder"),
    ("ast_edit", "suggestion", "which patterns have one changes with the ladder"),
];

/// Rows of errors that need a file which cannot be written, or a change between look and write.
const FAULTS: [&str; 2] = ["not_writable", "mismatched"];

/// A table of fields: a name, and the words in code spans of its row.
type Rows = BTreeMap<String, BTreeSet<String>>;

/// The fields that a page lists.
#[derive(Debug, Default)]
struct Listed {
    success: Rows,
    error: Rows,
}

impl Listed {
    fn read(page: &str) -> Self {
        let mut listed = Self::default();
        let mut table: Option<bool> = None;
        for line in page.lines() {
            match line {
                _ if line.starts_with("| `details` of an error |") => table = Some(true),
                _ if line.starts_with("| `details` |") => table = Some(false),
                _ if !line.starts_with('|') => table = None,
                _ => {}
            }
            let (Some(of_error), Some((names, _))) =
                (table, line.trim_start_matches('|').split_once(" |"))
            else {
                continue;
            };
            let rows = if of_error { &mut listed.error } else { &mut listed.success };
            let words: BTreeSet<String> = code(line).iter().flat_map(|span| split(span)).collect();
            for name in code(names).iter().filter(|name| **name != "details") {
                rows.insert((*name).to_owned(), words.clone());
            }
        }
        listed
    }
}

/// The code spans of a line.
fn code(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

fn split(span: &str) -> Vec<String> {
    span.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned).collect()
}

/// A result of a tool, as fixtures expect it.
pub(super) struct Seen<'a> {
    pub(super) tool: &'a str,
    pub(super) ok: bool,
    pub(super) details: &'a Value,
}

/// What is wrong with a tool's page, in words: fields that results have and it does not, and the other way round.
pub(super) fn faults(tool: &str, page: &str, results: &[Seen<'_>]) -> Vec<String> {
    let listed = Listed::read(page);
    let mut missing = BTreeSet::new();
    let mut seen = [BTreeSet::new(), BTreeSet::new()];
    for result in results {
        let Some(details) = result.details.as_object() else { continue };
        // Errors of one kind have the same fields in every tool.
        if result.tool == tool || !result.ok {
            seen[usize::from(!result.ok)].extend(details.keys().cloned());
        }
        if result.tool != tool {
            continue;
        }
        let rows = if result.ok { &listed.success } else { &listed.error };
        let table = if result.ok { "`details`" } else { "`details` of an error" };
        for (name, value) in details.iter().filter(|(name, _)| !COMMON.contains(&name.as_str())) {
            match rows.get(name) {
                None => {
                    missing.insert(format!("{table}: a result has `{name}`, the page has not"));
                }
                Some(words) if !FREE.contains(&name.as_str()) => {
                    let inner = keys(value).into_iter().filter(|key| !words.contains(key));
                    missing.extend(inner.map(|key| {
                        format!("{table}: `{name}` holds `{key}`, which its row does not name")
                    }));
                }
                Some(_) => {}
            }
        }
    }
    let excused = |name: &str| {
        UNSEEN.iter().any(|(t, row, _)| *t == tool && *row == name) || FAULTS.contains(&name)
    };
    let tables = [(&listed.success, &seen[0]), (&listed.error, &seen[1])];
    for (rows, seen) in tables.into_iter().filter(|_| COVERED.contains(&tool)) {
        for name in rows.keys().filter(|name| !seen.contains(*name) && !excused(name)) {
            missing.insert(format!("no fixture has the field `{name}`, which the page lists"));
        }
    }
    missing.into_iter().collect()
}

/// Every key inside a value, save those that are data.
fn keys(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(list) => list.iter().flat_map(keys).collect(),
        Value::Object(object) => object
            .iter()
            .flat_map(|(key, value)| {
                let inner =
                    if FREE.contains(&key.as_str()) { BTreeSet::new() } else { keys(value) };
                inner.into_iter().chain([key.clone()])
            })
            .collect(),
        _ => BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PAGE: &str = "## Result\n\n| `details` | |\n| --- | --- |\n| `hits` | `[{path, captures: {NAME: text}}]` |\n\
                        | `total`, `shown` | counts |\n\n| `details` of an error | |\n| --- | --- |\n| `path` | which |\n";

    fn found(ok: bool, details: &Value) -> Vec<String> {
        faults("read", PAGE, &[Seen { tool: "read", ok, details }])
    }

    #[test]
    fn a_page_that_lists_what_results_have_is_right() {
        let good = json!({"hits": [{"path": "a", "captures": {"X": "1"}}], "total": 1, "shown": 1});
        let error = json!({"path": "a"});
        let seen = [
            Seen { tool: "read", ok: true, details: &good },
            Seen { tool: "other", ok: false, details: &error },
        ];
        assert_eq!(faults("read", PAGE, &seen), Vec::<String>::new());
    }

    #[test]
    fn fields_that_are_not_listed_are_named() {
        let new = found(true, &json!({"hits": [{"line": 1}], "total": 1, "shown": 1, "more": 0}));
        assert!(new.iter().any(|f| f.contains("`hits` holds `line`")), "{new:?}");
        assert!(new.iter().any(|f| f.contains("a result has `more`")), "{new:?}");
        let error = found(false, &json!({"why": ""}));
        assert!(error.iter().any(|f| f.contains("of an error: a result has `why`")), "{error:?}");
    }

    #[test]
    fn fields_that_no_result_has_are_named() {
        let stale = found(true, &json!({"hits": [], "total": 1}));
        assert_eq!(stale.iter().filter(|f| f.starts_with("no fixture")).count(), 2, "{stale:?}");
        assert_eq!(faults("lsp", PAGE, &[]), Vec::<String>::new(), "not all can be shown");
    }
}
