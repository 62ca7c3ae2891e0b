//! diagnostics of one file: what every server says of it now. Neither reads nor feeds what the run knows for its writes.

use std::path::Path;
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tool_core::{CallCx, ToolOutput};
use tool_workspace::Located;

use super::aim::{locate, named, prepare};
use crate::client::Client;
use crate::diagnostics::{self, Diagnostic};
use crate::error::LspError;
use crate::render::count;
use crate::supervisor::{Supervisor, Want};
use crate::verdict::{Moment, Verdict, verdict};

/// The errors and warnings of one file.
pub(crate) async fn of_file(
    cx: &CallCx,
    sup: &Supervisor,
    file: &str,
) -> Result<ToolOutput, LspError> {
    let located = locate(sup.root(), file).await?;
    if !located.is_file() {
        return Err(LspError::invalid(
            format!("{} is no file", located.rel()),
            "name one file, or pass file \"*\" for the project's own check",
        ));
    }
    let clients = sup.clients_for(located.path(), Want::All).await?;
    let asked = join_all(clients.iter().map(|client| ask(cx, client, &located))).await;
    let (mut known, mut failed) = (Vec::new(), Vec::new());
    for (client, answer) in clients.iter().zip(asked) {
        match answer {
            Ok(Verdict::Unknown(why)) => failed.push((client, no_verdict(client, why))),
            Ok(verdict) => known.push((client, verdict)),
            Err(error) => failed.push((client, error)),
        }
    }
    if known.is_empty() && !failed.is_empty() {
        return Err(failed.swap_remove(0).1);
    }
    Ok(render(sup, &located, &known, &failed))
}

async fn ask(cx: &CallCx, client: &Client, file: &Located) -> Result<Verdict, LspError> {
    // Not ready is an error, not a verdict: the caller is told how far it is.
    prepare(cx, client, file).await?;
    let moment = Moment::of(client);
    let synced = client.sync(file.path()).await?;
    client.saved(file.path()).await?;
    let limit = client.spec().request_budget;
    Ok(verdict(client, file.path(), &synced, &moment.saved(), limit).await)
}

fn no_verdict(client: &Client, why: String) -> LspError {
    LspError::Unsaid { server: client.id().to_owned(), why }
}

fn render(
    sup: &Supervisor,
    file: &Located,
    known: &[(&Arc<Client>, Verdict)],
    failed: &[(&Arc<Client>, LspError)],
) -> ToolOutput {
    let mut items: Vec<Diagnostic> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for (_, verdict) in known {
        let Some((more, evidence)) = verdict.known() else { continue };
        items.extend(more.iter().filter(|d| d.counts()).cloned());
        notes.extend(evidence.part.clone());
    }
    notes.extend(failed.iter().map(|(client, error)| format!("{}: {error}", client.id())));
    let by: Vec<String> = known.iter().map(|(client, _)| named(client)).collect();
    let by = by.join(", ");
    let display = |path: &Path| sup.root().relative(path);
    let mut text = if items.is_empty() {
        format!("{}: no errors or warnings ({by}).", file.rel())
    } else {
        let shown = diagnostics::list(&items, &|_| true, &display);
        let heading = count(items.len(), "error or warning", "errors and warnings");
        let more = match shown.left_out {
            0 => String::new(),
            n => format!("\n({n} more)"),
        };
        format!("{heading} ({by}):\n{}{more}", shown.text)
    };
    if !notes.is_empty() {
        text.push_str("\nNot all is known: ");
        text.push_str(&notes.join("; "));
    }
    let ids: Vec<&str> = known.iter().map(|(client, _)| client.id()).collect();
    let evidence = known.iter().filter_map(|(client, verdict)| {
        let (_, on) = verdict.known()?;
        let ms = u64::try_from(on.took.as_millis()).unwrap_or(u64::MAX);
        Some(json!({ "server": client.id(), "via": on.via.to_string(), "ms": ms }))
    });
    let evidence: Vec<Value> = evidence.collect();
    let mut details = json!({
        "diagnostics": diagnostics::details(&items, &display),
        "server": ids.join(", "),
        "evidence": evidence,
    });
    if !notes.is_empty() {
        details["unavailable"] = notes.join("; ").into();
    }
    ToolOutput::text(text).details(details)
}
