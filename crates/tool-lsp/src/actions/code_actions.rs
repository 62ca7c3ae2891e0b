//! code_actions: what is offered at a place, by every server of the file. Nothing is run.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tool_core::{CallCx, ToolOutput};

use super::aim::{Aim, named, one_of, prepare, read};
use crate::client::{Client, Kind};
use crate::decode::{self, ActionInfo};
use crate::diagnostics::Diagnostic;
use crate::error::LspError;
use crate::position::occurrences;
use crate::render::{self, ActionList};
use crate::supervisor::{Supervisor, Want};
use crate::text::Span;
use crate::tool::At;
use crate::verdict::{Moment, verdict};

const METHOD: &str = "textDocument/codeAction";
/// How long diagnostics are waited for that a server only tells by itself: they are an addition.
const KNOWN_LIMIT: Duration = Duration::from_secs(5);

pub(crate) async fn code_actions(
    cx: &CallCx,
    sup: &Supervisor,
    at: &At,
) -> Result<ToolOutput, LspError> {
    let (file, text) = read(sup.root(), &at.file).await?;
    occurrences(&text, at.line, &at.symbol)?;
    let clients = sup.clients_for(file.path(), Want::All).await?;
    let all = join_all(clients.iter().map(|client| one(cx, sup, client, &file, at))).await;
    let (mut lists, mut notes, mut aims, mut first_error) =
        (Vec::new(), Vec::new(), Vec::new(), None);
    for (answer, client) in all.into_iter().zip(&clients) {
        match answer {
            Ok((aim, actions)) => {
                lists.push(ActionList { server: client.id().to_owned(), actions });
                aims.push(aim);
            }
            Err(error) => {
                let text = error.to_string();
                notes.push(format!("Not asked: {}", text.lines().next().unwrap_or_default()));
                first_error.get_or_insert(error);
            }
        }
    }
    let Some(aim) = aims.first() else {
        let nobody = LspError::NoServer { file: file.rel(), reasons: Vec::new() };
        return Err(first_error.unwrap_or(nobody));
    };
    let mut asked = aim.asked();
    let names: Vec<String> = aims.iter().map(|aim| named(&aim.client)).collect();
    asked.server = names.join(", ");
    Ok(render::actions(&asked, &lists, &notes))
}

async fn one(
    cx: &CallCx,
    sup: &Supervisor,
    client: &Arc<Client>,
    file: &tool_workspace::Located,
    at: &At,
) -> Result<(Aim, Vec<ActionInfo>), LspError> {
    let synced = prepare(cx, client, file).await?;
    if !client.can_at(METHOD, file.path()) {
        return Err(LspError::Unsupported { server: named(client), what: "code actions".into() });
    }
    let found = occurrences(&synced.text, at.line, &at.symbol)?;
    let token = one_of(sup, client, file, &synced, at, found).await?;
    let client = Arc::clone(client);
    let limit = client.spec().request_budget;
    let aim = Aim { client, file: file.clone(), synced, token };
    let span = aim.text().span(&aim.token, aim.client.encoding());
    // Fixes hang on diagnostics, which are sent back as they came.
    let current = current(&aim).await;
    let diagnostics: Vec<Value> = current.into_iter().filter(|item| touches(item, span)).collect();
    let params = json!({
        "textDocument": { "uri": aim.synced.uri },
        "range": {
            "start": { "line": span.start.line, "character": span.start.character },
            "end": { "line": span.end.line, "character": span.end.character },
        },
        "context": { "diagnostics": diagnostics, "triggerKind": 1 },
    });
    let answer = aim.client.request("code actions", METHOD, params, Kind::Once, limit).await?;
    let actions = decode::actions(&answer);
    Ok((aim, actions))
}

/// The diagnostics of the document: as they came, with all that the server has put into them, where it can be asked for
/// them; else what is known of them.
async fn current(aim: &Aim) -> Vec<Value> {
    let path = aim.file.path();
    let identifiers = aim.client.pull_identifiers(path);
    if identifiers.is_empty() {
        let moment = Moment::of(&aim.client).unsaved();
        let known = verdict(&aim.client, path, &aim.synced, &moment, KNOWN_LIMIT).await;
        let (items, _) = known.known().unzip();
        return items.into_iter().flatten().map(rewritten).collect();
    }
    let mut items = Vec::new();
    let limit = aim.client.spec().request_budget;
    for identifier in identifiers {
        let mut params = json!({ "textDocument": { "uri": aim.synced.uri } });
        if let Some(identifier) = identifier {
            params["identifier"] = json!(identifier);
        }
        let method = "textDocument/diagnostic";
        let answer = aim.client.request("diagnostics", method, params, Kind::Read, limit).await;
        // Without them there are fewer fixes, and still those that hang on the place.
        if let Ok(mut answer) = answer
            && let Some(Value::Array(list)) = answer.get_mut("items").map(Value::take)
        {
            items.extend(list);
        }
    }
    items
}

/// A diagnostic as the protocol writes it. Codes that are numbers were numbers: TypeScript looks its fixes up by them.
fn rewritten(item: &Diagnostic) -> Value {
    let mut out = json!({
        "range": {
            "start": { "line": item.span.start.line, "character": item.span.start.character },
            "end": { "line": item.span.end.line, "character": item.span.end.character },
        },
        "severity": item.severity as u8 + 1,
        "message": item.message,
    });
    if let Some(code) = &item.code {
        out["code"] = code.parse::<u64>().map_or_else(|_| json!(code), |number| json!(number));
    }
    if let Some(source) = &item.source {
        out["source"] = json!(source);
    }
    out
}

/// Whether a diagnostic lies on a line of the place: a missing semicolon is reported at the end of the line.
fn touches(item: &Value, span: Span) -> bool {
    item.get("range")
        .and_then(decode::span)
        .is_some_and(|range| range.start.line <= span.end.line && span.start.line <= range.end.line)
}
