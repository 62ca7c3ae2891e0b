//! What can go wrong, and what an agent is told.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tool_core::ToolError;
use tool_workspace::{WorkspaceError, WorkspaceErrorKind};

use crate::position::PositionError;

/// Why one server cannot be used for a file or a root: a code for programs and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    /// The server's id; empty where no server is known for the file.
    pub(crate) server: String,
    /// `no_marker`, `no_binary`, `broken_binary`, `unsupported_toolchain`, `untrusted`, `failed`, `stopped`, …
    pub(crate) code: &'static str,
    /// One sentence, with what to do about it.
    pub(crate) says: String,
}

/// Everything that ends a question to a language server without an answer.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum LspError {
    /// No server can be used for the file (or for anything).
    #[error("no language server can be used for {file}")]
    NoServer {
        /// The file as the agent sees it, or words for what was asked.
        file: String,
        /// Each server that knows such files, and what is missing.
        reasons: Vec<Reason>,
    },
    /// The server runs and is still loading. Not a verdict of any kind.
    #[error("{server} is not ready yet: {what}")]
    NotReady {
        /// The server's id.
        server: String,
        /// What it is doing, in its own words where it tells.
        what: String,
        /// How far it is, from 0 to 100, where it tells.
        percent: Option<u8>,
        /// How long the call has waited for it.
        waited: Duration,
    },
    /// The server answered with an error.
    #[error("{server} answered {method} with an error: {message} ({code})")]
    Server {
        /// The server's id.
        server: String,
        /// The method that was asked.
        method: String,
        /// The JSON-RPC code.
        code: i64,
        /// The server's words.
        message: String,
    },
    /// The server did not answer in time. The request was cancelled.
    #[error("{server} did not answer {what} within {} s", limit.as_secs())]
    Timeout {
        /// The server's id.
        server: String,
        /// What was waited for.
        what: String,
        /// How long.
        limit: Duration,
    },
    /// The server's process has ended, or could not be started.
    #[error("{server} has ended: {why}")]
    Ended {
        /// The server's id.
        server: String,
        /// Exit status and the end of its error output.
        why: String,
    },
    /// The server does not offer what is asked for.
    #[error("{server} does not offer {what}")]
    Unsupported {
        /// The server's id.
        server: String,
        /// What was asked for, in words ("type definitions").
        what: String,
    },
    /// The server said something that cannot be understood.
    #[error("{server} answered {what} with something that cannot be understood: {detail}")]
    Garbled {
        /// The server's id.
        server: String,
        /// What was asked for.
        what: String,
        /// What came.
        detail: String,
    },
    /// The server runs, and has not said what was waited for. Silence is no answer.
    #[error("{server} gave no verdict: {why}")]
    Unsaid {
        /// The server's id.
        server: String,
        /// What is known.
        why: String,
    },
    /// The path cannot be used.
    #[error("the path {0}")]
    Path(WorkspaceError),
    /// The file is no text that a server can be asked about.
    #[error("{path} cannot be read as text: {why}")]
    NotText {
        /// The file as the agent sees it.
        path: String,
        /// Why.
        why: String,
    },
    /// `line` and `symbol` name no place.
    #[error("{0}")]
    Position(Box<PositionError>),
    /// Arguments that are wrong in themselves.
    #[error("{message}")]
    Invalid {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// An error that is already in the words and with the details that the caller gets.
    #[error("{0}")]
    Said(Box<ToolError>),
}

impl LspError {
    pub(crate) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Invalid { message: message.into(), hint: hint.into() }
    }

    /// The word for `details.reason` (and for `status`).
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::NoServer { reasons, .. } => match reasons.as_slice() {
                [] => "no_server",
                [one] => one.code,
                // The reason of the server that is nearest to working: one that lacks no marker.
                many => many.iter().find(|r| r.code != "no_marker").map_or("no_marker", |r| r.code),
            },
            Self::NotReady { .. } => "not_ready",
            Self::Server { .. } => "server_error",
            Self::Timeout { .. } => "timeout",
            Self::Ended { .. } => "ended",
            Self::Unsupported { .. } => "unsupported",
            Self::Garbled { .. } => "garbled",
            Self::Unsaid { .. } => "no_verdict",
            Self::Path(_) | Self::NotText { .. } => "file",
            Self::Position(_) => "position",
            Self::Invalid { .. } => "arguments",
            Self::Said(_) => "failed",
        }
    }
}

impl From<WorkspaceError> for LspError {
    fn from(error: WorkspaceError) -> Self {
        Self::Path(error)
    }
}

impl From<PositionError> for LspError {
    fn from(error: PositionError) -> Self {
        Self::Position(Box::new(error))
    }
}

impl From<ToolError> for LspError {
    fn from(error: ToolError) -> Self {
        Self::Said(Box::new(error))
    }
}

impl From<LspError> for ToolError {
    fn from(error: LspError) -> Self {
        let message = error.to_string();
        let reason = error.reason();
        match error {
            LspError::NoServer { reasons, .. } => no_server(message, &reasons, reason),
            LspError::NotReady { server, what, percent, waited } => {
                let done = percent.map_or_else(String::new, |p| format!(" {p}%"));
                Self::unavailable(format!(
                    "{server} is not ready: {what}{done} (waited {} s). This says nothing about the code",
                    waited.as_secs()
                ))
                .hint("ask again in a while; `lsp` with action `status` shows how far it is")
                .details(with(reason, &server, |facts| {
                    facts.insert("doing".into(), json!(what));
                    facts.insert("percent".into(), json!(percent));
                }))
            }
            LspError::Server { server, code, .. } => {
                Self::failed(message).details(with(reason, &server, |facts| {
                    facts.insert("code".into(), json!(code));
                }))
            }
            LspError::Timeout { server, .. } => Self::timeout(message)
                .hint("the server may be busy: ask again, or restart it with action `reload`")
                .details(with(reason, &server, |_| ())),
            LspError::Ended { server, .. } => Self::unavailable(message)
                .hint(
                    "`lsp` with action `status` shows its state; `reload` starts it again at once",
                )
                .details(with(reason, &server, |_| ())),
            LspError::Unsupported { server, .. } => Self::unavailable(format!(
                "{message}; this is no empty answer"
            ))
            .details(with(reason, &server, |_| ())),
            LspError::Garbled { server, .. } => {
                Self::failed(message).details(with(reason, &server, |_| ()))
            }
            LspError::Unsaid { server, .. } => Self::unavailable(message)
                .hint("this says nothing about the code: ask again in a while")
                .details(with(reason, &server, |_| ())),
            LspError::Path(error) => of_path(&error, message),
            LspError::NotText { path, .. } => {
                Self::failed(message).details(json!({ "path": path, "reason": reason }))
            }
            LspError::Position(error) => (*error).into(),
            LspError::Invalid { hint, .. } => Self::invalid(message).hint(hint),
            LspError::Said(error) => *error,
        }
    }
}

fn with(reason: &str, server: &str, add: impl FnOnce(&mut Map<String, Value>)) -> Value {
    let mut facts = Map::new();
    facts.insert("reason".into(), json!(reason));
    facts.insert("server".into(), json!(server));
    add(&mut facts);
    Value::Object(facts)
}

fn no_server(message: String, reasons: &[Reason], reason: &str) -> ToolError {
    let mut text = message;
    for each in reasons {
        text.push_str("\n- ");
        if !each.server.is_empty() {
            text.push_str(&each.server);
            text.push_str(": ");
        }
        text.push_str(&each.says);
    }
    let list: Vec<Value> = reasons
        .iter()
        .map(|r| json!({ "server": r.server, "reason": r.code, "message": r.says }))
        .collect();
    ToolError::unavailable(text).details(json!({ "reason": reason, "servers": list }))
}

fn of_path(error: &WorkspaceError, message: String) -> ToolError {
    match error.kind() {
        WorkspaceErrorKind::Outside => {
            ToolError::refused(message).hint("paths are held inside the workspace's root")
        }
        WorkspaceErrorKind::Invalid => ToolError::invalid(message),
        _ => ToolError::failed(message),
    }
    .details(json!({ "path": error.path() }))
}

#[cfg(test)]
mod tests {
    use super::{LspError, Reason};
    use std::time::Duration;
    use tool_core::{ErrorKind, ToolError};

    #[test]
    fn not_ready_is_unavailable_and_says_that_it_is_no_verdict() {
        let error = LspError::NotReady {
            server: "clangd".into(),
            what: "indexing".into(),
            percent: Some(43),
            waited: Duration::from_secs(20),
        };
        let told = ToolError::from(error);
        assert_eq!(told.kind(), ErrorKind::Unavailable);
        assert!(told.to_string().contains("indexing 43%"), "{told}");
        assert_eq!(told.detail_map()["reason"], "not_ready");
        assert_eq!(told.detail_map()["percent"], 43);
    }

    #[test]
    fn the_reason_of_several_servers_is_that_of_the_one_nearest_to_working() {
        let reason = |server: &str, code| Reason { server: server.into(), code, says: "x".into() };
        let error = LspError::NoServer {
            file: "a.py".into(),
            reasons: vec![reason("a", "no_marker"), reason("b", "no_binary")],
        };
        assert_eq!(error.reason(), "no_binary");
        let told = ToolError::from(error);
        assert!(told.message().contains("- a: x\n- b: x"), "{told}");
        assert_eq!(told.detail_map()["servers"][1]["reason"], "no_binary");
    }
}
