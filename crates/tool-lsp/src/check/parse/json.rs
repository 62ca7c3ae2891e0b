//! Checkers that print JSON: as one value, or one a line.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Place, diagnostic, severity, under};
use crate::diagnostics::{Diagnostic, Severity};

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn number(value: &Value, key: &str) -> Option<u64> {
    value.get(key)?.as_u64()
}

fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The one JSON value of an output that may have other lines around it.
fn whole(stdout: &str) -> Value {
    let trimmed = stdout.trim();
    if let Ok(value) = serde_json::from_str(trimmed) {
        return value;
    }
    let starts = trimmed.match_indices(['{', '[']).map(|(at, _)| at);
    let mut parsed = starts.filter_map(|at| {
        let mut values = serde_json::Deserializer::from_str(&trimmed[at..]).into_iter::<Value>();
        values.next()?.ok()
    });
    parsed.find(|value| value.is_object() || value.is_array()).unwrap_or(Value::Null)
}

fn each_line(stdout: &str) -> impl Iterator<Item = Value> {
    stdout.lines().filter_map(|line| serde_json::from_str(line.trim()).ok())
}

pub(super) fn cargo(stdout: &str, dir: &Path) -> Vec<Diagnostic> {
    each_line(stdout).filter_map(|item| cargo_item(&item, dir)).collect()
}

fn cargo_item(item: &Value, dir: &Path) -> Option<Diagnostic> {
    if text(item, "reason") != Some("compiler-message") {
        return None;
    }
    let message = item.get("message")?;
    let level = text(message, "level")?;
    let said = text(message, "message")?;
    let primary = items(message, "spans")
        .iter()
        .find(|span| span.get("is_primary").and_then(Value::as_bool) == Some(true));
    let code = message.get("code").and_then(|code| text(code, "code")).map(str::to_owned);
    let level = if level.starts_with("error") { Severity::Error } else { severity(level) };
    let Some(span) = primary.map(in_source) else {
        // A summary of what was said before; anything else without a place is about the package.
        let summary = said.starts_with("aborting due to") || said.ends_with("emitted");
        let manifest = text(item, "manifest_path")?;
        return (!summary && level <= Severity::Warning).then(|| {
            diagnostic(PathBuf::from(manifest), Place::point(1, 1), level, code, "rustc", said)
        });
    };
    let label = text(span, "label").filter(|label| !said.contains(label));
    // As rust-analyzer words what the same compiler tells it.
    let said = label.map_or_else(|| said.to_owned(), |label| format!("{said}\n{label}"));
    let place = Place {
        line: number(span, "line_start")?,
        column: number(span, "column_start")?,
        end: number(span, "line_end").zip(number(span, "column_end")),
    };
    Some(diagnostic(under(dir, text(span, "file_name")?), place, level, code, "rustc", said))
}

/// Where a macro of another crate was used, instead of where it is defined.
fn in_source(span: &Value) -> &Value {
    let mut span = span;
    while let Some(name) = text(span, "file_name")
        && (name.starts_with('<') || Path::new(name).is_absolute())
        && let Some(outer) = span.get("expansion").and_then(|expansion| expansion.get("span"))
    {
        span = outer;
    }
    span
}

pub(super) fn pyright(stdout: &str, dir: &Path, source: &str) -> Vec<Diagnostic> {
    let report = whole(stdout);
    let read = |item: &Value| {
        let range = item.get("range");
        let pos = |end: &str| {
            let pos = range?.get(end)?;
            Some((number(pos, "line")? + 1, number(pos, "character")? + 1))
        };
        let (line, column) = pos("start").unwrap_or((1, 1));
        let place = Place { line, column, end: pos("end") };
        Some(diagnostic(
            under(dir, text(item, "file")?),
            place,
            severity(text(item, "severity")?),
            text(item, "rule").map(str::to_owned),
            source,
            text(item, "message")?,
        ))
    };
    items(&report, "generalDiagnostics").iter().filter_map(read).collect()
}

pub(super) fn pyrefly(stdout: &str, dir: &Path) -> Vec<Diagnostic> {
    let report = whole(stdout);
    let read = |item: &Value| {
        let place = Place {
            line: number(item, "line")?,
            column: number(item, "column")?,
            end: number(item, "stop_line").zip(number(item, "stop_column")),
        };
        Some(diagnostic(
            under(dir, text(item, "path")?),
            place,
            severity(text(item, "severity").unwrap_or("error")),
            text(item, "name").map(str::to_owned),
            "Pyrefly",
            text(item, "description").or_else(|| text(item, "concise_description"))?,
        ))
    };
    items(&report, "errors").iter().filter_map(read).collect()
}

/// Lines count from 1, columns from 0.
pub(super) fn mypy(stdout: &str, dir: &Path) -> Vec<Diagnostic> {
    let read = |item: Value| {
        let column = |key: &str| number(&item, key).map_or(1, |column| column + 1);
        let place = Place {
            line: number(&item, "line")?,
            column: column("column"),
            end: number(&item, "end_line").map(|line| (line, column("end_column"))),
        };
        Some(diagnostic(
            under(dir, text(&item, "file")?),
            place,
            severity(text(&item, "severity").unwrap_or("error")),
            text(&item, "code").map(str::to_owned),
            "mypy",
            text(&item, "message")?,
        ))
    };
    each_line(stdout).filter_map(read).collect()
}

pub(super) fn ruff(stdout: &str, dir: &Path) -> Vec<Diagnostic> {
    let report = whole(stdout);
    let read = |item: &Value| {
        let at = |key: &str| {
            let pos = item.get(key)?;
            Some((number(pos, "row")?, number(pos, "column")?))
        };
        let (line, column) = at("location").unwrap_or((1, 1));
        let place = Place { line, column, end: at("end_location") };
        let code = text(item, "code").or_else(|| text(item, "name")).unwrap_or("invalid-syntax");
        // What it finds is a matter of style, but for code that is none.
        let level = match code {
            "invalid-syntax" | "E999" | "F821" => Severity::Error,
            _ => Severity::Warning,
        };
        Some(diagnostic(
            under(dir, text(item, "filename")?),
            place,
            level,
            Some(code.to_owned()),
            "Ruff",
            text(item, "message")?,
        ))
    };
    report.as_array().map_or_else(Vec::new, |list| list.iter().filter_map(read).collect())
}

pub(super) fn dart(stdout: &str, dir: &Path) -> Vec<Diagnostic> {
    let report = whole(stdout);
    let read = |item: &Value| {
        let location = item.get("location")?;
        let range = location.get("range");
        let at = |end: &str| {
            let pos = range?.get(end)?;
            Some((number(pos, "line")?, number(pos, "column")?))
        };
        let (line, column) = at("start").unwrap_or((1, 1));
        Some(diagnostic(
            under(dir, text(location, "file")?),
            Place { line, column, end: at("end") },
            severity(text(item, "severity")?),
            text(item, "code").map(str::to_owned),
            "dart",
            text(item, "problemMessage")?,
        ))
    };
    items(&report, "diagnostics").iter().filter_map(read).collect()
}

pub(super) fn shellcheck(stdout: &str, dir: &Path) -> Vec<Diagnostic> {
    let report = whole(stdout);
    let read = |item: &Value| {
        let place = Place {
            line: number(item, "line")?,
            column: number(item, "column")?,
            end: number(item, "endLine").zip(number(item, "endColumn")),
        };
        Some(diagnostic(
            under(dir, text(item, "file")?),
            place,
            severity(text(item, "level")?),
            number(item, "code").map(|code| format!("SC{code}")),
            "shellcheck",
            text(item, "message")?,
        ))
    };
    items(&report, "comments").iter().filter_map(read).collect()
}

pub(super) fn phpstan(stdout: &str, dir: &Path) -> Vec<Diagnostic> {
    let report = whole(stdout);
    let mut found = Vec::new();
    let files = report.get("files").and_then(Value::as_object);
    for (file, about) in files.into_iter().flatten() {
        for item in items(about, "messages") {
            let Some(said) = text(item, "message") else { continue };
            let place = Place::point(number(item, "line").unwrap_or(1), 1);
            let code = text(item, "identifier").map(str::to_owned);
            let path = under(dir, file);
            found.push(diagnostic(path, place, Severity::Error, code, "PHPStan", said));
        }
    }
    found
}
