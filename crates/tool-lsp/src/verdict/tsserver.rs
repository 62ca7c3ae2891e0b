//! Asking TypeScript's own server behind the language server: it answers when it is done, however long that takes.

use std::path::Path;

use futures_util::future::join;
use serde_json::json;
use tokio::time::Instant;

use super::{Said, Via};
use crate::client::Client;
use crate::diagnostics::{Diagnostic, decode_tsserver};
use crate::error::LspError;

pub(super) async fn ask(client: &Client, path: &Path, deadline: Instant) -> Result<Said, LspError> {
    let (syntax, meaning) = join(
        one(client, "syntacticDiagnosticsSync", path, deadline),
        one(client, "semanticDiagnosticsSync", path, deadline),
    )
    .await;
    let mut items = syntax?;
    items.extend(meaning?);
    Ok(Said { items, via: Via::Tsserver, part: None })
}

async fn one(
    client: &Client,
    command: &str,
    path: &Path,
    deadline: Instant,
) -> Result<Vec<Diagnostic>, LspError> {
    let left = deadline.saturating_duration_since(Instant::now());
    let answer = client.execute_ts(command, json!({ "file": path }), left).await?;
    decode_tsserver(path, &answer).ok_or_else(|| LspError::Garbled {
        server: client.id().to_owned(),
        what: command.to_owned(),
        detail: crate::render::clip(&answer.to_string(), 120),
    })
}
