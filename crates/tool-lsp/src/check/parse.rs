//! What checkers print, as diagnostics. Pure.

mod json;
mod lines;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::diagnostics::{Diagnostic, Severity};
use crate::text::{Pos, Span};

/// How a checker prints what it found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// `cargo --message-format=json`.
    Cargo,
    /// `tsc --pretty false`; where errors without a file belong.
    Tsc { config: PathBuf },
    /// `pyright --outputjson`, basedpyright too.
    Pyright { source: &'static str },
    /// `path:line:column: error[rule] message` (ty).
    Concise,
    /// `pyrefly check --output-format json`.
    Pyrefly,
    /// `mypy --output json`.
    Mypy,
    /// `ruff check --output-format json`.
    Ruff,
    /// The text of `go build` or `go vet`.
    Go { vet: bool },
    /// `clangd --check` of one file.
    ClangdCheck { file: PathBuf },
    /// `dart analyze --format=json`.
    Dart,
    /// `shellcheck -f json1`.
    Shellcheck,
    /// `php -l`.
    Php,
    /// `phpstan --error-format=json`.
    Phpstan,
    /// `luac -p`.
    Luac,
    /// Maven, and Gradle with javac or kotlinc.
    Jvm,
}

/// All that a checker said, each thing once. `dir` is the folder it ran in.
pub(crate) fn parse(format: &Format, stdout: &str, stderr: &str, dir: &Path) -> Vec<Diagnostic> {
    let mut found = match format {
        Format::Cargo => json::cargo(stdout, dir),
        Format::Tsc { config } => lines::tsc(stdout, dir, config),
        Format::Pyright { source } => json::pyright(stdout, dir, source),
        Format::Concise => lines::concise(stdout, dir),
        Format::Pyrefly => json::pyrefly(stdout, dir),
        Format::Mypy => json::mypy(stdout, dir),
        Format::Ruff => json::ruff(stdout, dir),
        Format::Go { vet } => lines::go(stderr, dir, *vet),
        Format::ClangdCheck { file } => lines::clangd(stderr, file),
        Format::Dart => json::dart(stdout, dir),
        Format::Shellcheck => json::shellcheck(stdout, dir),
        Format::Php => lines::php(stdout, stderr, dir),
        Format::Phpstan => json::phpstan(stdout, dir),
        Format::Luac => lines::luac(stderr, dir),
        Format::Jvm => lines::jvm(stdout, stderr, dir),
    };
    once(&mut found);
    found
}

/// Drops what was said before: of one target after another, or of a file under two projects.
pub(crate) fn once(found: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    found.retain(|d| seen.insert((d.path.clone(), d.span, d.code.clone(), d.message.clone())));
}

/// A place as checkers count: from 1.
#[derive(Clone, Copy, Default)]
struct Place {
    line: u64,
    column: u64,
    end: Option<(u64, u64)>,
}

impl Place {
    fn point(line: u64, column: u64) -> Self {
        Self { line, column, end: None }
    }

    fn span(self) -> Span {
        let pos = |line: u64, column: u64| {
            let from_0 = |n: u64| u32::try_from(n.saturating_sub(1)).unwrap_or(u32::MAX);
            Pos::new(from_0(line), from_0(column))
        };
        let start = pos(self.line, self.column);
        let end = self.end.map_or(start, |(line, column)| pos(line, column));
        Span { start, end: end.max(start) }
    }
}

fn diagnostic(
    path: PathBuf,
    place: Place,
    severity: Severity,
    code: Option<String>,
    source: &str,
    message: impl Into<String>,
) -> Diagnostic {
    Diagnostic {
        path,
        span: place.span(),
        severity,
        code,
        source: Some(source.to_owned()),
        message: message.into(),
    }
}

/// An absolute path without `.` and `..`.
fn under(dir: &Path, path: &str) -> PathBuf {
    let mut out = PathBuf::new();
    for part in dir.join(path).components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            std::path::Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

/// The severity by the words that checkers use.
fn severity(word: &str) -> Severity {
    match word.to_ascii_lowercase().as_str() {
        "warning" | "warn" | "w" => Severity::Warning,
        "info" | "information" | "note" | "failure-note" | "style" | "message" => {
            Severity::Information
        }
        "hint" | "help" => Severity::Hint,
        _ => Severity::Error,
    }
}

#[cfg(test)]
mod tests;
