//! Diagnostics as an agent reads them, within bounds, and the same as facts for a program.

use std::path::Path;

use serde_json::{Value, json};

use super::{Diagnostic, Severity, sort};
use crate::render::count;

/// Of one file so many are shown.
pub(crate) const PER_FILE: usize = 8;
/// Beside the files that were written, so many others are shown.
pub(crate) const OTHER_FILES: usize = 5;
/// More than so many are summarised.
pub(crate) const FLOOD: usize = 40;
/// Of a flood so many are shown.
const OF_FLOOD: usize = 3;
/// Characters of one message.
pub(crate) const MESSAGE: usize = 300;
/// Items in the facts for a program.
const DETAILS: usize = 200;

/// What became of a list within the bounds.
pub(crate) struct Shown {
    /// One line each, without a heading; empty if there is nothing.
    pub(crate) text: String,
    /// How many are not in the text.
    pub(crate) left_out: usize,
}

/// One diagnostic in a line: `src/a.py:12: error: no such name [unresolved-reference]`.
pub(crate) fn line(d: &Diagnostic, display: &dyn Fn(&Path) -> String) -> String {
    let code = d.code.as_ref().map_or_else(String::new, |code| format!(" [{code}]"));
    format!(
        "{}:{}: {}: {}{code}",
        display(&d.path),
        d.first_line(),
        d.severity.as_str(),
        clipped(&d.message)
    )
}

/// In one line, and not longer than the bound.
fn clipped(message: &str) -> String {
    let one_line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(MESSAGE) {
        None => one_line,
        // The sign that something is missing counts, too.
        Some(_) => {
            let mut cut: String = one_line.chars().take(MESSAGE - 1).collect();
            cut.push('…');
            cut
        }
    }
}

/// The list within the bounds: errors first, so many a file, files of `first` before others.
pub(crate) fn list(
    items: &[Diagnostic],
    first: &dyn Fn(&Path) -> bool,
    display: &dyn Fn(&Path) -> String,
) -> Shown {
    let mut items: Vec<Diagnostic> = items.to_vec();
    sort(&mut items);
    // Stable: errors stay first within each half.
    items.sort_by_key(|d| !first(&d.path));
    let flood = items.len() > FLOOD;
    let mut lines = Vec::new();
    let mut files: Vec<(&Path, usize)> = Vec::new();
    let mut others = 0;
    if flood {
        lines.push(summary(&items));
    }
    let mut shown = 0;
    for d in &items {
        if flood && shown == OF_FLOOD {
            break;
        }
        let at = match files.iter().position(|(path, _)| *path == d.path) {
            Some(at) => at,
            None => {
                if !first(&d.path) {
                    others += 1;
                    if others > OTHER_FILES {
                        others = OTHER_FILES;
                        continue;
                    }
                }
                files.push((&d.path, 0));
                files.len() - 1
            }
        };
        if files[at].1 < PER_FILE {
            files[at].1 += 1;
            shown += 1;
            lines.push(line(d, display));
        }
    }
    Shown { text: lines.join("\n"), left_out: items.len() - shown }
}

fn summary(items: &[Diagnostic]) -> String {
    let errors = items.iter().filter(|d| d.severity == Severity::Error).count();
    let mut files: Vec<&Path> = items.iter().map(|d| d.path.as_path()).collect();
    files.sort_unstable();
    files.dedup();
    let warnings = items.len() - errors;
    let warned = if warnings == 0 {
        String::new()
    } else {
        format!(" and {}", count(warnings, "warning", "warnings"))
    };
    format!(
        "{}{warned} in {}; so many at once have one cause more often than not. The first:",
        count(errors, "error", "errors"),
        count(files.len(), "file", "files"),
    )
}

/// The facts for a program, each `{path, line, end_line, severity, code, source, message}`.
pub(crate) fn details(items: &[Diagnostic], display: &dyn Fn(&Path) -> String) -> Value {
    let mut items: Vec<&Diagnostic> = items.iter().collect();
    items.sort_by(|a, b| (a.severity, &a.path, a.span).cmp(&(b.severity, &b.path, b.span)));
    let facts = items.into_iter().take(DETAILS).map(|d| {
        json!({
            "path": display(&d.path),
            "line": d.first_line(),
            "end_line": d.last_line(),
            "severity": d.severity.as_str(),
            "code": d.code,
            "source": d.source,
            "message": d.message,
        })
    });
    Value::Array(facts.collect())
}

#[cfg(test)]
mod tests;
