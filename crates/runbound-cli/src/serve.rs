//! `serve`: a run for a harness in any language, JSON-RPC 2.0 over standard input and output.
//!
//! `wire` reads and makes messages, `phase` says what may come when, `outbox` writes, `host` asks the host,
//! `session` puts them together. Nothing else may write to standard output.

mod announced;
mod files;
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

use tokio::runtime::Handle;
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
/// While lines cannot be handed over, how often it is looked whether the host is there still.
const LOOK: Duration = Duration::from_millis(100);
/// The process is gone this long after the end of input, whatever hangs.
const LAST_MOMENT: Duration = Duration::from_millis(4_500);

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

/// Starts the reading thread. It ends with the input; the token fires then, after the last line was taken, or when the
/// host has closed its end and nothing is taken any more.
fn read_lines(trace: Trace) -> io::Result<(mpsc::Receiver<Line>, CancellationToken)> {
    let (sender, lines) = mpsc::channel(LINES_AHEAD);
    let ended = CancellationToken::new();
    let end = ended.clone();
    let runtime = Handle::current();
    std::thread::Builder::new().name("host-in".into()).spawn(move || {
        let mut input = BufReader::with_capacity(64 << 10, io::stdin());
        loop {
            match next_line(&mut input, LINE_LIMIT) {
                Ok(Some(line)) => {
                    if let Line::Whole(bytes) = &line {
                        trace.line(crate::trace::Way::In, bytes);
                    }
                    if !runtime.block_on(hand_over(&sender, line, &end)) {
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

/// Hands a line over; `false` when nobody takes lines any more. A session whose answers nobody reads takes none, and
/// then the end of the input is behind lines that are never read: so it is looked for in another way.
async fn hand_over(sender: &mpsc::Sender<Line>, line: Line, end: &CancellationToken) -> bool {
    loop {
        match tokio::time::timeout(LOOK, sender.reserve()).await {
            Ok(Ok(place)) => {
                place.send(line);
                return true;
            }
            Ok(Err(_)) => return false,
            Err(_) if host_hung_up() => end.cancel(),
            Err(_) => {}
        }
    }
}

/// Whether the other end of standard input is closed, though not all of it is read.
#[cfg(unix)]
fn host_hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::empty())];
    poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
        && fds.iter().any(|fd| fd.revents().contains(PollFlags::HUP))
}

/// Whether the other end of standard input is closed: not known here.
#[cfg(not(unix))]
fn host_hung_up() -> bool {
    false
}
