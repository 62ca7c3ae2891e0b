//! One call from end to end: look-up, arguments, guards, gate, lane, layers, tool, budget, outcome.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::args::Args;
use crate::budget;
use crate::call::{CallOutcome, CallRequest};
use crate::context::{Call, CallCx, Stop};
use crate::error::ToolError;
use crate::events::CallEvent;
use crate::ids::{CallId, Origin};
use crate::log::LogLevel;
use crate::normalise::normalise;
use crate::output::ToolOutput;
use crate::scope::RunScope;
use crate::spec::{DEFAULT_OUTPUT_BUDGET, Lane};
use crate::spill;
use crate::text::{listed, nearest};
use crate::tier::Tier;
use crate::trace;
use crate::view::ToolView;

mod stages;

pub(crate) use stages::step;
use stages::{drive, settle};

/// Calls made from inside calls, at most this deep.
pub const MAX_DEPTH: u8 = 8;
type CallResult = Result<ToolOutput, ToolError>;

/// A call that has its id: from here on there is exactly one outcome.
pub(crate) struct Admitted {
    id: CallId,
    scope: Arc<RunScope>,
    client_id: Option<String>,
    name: String,
    origin: Origin,
    started: Instant,
    caller: Option<CancellationToken>,
    ready: Result<Ready, ToolError>,
    finished: bool,
    _alive: TaskTrackerToken,
}

struct Ready {
    cx: CallCx,
    args: Args,
}

/// Takes a call in: id, look-up, arguments.
pub(crate) fn admit(view: &ToolView, request: CallRequest, parent: Option<&CallCx>) -> Admitted {
    let scope = Arc::clone(view.scope());
    let id = scope.next_call();
    let origin = match parent {
        Some(cx) => Origin::Nested { parent: cx.id(), depth: cx.origin().depth() + 1 },
        None => request.origin,
    };
    let CallRequest { name, args, client_id, cancel, .. } = request;
    scope.emit(|| CallEvent::Queued {
        id,
        client_id: client_id.clone(),
        tool: name.clone(),
        origin,
        agent: scope.agent().clone(),
    });
    let ready = check(view, &name, origin).and_then(|()| {
        let entry = view.entry(&name).ok_or_else(|| unknown(view, &name))?;
        let args = Args::frozen(normalise(&entry.spec, args)?);
        let lane = entry.lane(&args);
        let above = parent.and_then(|cx| {
            let own = cx.call.held.get();
            own.or(cx.call.above.as_ref()).cloned()
        });
        let base = parent.map_or_else(|| scope.cancel(), CallCx::cancel);
        let call = Call::new(
            id,
            client_id.clone(),
            origin,
            view.clone(),
            Arc::clone(entry),
            base.child_token(),
            parent.map(|cx| Arc::clone(&cx.call)),
            above,
            lane,
        );
        let cx = CallCx { call: Arc::new(call) };
        Ok(Ready { cx, args })
    });
    Admitted {
        id,
        _alive: scope.tracker().token(),
        scope,
        client_id,
        name,
        origin,
        started: Instant::now(),
        caller: cancel,
        ready,
        finished: false,
    }
}

fn check(view: &ToolView, name: &str, origin: Origin) -> Result<(), ToolError> {
    if view.scope().is_closing() {
        return Err(
            ToolError::unavailable("the run has ended").hint("no more calls can be made in it")
        );
    }
    if tokio::runtime::Handle::try_current().is_err() {
        return Err(ToolError::unavailable(
            "tools need a tokio runtime: poll the call inside one, with time enabled",
        ));
    }
    if origin.depth() > MAX_DEPTH {
        return Err(ToolError::limit(format!(
            "`{name}` would be a call nested {} deep; the limit is {MAX_DEPTH}",
            origin.depth()
        ))
        .hint("make the call from the outer level"));
    }
    Ok(())
}

/// Names only what the view shows, whatever the registry holds.
fn unknown(view: &ToolView, name: &str) -> ToolError {
    let names: Vec<&str> = view.surface().into_iter().map(|s| s.name.as_str()).collect();
    let error = ToolError::unknown_tool(format!(
        "there is no tool `{}` here; there are: {}",
        name.chars().take(80).collect::<String>(),
        listed(names.iter().copied())
    ));
    let error = error.details(json!({ "tools": names }));
    match nearest(name, names) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error,
    }
}

impl Admitted {
    /// May run beside its neighbours in a model's turn.
    fn concurrent(&self) -> bool {
        match &self.ready {
            Ok(ready) => ready.cx.call.lane == Lane::Free && ready.cx.spec().tier == Tier::Read,
            Err(_) => true,
        }
    }

    fn refuse(&mut self, error: ToolError) {
        self.ready = Err(error);
    }

    pub(crate) async fn run(mut self) -> CallOutcome {
        let (result, budget) = match &self.ready {
            Ok(ready) => {
                let work = drive(ready, self.caller.as_ref());
                let result = trace::within(&ready.cx, work).await;
                (settle(result, &ready.cx.call), ready.cx.spec().output_budget)
            }
            Err(error) => (Err(error.clone()), DEFAULT_OUTPUT_BUDGET),
        };
        let result = match result {
            Ok(output) => {
                let kept_in = self.spilled(&output, budget).await;
                Ok(budget::apply(output, budget, kept_in))
            }
            Err(mut error) => {
                if let Some(partial) = error.partial_mut() {
                    let kept_in = self.spilled(partial, budget).await;
                    *partial = budget::cut(std::mem::take(partial), budget, kept_in);
                }
                error.map_message(|message| budget::cut_message(message, budget));
                error.refer_to(self.id);
                Err(error)
            }
        };
        self.finish(result)
    }

    /// Keeps what the budget will cut; the file that holds it.
    async fn spilled(&self, output: &ToolOutput, budget: usize) -> Option<PathBuf> {
        let spill = self.ready.as_ref().ok()?.cx.tools().spill()?;
        let text = budget::overflow(output, budget)?;
        match spill::keep(spill, self.id, text).await {
            Ok(path) => Some(path),
            Err(why) => {
                self.scope.record(
                    Some(self.id),
                    LogLevel::Warn,
                    format_args!("the whole text of the answer was not kept: {why}"),
                );
                None
            }
        }
    }

    fn finish(&mut self, result: CallResult) -> CallOutcome {
        self.finished = true;
        let outcome = CallOutcome {
            id: self.id,
            client_id: self.client_id.take(),
            name: std::mem::take(&mut self.name),
            result,
            elapsed: self.started.elapsed(),
            origin: self.origin,
        };
        trace::finished(&outcome);
        self.scope.emit(|| CallEvent::Finished(Arc::new(outcome.clone())));
        outcome
    }
}

impl Drop for Admitted {
    /// The host dropped the future: what the call asked for stops, and listeners get their outcome.
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        if let Ok(ready) = &self.ready {
            ready.cx.call.stop(Stop::Cancelled);
        }
        self.finish(Err(ToolError::cancelled("the caller dropped the call")));
    }
}

/// The calls of one model turn.
pub(crate) async fn run_batch(view: &ToolView, requests: Vec<CallRequest>) -> Vec<CallOutcome> {
    let mut seen = HashSet::new();
    let admitted: Vec<Admitted> = requests
        .into_iter()
        .map(|request| {
            let id = request.client_id.clone();
            let mut admitted = admit(view, request, None);
            if let Some(id) = id
                && !seen.insert(id.clone())
            {
                admitted.refuse(ToolError::invalid(format!(
                    "two calls of this turn have the id `{id}`; only the first was made"
                )));
            }
            admitted
        })
        .collect();
    let mut outcomes = Vec::with_capacity(admitted.len());
    let mut together = Vec::new();
    for call in admitted {
        if call.concurrent() {
            together.push(call.run());
        } else {
            outcomes.extend(join_all(std::mem::take(&mut together)).await);
            outcomes.push(call.run().await);
        }
    }
    outcomes.extend(join_all(together).await);
    outcomes
}

/// A context outside any call, for the conformance kit.
#[cfg(feature = "testing")]
pub(crate) fn probe(view: &ToolView, entry: &Arc<crate::view::Entry>) -> CallCx {
    let call = Call::new(
        view.scope().next_call(),
        None,
        Origin::Host,
        view.clone(),
        Arc::clone(entry),
        view.scope().cancel().child_token(),
        None,
        None,
        Lane::Free,
    );
    CallCx { call: Arc::new(call) }
}
