//! Spans and events for hosts that use `tracing` (feature `tracing`); without the feature nothing.
//!
//! A call is a span `tool_call` with the fields `call`, `tool`, `conversation` and `depth`, from the guards to the outcome.
//! Arguments and answers are in none: they may hold what is private.

use std::fmt;
use std::future::Future;

use crate::call::CallOutcome;
use crate::context::CallCx;
use crate::ids::CallId;
use crate::log::LogLevel;

/// The future, inside the span of the call.
#[cfg(feature = "tracing")]
pub(crate) fn within<F: Future>(cx: &CallCx, future: F) -> impl Future<Output = F::Output> {
    use tracing::Instrument as _;
    let span = tracing::info_span!(
        "tool_call",
        call = %cx.id(),
        tool = cx.spec().name(),
        conversation = %cx.conversation(),
        depth = cx.origin().depth(),
    );
    future.instrument(span)
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn within<F: Future>(_: &CallCx, future: F) -> impl Future<Output = F::Output> {
    future
}

/// The one outcome of a call.
pub(crate) fn finished(outcome: &CallOutcome) {
    #[cfg(feature = "tracing")]
    {
        let kind = outcome.result.as_ref().err().map_or("ok", |error| error.kind().as_str());
        let micros = u64::try_from(outcome.elapsed.as_micros()).unwrap_or(u64::MAX);
        tracing::debug!(call = %outcome.id, tool = outcome.name, kind, micros, "tool call finished");
    }
    #[cfg(not(feature = "tracing"))]
    let _ = outcome;
}

/// A record of the run's log.
pub(crate) fn record(call: Option<CallId>, level: LogLevel, message: fmt::Arguments<'_>) {
    #[cfg(feature = "tracing")]
    {
        let call = call.map(tracing::field::display);
        match level {
            LogLevel::Debug => tracing::debug!(call, "{message}"),
            LogLevel::Info => tracing::info!(call, "{message}"),
            LogLevel::Warn => tracing::warn!(call, "{message}"),
            LogLevel::Error => tracing::error!(call, "{message}"),
        }
    }
    #[cfg(not(feature = "tracing"))]
    let _ = (call, level, message);
}
