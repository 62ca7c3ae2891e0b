//! The reading task.

use super::{Answer, Inbound, Replier, Shared, ours};
use crate::child::Watch;
use crate::dialect::Incoming;
use crate::exit::{Ended, EndedWhy};
use crate::frame::Decoder;
use crate::pending::Reply;
use crate::sync::lock;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{sleep, timeout};

/// How long nothing may come from a program that ended or reads no more, before it is given up.
const LAST_OUTPUT: Duration = Duration::from_secs(1);
/// How long a program that closed its output may take to end.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// Ends the conversation if the task is dropped, with its runtime or by a panic of a dialect.
struct Closer(Arc<Shared>);

impl Drop for Closer {
    fn drop(&mut self) {
        self.0.close(ours());
    }
}

/// Reads until the end, whatever ends it, and then ends the conversation.
pub(super) async fn run(
    mut reader: impl AsyncRead + Unpin + Send,
    shared: Arc<Shared>,
    inbox: mpsc::Sender<Inbound>,
    writer_failed: oneshot::Receiver<EndedWhy>,
    program: Option<Watch>,
) {
    let closer = Closer(shared.clone());
    let mut decoder = Decoder::new(shared.framing, shared.limit);
    let mut stop = shared.stop.subscribe();
    let why = {
        let activity = Activity::default();
        let mut work =
            Reading { shared: &shared, inbox, decoder: &mut decoder, activity: &activity };
        let given_up = given_up(writer_failed, program.as_ref(), &activity);
        tokio::select! {
            // What was read is handed out before a stop is looked at.
            biased;
            why = work.read_all(&mut reader) => why,
            why = given_up => why,
            () = stopped(&mut stop) => EndedWhy::Ours,
        }
    };
    shared.close(obituary(why, &mut decoder, program).await);
    drop(closer);
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    // The sender is kept by the task itself.
    let _ = stop.wait_for(|stop| *stop).await;
}

/// What the reading does while it may be given up.
#[derive(Default)]
struct Activity {
    reads: AtomicU64,
    /// It waits for our own side to take something.
    blocked: AtomicBool,
}

/// Ends some time after the program ended, or after it could not be written to, once nothing more comes:
/// what it said before is still read, however slowly we take it.
async fn given_up(
    writer_failed: oneshot::Receiver<EndedWhy>,
    program: Option<&Watch>,
    activity: &Activity,
) -> EndedWhy {
    let failed = async {
        match writer_failed.await {
            Ok(why) => why,
            // The writing task ended without a failure.
            Err(_) => std::future::pending().await,
        }
    };
    let gone = async {
        match program {
            Some(program) => program.gone().await,
            None => std::future::pending().await,
        }
    };
    let why = tokio::select! {
        why = failed => why,
        _ = gone => EndedWhy::Eof { lost: 0 },
    };
    loop {
        let before = activity.reads.load(Ordering::Relaxed);
        sleep(LAST_OUTPUT).await;
        let quiet = before == activity.reads.load(Ordering::Relaxed);
        if quiet && !activity.blocked.load(Ordering::Relaxed) {
            return why;
        }
    }
}

/// What is known at the end.
async fn obituary(mut why: EndedWhy, decoder: &mut Decoder, program: Option<Watch>) -> Ended {
    // The second time it finds nothing.
    let (_, unfinished) = decoder.finish();
    if let EndedWhy::Eof { lost } = &mut why {
        *lost = (*lost).max(unfinished);
    }
    let mut ended = Ended { why, ..ours() };
    if ended.why != EndedWhy::Ours {
        ended.noise = decoder.noise().last();
    }
    if let Some(program) = program {
        if ended.why == EndedWhy::Ours {
            ended.exit = program.is_gone().map(|gone| gone.exit);
            ended.stderr = program.stderr();
        } else {
            let gone = timeout(LAST_BREATH, program.gone()).await;
            ended.exit = gone.ok().map(|gone| gone.exit);
            ended.stderr = match ended.exit {
                Some(_) => program.last_words().await,
                None => program.stderr(),
            };
        }
    }
    ended
}

struct Reading<'a> {
    shared: &'a Arc<Shared>,
    inbox: mpsc::Sender<Inbound>,
    decoder: &'a mut Decoder,
    activity: &'a Activity,
}

impl Reading<'_> {
    async fn read_all(&mut self, reader: &mut (impl AsyncRead + Unpin)) -> EndedWhy {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let read = match reader.read(&mut buffer).await {
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return EndedWhy::Io(error.to_string()),
            };
            if read == 0 {
                // A last line without its newline is a message too.
                let (last, lost) = self.decoder.finish();
                if let Some(message) = last {
                    self.hand_out(message).await;
                }
                return EndedWhy::Eof { lost };
            }
            self.activity.reads.fetch_add(1, Ordering::Relaxed);
            self.decoder.push(&buffer[..read]);
            loop {
                match self.decoder.next_object() {
                    Ok(Some(message)) => self.hand_out(message).await,
                    Ok(None) => break,
                    Err(error) => return EndedWhy::TooLarge(error),
                }
            }
            lock(&self.shared.state).oddities.noise = self.decoder.noise().bytes;
        }
    }

    /// Waits only for room in the inbox.
    async fn hand_out(&mut self, message: Value) {
        let incoming = {
            let mut state = lock(&self.shared.state);
            match state.dialect.classify(message) {
                Incoming::Reply { id, result } => {
                    match state.pending.complete(id) {
                        Reply::Waiting(answer) => deliver(answer, result),
                        Reply::Late => state.oddities.late += 1,
                        Reply::Unknown => state.oddities.unknown += 1,
                    }
                    return;
                }
                Incoming::Other(_) => {
                    state.oddities.other += 1;
                    return;
                }
                Incoming::Call { id, method, params } => {
                    let call = Some((id, method.clone()));
                    Inbound::Call {
                        method,
                        params,
                        replier: Replier { shared: self.shared.clone(), call },
                    }
                }
                Incoming::Event { method, params } => Inbound::Event { method, params },
            }
        };
        // Without an inbox this drops the message, and so refuses a call.
        self.activity.blocked.store(true, Ordering::Relaxed);
        let _ = self.inbox.send(incoming).await;
        self.activity.blocked.store(false, Ordering::Relaxed);
    }
}

fn deliver(answer: Answer, result: Result<Value, crate::error::RemoteError>) {
    // One who gave up in this very moment misses nothing.
    let _ = answer.send(result.map_err(crate::error::WireError::Remote));
}
