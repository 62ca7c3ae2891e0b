//! How a program ended, and what is known of it. Pure.

use crate::frame::TooLarge;
use std::fmt;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// Its exit code, if it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl From<std::process::ExitStatus> for Exit {
    fn from(status: std::process::ExitStatus) -> Self {
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        #[cfg(not(unix))]
        let signal = None;
        Self { code: status.code(), signal }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(6)) => f.write_str("signal 6 (abort)"),
            (None, Some(9)) => f.write_str("signal 9 (killed)"),
            (None, Some(11)) => f.write_str("signal 11 (segmentation fault)"),
            (None, Some(15)) => f.write_str("signal 15 (terminated)"),
            (None, Some(signal)) => write!(f, "signal {signal}"),
            (None, None) => f.write_str("an unknown status"),
        }
    }
}

/// The end of a conversation: why, and what the program left behind.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Ended {
    /// What ended it.
    pub why: EndedWhy,
    /// How the program ended, if it did within the grace.
    pub exit: Option<Exit>,
    /// The tail of its error stream.
    pub stderr: String,
    /// The latest of what it said that was no message.
    pub noise: String,
}

/// What ended a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndedWhy {
    /// The other side closed its output.
    Eof {
        /// How many bytes of an unfinished message are lost.
        lost: usize,
    },
    /// The other side reads no more.
    InputClosed,
    /// The other side took nothing for too long.
    Stalled,
    /// A message above the limit.
    TooLarge(TooLarge),
    /// Reading failed.
    Io(String),
    /// We closed it.
    Ours,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.why, self.exit) {
            (EndedWhy::Ours, _) => f.write_str("it was stopped")?,
            (EndedWhy::Eof { .. }, Some(exit)) => write!(f, "it ended with {exit}")?,
            (why, exit) => {
                match why {
                    EndedWhy::Eof { .. } => f.write_str("it closed its output")?,
                    EndedWhy::InputClosed => f.write_str("it closed its input")?,
                    EndedWhy::Stalled => f.write_str("it stopped reading its input")?,
                    EndedWhy::TooLarge(error) => write!(f, "it sent {error}")?,
                    EndedWhy::Io(error) => write!(f, "reading its output failed: {error}")?,
                    EndedWhy::Ours => {}
                }
                if let Some(exit) = exit {
                    write!(f, ", and ended with {exit}")?;
                }
            }
        }
        if let EndedWhy::Eof { lost: lost @ 1.. } = self.why {
            write!(f, " in the middle of a message ({lost} bytes of it came)")?;
        }
        match (self.stderr.trim(), self.noise.trim()) {
            ("", "") => Ok(()),
            ("", noise) => write!(f, "; it said on its output: {noise}"),
            (stderr, _) => write!(f, "; it said on stderr: {stderr}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_says_what_is_known() {
        let exit = Some(Exit { code: Some(3), signal: None });
        let mut ended = Ended {
            why: EndedWhy::Eof { lost: 4 },
            exit,
            stderr: "no such file\n".into(),
            noise: String::new(),
        };
        assert_eq!(
            ended.to_string(),
            "it ended with exit code 3 in the middle of a message (4 bytes of it came); it said on stderr: no such file"
        );
        ended.why = EndedWhy::InputClosed;
        ended.exit = Some(Exit { code: None, signal: Some(9) });
        ended.stderr.clear();
        assert_eq!(ended.to_string(), "it closed its input, and ended with signal 9 (killed)");
        ended.exit = None;
        ended.noise = "usage: x".into();
        assert_eq!(ended.to_string(), "it closed its input; it said on its output: usage: x");
    }
}
