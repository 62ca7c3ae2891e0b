//! The tree of scopes (conversation, run, worker): who owns what lives, and how it ends.

use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use futures_util::FutureExt as _;
use tokio::sync::OnceCell;
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::events::{CallEvent, EventHub, EventReceiver};
use crate::ids::{AgentPath, CallId, ConversationId, RunId};
use crate::lanes::Lanes;
use crate::log::{LogLevel, LogRecord};
use crate::resource::{CloseReport, Resource};
use crate::sync::lock;
use crate::tier::Tier;
use crate::trace;
use crate::workspace::Workspace;

mod builder;
mod close;

pub use builder::RunScopeBuilder;

/// What a scope stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ScopeKind {
    /// Outlives runs: debug sessions and interpreters live here.
    Conversation,
    /// One run of an agent: servers live here.
    Run,
    /// A background worker: its own conversation below a run.
    Worker,
}

/// A conversation, a run or a worker: the owner of everything that lives for it.
///
/// Closing a scope closes its children first, then its resources, newest first. Dropping the last handle without
/// closing abandons the resources by force.
pub struct RunScope {
    kind: ScopeKind,
    run: RunId,
    conversation: ConversationId,
    agent: AgentPath,
    workspace: Workspace,
    cap: Tier,
    trusted: bool,
    state_dir: Option<PathBuf>,
    cancel: CancellationToken,
    tracker: TaskTracker,
    state: Mutex<State>,
    report: OnceCell<CloseReport>,
    hub: Arc<EventHub>,
    lanes: Arc<Lanes>,
    calls: AtomicU64,
    next_owned: AtomicU64,
    parent: Option<Arc<RunScope>>,
    /// The conversation was made for this run alone, so it ends with it.
    sole_run: bool,
}

#[derive(Default)]
struct State {
    closing: bool,
    resources: Vec<(OwnedId, Arc<dyn Resource>)>,
    children: Vec<Weak<RunScope>>,
    running: Vec<(u64, &'static str)>,
    panicked: Vec<String>,
}

/// A resource's place in its scope, to give it back with [`RunScope::release`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct OwnedId(u64);

/// The scope is closing or closed; the resource was abandoned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopeClosed;

impl std::fmt::Display for ScopeClosed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the run is closing; nothing new can be started in it")
    }
}

impl std::error::Error for ScopeClosed {}

impl From<ScopeClosed> for crate::ToolError {
    fn from(closed: ScopeClosed) -> Self {
        Self::unavailable(closed.to_string())
    }
}

impl RunScope {
    /// A run of this conversation. Without [`RunScopeBuilder::within`] the conversation lives for this run only.
    pub fn builder(conversation: impl Into<ConversationId>) -> RunScopeBuilder {
        RunScopeBuilder::new(conversation.into())
    }

    /// The builder of a worker below this scope: same workspace, state folder and trust, a cap that can only be lowered.
    pub fn child(self: &Arc<Self>, label: &str) -> RunScopeBuilder {
        RunScopeBuilder::worker(self, label)
    }

    /// What the scope stands for.
    #[must_use]
    pub fn kind(&self) -> ScopeKind {
        self.kind
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// The conversation. A worker is one of its own.
    #[must_use]
    pub fn conversation(&self) -> &ConversationId {
        &self.conversation
    }

    /// The agent that acts here.
    #[must_use]
    pub fn agent(&self) -> &AgentPath {
        &self.agent
    }

    /// The folder it works in.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The most any view of this scope can see.
    #[must_use]
    pub fn cap(&self) -> Tier {
        self.cap
    }

    /// May tools start what the checkout brings along? Of the run as a whole; a view's cap does not change it.
    #[must_use]
    pub fn trusted(&self) -> bool {
        self.trusted
    }

    /// Where journals and caches go; never inside the checkout.
    #[must_use]
    pub fn state_dir(&self) -> Option<&Path> {
        self.state_dir.as_deref()
    }

    /// Fires when the scope (or one above it) closes.
    #[must_use]
    pub fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// The scope that outlives runs: of the conversation, or the worker itself. Debug sessions and interpreters belong there.
    #[must_use]
    pub fn conversation_scope(self: &Arc<Self>) -> Arc<Self> {
        match (&self.parent, self.kind) {
            (Some(parent), ScopeKind::Run) => Arc::clone(parent),
            _ => Arc::clone(self),
        }
    }

    /// Is the scope closing or closed?
    #[must_use]
    pub fn is_closing(&self) -> bool {
        lock(&self.state).closing || self.parent.as_ref().is_some_and(|p| p.is_closing())
    }

    /// Takes a resource in: closed with the scope, newest first.
    ///
    /// # Errors
    /// When the scope is closing; the resource is abandoned then.
    pub fn own(&self, resource: Arc<dyn Resource>) -> Result<OwnedId, ScopeClosed> {
        let mut state = lock(&self.state);
        if state.closing || self.cancel.is_cancelled() {
            drop(state);
            resource.abandon();
            return Err(ScopeClosed);
        }
        let id = OwnedId(self.next_owned.fetch_add(1, Ordering::Relaxed));
        state.resources.push((id, resource));
        Ok(id)
    }

    /// Lets go of a resource that has ended by itself. Unknown ids are ignored.
    pub fn release(&self, id: OwnedId) {
        lock(&self.state).resources.retain(|(own, _)| *own != id);
    }

    /// Runs a task that the scope waits for when it closes. A panic is kept for the report.
    ///
    /// Needs a tokio runtime. The task should watch [`cancel`](Self::cancel).
    pub fn spawn<F>(self: &Arc<Self>, name: &'static str, future: F) -> AbortHandle
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let scope = Arc::downgrade(self);
        let ticket = Ticket::new(self, name);
        let task = async move {
            let _ticket = ticket;
            if AssertUnwindSafe(future).catch_unwind().await.is_err()
                && let Some(scope) = scope.upgrade()
            {
                lock(&scope.state).panicked.push(name.to_owned());
            }
        };
        self.tracker.spawn(task).abort_handle()
    }

    /// The calls of this run and of its workers, as they go.
    #[must_use]
    pub fn events(&self) -> EventReceiver {
        self.hub.listen()
    }

    /// Says something to the host's log that belongs to no call, say of a server: a [`CallEvent::Log`].
    ///
    /// Never blocks, and formats nothing where nobody listens.
    pub fn log(&self, level: LogLevel, message: fmt::Arguments<'_>) {
        self.record(None, level, message);
    }

    pub(crate) fn record(
        &self,
        call: Option<CallId>,
        level: LogLevel,
        message: fmt::Arguments<'_>,
    ) {
        trace::record(call, level, message);
        self.emit(|| CallEvent::Log(LogRecord::new(call, level, message)));
    }

    pub(crate) fn emit(&self, event: impl FnOnce() -> CallEvent) {
        if self.hub.active() {
            self.hub.send(&event());
        }
    }

    pub(crate) fn next_call(&self) -> CallId {
        CallId { run: self.run, seq: self.calls.fetch_add(1, Ordering::Relaxed) + 1 }
    }

    pub(crate) fn lanes(&self) -> &Arc<Lanes> {
        &self.lanes
    }

    pub(crate) fn tracker(&self) -> &TaskTracker {
        &self.tracker
    }
}

/// Keeps the name of a running task while it runs.
pub(crate) struct Ticket {
    scope: Weak<RunScope>,
    id: u64,
}

impl Ticket {
    pub(crate) fn new(scope: &Arc<RunScope>, name: &'static str) -> Self {
        let id = scope.next_owned.fetch_add(1, Ordering::Relaxed);
        lock(&scope.state).running.push((id, name));
        Self { scope: Arc::downgrade(scope), id }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if let Some(scope) = self.scope.upgrade() {
            lock(&scope.state).running.retain(|(id, _)| *id != self.id);
        }
    }
}

impl Drop for RunScope {
    fn drop(&mut self) {
        self.cancel.cancel();
        let state = self.state.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (_, resource) in state.resources.drain(..).rev() {
            // A panicking resource must not keep the others alive.
            let _ = std::panic::catch_unwind(AssertUnwindSafe(|| resource.abandon()));
        }
    }
}
