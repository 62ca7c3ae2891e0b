//! `docs/servers.md` says what the table says. `RUNBOUND_BLESS=1` writes its second half anew.

use std::fmt::Write as _;
use std::path::Path;
use tool_lsp::{Channel, Readiness, Role, ServerSpec, Servers, Watching};

const MARK: &str =
    "<!-- from here on written by a test: RUNBOUND_BLESS=1 cargo test -p tool-lsp page -->\n";

#[test]
fn the_page_of_servers_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/servers.md");
    let old = std::fs::read_to_string(&path).unwrap();
    let head = old.split(MARK).next().unwrap();
    let new = format!("{head}{MARK}{}", tables());
    if std::env::var_os("RUNBOUND_BLESS").is_some() {
        std::fs::write(&path, &new).unwrap();
    }
    assert!(
        old == new || std::env::var_os("RUNBOUND_BLESS").is_some(),
        "docs/servers.md is not current: {MARK}"
    );
}

fn tables() -> String {
    let servers = Servers::builtin();
    let mut page = String::from(
        "\n## How each is found and started\n\n\
         | id | files | command | root markers | install |\n| --- | --- | --- | --- | --- |\n",
    );
    for spec in servers.iter() {
        let linter = if spec.role == Role::Linter { " (linter)" } else { "" };
        let files: Vec<&str> = spec.documents.iter().map(|(what, _)| what.as_str()).collect();
        let commands: Vec<String> = spec
            .commands
            .iter()
            .map(|c| format!("`{}`", [&c.names[..1], &c.args].concat().join(" ")))
            .collect();
        let markers =
            if spec.markers.is_empty() { ".".to_string() } else { spec.markers.join(" ") };
        writeln!(
            page,
            "| {}{linter} | {} | {} | {markers} | {} |",
            spec.id,
            files.join(" "),
            commands.join(", "),
            spec.install
        )
        .unwrap();
    }
    page.push_str(
        "\n## What is known of each\n\n\
         | id | ready | diagnostics | files that changed | not trusted | still written into the checkout |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for spec in servers.iter() {
        let channels: Vec<String> = spec.diagnostics.iter().map(channel).collect();
        let watching = match spec.watching {
            Watching::Notify => "told",
            Watching::Reopen => "opened and closed",
            Watching::Own => "watches itself",
        };
        writeln!(
            page,
            "| {} | {} | {} | {watching} | {} | {} |",
            spec.id,
            ready(&spec.readiness),
            channels.join(", "),
            untrusted(spec),
            spec.scratch.remains.join(", ")
        )
        .unwrap();
    }
    page
}

fn ready(readiness: &Readiness) -> String {
    match readiness {
        Readiness::Blocks => "answers wait".into(),
        Readiness::ServerStatus => "server status".into(),
        Readiness::Progress { titles, .. } if titles.is_empty() => "any progress ends".into(),
        Readiness::Progress { titles, .. } => format!("progress ends: {}", titles.join(", ")),
        Readiness::LanguageStatus(types) => format!("language status {}", types.join(", ")),
        Readiness::LogMessage(parts) => format!("its log: {}", parts.join(", ")),
        Readiness::AnalyzerStatus => "analyzer status".into(),
        Readiness::FirstAnswer => "first answer".into(),
    }
}

fn channel(channel: &Channel) -> String {
    match channel {
        Channel::Pull => "asked for".into(),
        Channel::TsserverRequest => "asked of tsserver".into(),
        Channel::PushVersioned => "pushed with version".into(),
        Channel::PushSettled { ms } => format!("pushed, {ms} ms quiet"),
        Channel::ProgressEnd { .. } => "end of its check".into(),
    }
}

fn untrusted(spec: &ServerSpec) -> String {
    if let Some(why) = &spec.untrusted.refused {
        return format!("not started: {why}");
    }
    let mut said = vec![spec.untrusted.cost.clone()];
    let mut files: Vec<&str> =
        spec.untrusted.refused_with.iter().map(|(file, _)| file.as_str()).collect();
    files.dedup();
    if !files.is_empty() {
        said.push(format!("not started with {} that can name programs", files.join(", ")));
    }
    said.retain(|part| !part.is_empty());
    said.join("; ")
}
