//! What servers answer, read leniently: a field that cannot be read drops its item, never the answer.

use std::path::PathBuf;

use serde_json::Value;

use crate::text::{Pos, Span};
use crate::uri::to_existing_path;

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Loc {
    pub(crate) path: PathBuf,
    pub(crate) span: Span,
    /// The range in the asked document that the answer is about, where the server says it.
    pub(crate) origin: Option<Span>,
}

/// A symbol of a document or of the workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SymbolInfo {
    pub(crate) name: String,
    /// Signature or the like, as the server writes it.
    pub(crate) detail: Option<String>,
    pub(crate) kind: &'static str,
    /// `None` for a symbol of the document that was asked about.
    pub(crate) path: Option<PathBuf>,
    /// All of it, with comments and attributes where the server counts them in.
    pub(crate) span: Span,
    /// Its name.
    pub(crate) selection: Span,
    pub(crate) container: Option<String>,
    pub(crate) children: Vec<SymbolInfo>,
}

/// A quick fix or refactoring that is offered. It is never run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ActionInfo {
    pub(crate) title: String,
    /// Empty for a bare command.
    pub(crate) kind: String,
    /// An edit comes with it (or can be asked for, where it has `data`).
    pub(crate) has_edit: bool,
    pub(crate) preferred: bool,
    /// Why it cannot be used now.
    pub(crate) disabled: Option<String>,
}

/// A function of a call hierarchy, and where the calls stand.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CallInfo {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) path: PathBuf,
    /// Its name.
    pub(crate) selection: Span,
    /// The ranges of the calls: in the caller.
    pub(crate) from: Vec<Span>,
    /// The item as it came, to be sent back.
    pub(crate) raw: Value,
}

pub(crate) fn pos(value: &Value) -> Option<Pos> {
    Some(Pos::new(number(value.get("line")?)?, number(value.get("character")?)?))
}

/// Servers write `-1` and `4294967295` and `1e9` for "the end"; what is too large is clamped later.
fn number(value: &Value) -> Option<u32> {
    if let Some(n) = value.as_u64() {
        return Some(u32::try_from(n).unwrap_or(u32::MAX));
    }
    let n = value.as_f64()?;
    (n >= 0.0).then_some(if n >= f64::from(u32::MAX) { u32::MAX } else { n as u32 })
}

pub(crate) fn span(value: &Value) -> Option<Span> {
    let span = Span { start: pos(value.get("start")?)?, end: pos(value.get("end")?)? };
    Some(span.ordered())
}

/// `Location`, `LocationLink`, lists of them, or null. Each place once, in the order of the answer.
pub(crate) fn locations(answer: &Value) -> Vec<Loc> {
    let mut found: Vec<Loc> = Vec::new();
    for item in items(answer) {
        if let Some(loc) = location(item)
            && !found.iter().any(|known| known.path == loc.path && known.span == loc.span)
        {
            found.push(loc);
        }
    }
    found
}

/// How many items of an answer are not null and still could not be read.
pub(crate) fn unreadable(answer: &Value) -> usize {
    items(answer).filter(|item| !item.is_null() && location(item).is_none()).count()
}

/// The addresses of an answer that are no files of this machine (`jdt://…`).
pub(crate) fn foreign_uris(answer: &Value) -> Vec<String> {
    items(answer)
        .filter_map(|item| item.get("targetUri").or_else(|| item.get("uri"))?.as_str())
        .filter(|uri| to_existing_path(uri).is_none())
        .map(str::to_owned)
        .collect()
}

fn items(answer: &Value) -> impl Iterator<Item = &Value> {
    match answer {
        Value::Array(items) => items.iter(),
        Value::Null => [].iter(),
        one => std::slice::from_ref(one).iter(),
    }
}

fn location(item: &Value) -> Option<Loc> {
    if let Some(uri) = item.get("targetUri") {
        let chosen = item.get("targetSelectionRange").and_then(span);
        return Some(Loc {
            path: to_existing_path(uri.as_str()?)?,
            span: chosen.or_else(|| span(item.get("targetRange")?))?,
            origin: item.get("originSelectionRange").and_then(span),
        });
    }
    Some(Loc {
        path: to_existing_path(item.get("uri")?.as_str()?)?,
        span: span(item.get("range")?)?,
        origin: None,
    })
}

/// `DocumentSymbol` trees, `SymbolInformation` lists or `WorkspaceSymbol` lists.
pub(crate) fn symbols(answer: &Value) -> Vec<SymbolInfo> {
    items(answer).filter_map(|item| symbol(item, 0)).collect()
}

/// Deeper trees are cut: no code is nested so deep, and a stack is finite.
const DEEPEST: usize = 64;

fn symbol(item: &Value, depth: usize) -> Option<SymbolInfo> {
    let name = item.get("name")?.as_str()?.to_owned();
    let kind = symbol_kind(item.get("kind").and_then(Value::as_u64).unwrap_or(0));
    let words = |key: &str| {
        let text = item.get(key)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let (path, all, selection) = match item.get("location") {
        Some(location) => {
            // A range may be left out of a workspace symbol; the file is known all the same.
            let all = location.get("range").and_then(span).unwrap_or(NOWHERE);
            (Some(to_existing_path(location.get("uri")?.as_str()?)?), all, all)
        }
        None => {
            let selection = item.get("selectionRange").and_then(span);
            let all = item.get("range").and_then(span).or(selection)?;
            (None, all, selection.unwrap_or(all))
        }
    };
    let children = match item.get("children") {
        Some(Value::Array(children)) if depth < DEEPEST => {
            children.iter().filter_map(|child| symbol(child, depth + 1)).collect()
        }
        _ => Vec::new(),
    };
    Some(SymbolInfo {
        name,
        detail: words("detail"),
        kind,
        path,
        span: all,
        selection,
        container: words("containerName"),
        children,
    })
}

const NOWHERE: Span = Span { start: Pos::new(0, 0), end: Pos::new(0, 0) };

/// The words for the protocol's numbers.
pub(crate) fn symbol_kind(number: u64) -> &'static str {
    const KINDS: [&str; 26] = [
        "file",
        "module",
        "namespace",
        "package",
        "class",
        "method",
        "property",
        "field",
        "constructor",
        "enum",
        "interface",
        "function",
        "variable",
        "constant",
        "string",
        "number",
        "boolean",
        "array",
        "object",
        "key",
        "null",
        "enum member",
        "struct",
        "event",
        "operator",
        "type parameter",
    ];
    let at = number.checked_sub(1).and_then(|n| usize::try_from(n).ok());
    at.and_then(|at| KINDS.get(at)).copied().unwrap_or("symbol")
}

/// The words of a hover: markup, marked strings or lists of them. `None` where there are none.
pub(crate) fn hover(answer: &Value) -> Option<String> {
    let mut parts = Vec::new();
    marked(answer.get("contents")?, &mut parts);
    let text = parts.join("\n\n");
    (!text.is_empty()).then_some(text)
}

fn marked(value: &Value, parts: &mut Vec<String>) {
    let mut add = |text: &str| {
        if !text.trim().is_empty() {
            parts.push(text.trim().to_owned());
        }
    };
    match value {
        Value::String(text) => add(text),
        Value::Array(items) => items.iter().for_each(|item| marked(item, parts)),
        Value::Object(object) => {
            let text = object.get("value").and_then(Value::as_str).unwrap_or_default();
            match object.get("language").and_then(Value::as_str) {
                Some(language) if !text.trim().is_empty() => {
                    add(&format!("```{language}\n{}\n```", text.trim()));
                }
                _ => add(text),
            }
        }
        _ => {}
    }
}

/// `CodeAction`s and bare `Command`s.
pub(crate) fn actions(answer: &Value) -> Vec<ActionInfo> {
    items(answer).filter_map(action).collect()
}

fn action(item: &Value) -> Option<ActionInfo> {
    let present = |key: &str| item.get(key).is_some_and(|v| !v.is_null());
    let words = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    Some(ActionInfo {
        title: words(item.get("title"))?,
        kind: words(item.get("kind")).unwrap_or_default(),
        has_edit: present("edit") || (present("data") && !item["command"].is_string()),
        preferred: item.get("isPreferred").and_then(Value::as_bool).unwrap_or(false),
        disabled: words(item.pointer("/disabled/reason")),
    })
}

/// The items that `prepareCallHierarchy` answers.
pub(crate) fn call_items(answer: &Value) -> Vec<CallInfo> {
    items(answer).filter_map(|item| call_item(item, Vec::new())).collect()
}

/// Answers of `incomingCalls` (`key` "from") and `outgoingCalls` ("to").
pub(crate) fn calls(answer: &Value, key: &str) -> Vec<CallInfo> {
    items(answer)
        .filter_map(|call| {
            let ranges = call.get("fromRanges").and_then(Value::as_array);
            let from = ranges.into_iter().flatten().filter_map(span).collect();
            call_item(call.get(key)?, from)
        })
        .collect()
}

fn call_item(item: &Value, from: Vec<Span>) -> Option<CallInfo> {
    let selection = item.get("selectionRange").and_then(span);
    Some(CallInfo {
        name: item.get("name")?.as_str()?.to_owned(),
        kind: symbol_kind(item.get("kind").and_then(Value::as_u64).unwrap_or(0)),
        path: to_existing_path(item.get("uri")?.as_str()?)?,
        selection: selection.or_else(|| span(item.get("range")?))?,
        from,
        raw: item.clone(),
    })
}

#[cfg(test)]
mod tests;
