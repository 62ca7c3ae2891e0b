//! incoming_calls and outgoing_calls, where the server knows them.

use serde_json::json;
use tool_core::{CallCx, ToolOutput};

use super::aim::aim;
use super::places::Sources;
use crate::decode::{self, CallInfo};
use crate::error::LspError;
use crate::render::{self, CallList};
use crate::supervisor::Supervisor;
use crate::tool::At;

/// Functions shown.
const CAP: usize = 50;
const PREPARE: &str = "textDocument/prepareCallHierarchy";

pub(crate) async fn calls(
    cx: &CallCx,
    sup: &Supervisor,
    incoming: bool,
    at: &At,
) -> Result<ToolOutput, LspError> {
    let aim = aim(cx, sup, at, PREPARE, "call hierarchies").await?;
    let prepared = aim.ask(cx, "the function", PREPARE, aim.params()).await?;
    let items = decode::call_items(&prepared);
    let mut notes = Vec::new();
    if items.is_empty() {
        notes.push("What stands there is no function to this server.".to_owned());
    }
    let (method, key, what) = match incoming {
        true => ("callHierarchy/incomingCalls", "from", "callers"),
        false => ("callHierarchy/outgoingCalls", "to", "callees"),
    };
    let mut found: Vec<CallInfo> = Vec::new();
    for item in &items {
        let answer = aim.ask(cx, what, method, json!({ "item": item.raw })).await?;
        found.extend(decode::calls(&answer, key));
    }
    let mut sources = Sources::default();
    sources.know(aim.file.path(), aim.text());
    sources.load(sup.root(), found.iter().map(|call| &call.path)).await;
    let root = sup.root();
    let mut list: Vec<CallList> =
        found.into_iter().map(|call| listed(root, &sources, call)).collect();
    let here = aim.file.rel();
    list.sort_by(|a, b| {
        let key = |c: &CallList| (c.path != here, c.path.clone(), c.line);
        key(a).cmp(&key(b))
    });
    list.dedup_by(|a, b| a.path == b.path && a.line == b.line && a.name == b.name);
    let total = list.len();
    list.truncate(CAP);
    Ok(render::calls(&aim.asked(), incoming, &list, total, &notes))
}

fn listed(root: &tool_workspace::Root, sources: &Sources, call: CallInfo) -> CallList {
    let mut from_lines: Vec<u32> = call.from.iter().map(|span| span.start.line + 1).collect();
    from_lines.sort_unstable();
    from_lines.dedup();
    CallList {
        name: call.name,
        kind: call.kind,
        path: root.relative(sources.real(&call.path)),
        line: call.selection.start.line + 1,
        from_lines,
    }
}
