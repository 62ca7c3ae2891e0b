//! symbols: of one file as a tree, or of the workspace by a part of their name.

use std::path::PathBuf;

use futures_util::future::join_all;
use serde_json::json;
use tool_core::{CallCx, Progress, ToolOutput};
use tool_workspace::Root;

use super::aim::{locate, named, prepare};
use super::places::Sources;
use crate::client::{Client, Kind};
use crate::decode::{self, SymbolInfo};
use crate::error::LspError;
use crate::render;
use crate::supervisor::{Supervisor, Want};

const DOCUMENT: &str = "textDocument/documentSymbol";
const WORKSPACE: &str = "workspace/symbol";

/// The symbols of one file.
pub(crate) async fn of_document(
    cx: &CallCx,
    sup: &Supervisor,
    file: &str,
) -> Result<ToolOutput, LspError> {
    let located = locate(sup.root(), file).await?;
    let clients = sup.clients_for(located.path(), Want::Types).await?;
    let mut without = Vec::new();
    for client in clients {
        let synced = client.sync(located.path()).await?;
        if !client.can_at(DOCUMENT, located.path()) {
            without.push(named(&client));
            continue;
        }
        let limit = client.spec().request_budget;
        let ask = |uri: &str| {
            let params = json!({ "textDocument": { "uri": uri } });
            client.request("symbols", DOCUMENT, params, Kind::Read, limit)
        };
        let mut tree = decode::symbols(&ask(&synced.uri).await?);
        if tree.is_empty() && !synced.text.src().trim().is_empty() {
            // The tree of one file does not need the project; an empty one may be that of a server that is loading.
            let synced = prepare(cx, &client, &located).await?;
            tree = decode::symbols(&ask(&synced.uri).await?);
        }
        return Ok(render::document_symbols(&located.rel(), &named(&client), client.id(), &tree));
    }
    Err(LspError::Unsupported { server: without.join(", "), what: "document symbols".into() })
}

/// The symbols of the workspace whose name is like `query`: of the servers of one file, or of all kinds of files.
pub(crate) async fn of_workspace(
    cx: &CallCx,
    sup: &Supervisor,
    query: &str,
    file: Option<&str>,
) -> Result<ToolOutput, LspError> {
    let clients = match file {
        Some(file) => {
            let located = locate(sup.root(), file).await?;
            let clients = sup.clients_for(located.path(), Want::Types).await?;
            for client in &clients {
                client.sync(located.path()).await?;
            }
            clients
        }
        None => sup.clients_for_project().await?,
    };
    let asked = join_all(clients.iter().map(|client| one(cx, client, query))).await;
    let mut found: Vec<SymbolInfo> = Vec::new();
    let (mut servers, mut notes, mut first_error) = (Vec::new(), Vec::new(), None);
    for (answer, client) in asked.into_iter().zip(&clients) {
        match answer {
            Ok(symbols) => {
                let name = named(client);
                if !servers.contains(&name) {
                    servers.push(name);
                }
                found.extend(symbols);
            }
            Err(error) => {
                // One that offers no such search is none of those that were meant.
                if !matches!(error, LspError::Unsupported { .. }) {
                    let text = error.to_string();
                    notes.push(format!("Not asked: {}", text.lines().next().unwrap_or_default()));
                }
                first_error.get_or_insert(error);
            }
        }
    }
    if servers.is_empty()
        && let Some(error) = first_error
    {
        return Err(error);
    }
    let list = ranked(sup.root(), query, found).await;
    Ok(render::workspace_symbols(query, &list, list.len(), &servers, &notes))
}

async fn one(cx: &CallCx, client: &Client, query: &str) -> Result<Vec<SymbolInfo>, LspError> {
    let say = |text: String| cx.progress(Progress::Text(text));
    client.sync_world().await?;
    // A server without an open document may know no project.
    client.open_any().await?;
    client.ready(client.spec().ready_budget, &say).await?;
    if !client.can(WORKSPACE) {
        return Err(LspError::Unsupported {
            server: named(client),
            what: "workspace symbols".into(),
        });
    }
    let params = json!({ "query": query });
    let answer = client.ask("symbols", WORKSPACE, params, Kind::Read, &say).await?;
    Ok(decode::symbols(&answer))
}

/// Best first: the very name, then names that begin so, then those that have it, then the rest; those of the checkout
/// before those outside it. Each once, with the path it is shown under.
async fn ranked(root: &Root, query: &str, found: Vec<SymbolInfo>) -> Vec<(String, SymbolInfo)> {
    let mut sources = Sources::default();
    let paths: Vec<PathBuf> = found.iter().filter_map(|s| s.path.clone()).collect();
    sources.load(root, paths.iter()).await;
    let mut list: Vec<(String, SymbolInfo)> = found
        .into_iter()
        .filter_map(|symbol| {
            let path = symbol.path.clone()?;
            Some((root.relative(sources.real(&path)), symbol))
        })
        .collect();
    list.sort_by_cached_key(|(path, symbol)| {
        (path.starts_with('/'), rank(&symbol.name, query), path.clone(), symbol.selection.start)
    });
    list.dedup_by(|a, b| a.0 == b.0 && a.1.name == b.1.name && a.1.selection == b.1.selection);
    list
}

fn rank(name: &str, query: &str) -> u8 {
    // Servers put signatures into names.
    let plain = name.split(['(', '<', ' ']).next().unwrap_or(name);
    let (lower, wanted) = (plain.to_lowercase(), query.to_lowercase());
    match () {
        () if plain == query => 0,
        () if lower == wanted => 1,
        () if lower.starts_with(&wanted) => 2,
        () if lower.contains(&wanted) => 3,
        () => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn the_very_name_comes_first() {
        let mut names = ["regreet", "Greeter", "greet_all", "g_r_e_e_t", "greet(String)", "Greet"];
        names.sort_by_key(|name| rank(name, "greet"));
        assert_eq!(
            names,
            ["greet(String)", "Greet", "Greeter", "greet_all", "regreet", "g_r_e_e_t"]
        );
    }
}
