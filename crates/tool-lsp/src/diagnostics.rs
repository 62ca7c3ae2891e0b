//! Diagnostics as servers send them, read leniently, and what makes two of them the same.

mod key;
mod show;
mod tsserver;
mod twins;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::decode;
use crate::text::{Pos, Span};

pub(crate) use crate::evidence::DiagnosticsInbox;
pub(crate) use key::Key;
pub(crate) use show::{details, line, list};
pub(crate) use tsserver::decode as decode_tsserver;
pub(crate) use twins::{are_twins, without_twins};

/// How bad it is. Ordered: the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(crate) enum Severity {
    Error,
    Warning,
    Information,
    Hint,
}

impl Severity {
    /// The word in answers.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Information => "information",
            Self::Hint => "hint",
        }
    }

    /// From the number on the wire. What is missing or unknown is an error: to pass over it would be worse.
    fn from_wire(value: Option<&Value>) -> Self {
        match value.and_then(Value::as_f64).map(|n| n as i64) {
            Some(2) => Self::Warning,
            Some(3) => Self::Information,
            Some(4) => Self::Hint,
            _ => Self::Error,
        }
    }
}

/// One message of a server about a place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Diagnostic {
    pub(crate) path: PathBuf,
    /// In the server's encoding; at the file's start where the server gives no range that can be read.
    pub(crate) span: Span,
    pub(crate) severity: Severity,
    pub(crate) code: Option<String>,
    /// Who says it, in the server's words (`rustc`, `Pyright`).
    pub(crate) source: Option<String>,
    pub(crate) message: String,
}

impl Diagnostic {
    /// An error or a warning: what an agent is told of. Hints are notes that belong to another diagnostic, or greyed-out code.
    pub(crate) fn counts(&self) -> bool {
        self.severity <= Severity::Warning
    }

    /// First line, from 1.
    pub(crate) fn first_line(&self) -> u32 {
        self.span.start.line.saturating_add(1)
    }

    /// Last line, from 1, inclusive: a range that ends at a line's start does not reach into it.
    pub(crate) fn last_line(&self) -> u32 {
        let end = self.span.end;
        if end.character == 0 && end.line > self.span.start.line {
            end.line
        } else {
            end.line.saturating_add(1)
        }
    }

    /// What makes it the same after its lines have moved.
    pub(crate) fn key(&self) -> Key {
        Key::of(self)
    }
}

/// Reads the items of one report. What cannot be read drops its item, never the report; only a message is needed.
pub(crate) fn decode(path: &Path, items: &Value) -> Vec<Diagnostic> {
    items.as_array().into_iter().flatten().filter_map(|item| one(path, item)).collect()
}

fn one(path: &Path, item: &Value) -> Option<Diagnostic> {
    let start = Pos::new(0, 0);
    Some(Diagnostic {
        path: path.to_owned(),
        span: item
            .get("range")
            .and_then(decode::span)
            .unwrap_or(Span { start, end: start })
            .ordered(),
        severity: Severity::from_wire(item.get("severity")),
        code: item.get("code").and_then(word),
        source: item.get("source").and_then(word),
        message: message(item.get("message")?)?,
    })
}

/// A text, or what newer servers send: `{kind, value}`.
fn message(value: &Value) -> Option<String> {
    let text = value.as_str().or_else(|| value.get("value")?.as_str())?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A text or a number; or what some servers send: an object with a `value`.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(map) => map.get("value").and_then(word),
        _ => None,
    }
}

/// The worst first, then by place.
pub(crate) fn sort(items: &mut [Diagnostic]) {
    items.sort_by(|a, b| {
        (a.severity, &a.path, a.span, &a.message).cmp(&(b.severity, &b.path, b.span, &b.message))
    });
}

#[cfg(test)]
mod tests;
