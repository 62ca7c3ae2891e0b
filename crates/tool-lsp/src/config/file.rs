//! The file: `{"servers": {"ID": {…}}}`. Each entry changes the server of that name, or describes a new one.

use super::Servers;
use crate::spec::{CommandSpec, Readiness, Role, ServerSpec};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a file of servers was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is no such file.
    #[error("{path}: {source}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and what.
        source: serde_json::Error,
    },
    /// A new server lacks what a server needs.
    #[error("{path}: server {id:?} is new and has no {missing}")]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// The server.
        id: String,
        /// The field.
        missing: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    servers: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    enabled: Option<bool>,
    role: Option<RoleName>,
    /// Program and arguments.
    command: Option<Vec<String>>,
    /// Folders of the project that may hold the program.
    local: Option<Vec<String>>,
    markers: Option<Vec<String>>,
    /// Extension or file name, and language id.
    documents: Option<BTreeMap<String, String>>,
    /// Laid over those of the table.
    settings: Option<Value>,
    init_options: Option<Value>,
    env: Option<BTreeMap<String, String>>,
    pass_env: Option<Vec<String>>,
    readiness: Option<ReadinessName>,
    install: Option<String>,
    start_seconds: Option<u64>,
    ready_seconds: Option<u64>,
    request_seconds: Option<u64>,
    /// False: it runs code of the project, and is not started in an untrusted run.
    untrusted: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RoleName {
    Types,
    Linter,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReadinessName {
    Blocks,
    ServerStatus,
    AnalyzerStatus,
    FirstAnswer,
    /// Parts of progress titles.
    Progress(Vec<String>),
    LanguageStatus(Vec<String>),
    /// Parts of log messages.
    LogMessage(Vec<String>),
}

pub(super) fn read(servers: &mut Servers, path: &Path) -> Result<(), ConfigError> {
    let bytes = std::fs::read(path)
        .map_err(|source| ConfigError::Read { path: path.to_path_buf(), source })?;
    let file: File = serde_json::from_slice(&bytes)
        .map_err(|source| ConfigError::Parse { path: path.to_path_buf(), source })?;
    let mut changed = servers.clone();
    for (id, entry) in file.servers {
        if entry.enabled == Some(false) {
            changed.remove(&id);
            continue;
        }
        let spec = match changed.get(&id) {
            Some(known) => known.clone(),
            None => fresh(&id, &entry).map_err(|missing| ConfigError::Incomplete {
                path: path.to_path_buf(),
                id: id.clone(),
                missing,
            })?,
        };
        changed.add(entry.over(spec));
    }
    *servers = changed;
    Ok(())
}

/// A server that the table does not know. Nothing is known of what it runs, so that it is for trusted runs
/// unless the file says otherwise.
fn fresh(id: &str, entry: &Entry) -> Result<ServerSpec, &'static str> {
    if entry.command.as_ref().is_none_or(Vec::is_empty) {
        return Err("command");
    }
    if entry.documents.as_ref().is_none_or(BTreeMap::is_empty) {
        return Err("documents");
    }
    let mut spec = ServerSpec::new(id, Role::Types);
    if entry.untrusted != Some(true) {
        spec.untrusted.refused = Some("it is not known what it runs".into());
    }
    Ok(spec)
}

impl Entry {
    fn over(self, mut spec: ServerSpec) -> ServerSpec {
        if let Some(command) = self.command
            && let Some((program, args)) = command.split_first()
        {
            let known = spec.commands.first();
            let mut new = CommandSpec::new(program, &[]);
            new.args = args.to_vec();
            if let Some(known) = known {
                new.local.clone_from(&known.local);
                new.probe.clone_from(&known.probe);
            } else {
                // Nobody says that it knows `--version`: being there is enough.
                new.probe.clear();
            }
            spec.commands = vec![new];
        }
        if let Some(local) = self.local {
            spec.commands.iter_mut().for_each(|command| command.local.clone_from(&local));
        }
        if let Some(role) = self.role {
            spec.role = match role {
                RoleName::Types => Role::Types,
                RoleName::Linter => Role::Linter,
            };
        }
        set(&mut spec.markers, self.markers);
        set(&mut spec.documents, self.documents.map(|documents| documents.into_iter().collect()));
        if let Some(settings) = &self.settings {
            overlay(&mut spec.settings, settings);
        }
        if let Some(options) = &self.init_options {
            overlay(&mut spec.init_options, options);
        }
        for (name, value) in self.env.unwrap_or_default() {
            spec.env.retain(|(known, _)| *known != name);
            spec.env.push((name, value));
        }
        set(&mut spec.pass_env, self.pass_env);
        set(&mut spec.readiness, self.readiness.map(ReadinessName::readiness));
        set(&mut spec.install, self.install);
        set(&mut spec.start_budget, self.start_seconds.map(Duration::from_secs));
        set(&mut spec.ready_budget, self.ready_seconds.map(Duration::from_secs));
        set(&mut spec.request_budget, self.request_seconds.map(Duration::from_secs));
        match self.untrusted {
            Some(true) => spec.untrusted.refused = None,
            Some(false) if spec.untrusted.refused.is_none() => {
                spec.untrusted.refused = Some("the configuration says so".into());
            }
            _ => {}
        }
        spec
    }
}

impl ReadinessName {
    fn readiness(self) -> Readiness {
        match self {
            Self::Blocks => Readiness::Blocks,
            Self::ServerStatus => Readiness::ServerStatus,
            Self::AnalyzerStatus => Readiness::AnalyzerStatus,
            Self::FirstAnswer => Readiness::FirstAnswer,
            Self::LanguageStatus(types) => Readiness::LanguageStatus(types),
            Self::LogMessage(parts) => Readiness::LogMessage(parts),
            Self::Progress(titles) => Readiness::Progress {
                titles,
                grace: Duration::from_secs(3),
                settle: Duration::from_millis(500),
            },
        }
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// Lays one value over another: objects field by field, all else whole. A dotted key of `over` means nested
/// objects, as servers' manuals write settings. Null changes nothing at the top and removes a field.
pub(crate) fn overlay(under: &mut Value, over: &Value) {
    let Value::Object(fields) = over else {
        if !over.is_null() {
            *under = over.clone();
        }
        return;
    };
    if !under.is_object() {
        *under = Value::Object(serde_json::Map::new());
    }
    let Value::Object(under) = under else { return };
    for (key, value) in fields {
        let (key, value) = match key.split_once('.') {
            Some((head, rest)) => (head, &serde_json::json!({ rest: value })),
            None => (key.as_str(), value),
        };
        if value.is_null() {
            under.remove(key);
        } else {
            overlay(under.entry(key).or_insert(Value::Null), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read_text(text: &str) -> Result<Servers, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        std::fs::write(&path, text).unwrap();
        let mut servers = Servers::none();
        let mut known = ServerSpec::new("known", Role::Types);
        known.commands.push(CommandSpec::new("known", &["--stdio"]));
        known.settings = json!({"a": {"b": 1, "c": 2}});
        servers.add(known);
        servers.read_config(&path).map(|()| servers)
    }

    #[test]
    fn an_entry_changes_what_it_names_and_nothing_else() {
        let servers = read_text(
            r#"{"servers": {"known": {"settings": {"a.b": 5}, "ready_seconds": 7, "command": ["/opt/known"]}}}"#,
        )
        .unwrap();
        let spec = servers.get("known").unwrap();
        assert_eq!(spec.settings, json!({"a": {"b": 5, "c": 2}}));
        assert_eq!(spec.ready_budget, Duration::from_secs(7));
        assert_eq!(spec.commands[0].names, ["/opt/known"]);
        assert_eq!(spec.commands[0].probe, ["--version"]);
        assert_eq!(spec.role, Role::Types);
    }

    #[test]
    fn a_new_server_comes_first_and_is_not_for_untrusted_runs() {
        let servers = read_text(
            r#"{"servers": {"mine": {"command": ["mine-ls", "-x"], "documents": {"mine": "mine"}, "role": "linter"}}}"#,
        )
        .unwrap();
        let first = servers.iter().next().unwrap();
        assert_eq!(
            (first.id.as_str(), first.role, first.commands[0].args.len()),
            ("mine", Role::Linter, 1)
        );
        assert!(first.untrusted.refused.is_some());
    }

    #[test]
    fn a_server_is_removed() {
        let servers = read_text(r#"{"servers": {"known": {"enabled": false}}}"#).unwrap();
        assert_eq!(servers.iter().count(), 0);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let error = read_text(r#"{"servers": {"known": {"comand": ["x"]}}}"#).unwrap_err();
        assert!(error.to_string().contains("comand"), "{error}");
        let error = read_text(r#"{"servers": {"mine": {"documents": {"m": "m"}}}}"#).unwrap_err();
        assert!(error.to_string().ends_with("is new and has no command"), "{error}");
    }

    #[test]
    fn values_are_laid_field_by_field() {
        let mut value = json!({"a": {"b": 1, "c": [1]}, "d": 1});
        overlay(&mut value, &json!({"a": {"c": [2], "x.y": true}, "d": null}));
        assert_eq!(value, json!({"a": {"b": 1, "c": [2], "x": {"y": true}}}));
        overlay(&mut value, &Value::Null);
        assert!(value.is_object());
    }
}
