//! `serve`: a run for a harness in any language, JSON-RPC 2.0 over standard input and output.
//!
//! `wire` reads and makes messages, `phase` says what may come when, `outbox` writes, `host` asks the host,
//! `session` puts them together. Nothing else may write to standard output.

mod gate;
mod host;
mod host_tool;
mod init;
mod outbox;
mod phase;
mod progress;
mod session;
mod wire;

use std::io::{self, BufReader};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::args::Common;
use crate::exit::Exit;
use crate::lines::{Line, next_line};
use crate::output::say;
use crate::trace::Trace;

pub(crate) use progress::message as progress_message;

/// Reads a line as a session would, for the random tests of decoders.
#[cfg(test)]
pub(crate) fn wire_probe(line: &[u8]) {
    let _ = wire::parse(line);
}

/// The longest line that is taken, in bytes.
const LINE_LIMIT: usize = 64 << 20;
/// How many lines may wait to be handled.
const LINES_AHEAD: usize = 16;
/// The process is gone this long after the end of input, whatever hangs.
const LAST_MOMENT: Duration = Duration::from_millis(4_800);

/// Serves until the input ends.
///
/// # Errors
/// The threads of the session cannot be started.
pub(crate) async fn serve(common: Common, trace: Trace) -> anyhow::Result<Exit> {
    let (outbox, drained) = outbox::Outbox::start(io::stdout(), trace.clone())?;
    let (lines, ended) = read_lines(trace)?;
    let session = session::Session::new(common, outbox);
    let last_moment = async {
        ended.cancelled().await;
        tokio::time::sleep(LAST_MOMENT).await;
    };
    tokio::select! {
        exit = async {
            let exit = session.run(lines).await;
            // A host that has stopped reading does not keep the process.
            let _ = tokio::time::timeout(Duration::from_millis(500), drained.wait()).await;
            exit
        } => Ok(exit),
        () = last_moment => {
            say("runbound: the input ended and the run did not; left by force");
            Ok(Exit::Done)
        }
    }
}

/// Starts the reading thread. It ends with the input; the token fires then, after the last line was taken.
fn read_lines(trace: Trace) -> io::Result<(mpsc::Receiver<Line>, CancellationToken)> {
    let (sender, lines) = mpsc::channel(LINES_AHEAD);
    let ended = CancellationToken::new();
    let end = ended.clone();
    std::thread::Builder::new().name("host-in".into()).spawn(move || {
        let mut input = BufReader::with_capacity(64 << 10, io::stdin());
        loop {
            match next_line(&mut input, LINE_LIMIT) {
                Ok(Some(line)) => {
                    if let Line::Whole(bytes) = &line {
                        trace.line(crate::trace::Way::In, bytes);
                    }
                    if sender.blocking_send(line).is_err() {
                        break;
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    say(&format!("runbound: cannot read the input: {error}"));
                    break;
                }
            }
        }
        drop(sender);
        end.cancel();
    })?;
    Ok((lines, ended))
}
