//! The answer of all checks together, for an agent and for a program.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tool_core::{ToolError, ToolOutput};
use tool_workspace::Root;

use crate::check::parse::once;
use crate::check::verdict::Verdict;
use crate::diagnostics::{Diagnostic, Severity, details, line, sort};
use crate::render::count;

/// Diagnostics that are shown; the facts for a program have more.
const SHOWN: usize = 50;
/// Of one file so many are shown.
const PER_FILE: usize = 10;

/// What one check says.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// `cargo check`.
    pub(crate) id: &'static str,
    /// Relative to the run's root.
    pub(crate) root: String,
    pub(crate) verdict: Verdict,
    /// The command; empty if none was run.
    pub(crate) command: String,
    pub(crate) took: Duration,
    /// Errors and warnings.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) notes: Vec<String>,
}

/// What all checks of a project say.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckReport {
    pub(crate) checks: Vec<Check>,
}

impl Check {
    fn counts(&self) -> (usize, usize) {
        let errors = self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        (errors, self.diagnostics.len() - errors)
    }

    /// `cargo check in web: 2 errors, 1 warning (3.2 s)`.
    fn line(&self) -> String {
        let place = if self.root == "." { String::new() } else { format!(" in {}", self.root) };
        let mut text = format!("{}{place}: ", self.id);
        let seconds = self.took.as_secs_f64();
        // A text takes any write.
        let _ = match &self.verdict {
            Verdict::Clean => write!(text, "clean ({seconds:.1} s)"),
            Verdict::Found { incomplete } => {
                let (errors, warnings) = self.counts();
                let errors = (errors > 0).then(|| count(errors, "error", "errors"));
                let warnings = (warnings > 0).then(|| count(warnings, "warning", "warnings"));
                let all: Vec<String> = errors.into_iter().chain(warnings).collect();
                let more = incomplete
                    .as_ref()
                    .map_or_else(String::new, |why| format!("; there may be more: {why}"));
                write!(text, "{} ({seconds:.1} s){more}", all.join(", "))
            }
            Verdict::Failed { why } => {
                write!(text, "the check itself failed, which says nothing of the code: {why}")
            }
            Verdict::TimedOut { limit } => write!(
                text,
                "ended after {} s without a verdict; ask again (what was built is kept), or run `{}` yourself",
                limit.as_secs(),
                self.command
            ),
            Verdict::Skipped { why, .. } => write!(text, "not run: {why}"),
        };
        for note in &self.notes {
            let _ = write!(text, "; {note}");
        }
        text
    }

    fn details(&self) -> Value {
        let (errors, warnings) = self.counts();
        let (reason, message) = match &self.verdict {
            Verdict::Failed { why } => (Some("checker_failed"), Some(why.clone())),
            Verdict::Skipped { code, why } => (Some(*code), Some(why.clone())),
            Verdict::TimedOut { .. } => (Some("timeout"), None),
            Verdict::Found { incomplete } => (None, incomplete.clone()),
            Verdict::Clean => (None, None),
        };
        json!({
            "id": self.id,
            "root": self.root,
            "verdict": self.verdict.word(),
            "reason": reason,
            "message": message,
            "command": self.command,
            "errors": errors,
            "warnings": warnings,
            "elapsed_ms": u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
            "notes": self.notes,
        })
    }
}

impl CheckReport {
    /// Errors and warnings of all checks, each once, the worst first.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> =
            self.checks.iter().flat_map(|check| check.diagnostics.iter().cloned()).collect();
        once(&mut all);
        sort(&mut all);
        all
    }

    /// The answer of the tool.
    ///
    /// # Errors
    /// No check said anything of the project: `failed` where one could not do its work, `unavailable` where none could
    /// be run.
    pub(crate) fn output(&self, root: &Root) -> Result<ToolOutput, ToolError> {
        let display = |path: &Path| root.relative(path);
        let all = self.diagnostics();
        let checks: Vec<Value> = self.checks.iter().map(Check::details).collect();
        let lines: Vec<String> = self.checks.iter().map(Check::line).collect();
        let mut text = lines.join("\n");
        if !self.checks.iter().any(|check| check.verdict.tells()) {
            return Err(self.nothing(text, checks));
        }
        let shown = shown(&all, &display);
        if !shown.is_empty() {
            text.push_str("\n\n");
            text.push_str(&shown);
        }
        let facts =
            json!({ "diagnostics": details(&all, &display), "total": all.len(), "checks": checks });
        Ok(ToolOutput::text(text).details(facts))
    }

    fn nothing(&self, text: String, checks: Vec<Value>) -> ToolError {
        if checks.is_empty() {
            return ToolError::unavailable(
                "this project has no check that is known: no Cargo.toml, tsconfig.json, pyproject.toml, go.mod, \
                 compile_commands.json or the like",
            )
            .hint("ask for the diagnostics of one file")
            .details(json!({ "reason": "no_check", "checks": [], "diagnostics": [] }));
        }
        let skipped = self.checks.iter().find_map(|check| match check.verdict {
            Verdict::Skipped { code, .. } => Some(code),
            _ => None,
        });
        let ran = self.checks.iter().any(|c| !matches!(c.verdict, Verdict::Skipped { .. }));
        let facts = |reason| json!({ "reason": reason, "checks": checks, "diagnostics": [] });
        let message = format!("no check came to a verdict:\n{text}");
        if ran {
            return ToolError::failed(message).details(facts("checker_failed"));
        }
        ToolError::unavailable(message).details(facts(skipped.unwrap_or("no_check")))
    }
}

/// One line each, the worst first, within bounds.
fn shown(all: &[Diagnostic], display: &dyn Fn(&Path) -> String) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut per_file: std::collections::BTreeMap<&Path, usize> = std::collections::BTreeMap::new();
    for d in all {
        let n = per_file.entry(&d.path).or_default();
        *n += 1;
        if *n <= PER_FILE && lines.len() < SHOWN {
            lines.push(line(d, display));
        }
    }
    let left = all.len() - lines.len();
    if left > 0 {
        let files = count(per_file.len(), "file", "files");
        lines.push(format!("… and {left} more ({} in {files})", all.len()));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
