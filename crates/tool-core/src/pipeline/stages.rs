//! The stages of a call in their fixed order, and how a stop goes through them.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{CallResult, Ready};
use crate::args::Args;
use crate::context::{Call, CallCx, Stop};
use crate::error::{ErrorKind, ToolError};
use crate::events::CallEvent;
use crate::lanes::Held;
use crate::layer::{Next, Step};
use crate::spec::Lane;
use crate::sync::lock;

/// After the tool's own grace, for layers to say their part.
const LAYER_GRACE: Duration = Duration::from_secs(2);
/// After a shielded part, for the tool to report it.
const REPORT_GRACE: Duration = Duration::from_millis(250);

/// Runs the stages; a stop before the lane ends at once, later it has the grace.
pub(super) async fn drive(ready: &Ready, caller: Option<&CancellationToken>) -> CallResult {
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
pub(super) fn settle(result: CallResult, call: &Call) -> CallResult {
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
