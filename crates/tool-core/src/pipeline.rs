//! One call from end to end: look-up, arguments, guards, gate, lane, layers, tool, budget, outcome.

use std::any::Any;
use std::collections::HashSet;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::args::Args;
use crate::budget;
use crate::call::{CallOutcome, CallRequest};
use crate::context::{Call, CallCx, Stop};
use crate::error::{ErrorKind, ToolError};
use crate::events::CallEvent;
use crate::ids::{CallId, Origin};
use crate::lanes::Held;
use crate::layer::{Next, Step};
use crate::normalise::normalise;
use crate::output::ToolOutput;
use crate::scope::RunScope;
use crate::spec::{DEFAULT_OUTPUT_BUDGET, Lane};
use crate::sync::lock;
use crate::text::{listed, nearest};
use crate::tier::Tier;
use crate::view::ToolView;

/// Calls made from inside calls, at most this deep.
pub const MAX_DEPTH: u8 = 8;
/// After the tool's own grace, for layers to say their part.
const LAYER_GRACE: Duration = Duration::from_secs(2);
/// After a shielded part, for the tool to report it.
const REPORT_GRACE: Duration = Duration::from_millis(250);

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
                let result = drive(ready, self.caller.as_ref()).await;
                (settle(result, &ready.cx.call), ready.cx.spec().output_budget)
            }
            Err(error) => (Err(error.clone()), DEFAULT_OUTPUT_BUDGET),
        };
        let result = match result {
            Ok(output) => Ok(budget::apply(output, budget)),
            Err(mut error) => {
                if let Some(partial) = error.partial_mut() {
                    *partial = budget::cut(std::mem::take(partial), budget);
                }
                error.refer_to(self.id);
                Err(error)
            }
        };
        self.finish(result)
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

/// Runs the stages; a stop before the lane ends at once, later it has the grace.
async fn drive(ready: &Ready, caller: Option<&CancellationToken>) -> CallResult {
    let call = &ready.cx.call;
    if caller.is_some_and(CancellationToken::is_cancelled) {
        call.stop(Stop::Cancelled);
    }
    if call.stopped().is_some() {
        return Err(ToolError::cancelled("the call was stopped before it began"));
    }
    let stages = guarded(guards(&ready.cx, &ready.args, 0));
    tokio::pin!(stages);
    let caller_stops = async {
        match caller {
            Some(token) => token.cancelled().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        result = &mut stages => return result,
        () = call.cancel.cancelled() => {}
        () = caller_stops => call.stop(Stop::Cancelled),
    }
    if !call.running.load(Ordering::Acquire) {
        return Err(ready.cx.stop_error());
    }
    tokio::select! {
        biased;
        result = &mut stages => result,
        () = grace(call, call.entry.spec.teardown_grace + LAYER_GRACE, REPORT_GRACE + LAYER_GRACE) => Err(ready.cx.stop_error()),
    }
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

/// The rest of a call, for a layer.
pub(crate) async fn step(next: Next<'_>) -> CallResult {
    match next.step {
        Step::Guard(i) => guards(next.cx, next.args, i).await,
        Step::Around(i) => arounds(next.cx, next.args, i).await,
    }
}

/// The guard layers from the `i`th on, then the gate, then the lane.
async fn guards(cx: &CallCx, args: &Args, i: usize) -> CallResult {
    if let Some(layer) = cx.call.entry.guards.get(i) {
        let step = Step::Guard(i + 1);
        return layer.around(cx, args, Next { cx, args, step }).await;
    }
    if let Some(gate) = cx.call.view.gate() {
        gate.pass(cx, args).await?;
    }
    in_lane(cx, args).await
}

/// The layers around the tool from the `i`th on, then the tool.
async fn arounds(cx: &CallCx, args: &Args, i: usize) -> CallResult {
    if let Some(layer) = cx.call.entry.arounds.get(i) {
        let step = Step::Around(i + 1);
        return layer.around(cx, args, Next { cx, args, step }).await;
    }
    bounded(cx, args).await
}

/// Waits for the lane, then runs the layers and the tool in it.
async fn in_lane(cx: &CallCx, args: &Args) -> CallResult {
    let call = &cx.call;
    let _in_lane = LaneGuard(call);
    if let Lane::Serial(key) = &call.lane {
        let nested = call.origin.depth() > 0;
        let permit = cx
            .scope()
            .lanes()
            .enter(key, call.id, &call.entry.spec.name, call.above.as_ref(), nested)
            .await?;
        // Set once: a call enters one lane.
        let _ = call.held.set(Held::new(key.clone(), call.above.clone()));
        *lock(&call.permit) = Some(Arc::new(permit));
    }
    if call.stopped().is_some() {
        return Err(cx.stop_error());
    }
    call.running.store(true, Ordering::Release);
    cx.scope().emit(|| CallEvent::Started { id: call.id });
    arounds(cx, args, 0).await
}

/// Leaves the lane when the stages end or are dropped; a shield may stay in it longer.
struct LaneGuard<'a>(&'a Call);

impl Drop for LaneGuard<'_> {
    fn drop(&mut self) {
        lock(&self.0.permit).take();
    }
}

/// The tool itself, under its time limit, its grace and a panic guard.
async fn bounded(cx: &CallCx, args: &Args) -> CallResult {
    let call = &cx.call;
    let work = guarded(async { call.entry.tool.call(cx, args.clone()).await });
    tokio::pin!(work);
    tokio::select! {
        biased;
        result = &mut work => return result,
        () = call.cancel.cancelled() => {}
        () = limit(call) => call.stop(Stop::Timeout),
    }
    tokio::select! {
        biased;
        result = &mut work => result,
        () = grace(call, call.entry.spec.teardown_grace, REPORT_GRACE) => Err(cx.stop_error()),
    }
}

/// Ends when the tool's time is over; waits for people do not count.
async fn limit(call: &Call) {
    let Some(limit) = call.entry.spec.time_limit else {
        return std::future::pending().await;
    };
    let begin = Instant::now();
    let (before, _) = call.human_time();
    loop {
        let changed = call.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let (human, waiting) = call.human_time();
        if waiting {
            changed.await;
            continue;
        }
        let spent = begin.elapsed().saturating_sub(human.saturating_sub(before));
        match limit.checked_sub(spent) {
            Some(left) if !left.is_zero() => sleep(left).await,
            _ => return,
        }
    }
}

/// Ends when a stopped call has had its time. A shielded part is waited for however long it takes.
async fn grace(call: &Call, time: Duration, report: Duration) {
    sleep(time).await;
    let mut waited = false;
    loop {
        let changed = call.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        if !call.shielded() {
            break;
        }
        waited = true;
        changed.await;
    }
    if waited {
        sleep(report).await;
    }
}

/// Makes a panic an error whose text stays with the host.
async fn guarded(work: impl Future<Output = CallResult>) -> CallResult {
    AssertUnwindSafe(work)
        .catch_unwind()
        .await
        .unwrap_or_else(|panic| Err(ToolError::internal(anyhow::anyhow!(panic_text(&*panic)))))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_else(|| "(no text)".to_owned()))
}

/// A value that was ready wins over a stop; an error after a stop is named by the stop, whichever came first.
fn settle(result: CallResult, call: &Call) -> CallResult {
    let mut error = match result {
        Ok(output) => return Ok(output),
        Err(error) => error,
    };
    let Some(stop) = call.stopped() else {
        return Err(error);
    };
    let said = match error.kind() {
        ErrorKind::Cancelled | ErrorKind::Timeout | ErrorKind::Internal => String::new(),
        _ => format!("; it said: {}", error.message()),
    };
    let name = &call.entry.spec.name;
    match stop {
        Stop::Cancelled => {
            error.set_kind(ErrorKind::Cancelled, format!("`{name}` was stopped{said}"));
        }
        Stop::Timeout => {
            let limit = call.entry.spec.time_limit.unwrap_or_default();
            let text =
                format!("`{name}` was stopped at its limit of {} s{said}", limit.as_secs_f64());
            error.set_kind(ErrorKind::Timeout, text);
        }
    }
    Err(error)
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
