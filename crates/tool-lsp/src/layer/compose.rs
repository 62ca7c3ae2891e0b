//! The words and the facts that a write's result gets.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tool_core::ToolOutput;

use super::Run;
use super::late::Told;
use crate::diagnostics::{self, Diagnostic};
use crate::error::LspError;
use crate::ledger::Delta;
use crate::render::count;

/// Why something is not known, or not wholly.
pub(super) struct Reason {
    pub(super) why: String,
    /// Also in the words for the model; else only in the facts.
    pub(super) said: bool,
}

impl Reason {
    pub(super) fn said(why: impl Into<String>) -> Self {
        Self { why: why.into(), said: true }
    }

    pub(super) fn quiet(why: impl Into<String>) -> Self {
        Self { why: why.into(), said: false }
    }
}

/// What a look after a write has found.
#[derive(Default)]
pub(super) struct Report {
    pub(super) written: Vec<PathBuf>,
    pub(super) new: Vec<Diagnostic>,
    /// Of files without a baseline: all there are.
    pub(super) all: Vec<Diagnostic>,
    pub(super) fixed: usize,
    pub(super) still: usize,
    /// Who gave a verdict.
    pub(super) servers: Vec<String>,
    pub(super) reasons: Vec<Reason>,
    /// From telling the servers to the last verdict on what was written.
    pub(super) took: Duration,
    /// The verdict follows with a later result.
    pub(super) follows: bool,
    /// Other documents that were judged.
    pub(super) checked: usize,
    /// Other files that use what has changed and were not judged.
    pub(super) unchecked: usize,
}

impl Report {
    /// The call was told to stop: the write stands, and nothing is known.
    pub(super) fn stopped() -> Self {
        let reasons = vec![Reason::said("the call was stopped before there was a verdict")];
        Self { reasons, ..Self::default() }
    }

    pub(super) fn add(&mut self, server: &str, path: &Path, delta: Delta) {
        if !self.servers.iter().any(|known| known == server) {
            self.servers.push(server.to_owned());
        }
        self.fixed += delta.fixed;
        self.still += delta.still;
        if !delta.unknown_before {
            self.new.extend(delta.new);
        } else if self.written.iter().any(|written| written == path) {
            self.all.extend(delta.new);
        }
    }

    pub(super) fn absorb(&mut self, more: Self) {
        for server in more.servers {
            if !self.servers.contains(&server) {
                self.servers.push(server);
            }
        }
        self.new.extend(more.new);
        self.all.extend(more.all);
        self.fixed += more.fixed;
        self.still += more.still;
        self.checked += more.checked;
        self.reasons.extend(more.reasons);
    }
}

/// Puts the words and the facts into a result.
pub(super) fn into(run: &Run, report: &Report, late: &[Told], output: &mut ToolOutput) {
    if let Some(note) = late_note(run, late) {
        output.notes.push(note);
    }
    if report.written.is_empty() && report.reasons.is_empty() {
        return;
    }
    if let Some(note) = note(run, report) {
        output.notes.push(note);
    }
    let mut facts = Map::new();
    details(run, report, &[], &mut facts);
    for (key, value) in facts {
        // A tool's own facts stay.
        output.details.entry(key).or_insert(value);
    }
}

/// The facts alone.
pub(super) fn details(run: &Run, report: &Report, late: &[Told], into: &mut Map<String, Value>) {
    let mut items: Vec<Diagnostic> = report.new.clone();
    items.extend(report.all.iter().cloned());
    items.extend(late.iter().flat_map(|told| told.new.iter().cloned()));
    if !report.servers.is_empty() || !items.is_empty() {
        into.insert("diagnostics".into(), diagnostics::details(&items, &|path| run.display(path)));
        into.insert("new".into(), json!(items.len()));
        into.insert("fixed".into(), json!(report.fixed));
        into.insert("server".into(), json!(report.servers.join(", ")));
        if report.took > Duration::ZERO {
            let ms = (report.took.as_secs_f64() * 10_000.0).round() / 10.0;
            into.insert("verdict_ms".into(), json!(ms));
        }
    }
    if !report.reasons.is_empty() {
        let mut why: Vec<&str> = Vec::new();
        for reason in &report.reasons {
            if !why.contains(&reason.why.as_str()) {
                why.push(&reason.why);
            }
        }
        into.insert("unavailable".into(), json!(why.join("; ")));
    }
}

fn note(run: &Run, report: &Report) -> Option<String> {
    let mut lines = Vec::new();
    let by = report.servers.join(", ");
    let written = |path: &Path| report.written.iter().any(|w| w == path);
    let display = |path: &Path| run.display(path);
    let mut list = |heading: String, items: &[Diagnostic]| {
        let shown = diagnostics::list(items, &written, &display);
        lines.push(heading);
        lines.push(shown.text);
        if shown.left_out > 0 {
            lines.push(format!("({} more)", shown.left_out));
        }
    };
    if !report.new.is_empty() {
        let what = count(report.new.len(), "new problem", "new problems");
        list(format!("{what} after this write ({by}):"), &report.new);
    }
    if !report.all.is_empty() {
        let what = count(report.all.len(), "problem", "problems");
        list(
            format!("{what} now ({by}; what was there before this write is not known):"),
            &report.all,
        );
    }
    let mut more = Vec::new();
    if report.new.is_empty() && report.all.is_empty() && !report.servers.is_empty() {
        more.push(format!("No new problems ({by})"));
    }
    if report.fixed > 0 {
        more.push(format!("{} fixed", report.fixed));
    }
    if report.still > 0 {
        more.push(format!("{} from before left", report.still));
    }
    if report.unchecked > 0 {
        let files = count(report.unchecked, "file that uses", "files that use");
        more.push(format!("{files} what has changed not checked"));
    }
    if !more.is_empty() {
        lines.push(format!("{}.", more.join("; ")));
    }
    let mut said: Vec<&str> = Vec::new();
    for reason in report.reasons.iter().filter(|reason| reason.said) {
        if !said.contains(&reason.why.as_str()) {
            said.push(&reason.why);
        }
    }
    if !said.is_empty() {
        let what = if report.servers.is_empty() {
            "Diagnostics are not available"
        } else {
            "Not all is known"
        };
        let follows =
            if report.follows { ". What is found will come with a later result" } else { "" };
        lines.push(format!("{what}: {}{follows}.", said.join("; ")));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn late_note(run: &Run, late: &[Told]) -> Option<String> {
    let mut lines = Vec::new();
    for told in late {
        if let Some((file, why)) = &told.failed {
            lines.push(format!("No verdict on the last write of {}: {why}.", run.display(file)));
        }
    }
    for known in [true, false] {
        let told: Vec<&Told> = late
            .iter()
            .filter(|told| !told.new.is_empty() && told.unknown_before != known)
            .collect();
        if told.is_empty() {
            continue;
        }
        let items: Vec<Diagnostic> = told.iter().flat_map(|told| told.new.clone()).collect();
        let mut servers: Vec<&str> = told.iter().map(|told| told.server.as_str()).collect();
        servers.dedup();
        let by = servers.join(", ");
        let what = if known {
            format!(
                "{} after an earlier write ({by}):",
                count(items.len(), "new problem", "new problems")
            )
        } else {
            let what = count(items.len(), "problem", "problems");
            format!("{what} after an earlier write ({by}; what was there before it is not known):")
        };
        let shown = diagnostics::list(&items, &|_| true, &|path| run.display(path));
        lines.push(what);
        lines.push(shown.text);
        if shown.left_out > 0 {
            lines.push(format!("({} more)", shown.left_out));
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The one reason of several that is nearest to working, in a sentence.
pub(super) fn why_no_server(error: &LspError) -> String {
    match error {
        LspError::NoServer { reasons, .. } => {
            let code = error.reason();
            match reasons.iter().find(|reason| reason.code == code) {
                Some(reason) if reason.server.is_empty() => reason.says.clone(),
                Some(reason) => format!("{}: {}", reason.server, reason.says),
                None => error.to_string(),
            }
        }
        other => other.to_string(),
    }
}
