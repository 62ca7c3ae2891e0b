//! Which servers there are, and why not.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use tool_core::ToolOutput;

use super::version_number;
use crate::supervisor::ServerStatus;

/// The word of the host protocol for a state of ours.
fn state(server: &ServerStatus) -> &'static str {
    match server.state {
        "ready" | "loading" => "running",
        "starting" => "starting",
        "idle" | "stopped" => "stopped",
        "crashed" => "failed",
        _ => "unusable",
    }
}

/// A list of servers with their states; those that can be used come first.
pub(crate) fn servers(title: &str, all: &[ServerStatus]) -> ToolOutput {
    let order = |s: &&ServerStatus| match state(s) {
        "running" => 0,
        "starting" => 1,
        "failed" => 2,
        "stopped" => 3,
        _ => 4,
    };
    let mut list: Vec<&ServerStatus> = all.iter().collect();
    list.sort_by_key(order);
    let mut out = title.to_owned();
    if list.is_empty() {
        out.push_str(": none is known for the files of this checkout");
    }
    for server in &list {
        let _ = write!(out, "\n{}", server.id);
        if let Some(number) = version_number(&server.version) {
            let _ = write!(out, " {number}");
        }
        if !server.root.is_empty() {
            let _ = write!(out, " in {}", server.root);
        }
        let _ = write!(out, ": {}", server.state.replace('_', " "));
        if let Some(percent) = server.percent {
            let _ = write!(out, " {percent}%");
        }
        if !server.says.is_empty() {
            let _ = write!(out, ": {}", server.says);
        }
        if let Some(facts) = facts(server) {
            let _ = write!(out, " ({facts})");
        }
        for note in &server.notes {
            let _ = write!(out, "\n  {note}");
        }
    }
    let details: Vec<Value> = list.iter().map(|server| row(server)).collect();
    ToolOutput::text(out).details(json!({ "servers": details }))
}

fn facts(server: &ServerStatus) -> Option<String> {
    let pid = server.pid?;
    let mut facts = vec![format!("pid {pid}")];
    if let Some(memory) = server.memory {
        facts.push(format!("{} MiB", memory / (1024 * 1024)));
    }
    facts.push(super::count(server.documents, "open document", "open documents"));
    if server.starts > 1 {
        facts.push(format!("started {} times", server.starts));
    }
    Some(facts.join(", "))
}

fn row(server: &ServerStatus) -> Value {
    let mut row = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            row.insert(key.to_owned(), value);
        }
    };
    put("id", json!(server.id));
    put("root", json!(server.root));
    put("state", json!(state(server)));
    put("reason", json!(server.state));
    put("message", json!(server.says));
    put("pid", json!(server.pid));
    put("percent", json!(server.percent));
    if !server.version.is_empty() {
        put("version", json!(server.version));
    }
    put("program", json!(server.program.as_ref().map(|p| p.to_string_lossy())));
    put("memory", json!(server.memory));
    put("encoding", json!(server.encoding));
    if server.pid.is_some() {
        put("documents", json!(server.documents));
        put("starts", json!(server.starts));
    }
    if !server.notes.is_empty() {
        put("notes", json!(server.notes));
    }
    Value::Object(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(id: &str, state: &'static str, says: &str) -> ServerStatus {
        ServerStatus {
            id: id.into(),
            root: ".".into(),
            state,
            says: says.into(),
            percent: None,
            pid: None,
            version: String::new(),
            program: None,
            memory: None,
            documents: 0,
            encoding: None,
            starts: 0,
            notes: Vec::new(),
        }
    }

    #[test]
    fn what_runs_comes_first_and_what_does_not_says_why() {
        let mut running = server("ty", "ready", "");
        running.pid = Some(7);
        running.version = "0.0.108".into();
        running.documents = 1;
        let out =
            servers("servers", &[server("gopls", "no_binary", "gopls is not installed"), running]);
        assert_eq!(
            out.render_text(),
            "servers\nty 0.0.108 in .: ready (pid 7, 1 open document)\ngopls in .: no binary: gopls is not installed"
        );
        assert_eq!(out.details["servers"][0]["state"], "running");
        assert_eq!(out.details["servers"][1]["state"], "unusable");
        assert_eq!(out.details["servers"][1]["reason"], "no_binary");
        assert_eq!(out.details["servers"][1].get("pid"), None);
    }
}
