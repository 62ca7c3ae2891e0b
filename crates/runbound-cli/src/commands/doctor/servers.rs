//! The language servers of a checkout, in a report of `doctor`.

use std::path::Path;

use runbound::lsp::{LspConfig, Surveyed, survey};
use runbound::workspace::Root;
use serde_json::{Value, json};

use super::row;
use crate::style::Style;

/// What was found out about servers; or why nothing was.
pub(super) struct Servers(Result<Vec<Surveyed>, String>);

impl Servers {
    /// Asks the programs; starts no server. `file` says which servers there are beside the built-in ones.
    pub(super) async fn examine(root: &Root, file: Option<&Path>, trusted: bool) -> Self {
        let mut config = LspConfig::default();
        if let Some(Err(why)) = file.map(|file| config.servers.read_config(file)) {
            return Self(Err(format!("--servers: {why}")));
        }
        let found = survey(root, &config, trusted).await;
        Self(found.map_err(|error| error.to_string()))
    }

    /// All of them, those too that are not needed.
    pub(super) fn json(&self) -> Value {
        let list = match &self.0 {
            Ok(list) => list,
            Err(why) => return json!({"reason": why}),
        };
        let server = |s: &Surveyed| {
            json!({
                "id": s.id, "root": s.root, "files": s.files, "usable": s.usable, "code": s.code,
                "says": s.says, "program": s.program, "install": s.install,
                "covered_by": s.covered_by,
            })
        };
        list.iter().map(server).collect()
    }

    /// Those that can be used, and what is missing for files that nobody else answers for.
    pub(super) fn lines(&self, style: Style) -> Vec<String> {
        let list = match &self.0 {
            Ok(list) => list,
            Err(why) => return vec![row(style, "servers", false, why)],
        };
        let mut lines = Vec::new();
        // A linter that the project does not ask for is not missing.
        let unasked = |s: &Surveyed| s.linter && s.code == "no_marker";
        for server in list.iter().filter(|s| s.covered_by.is_none() && !unasked(s)) {
            let files = if server.files == 1 { "file" } else { "files" };
            let at = if server.root.is_empty() { "no root" } else { server.root.as_str() };
            let name = if lines.is_empty() { "servers" } else { "" };
            let says = if server.says.is_empty() { "is there" } else { &server.says };
            let text = format!("{} ({at}, {} {files}): {says}", server.id, server.files);
            lines.push(row(style, name, server.usable, &text));
        }
        if lines.is_empty() {
            lines.push(row(style, "servers", true, "none is known for the files here"));
        }
        lines
    }
}
