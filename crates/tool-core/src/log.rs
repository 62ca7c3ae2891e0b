//! Records for the host's log, bounded.

use std::fmt::{self, Write as _};

use crate::ids::CallId;
use crate::text::floor;

/// How much a log record matters. Ordered: an error is more than a warning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum LogLevel {
    /// For whoever looks for a fault.
    Debug,
    /// Worth knowing.
    Info,
    /// Something is not as it should be, and goes on all the same.
    Warn,
    /// Something has failed.
    Error,
}

impl LogLevel {
    /// The level in a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Bytes of a log record's message; what is longer is cut.
pub const LOG_MESSAGE_BYTES: usize = 4 * 1024;

/// A line for the host's log.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LogRecord {
    /// The call that says it; `None` for the scope itself, say one of its servers.
    pub call: Option<CallId>,
    /// How much it matters.
    pub level: LogLevel,
    /// What is said, at most [`LOG_MESSAGE_BYTES`].
    pub message: String,
}

impl LogRecord {
    pub(crate) fn new(call: Option<CallId>, level: LogLevel, message: fmt::Arguments<'_>) -> Self {
        let mut text = Clipped(String::new());
        // It stops with an error where the message is cut.
        if text.write_fmt(message).is_err() {
            text.0.push('…');
        }
        Self { call, level, message: text.0 }
    }
}

/// Takes text until it is full, so that a huge value is not formatted to its end.
struct Clipped(String);

impl fmt::Write for Clipped {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let room = LOG_MESSAGE_BYTES - '…'.len_utf8() - self.0.len();
        if part.len() <= room {
            self.0.push_str(part);
            return Ok(());
        }
        self.0.push_str(&part[..floor(part, room)]);
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::{LOG_MESSAGE_BYTES, LogLevel, LogRecord};

    #[test]
    fn a_record_is_cut_between_characters() {
        let record = LogRecord::new(None, LogLevel::Warn, format_args!("{}", "ä".repeat(9_000)));
        assert!(record.message.len() <= LOG_MESSAGE_BYTES && record.message.ends_with("ä…"));
        let short = LogRecord::new(None, LogLevel::Info, format_args!("{} of {}", 1, 2));
        assert_eq!(short.message, "1 of 2");
        assert!(LogLevel::Error > LogLevel::Debug);
    }
}
