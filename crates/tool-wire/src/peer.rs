//! The other side of a conversation: requests out, replies in, over any reader and writer.
//!
//! Two tasks, so that neither direction waits for the other: one reads and hands out, one writes. No lock
//! is held while anything waits.

use crate::child::Watch;
use crate::dialect::Dialect;
use crate::error::{RemoteError, WireError};
use crate::exit::{Ended, EndedWhy};
use crate::frame::{Framing, TooLarge};
use crate::pending::Pending;
use crate::sync::lock;
use crate::wait::Wait;
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

mod read;
mod write;

/// How a conversation is held.
#[derive(Debug, Clone)]
pub struct PeerOptions {
    /// How frames are told apart.
    pub framing: Framing,
    /// The largest message in either direction, in bytes.
    pub limit: usize,
    /// How many bytes may wait to be written before callers wait.
    pub outgoing: usize,
    /// How many calls and events may wait to be taken before nothing more is read.
    pub inbox: usize,
    /// How long the other side may take nothing of what is written before it is given up.
    pub stall: Duration,
    /// The program behind the streams. Its end ends the conversation, and gives exit and last words.
    pub program: Option<Watch>,
}

impl PeerOptions {
    /// 64 MiB a message, 32 MiB outgoing, 1024 incoming, 30 s.
    pub fn new(framing: Framing) -> Self {
        Self {
            framing,
            limit: 64 << 20,
            outgoing: 32 << 20,
            inbox: 1024,
            stall: Duration::from_secs(30),
            program: None,
        }
    }

    /// Names the program behind the streams.
    pub fn program(mut self, program: Watch) -> Self {
        self.program = Some(program);
        self
    }
}

/// What was counted in a conversation that has no other place to be told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Replies to requests that were given up before.
    pub late: u64,
    /// Replies to no request.
    pub unknown: u64,
    /// Objects that were neither call, event nor reply.
    pub other: u64,
    /// Bytes that were no message.
    pub noise: u64,
}

/// A handle. Clones speak to the same other side; dropping the last one ends the conversation.
#[derive(Debug, Clone)]
pub struct Peer {
    handle: Arc<Handle>,
}

#[derive(Debug)]
struct Handle(Arc<Shared>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.stop.send_replace(true);
    }
}

type Answer = oneshot::Sender<Result<Value, WireError>>;

struct State {
    dialect: Box<dyn Dialect>,
    pending: Pending<Answer>,
    oddities: Oddities,
    ended: Option<Arc<Ended>>,
}

struct Shared {
    state: Mutex<State>,
    /// Not bounded by itself. Requests and events hold room until they are written; besides them there is at
    /// most one cancel a request, and one refusal a call of the other side, until `stall` has passed.
    outgoing: mpsc::UnboundedSender<Out>,
    room: Arc<Semaphore>,
    stop: watch::Sender<bool>,
    ended: watch::Sender<Option<Arc<Ended>>>,
    framing: Framing,
    limit: usize,
    outgoing_limit: usize,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("framing", &self.framing).finish_non_exhaustive()
    }
}

/// What the writing task is told.
enum Out {
    Frame(Vec<u8>, Option<OwnedSemaphorePermit>),
    Close,
}

/// What the other side wants of us.
#[derive(Debug)]
pub enum Inbound {
    /// A request. It is refused if the replier is dropped.
    Call {
        /// What is asked.
        method: String,
        /// With what.
        params: Value,
        /// Takes the answer.
        replier: Replier,
    },
    /// Something that wants no answer.
    Event {
        /// What happened.
        method: String,
        /// With what.
        params: Value,
    },
}

/// Calls and events in the order in which they came.
///
/// They must be taken: when `inbox` of them wait, nothing more is read, replies neither. Dropping the inbox
/// ignores all further events and refuses all further calls.
#[derive(Debug)]
pub struct Inbox {
    messages: mpsc::Receiver<Inbound>,
}

impl Inbox {
    /// The next one; `None` once the conversation ended. Loses nothing when dropped.
    pub async fn next(&mut self) -> Option<Inbound> {
        self.messages.recv().await
    }
}

impl Peer {
    /// Starts the two tasks on the current runtime.
    pub fn start(
        reader: impl AsyncRead + Unpin + Send + 'static,
        writer: impl AsyncWrite + Unpin + Send + 'static,
        dialect: impl Dialect,
        options: PeerOptions,
    ) -> (Peer, Inbox) {
        let (outgoing, frames) = mpsc::unbounded_channel();
        let (tell, messages) = mpsc::channel(options.inbox.max(1));
        let outgoing_limit =
            options.outgoing.clamp(1, u32::MAX as usize).min(Semaphore::MAX_PERMITS);
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                dialect: Box::new(dialect),
                pending: Pending::default(),
                oddities: Oddities::default(),
                ended: None,
            }),
            outgoing,
            room: Arc::new(Semaphore::new(outgoing_limit)),
            stop: watch::Sender::new(false),
            ended: watch::Sender::new(None),
            framing: options.framing,
            limit: options.limit,
            outgoing_limit,
        });
        let (failed, failure) = oneshot::channel();
        let stop = shared.stop.subscribe();
        tokio::spawn(write::run(writer, frames, stop, options.stall, failed));
        tokio::spawn(read::run(reader, shared.clone(), tell, failure, options.program));
        (Peer { handle: Arc::new(Handle(shared)) }, Inbox { messages })
    }

    /// Asks, and waits for the answer. Dropping the future tells the other side that nobody waits.
    ///
    /// # Errors
    ///
    /// The other side's own error, the deadline, the end of the conversation, or a message of ours that is
    /// too large.
    pub async fn call(
        &self,
        method: &str,
        params: Option<Value>,
        wait: Wait,
    ) -> Result<Value, WireError> {
        wait.on(self.ask(method, params)).await?
    }

    async fn ask(&self, method: &str, params: Option<Value>) -> Result<Value, WireError> {
        let shared = &self.handle.0;
        let (id, message) = {
            let mut state = lock(&shared.state);
            let id = state.pending.number();
            (id, state.dialect.request(id, method, params))
        };
        let (frame, room) = shared.admit(&message).await?;
        let (answer, answered) = oneshot::channel();
        {
            let mut state = lock(&shared.state);
            if let Some(ended) = &state.ended {
                return Err(WireError::Closed(ended.clone()));
            }
            state.pending.register(id, answer);
            shared.send(Out::Frame(frame, Some(room)));
        }
        let _abandon = Abandon { shared, id };
        match answered.await {
            Ok(result) => result,
            // Only if the table itself was dropped, with everything else of the conversation.
            Err(_) => Err(shared.closed()),
        }
    }

    /// Says something that wants no answer. Waits for room only, which is bounded by the stall limit.
    ///
    /// # Errors
    ///
    /// The end of the conversation, or a message that is too large.
    pub async fn notify(&self, method: &str, params: Option<Value>) -> Result<(), WireError> {
        let shared = &self.handle.0;
        let message = lock(&shared.state).dialect.event(method, params);
        let (frame, room) = shared.admit(&message).await?;
        shared.send(Out::Frame(frame, Some(room)));
        Ok(())
    }

    /// Closes the other side's input after what waits to be written. Replies are still read.
    pub fn close_input(&self) {
        self.handle.0.send(Out::Close);
    }

    /// Ends the conversation at once.
    pub fn close(&self) {
        self.handle.0.stop.send_replace(true);
    }

    /// Waits for the end of the conversation.
    pub async fn ended(&self) -> Arc<Ended> {
        let mut ended = self.handle.0.ended.subscribe();
        loop {
            if let Some(ended) = ended.borrow_and_update().clone() {
                return ended;
            }
            // The sender lives in `self`, so this is never an error.
            if ended.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Whether the conversation has ended.
    pub fn is_ended(&self) -> bool {
        self.handle.0.ended.borrow().is_some()
    }

    /// How many requests of ours wait for an answer.
    pub fn waiting(&self) -> usize {
        lock(&self.handle.0.state).pending.len()
    }

    /// What was odd so far.
    pub fn oddities(&self) -> Oddities {
        lock(&self.handle.0.state).oddities
    }
}

impl Shared {
    /// The frame of a message, and room for it.
    async fn admit(&self, message: &Value) -> Result<(Vec<u8>, OwnedSemaphorePermit), WireError> {
        let frame = self.framing.encode(message);
        if frame.len() > self.limit {
            let error = TooLarge { len: frame.len() as u64, limit: self.limit };
            return Err(WireError::TooLarge(error));
        }
        // A frame larger than all the room takes all of it.
        let room = u32::try_from(frame.len().min(self.outgoing_limit)).unwrap_or(u32::MAX);
        match self.room.clone().acquire_many_owned(room).await {
            Ok(room) => Ok((frame, room)),
            Err(_) => Err(self.closed()),
        }
    }

    fn send(&self, out: Out) {
        // After the end nobody writes, and whoever waits is told elsewhere.
        let _ = self.outgoing.send(out);
    }

    /// Ends the conversation once, and everything that waits with it.
    fn close(&self, ended: Ended) {
        let ended = Arc::new(ended);
        let waiting = {
            let mut state = lock(&self.state);
            if state.ended.is_some() {
                return;
            }
            state.ended = Some(ended.clone());
            state.pending.close()
        };
        self.room.close();
        self.stop.send_replace(true);
        for answer in waiting {
            let _ = answer.send(Err(WireError::Closed(ended.clone())));
        }
        self.ended.send_replace(Some(ended));
    }

    fn closed(&self) -> WireError {
        WireError::Closed(lock(&self.state).ended.clone().unwrap_or_else(|| Arc::new(ours())))
    }
}

fn ours() -> Ended {
    Ended { why: EndedWhy::Ours, exit: None, stderr: String::new(), noise: String::new() }
}

/// Gives a request up when its future is dropped, by a cancel, a deadline, or after its answer.
struct Abandon<'a> {
    shared: &'a Shared,
    id: u64,
}

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        if state.pending.cancel(self.id).is_some()
            && let Some(cancel) = state.dialect.cancel(self.id)
        {
            self.shared.send(Out::Frame(self.shared.framing.encode(&cancel), None));
        }
    }
}

/// Takes the answer to a call of the other side. Dropped, it refuses the call, so that the other side never
/// waits for nothing.
#[derive(Debug)]
pub struct Replier {
    shared: Arc<Shared>,
    call: Option<(Value, String)>,
}

impl Replier {
    /// Answers. Waits for room only.
    ///
    /// # Errors
    ///
    /// The end of the conversation, or an answer that is too large (the call is refused then).
    pub async fn answer(mut self, result: Result<Value, RemoteError>) -> Result<(), WireError> {
        let Some((id, method)) = self.call.clone() else { return Ok(()) };
        let message = lock(&self.shared.state).dialect.reply(id, &method, result);
        let (frame, room) = self.shared.admit(&message).await?;
        self.call = None;
        self.shared.send(Out::Frame(frame, Some(room)));
        Ok(())
    }
}

impl Drop for Replier {
    fn drop(&mut self) {
        if let Some((id, method)) = self.call.take() {
            let error = Err(RemoteError::unknown_method(&method));
            let message = lock(&self.shared.state).dialect.reply(id, &method, error);
            self.shared.send(Out::Frame(self.shared.framing.encode(&message), None));
        }
    }
}

#[cfg(test)]
mod tests;
