//! Standard output of one-shot commands: a reader that went away is an outcome, not a panic.

use std::io::{self, Write};

/// The output could not be written: what was to be said is lost, though it may have been done.
#[derive(Debug)]
pub(crate) struct Unwritten(io::Error);

impl std::fmt::Display for Unwritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot write the output: {}", self.0)
    }
}

impl std::error::Error for Unwritten {}

/// Standard output that remembers whether anybody still reads it.
pub(crate) struct Stdout {
    inner: io::Stdout,
    gone: bool,
}

impl Stdout {
    pub(crate) fn new() -> Self {
        Self { inner: io::stdout(), gone: false }
    }

    /// Writes `text` and a line feed, flushed. Blocks while the pipe is full.
    ///
    /// # Errors
    /// Whatever the write says, save a closed pipe: see [`Stdout::is_gone`].
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Unwritten> {
        if self.gone {
            return Ok(());
        }
        let mut out = self.inner.lock();
        let wrote = out
            .write_all(text.as_bytes())
            .and_then(|()| if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") })
            .and_then(|()| out.flush());
        match wrote {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.gone = true;
                Ok(())
            }
            other => other.map_err(Unwritten),
        }
    }

    /// Whether the reader has closed its end: nothing written since was seen.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone
    }
}

/// Says something to the person on standard error; a closed one is nobody's loss.
pub(crate) fn say(text: &str) {
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "{text}");
}
