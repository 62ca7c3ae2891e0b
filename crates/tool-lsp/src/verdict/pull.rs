//! Asking for diagnostics: `textDocument/diagnostic`, under every identifier that is registered.

use std::path::Path;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Said, Via};
use crate::client::{Client, Kind, Synced};
use crate::diagnostics::Diagnostic;
use crate::error::LspError;
use crate::evidence::Reported;

const METHOD: &str = "textDocument/diagnostic";

/// All identifiers at once. What came for this version unasked is added: some servers answer and push.
pub(super) async fn pull(
    client: &Client,
    path: &Path,
    synced: &Synced,
    identifiers: &[Option<String>],
    deadline: Instant,
) -> Result<Said, LspError> {
    let asked = identifiers.iter().map(|id| one(client, path, synced, id.as_deref(), deadline));
    let mut items = Vec::new();
    let mut failed: Option<LspError> = None;
    let mut answered = false;
    for answer in join_all(asked).await {
        match answer {
            Ok(more) => {
                answered = true;
                items.extend(more);
            }
            Err(error) => failed = Some(error),
        }
    }
    let part = match failed {
        Some(error) if !answered => return Err(error),
        Some(error) => Some(format!("a part of {} did not answer: {error}", client.id())),
        None => None,
    };
    if let Some(push) = client.pushes().pushed(path)
        && push.version == Some(i64::from(synced.version))
    {
        items.extend(push.items);
    }
    Ok(Said { items, via: Via::Pull, part })
}

async fn one(
    client: &Client,
    path: &Path,
    synced: &Synced,
    identifier: Option<&str>,
    deadline: Instant,
) -> Result<Vec<Diagnostic>, LspError> {
    let inbox = client.pushes();
    // A second time only if the answer stands on a result that is no longer known.
    for _ in 0..2 {
        let mut params = json!({ "textDocument": { "uri": synced.uri } });
        // Absent members stay absent: null is refused by some.
        if let Some(identifier) = identifier {
            params["identifier"] = identifier.into();
        }
        if let Some(result) = inbox.result_id(path, identifier) {
            params["previousResultId"] = result.into();
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let answer = client.request("for diagnostics", METHOD, params, Kind::Read, left).await?;
        match inbox.pulled(path, identifier, &answer) {
            Reported::Items(items) => return Ok(items),
            Reported::Lost => inbox.forget_results(path),
            Reported::Garbled => return Err(garbled(client, &answer)),
        }
    }
    Err(garbled(client, &json!("unchanged, without a report before")))
}

fn garbled(client: &Client, answer: &Value) -> LspError {
    LspError::Garbled {
        server: client.id().to_owned(),
        what: "a question for diagnostics".to_owned(),
        detail: crate::render::clip(&answer.to_string(), 120),
    }
}
