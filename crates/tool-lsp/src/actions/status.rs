//! status and reload.

use serde_json::{Value, json};
use tool_core::ToolOutput;

use super::aim::locate;
use crate::error::LspError;
use crate::render;
use crate::supervisor::{ServerStatus, Supervisor};

/// Which servers run, for which roots, and why the others do not.
pub(crate) async fn status(sup: &Supervisor) -> Result<ToolOutput, LspError> {
    let servers = sup.status().await;
    let root = sup.root().path().display().to_string();
    Ok(render::servers(&format!("language servers of {root}"), &servers))
}

/// Restarts the servers of a file, or all.
pub(crate) async fn reload(sup: &Supervisor, file: Option<&str>) -> Result<ToolOutput, LspError> {
    let path = match file {
        Some(file) => Some(locate(sup.root(), file).await?),
        None => None,
    };
    let restarted = sup.reload(path.as_ref().map(|located| located.path())).await?;
    let ids: Vec<Value> = restarted
        .iter()
        .map(|client| json!({ "id": client.id(), "root": sup.root().relative(client.root()) }))
        .collect();
    let all = sup.status().await;
    let of = |s: &&ServerStatus| {
        restarted.iter().any(|c| c.id() == s.id && sup.root().relative(c.root()) == s.root)
    };
    let servers: Vec<ServerStatus> = all.iter().filter(of).cloned().collect();
    let what = match ids.len() {
        0 => "no server ran, so none was restarted".to_owned(),
        n => format!("{} restarted", render::count(n, "server", "servers")),
    };
    Ok(render::servers(&what, &servers))
}
