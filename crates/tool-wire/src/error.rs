//! What can go wrong between us and a program, as decisions a caller can take.

use crate::exit::Ended;
use crate::frame::TooLarge;
use serde_json::Value;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Why a request has no answer.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The other side is gone, or was given up.
    #[error("{0}")]
    Closed(Arc<Ended>),
    /// The wait's deadline passed.
    #[error("no answer within {after:?}: {what}")]
    Deadline {
        /// What was waited for.
        what: String,
        /// For how long.
        after: Duration,
    },
    /// The other side answered with an error.
    #[error("{0}")]
    Remote(RemoteError),
    /// Our own message is above the limit, and was not sent.
    #[error("not sent: {0}")]
    TooLarge(TooLarge),
    /// A connection could not be made for a reason that waiting does not mend.
    #[error("cannot connect to {to}: {why}")]
    Connect {
        /// The address.
        to: String,
        /// The reason.
        why: String,
    },
}

/// An error that the other side answered with.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteError {
    /// The protocol's number, 0 if it named none.
    pub code: i64,
    /// What it said.
    pub message: String,
    /// What it added.
    pub data: Value,
}

impl RemoteError {
    /// An error of ours, for an answer.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: Value::Null }
    }

    /// JSON-RPC's "method not found".
    pub fn unknown_method(method: &str) -> Self {
        Self::new(-32601, format!("{method} is not supported"))
    }

    /// Reads an error object, whatever of it is there.
    pub fn from_json(mut error: Value) -> Self {
        let number = |v: &Value| v.as_i64().or_else(|| v.as_f64().map(|n| n as i64));
        let code = error.get("code").and_then(number).unwrap_or(0);
        let data = error.get_mut("data").map(Value::take).unwrap_or_default();
        let message = match error.get("message").and_then(Value::as_str).or(error.as_str()) {
            Some(message) if !message.trim().is_empty() => message.to_string(),
            _ => format!("an error without a message: {error}"),
        };
        Self { code, message, data }
    }
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            0 => f.write_str(&self.message),
            code => write!(f, "{} ({code})", self.message),
        }
    }
}

/// Why a program was not started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The folder to start it in is not a folder.
    #[error("cannot start {} in {}: not a folder", .program.display(), .dir.display())]
    Folder {
        /// What was to be started.
        program: PathBuf,
        /// Where.
        dir: PathBuf,
    },
    /// There is no such program.
    #[error("{} does not exist", .program.display())]
    Missing {
        /// What was to be started.
        program: PathBuf,
    },
    /// The system refused.
    #[error("cannot start {}", .program.display())]
    Io {
        /// What was to be started.
        program: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}
