//! What a tool knows of its call, and what it may do with it.

use std::fmt;
use std::future::{Future, pending};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::args::{Args, RawArgs};
use crate::call::{CallOutcome, CallRequest};
use crate::error::ToolError;
use crate::events::CallEvent;
use crate::ids::{CallId, ConversationId, Origin, RunId};
use crate::lanes::{Held, Permit};
use crate::log::LogLevel;
use crate::output::ToolOutput;
use crate::scope::{RunScope, Ticket};
use crate::spec::{Lane, ToolSpec};
use crate::sync::lock;
use crate::tier::Tier;
use crate::view::{Entry, ToolView};
use crate::workspace::{Targets, Workspace};

/// Where a call stands.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Progress {
    /// In words.
    Text(String),
    /// In numbers.
    Fraction {
        /// What is done.
        done: u64,
        /// Of how many, if known.
        total: Option<u64>,
    },
    /// A first look at the answer.
    Preview(Box<ToolOutput>),
}

/// Why a call was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Cancelled,
    Timeout,
}

/// A call, seen from inside. Cheap to clone.
#[derive(Clone)]
pub struct CallCx {
    pub(crate) call: Arc<Call>,
}

pub(crate) struct Call {
    pub(crate) id: CallId,
    pub(crate) client_id: Option<String>,
    pub(crate) origin: Origin,
    pub(crate) view: ToolView,
    pub(crate) entry: Arc<Entry>,
    pub(crate) cancel: CancellationToken,
    pub(crate) parent: Option<Arc<Call>>,
    /// The lanes of the calls that wait for this one.
    pub(crate) above: Option<Arc<Held>>,
    pub(crate) lane: Lane,
    pub(crate) held: OnceLock<Arc<Held>>,
    pub(crate) permit: Mutex<Option<Arc<Permit>>>,
    /// In its lane: a stop has to wait for the grace from here on.
    pub(crate) running: AtomicBool,
    stop: AtomicU8,
    shields: AtomicUsize,
    human: Mutex<HumanClock>,
    /// Shields or waits for people have changed.
    pub(crate) changed: Notify,
}

#[derive(Default)]
struct HumanClock {
    open: usize,
    since: Option<Instant>,
    total: Duration,
}

impl Call {
    #[expect(clippy::too_many_arguments, reason = "a constructor of plain fields")]
    pub(crate) fn new(
        id: CallId,
        client_id: Option<String>,
        origin: Origin,
        view: ToolView,
        entry: Arc<Entry>,
        cancel: CancellationToken,
        parent: Option<Arc<Self>>,
        above: Option<Arc<Held>>,
        lane: Lane,
    ) -> Self {
        Self {
            id,
            client_id,
            origin,
            view,
            entry,
            cancel,
            parent,
            above,
            lane,
            held: OnceLock::new(),
            permit: Mutex::new(None),
            running: AtomicBool::new(false),
            stop: AtomicU8::new(0),
            shields: AtomicUsize::new(0),
            human: Mutex::default(),
            changed: Notify::new(),
        }
    }

    /// Tells the call to stop. The first reason stays.
    pub(crate) fn stop(&self, why: Stop) {
        let code = match why {
            Stop::Cancelled => 1,
            Stop::Timeout => 2,
        };
        let _ = self.stop.compare_exchange(0, code, Ordering::AcqRel, Ordering::Acquire);
        self.cancel.cancel();
    }

    pub(crate) fn stopped(&self) -> Option<Stop> {
        match self.stop.load(Ordering::Acquire) {
            1 => Some(Stop::Cancelled),
            2 => Some(Stop::Timeout),
            _ => self.cancel.is_cancelled().then_some(Stop::Cancelled),
        }
    }

    pub(crate) fn shielded(&self) -> bool {
        self.shields.load(Ordering::Acquire) > 0
    }

    /// Counts for the call and for those that wait for it.
    fn shield(&self, on: bool) {
        if on {
            self.shields.fetch_add(1, Ordering::AcqRel);
        } else {
            self.shields.fetch_sub(1, Ordering::AcqRel);
        }
        self.changed.notify_waiters();
        if let Some(parent) = &self.parent {
            parent.shield(on);
        }
    }

    /// Time spent waiting for people so far, and whether it goes on.
    pub(crate) fn human_time(&self) -> (Duration, bool) {
        let clock = lock(&self.human);
        let running = clock.since.map_or(Duration::ZERO, |s| s.elapsed());
        (clock.total + running, clock.open > 0)
    }

    /// Counts for the call and for those that wait for it.
    fn human(&self, on: bool) {
        {
            let mut clock = lock(&self.human);
            if on {
                clock.open += 1;
                clock.since.get_or_insert_with(Instant::now);
            } else {
                clock.open = clock.open.saturating_sub(1);
                if clock.open == 0
                    && let Some(since) = clock.since.take()
                {
                    clock.total += since.elapsed();
                }
            }
        }
        self.changed.notify_waiters();
        if let Some(parent) = &self.parent {
            parent.human(on);
        }
    }
}

impl CallCx {
    /// The scope of the run.
    #[must_use]
    pub fn scope(&self) -> &Arc<RunScope> {
        self.call.view.scope()
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.scope().run()
    }

    /// The conversation.
    #[must_use]
    pub fn conversation(&self) -> &ConversationId {
        self.scope().conversation()
    }

    /// Our id of the call.
    #[must_use]
    pub fn id(&self) -> CallId {
        self.call.id
    }

    /// The provider's id of the call.
    #[must_use]
    pub fn client_id(&self) -> Option<&str> {
        self.call.client_id.as_deref()
    }

    /// Who made the call.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.call.origin
    }

    /// The cap of the view the call was made through.
    #[must_use]
    pub fn cap(&self) -> Tier {
        self.call.view.cap()
    }

    /// The folder the run works in.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        self.scope().workspace()
    }

    /// The spec of the tool that was called.
    #[must_use]
    pub fn spec(&self) -> &ToolSpec {
        &self.call.entry.spec
    }

    /// The files the call will touch, as far as its tool can tell.
    #[must_use]
    pub fn targets(&self, args: &Args) -> Targets {
        self.call.entry.targets(args, self.workspace())
    }

    /// Fires when the call has to stop: cancelled by its caller, over its limit, dropped, or its run closes.
    #[must_use]
    pub fn cancel(&self) -> &CancellationToken {
        &self.call.cancel
    }

    /// Waits for the future or the stop. A value that is ready wins.
    ///
    /// # Errors
    /// `cancelled` (or `timeout`) when the call was told to stop.
    pub async fn or_cancelled<F: Future>(&self, future: F) -> Result<F::Output, ToolError> {
        tokio::select! {
            biased;
            value = future => Ok(value),
            () = self.call.cancel.cancelled() => Err(self.stop_error()),
        }
    }

    pub(crate) fn stop_error(&self) -> ToolError {
        match self.call.stopped() {
            Some(Stop::Timeout) => ToolError::timeout("the time limit of the call is over"),
            _ => ToolError::cancelled("the call was stopped"),
        }
    }

    /// Says where the call stands. Never blocks; an unread older one of this call is replaced.
    pub fn progress(&self, progress: Progress) {
        self.scope().emit(|| CallEvent::Progress { id: self.call.id, progress });
    }

    /// Says something to the host's log: a [`CallEvent::Log`] under this call's id. Models never see it.
    ///
    /// Never blocks, and formats nothing where nobody listens. A listener that is too slow loses the oldest records.
    pub fn log(&self, level: LogLevel, message: fmt::Arguments<'_>) {
        self.scope().record(Some(self.call.id), level, message);
    }

    /// The call waits for a person while the returned value lives: time limits and the host's idle timers stand still.
    #[must_use]
    pub fn human_wait(&self) -> HumanWait {
        self.call.human(true);
        self.scope().emit(|| CallEvent::HumanWait { id: self.call.id, on: true });
        HumanWait { cx: self.clone() }
    }

    /// The tools that [`call_tool`](Self::call_tool) reaches: the view of this call.
    #[must_use]
    pub fn tools(&self) -> &ToolView {
        &self.call.view
    }

    /// Calls a tool from inside this call, through the same view, layers, gate and lanes.
    ///
    /// Runs on the caller's task and is cancelled with this call. Nested more than eight deep it is refused with `limit`.
    pub async fn call_tool(&self, name: &str, args: impl Into<RawArgs>) -> CallOutcome {
        self.call_request(CallRequest::new(name, args)).await
    }

    /// Like [`call_tool`](Self::call_tool), with an id or a token of its own.
    pub async fn call_request(&self, request: CallRequest) -> CallOutcome {
        self.call.view.invoke_from(request, Some(self)).await
    }

    /// Runs something that must finish once begun (a commit) on the scope, not on this future.
    ///
    /// A stop, a time limit and even dropping the call leave it running; the outcome and the lane wait for it, and so
    /// does closing the scope. A panic inside goes on here. For blocking work see [`shield_blocking`](Self::shield_blocking).
    pub async fn shield<F>(&self, what: &'static str, future: F) -> F::Output
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let cover = Shield::new(self, what);
        let task = self.scope().tracker().spawn(async move {
            let _cover = cover;
            future.await
        });
        joined(task.await).await
    }

    /// [`shield`](Self::shield) for work that blocks its thread.
    pub async fn shield_blocking<T, F>(&self, what: &'static str, work: F) -> T
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let cover = Shield::new(self, what);
        let task = self.scope().tracker().spawn_blocking(move || {
            let _cover = cover;
            work()
        });
        joined(task.await).await
    }
}

async fn joined<T>(result: Result<T, JoinError>) -> T {
    match result.map_err(JoinError::try_into_panic) {
        Ok(value) => value,
        Err(Ok(panic)) => resume_unwind(panic),
        // The runtime is going down, and this future with it.
        Err(Err(_)) => pending().await,
    }
}

/// Keeps lane, outcome and scope waiting while it lives.
struct Shield {
    call: Arc<Call>,
    _permit: Option<Arc<Permit>>,
    _ticket: Ticket,
}

impl Shield {
    fn new(cx: &CallCx, what: &'static str) -> Self {
        let call = Arc::clone(&cx.call);
        call.shield(true);
        let permit = lock(&call.permit).clone();
        Self { _ticket: Ticket::new(cx.scope(), what), call, _permit: permit }
    }
}

impl Drop for Shield {
    fn drop(&mut self) {
        self.call.shield(false);
    }
}

/// The call waits for a person while this lives.
pub struct HumanWait {
    cx: CallCx,
}

impl Drop for HumanWait {
    fn drop(&mut self) {
        self.cx.call.human(false);
        self.cx.scope().emit(|| CallEvent::HumanWait { id: self.cx.call.id, on: false });
    }
}
