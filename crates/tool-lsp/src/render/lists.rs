//! Answers that are lists of names: symbols, code actions, calls.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use tool_core::{ToolOutput, n_of_m};

use super::{Asked, clip, count};
use crate::decode::{ActionInfo, SymbolInfo};

/// Symbols of a document shown, and of a workspace.
pub(crate) const DOCUMENT_CAP: usize = 200;
pub(crate) const WORKSPACE_CAP: usize = 100;
/// Characters of a signature that are shown.
const DETAIL: usize = 80;

/// The symbols of one file as a tree; each line is that of the name itself.
pub(crate) fn document_symbols(
    path: &str,
    server: &str,
    id: &str,
    tree: &[SymbolInfo],
) -> ToolOutput {
    let mut rows = Vec::new();
    flatten(tree, None, 0, &mut rows);
    let total = rows.len();
    let shown = &rows[..total.min(DOCUMENT_CAP)];
    let mut out = match total {
        0 => format!("{path} has no symbols, by {server}"),
        _ => format!("{} symbols of {path}, by {server}", n_of_m(shown.len(), total)),
    };
    for (symbol, _, depth) in shown {
        let line = symbol.selection.start.line + 1;
        let indent = "  ".repeat(*depth);
        let _ = write!(out, "\n  {line}: {indent}{} {}", symbol.kind, symbol.name);
        if let Some(detail) = &symbol.detail {
            out.push_str("  ");
            out.push_str(&clip(detail, DETAIL));
        }
    }
    let list: Vec<Value> = shown
        .iter()
        .map(|(s, container, _)| {
            let container = container.or(s.container.as_deref());
            row(&s.name, s.kind, path, s.selection.start.line + 1, container)
        })
        .collect();
    ToolOutput::text(out)
        .details(json!({ "symbols": list, "total": total, "shown": shown.len(), "server": id }))
}

type Row<'a> = (&'a SymbolInfo, Option<&'a str>, usize);

fn flatten<'a>(
    tree: &'a [SymbolInfo],
    parent: Option<&'a str>,
    depth: usize,
    rows: &mut Vec<Row<'a>>,
) {
    for symbol in tree {
        rows.push((symbol, parent, depth));
        flatten(&symbol.children, Some(&symbol.name), depth + 1, rows);
    }
}

fn row(name: &str, kind: &str, path: &str, line: u32, container: Option<&str>) -> Value {
    json!({ "name": name, "kind": kind, "path": path, "line": line, "container": container })
}

/// Symbols of the workspace, best first, each with the path it is shown under and its server.
pub(crate) fn workspace_symbols(
    query: &str,
    found: &[(String, SymbolInfo)],
    total: usize,
    servers: &[String],
    notes: &[String],
) -> ToolOutput {
    let shown = &found[..found.len().min(WORKSPACE_CAP)];
    let by = servers.join(", ");
    let mut out = match total {
        0 => format!("No symbol named like `{query}` is known to {by}."),
        1 => format!("1 symbol named like `{query}`, by {by}"),
        _ => format!("{} symbols named like `{query}`, by {by}", n_of_m(shown.len(), total)),
    };
    for (path, symbol) in shown {
        let line = symbol.selection.start.line + 1;
        let _ = write!(out, "\n  {path}:{line} {} {}", symbol.kind, symbol.name);
        if let Some(container) = &symbol.container {
            let _ = write!(out, "  [in {container}]");
        }
    }
    for note in notes {
        out.push('\n');
        out.push_str(note);
    }
    let list: Vec<Value> = shown
        .iter()
        .map(|(path, s)| {
            row(&s.name, s.kind, path, s.selection.start.line + 1, s.container.as_deref())
        })
        .collect();
    let mut details = Map::new();
    details.insert("symbols".into(), json!(list));
    details.insert("total".into(), json!(total));
    details.insert("shown".into(), json!(shown.len()));
    details.insert("servers".into(), json!(servers));
    if !notes.is_empty() {
        details.insert("notes".into(), json!(notes));
    }
    ToolOutput::text(out).details(Value::Object(details))
}

/// What one server offers at a place.
#[derive(Clone, Debug)]
pub(crate) struct ActionList {
    pub(crate) server: String,
    pub(crate) actions: Vec<ActionInfo>,
}

/// Code actions by server. They are listed and never run.
pub(crate) fn actions(asked: &Asked, lists: &[ActionList], notes: &[String]) -> ToolOutput {
    let total: usize = lists.iter().map(|list| list.actions.len()).sum();
    let place = format!("`{}` ({}:{})", asked.name, asked.path, asked.line);
    let mut out = match total {
        0 => format!("No code action is offered at {place}, by {}.", asked.server),
        n => format!("{} offered at {place}", count(n, "code action is", "code actions are")),
    };
    let mut all = Vec::new();
    for list in lists {
        for action in &list.actions {
            let mut marks = Vec::new();
            if !action.kind.is_empty() {
                marks.push(action.kind.clone());
            }
            marks.push(if action.has_edit { "edit" } else { "no edit" }.to_owned());
            if action.preferred {
                marks.push("preferred".to_owned());
            }
            if let Some(why) = &action.disabled {
                marks.push(format!("not now: {}", clip(why, DETAIL)));
            }
            let (title, marks) = (clip(&action.title, 200), marks.join(", "));
            let _ = write!(out, "\n  {title}  [{marks}; {}]", list.server);
            all.push(json!({
                "title": action.title, "kind": action.kind, "has_edit": action.has_edit,
                "preferred": action.preferred, "disabled": action.disabled, "server": list.server,
            }));
        }
    }
    for note in notes {
        out.push('\n');
        out.push_str(note);
    }
    ToolOutput::text(out).details(json!({ "actions": all, "total": total }))
}

/// One function of a call hierarchy, ready to be shown.
#[derive(Clone, Debug)]
pub(crate) struct CallList {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) path: String,
    /// The line of its name.
    pub(crate) line: u32,
    /// The lines of the calls, in the file of the caller.
    pub(crate) from_lines: Vec<u32>,
}

/// Callers (`incoming`) or callees of a function.
pub(crate) fn calls(
    asked: &Asked,
    incoming: bool,
    shown: &[CallList],
    total: usize,
    notes: &[String],
) -> ToolOutput {
    let place = format!("`{}` ({}:{})", asked.name, asked.path, asked.line);
    let (one, many) = if incoming { ("caller", "callers") } else { ("callee", "callees") };
    let mut out = match total {
        0 => format!("No {one} of {place} is known to {}.", asked.server),
        n => {
            let word = if n == 1 { one } else { many };
            format!("{} {word} of {place}, by {}", n_of_m(shown.len(), n), asked.server)
        }
    };
    for call in shown {
        let lines: Vec<String> = call.from_lines.iter().map(u32::to_string).collect();
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let at = if incoming { "calls it in" } else { "called in" };
        let _ = write!(out, "\n  {}:{} {} {}", call.path, call.line, call.kind, call.name);
        if !lines.is_empty() {
            let _ = write!(out, "  {at} {word} {}", lines.join(", "));
        }
    }
    for note in notes {
        out.push('\n');
        out.push_str(note);
    }
    let list: Vec<Value> = shown
        .iter()
        .map(|c| {
            json!({
                "name": c.name, "kind": c.kind, "path": c.path, "line": c.line, "from_lines": c.from_lines,
            })
        })
        .collect();
    ToolOutput::text(out)
        .details(json!({ "calls": list, "total": total, "shown": shown.len(), "server": asked.id }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode;

    fn at(line: u32) -> Value {
        json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 3 } })
    }

    #[test]
    fn a_tree_of_symbols_is_printed_at_the_lines_of_its_names() {
        let tree = decode::symbols(&json!([{
            "name": "A", "kind": 5, "range": at(0), "selectionRange": at(2),
            "children": [{ "name": "m", "kind": 6, "detail": "() -> int", "range": at(3), "selectionRange": at(4) }],
        }]));
        let out = document_symbols("a.py", "ty 1", "ty", &tree);
        assert_eq!(
            out.render_text(),
            "2 symbols of a.py, by ty 1\n  3: class A\n  5:   method m  () -> int"
        );
        assert_eq!(out.details["symbols"][1]["container"], "A");
        assert_eq!(out.details["symbols"][0]["container"], Value::Null);
    }

    #[test]
    fn caps_come_with_totals() {
        let many: Vec<_> = (0..300)
            .map(|n| json!({ "name": format!("s{n}"), "kind": 12, "range": at(n), "selectionRange": at(n) }))
            .collect();
        let tree = decode::symbols(&json!(many));
        let out = document_symbols("a.py", "ty 1", "ty", &tree);
        assert!(out.render_text().starts_with("200 of 300 symbols"));
        assert_eq!(
            (out.details["total"].clone(), out.details["shown"].clone()),
            (json!(300), json!(200))
        );
        let found: Vec<_> = tree.into_iter().map(|s| ("a.py".to_owned(), s)).collect();
        let out = workspace_symbols("s", &found, 300, &["ty".into()], &[]);
        assert!(out.render_text().starts_with("100 of 300 symbols named like `s`"));
        assert_eq!(out.details["symbols"].as_array().map(Vec::len), Some(100));
    }
}
