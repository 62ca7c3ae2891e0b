//! The permission gate: asked before a `write` or `exec` tool runs; when in doubt, no.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt as _;
use tokio::time::timeout;

use crate::args::Args;
use crate::context::CallCx;
use crate::error::ToolError;
use crate::ids::{AgentPath, CallId, ConversationId, Origin};
use crate::sync::lock;
use crate::tier::Tier;
use crate::workspace::Targets;

/// How long a gate may take unless it says otherwise.
pub const GATE_WAIT: Duration = Duration::from_secs(15 * 60);

/// Asks whether a call may run. Only `write` and `exec` calls are asked about.
///
/// Anything but a clear yes is a no: an error, a panic, no answer within [`timeout`](Self::timeout), nobody to ask.
#[async_trait]
pub trait PermissionGate: Send + Sync + 'static {
    /// The answer. The future is dropped when the call is cancelled.
    ///
    /// # Errors
    /// When nobody can be asked; the call is refused.
    async fn check(&self, request: &PermissionRequest) -> Result<Verdict, GateError>;

    /// How long to wait for the answer.
    fn timeout(&self) -> Duration {
        GATE_WAIT
    }
}

/// What is asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PermissionRequest {
    /// The call, to tell two open requests apart.
    pub call: CallId,
    /// The conversation.
    pub conversation: ConversationId,
    /// The tool.
    pub tool: String,
    /// The tool's title for people.
    pub title: String,
    /// The tool's tier.
    pub tier: Tier,
    /// Who makes the call.
    pub origin: Origin,
    /// Which agent makes it.
    pub agent: AgentPath,
    /// The very arguments that will run.
    pub args: Args,
    /// The files it will touch.
    pub targets: Targets,
    /// One line for a card.
    pub summary: String,
}

/// The answer of a gate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// This once.
    Allow,
    /// This tool for this agent, for the rest of the run. Never another tool, tier or agent.
    AllowSame,
    /// No, with the person's words if there are any.
    Deny {
        /// What the person said.
        note: Option<String>,
    },
    /// The question was withdrawn because the turn was stopped.
    Cancelled,
}

/// Why a gate has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GateError {
    /// Nobody is there to ask.
    NoApprover,
    /// Asking went wrong.
    Failed(String),
}

impl std::fmt::Display for GateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoApprover => f.write_str("nobody is there to approve it"),
            Self::Failed(why) => write!(f, "approval could not be asked for: {why}"),
        }
    }
}

impl std::error::Error for GateError {}

/// A gate and what it has allowed for the run.
pub(crate) struct GateKeeper {
    gate: Arc<dyn PermissionGate>,
    allowed: Mutex<HashSet<(AgentPath, String)>>,
}

impl GateKeeper {
    pub(crate) fn new(gate: Arc<dyn PermissionGate>) -> Self {
        Self { gate, allowed: Mutex::default() }
    }

    pub(crate) async fn pass(&self, cx: &CallCx, args: &Args) -> Result<(), ToolError> {
        let spec = cx.spec();
        if spec.tier == Tier::Read {
            return Ok(());
        }
        let fingerprint = (cx.scope().agent().clone(), spec.name.clone());
        if lock(&self.allowed).contains(&fingerprint) {
            return Ok(());
        }
        let request = PermissionRequest {
            call: cx.id(),
            conversation: cx.conversation().clone(),
            tool: spec.name.clone(),
            title: spec.title.clone(),
            tier: spec.tier,
            origin: cx.origin(),
            agent: fingerprint.0.clone(),
            args: args.clone(),
            targets: cx.targets(args),
            summary: summary(&spec.title, args),
        };
        let waiting = cx.human_wait();
        let check = AssertUnwindSafe(async { self.gate.check(&request).await }).catch_unwind();
        let limit = self.gate.timeout();
        let answer = timeout(limit, check).await;
        drop(waiting);
        match answer {
            Ok(Ok(Ok(Verdict::Allow))) => Ok(()),
            Ok(Ok(Ok(Verdict::AllowSame))) => {
                lock(&self.allowed).insert(fingerprint);
                Ok(())
            }
            Ok(Ok(Ok(Verdict::Deny { note }))) => Err(denied(match note {
                Some(note) => format!("a person said no to `{}`: \"{note}\"", spec.name),
                None => format!("a person said no to `{}`", spec.name),
            })),
            Ok(Ok(Ok(Verdict::Cancelled))) => Err(ToolError::cancelled(format!(
                "the turn was stopped before `{}` was approved",
                spec.name
            ))),
            Ok(Ok(Err(error))) => {
                Err(denied(format!("`{}` needs approval and {error}", spec.name)))
            }
            Ok(Err(_)) => Err(denied(format!(
                "`{}` needs approval and asking for it failed inside",
                spec.name
            ))),
            Err(_) => Err(denied(format!(
                "`{}` needs approval and nobody answered within {} s",
                spec.name,
                limit.as_secs()
            ))),
        }
    }
}

fn denied(message: String) -> ToolError {
    ToolError::refused(message)
        .hint("nothing was done; do not try the same again by other means, go on without it or end the turn and say what is needed")
}

/// One line: the title and the arguments, cut to what fits on a card.
fn summary(title: &str, args: &Args) -> String {
    const LONGEST: usize = 200;
    let text = format!("{title} {}", args.value());
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
