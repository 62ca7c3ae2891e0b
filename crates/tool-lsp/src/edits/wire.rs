//! The `WorkspaceEdit` of the protocol. Pure.
//!
//! Unlike an answer that is only shown, an edit is read whole or refused: a dropped item would be half a rename.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::decode::span;
use crate::edits::EditProblem;
use crate::text::Span;
use crate::uri::to_existing_path;

/// One replacement, in the server's columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WireEdit {
    /// Its ends are in order.
    pub(crate) span: Span,
    pub(crate) new: String,
}

/// One step of an edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// Replacements in one document.
    Text { path: PathBuf, version: Option<i64>, edits: Vec<WireEdit> },
    /// A new, empty file.
    Create { path: PathBuf, overwrite: bool, ignore: bool },
    /// A file or folder gets another path.
    Rename { from: PathBuf, to: PathBuf, overwrite: bool, ignore: bool },
    /// A file or folder goes.
    Delete { path: PathBuf, recursive: bool, ignore: bool },
}

impl Step {
    /// The paths that it is about.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Text { path, .. } | Self::Create { path, .. } | Self::Delete { path, .. } => {
                vec![path]
            }
            Self::Rename { from, to, .. } => vec![from, to],
        }
    }
}

/// An edit, in the order in which it is to be carried out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// What the server says of parts that a person should confirm.
    pub(crate) labels: Vec<String>,
}

impl Plan {
    /// Reads an answer. `null` is an empty plan. `documentChanges` win over `changes` where both are given.
    ///
    /// # Errors
    /// `Unreadable`, `Snippet`, `Foreign`.
    pub(crate) fn read(answer: &Value) -> Result<Self, EditProblem> {
        let edit = match answer {
            Value::Null => return Ok(Self::default()),
            Value::Object(edit) => edit,
            _ => return unreadable("it is no object"),
        };
        let steps = match (edit.get("documentChanges"), edit.get("changes")) {
            (Some(Value::Array(items)), _) if !items.is_empty() => {
                items.iter().map(step).collect::<Result<_, _>>()?
            }
            (Some(Value::Array(_) | Value::Null) | None, Some(Value::Object(map))) => changes(map)?,
            (Some(Value::Array(_) | Value::Null) | None, Some(Value::Null) | None) => Vec::new(),
            _ => return unreadable("neither documentChanges nor changes is what it should be"),
        };
        Ok(Self { steps, labels: labels(edit) })
    }

    /// How many replacements there are.
    pub(crate) fn edits(&self) -> usize {
        self.steps
            .iter()
            .map(|step| if let Step::Text { edits, .. } = step { edits.len() } else { 0 })
            .sum()
    }

    /// Whether it changes nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.edits() == 0 && self.steps.iter().all(|step| matches!(step, Step::Text { .. }))
    }
}

fn unreadable<T>(what: impl Into<String>) -> Result<T, EditProblem> {
    Err(EditProblem::Unreadable { what: what.into() })
}

/// Files in the order of their paths, so that the same answer gives the same change.
fn changes(map: &Map<String, Value>) -> Result<Vec<Step>, EditProblem> {
    let mut steps = Vec::new();
    for (uri, list) in map {
        steps.push(Step::Text { path: path(uri)?, version: None, edits: edits(list)? });
    }
    steps.sort_by(|a, b| a.paths().cmp(&b.paths()));
    Ok(steps)
}

fn step(item: &Value) -> Result<Step, EditProblem> {
    let option = |name: &str| {
        item.get("options").and_then(|o| o.get(name)).and_then(Value::as_bool).unwrap_or(false)
    };
    let at = |name: &str| match item.get(name).and_then(Value::as_str) {
        Some(uri) => path(uri),
        None => unreadable(format!("an operation without {name}")),
    };
    match item.get("kind").and_then(Value::as_str) {
        Some("create") => Ok(Step::Create {
            path: at("uri")?,
            overwrite: option("overwrite"),
            ignore: option("ignoreIfExists"),
        }),
        Some("rename") => Ok(Step::Rename {
            from: at("oldUri")?,
            to: at("newUri")?,
            overwrite: option("overwrite"),
            ignore: option("ignoreIfExists"),
        }),
        Some("delete") => Ok(Step::Delete {
            path: at("uri")?,
            recursive: option("recursive"),
            ignore: option("ignoreIfNotExists"),
        }),
        Some(other) => unreadable(format!("an unknown operation {other:?}")),
        None => {
            let Some(document) = item.get("textDocument") else {
                return unreadable("an item that is neither an operation nor an edit");
            };
            let Some(uri) = document.get("uri").and_then(Value::as_str) else {
                return unreadable("an edit of a document without address");
            };
            let version = match document.get("version") {
                None | Some(Value::Null) => None,
                Some(version) => match version.as_i64() {
                    Some(version) => Some(version),
                    None => return unreadable(format!("a version {version}")),
                },
            };
            let Some(list) = item.get("edits") else {
                return unreadable("an edit of a document without edits");
            };
            Ok(Step::Text { path: path(uri)?, version, edits: edits(list)? })
        }
    }
}

fn path(uri: &str) -> Result<PathBuf, EditProblem> {
    to_existing_path(uri).ok_or_else(|| EditProblem::Foreign { uri: uri.to_owned() })
}

fn edits(list: &Value) -> Result<Vec<WireEdit>, EditProblem> {
    let Some(items) = list.as_array() else {
        return unreadable("edits that are no list");
    };
    items.iter().map(edit).collect()
}

fn edit(item: &Value) -> Result<WireEdit, EditProblem> {
    // A snippet by the protocol, and one as rust-analyzer writes it.
    let snippet = item.get("snippet").is_some_and(|snippet| !snippet.is_null())
        || item.get("insertTextFormat").and_then(Value::as_u64) == Some(2);
    if snippet {
        return Err(EditProblem::Snippet);
    }
    let (Some(span), Some(new)) =
        (item.get("range").and_then(span), item.get("newText").and_then(Value::as_str))
    else {
        return unreadable(format!("an edit without range or text: {}", clip(&item.to_string())));
    };
    Ok(WireEdit { span, new: new.to_owned() })
}

fn clip(text: &str) -> String {
    text.chars().take(120).collect()
}

/// The labels of annotations that ask for confirmation.
fn labels(edit: &Map<String, Value>) -> Vec<String> {
    let Some(Value::Object(map)) = edit.get("changeAnnotations") else {
        return Vec::new();
    };
    let wanted =
        |note: &Value| note.get("needsConfirmation").and_then(Value::as_bool) == Some(true);
    let mut labels: Vec<String> = map
        .values()
        .filter(|note| wanted(note))
        .filter_map(|note| note.get("label")?.as_str().map(str::to_owned))
        .collect();
    labels.sort();
    labels.dedup();
    labels
}

#[cfg(test)]
mod tests;
