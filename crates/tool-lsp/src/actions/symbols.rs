//! symbols: of one file as a tree, or of the workspace by a part of their name.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::json;
use tool_core::{CallCx, ToolOutput};
use tool_workspace::{Located, Root, Walk, WalkOptions};

use super::aim::{locate, named, off, prepare};
use super::places::Sources;
use crate::client::{Client, Kind};
use crate::decode::{self, SymbolInfo};
use crate::error::LspError;
use crate::render;
use crate::supervisor::{Supervisor, Want};

const DOCUMENT: &str = "textDocument/documentSymbol";
const WORKSPACE: &str = "workspace/symbol";
/// Kinds of files whose servers are asked when no file is named.
const KINDS: usize = 4;

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
        if !client.can(DOCUMENT) {
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

/// The symbols of the workspace whose name is like `query`.
pub(crate) async fn of_workspace(
    cx: &CallCx,
    sup: &Supervisor,
    query: &str,
    file: Option<&str>,
) -> Result<ToolOutput, LspError> {
    let files = match file {
        Some(file) => vec![locate(sup.root(), file).await?],
        None => representatives(sup).await,
    };
    if files.is_empty() {
        return Err(LspError::NoServer { file: "this workspace".into(), reasons: Vec::new() });
    }
    let asked = join_all(files.iter().map(|file| one(cx, sup, file, query))).await;
    let mut found: Vec<(Arc<Client>, SymbolInfo)> = Vec::new();
    let (mut servers, mut notes, mut first_error) = (Vec::new(), Vec::new(), None);
    for answer in asked {
        match answer {
            Ok((client, symbols)) => {
                let name = named(&client);
                if !servers.contains(&name) {
                    servers.push(name);
                }
                found.extend(symbols.into_iter().map(|symbol| (Arc::clone(&client), symbol)));
            }
            Err(error) => {
                let text = error.to_string();
                let line = text.lines().next().unwrap_or_default();
                let note = format!("Not asked: {line}");
                if !notes.contains(&note) {
                    notes.push(note);
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
    let total = list.len();
    Ok(render::workspace_symbols(query, &list, total, &servers, &notes))
}

async fn one(
    cx: &CallCx,
    sup: &Supervisor,
    file: &Located,
    query: &str,
) -> Result<(Arc<Client>, Vec<SymbolInfo>), LspError> {
    let clients = sup.clients_for(file.path(), Want::Types).await?;
    let mut without = Vec::new();
    for client in clients {
        // Also opens the file: a server without an open document may know no project.
        prepare(cx, &client, file).await?;
        if !client.can(WORKSPACE) {
            without.push(named(&client));
            continue;
        }
        let limit = client.spec().request_budget;
        let params = json!({ "query": query });
        let answer = client.request("symbols", WORKSPACE, params, Kind::Read, limit).await?;
        return Ok((client, decode::symbols(&answer)));
    }
    Err(LspError::Unsupported { server: without.join(", "), what: "workspace symbols".into() })
}

/// One file for each kind of files that has a server for types, the most frequent kinds first.
async fn representatives(sup: &Supervisor) -> Vec<Located> {
    let root = sup.root().clone();
    let servers = sup.servers().clone();
    off(move || {
        let Ok(start) = root.resolve(".") else { return Vec::new() };
        let mut options = WalkOptions::default();
        options.count_excluded = false;
        let Ok(walked) = Walk::new(&root, &start).options(options).run() else { return Vec::new() };
        // By server and project: a nested project has a server of its own.
        let mut kinds: HashMap<(String, PathBuf), (usize, usize)> = HashMap::new();
        for (at, file) in walked.files.iter().enumerate() {
            if let Some(key) = servers.types_for(&file.path, root.path()) {
                kinds.entry(key).or_insert((0, at)).0 += 1;
            }
        }
        let mut kinds: Vec<(usize, usize)> = kinds.into_values().collect();
        kinds.sort_by_key(|(n, at)| (std::cmp::Reverse(*n), *at));
        kinds
            .into_iter()
            .take(KINDS)
            .filter_map(|(_, at)| root.resolve_walked(walked.files.get(at)?).ok())
            .collect()
    })
    .await
}

/// Best first: the very name, then names that begin so, then those that have it, then the rest; those of the checkout
/// before those outside it. Each once, with the path it is shown under.
async fn ranked(
    root: &Root,
    query: &str,
    found: Vec<(Arc<Client>, SymbolInfo)>,
) -> Vec<(String, SymbolInfo)> {
    let mut sources = Sources::default();
    let paths: Vec<PathBuf> = found.iter().filter_map(|(_, s)| s.path.clone()).collect();
    sources.load(root, paths.iter()).await;
    let mut list: Vec<(String, SymbolInfo)> = found
        .into_iter()
        .filter_map(|(_, symbol)| {
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
        assert_eq!(names, ["greet(String)", "Greet", "Greeter", "greet_all", "regreet", "g_r_e_e_t"]);
    }
}
