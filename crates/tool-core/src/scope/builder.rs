//! Building scopes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{RunScope, ScopeKind};
use crate::ids::{AgentPath, ConversationId, RunId};
use crate::sync::lock;
use crate::tier::Tier;
use crate::workspace::Workspace;

/// Builds a [`RunScope`].
#[must_use]
pub struct RunScopeBuilder {
    kind: ScopeKind,
    conversation: ConversationId,
    agent: AgentPath,
    workspace: Option<PathBuf>,
    cap: Tier,
    trust: Option<bool>,
    state_dir: Option<PathBuf>,
    parent: Option<Arc<RunScope>>,
}

impl RunScopeBuilder {
    pub(super) fn new(conversation: ConversationId) -> Self {
        Self {
            kind: ScopeKind::Run,
            conversation,
            agent: AgentPath::root(),
            workspace: None,
            cap: Tier::Exec,
            trust: None,
            state_dir: None,
            parent: None,
        }
    }

    pub(super) fn worker(parent: &Arc<RunScope>, label: &str) -> Self {
        Self {
            kind: ScopeKind::Worker,
            conversation: format!("{}/{label}", parent.conversation).into(),
            agent: parent.agent.child(label),
            workspace: Some(parent.workspace.root().to_owned()),
            cap: parent.cap,
            trust: Some(parent.trusted),
            state_dir: parent.state_dir.clone(),
            parent: Some(Arc::clone(parent)),
        }
    }

    /// The folder it works in; `.` when never said.
    pub fn workspace(mut self, root: impl Into<PathBuf>) -> Self {
        self.workspace = Some(root.into());
        self
    }

    /// The most that any view can see; `exec` when never said. A worker's can only be lowered.
    pub fn cap(mut self, cap: Tier) -> Self {
        self.cap = match self.kind {
            ScopeKind::Worker => self.cap.min(cap),
            ScopeKind::Run | ScopeKind::Conversation => cap,
        };
        self
    }

    /// Whether the checkout is trusted. `None`: trusted when the run may reach `exec`. A worker has its run's.
    pub fn trust(mut self, trust: Option<bool>) -> Self {
        if self.kind != ScopeKind::Worker {
            self.trust = trust;
        }
        self
    }

    /// Where journals and caches go; outside the checkout.
    pub fn state_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.state_dir = Some(dir.into());
        self
    }

    /// Makes it a run of a conversation that outlives it (see [`build_conversation`](Self::build_conversation)).
    ///
    /// The conversation's workspace and state folder hold unless set here. Ignored for a worker.
    pub fn within(mut self, conversation: &Arc<RunScope>) -> Self {
        if self.kind == ScopeKind::Run {
            self.conversation = conversation.conversation.clone();
            let root = conversation.workspace.root();
            self.workspace.get_or_insert_with(|| root.to_owned());
            if self.state_dir.is_none() {
                self.state_dir.clone_from(&conversation.state_dir);
            }
            self.parent = Some(conversation.conversation_scope());
        }
        self
    }

    /// The run (or worker).
    #[must_use]
    pub fn build(self) -> Arc<RunScope> {
        if self.kind == ScopeKind::Run && self.parent.is_none() {
            let conversation = self.make(ScopeKind::Conversation, None, false);
            return self.make(ScopeKind::Run, Some(conversation), true);
        }
        self.make(self.kind, self.parent.clone(), false)
    }

    /// The conversation itself, to build runs [`within`](Self::within).
    #[must_use]
    pub fn build_conversation(self) -> Arc<RunScope> {
        self.make(ScopeKind::Conversation, None, false)
    }

    fn make(
        &self,
        kind: ScopeKind,
        parent: Option<Arc<RunScope>>,
        sole_run: bool,
    ) -> Arc<RunScope> {
        let cancel =
            parent.as_ref().map_or_else(CancellationToken::new, |p| p.cancel.child_token());
        let lanes = match (&parent, kind) {
            (Some(conversation), ScopeKind::Run) => Arc::clone(&conversation.lanes),
            _ => Arc::default(),
        };
        let hub = match (&parent, kind) {
            (Some(run), ScopeKind::Worker) => Arc::clone(&run.hub),
            _ => Arc::default(),
        };
        let scope = Arc::new(RunScope {
            kind,
            run: RunId::fresh(),
            conversation: self.conversation.clone(),
            agent: self.agent.clone(),
            workspace: Workspace::new(self.workspace.clone().unwrap_or_else(|| ".".into())),
            cap: self.cap,
            trusted: self.trust.unwrap_or(self.cap == Tier::Exec),
            state_dir: self.state_dir.clone(),
            cancel,
            tracker: TaskTracker::new(),
            state: std::sync::Mutex::default(),
            report: tokio::sync::OnceCell::new(),
            hub,
            lanes,
            calls: AtomicU64::new(0),
            next_owned: AtomicU64::new(0),
            parent: parent.clone(),
            sole_run,
        });
        if let Some(parent) = parent {
            let mut state = lock(&parent.state);
            state.children.retain(|child| child.strong_count() > 0);
            state.children.push(Arc::downgrade(&scope));
            if state.closing {
                scope.cancel.cancel();
                lock(&scope.state).closing = true;
            }
        }
        scope
    }
}
