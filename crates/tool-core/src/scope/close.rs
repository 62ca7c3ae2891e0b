//! Closing a scope: children first, newest first, one deadline, a report.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::time::{Instant, timeout_at};

use super::RunScope;
use crate::resource::{CloseReport, CloseWhy, Closed, Resource};
use crate::sync::lock;

impl RunScope {
    /// Ends the scope within the deadline: stops calls, closes children, then resources newest first, then waits for tasks.
    ///
    /// What does not stop is abandoned by force and named in the report. A second close gives the first one's report.
    /// A run whose conversation was made for it alone takes that along.
    pub async fn close(&self, why: CloseWhy, within: Duration) -> CloseReport {
        let deadline = Instant::now() + within;
        match &self.parent {
            // The conversation closes this run first, so its report has both.
            Some(conversation) if self.sole_run => conversation.close_boxed(why, deadline).await,
            _ => self.close_boxed(why, deadline).await,
        }
    }

    fn close_boxed<'a>(
        &'a self,
        why: CloseWhy,
        deadline: Instant,
    ) -> Pin<Box<dyn Future<Output = CloseReport> + Send + 'a>> {
        Box::pin(
            async move { self.report.get_or_init(|| self.close_once(why, deadline)).await.clone() },
        )
    }

    async fn close_once(&self, why: CloseWhy, deadline: Instant) -> CloseReport {
        lock(&self.state).closing = true;
        self.cancel.cancel();
        let mut report = CloseReport::default();

        let mut children: Vec<Arc<Self>> = {
            let state = lock(&self.state);
            let alive = state.children.iter().filter_map(Weak::upgrade);
            alive.filter(|child| !child.report.initialized()).collect()
        };
        while let Some(child) = children.pop() {
            let more = !children.is_empty() || !lock(&self.state).resources.is_empty();
            let until = share(deadline, more);
            report.absorb(child.close_boxed(why, until).await);
        }
        // Popped one at a time: if this future is dropped, the rest is still owned.
        loop {
            let (next, more) = {
                let mut state = lock(&self.state);
                (state.resources.pop(), !state.resources.is_empty())
            };
            let Some((_, resource)) = next else { break };
            close_resource(resource, why, share(deadline, more), &mut report).await;
        }
        self.tracker.close();
        if timeout_at(deadline, self.tracker.wait()).await.is_err() {
            let names: Vec<_> = lock(&self.state).running.iter().map(|(_, n)| *n).collect();
            for name in &names {
                report.leak(*name, "the task was still running at the deadline");
            }
            if names.is_empty() {
                report.leak("calls", "a call had not ended at the deadline");
            }
        }
        report.panicked.append(&mut lock(&self.state).panicked);
        report
    }
}

/// Half of what is left if more is to be closed, so that one that hangs leaves time for the others.
fn share(deadline: Instant, more: bool) -> Instant {
    if !more {
        return deadline;
    }
    let now = Instant::now();
    now + deadline.saturating_duration_since(now) / 2
}

async fn close_resource(
    resource: Arc<dyn Resource>,
    why: CloseWhy,
    deadline: Instant,
    report: &mut CloseReport,
) {
    let guard = AbandonOnDrop(Some(resource));
    let Some(resource) = &guard.0 else { return };
    let within = deadline.saturating_duration_since(Instant::now());
    let name = std::panic::catch_unwind(AssertUnwindSafe(|| resource.name()))
        .unwrap_or_else(|_| "(a resource without a name)".to_owned());
    let closing = AssertUnwindSafe(async { resource.close(why, within).await }).catch_unwind();
    match timeout_at(deadline, closing).await {
        Ok(Ok(Closed::Clean)) => {
            report.closed.push(name);
            guard.disarm();
        }
        Ok(Ok(Closed::Left(what))) => report.leak(name, what),
        Ok(Err(_)) => report.leak(name, "closing it panicked; it was abandoned"),
        Err(_) => report.leak(
            name,
            format!("it had not ended after {} ms; it was abandoned", within.as_millis()),
        ),
    }
}

/// Abandons the resource unless it closed cleanly, also when the closing future is dropped.
struct AbandonOnDrop(Option<Arc<dyn Resource>>);

impl AbandonOnDrop {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        if let Some(resource) = self.0.take() {
            // A panicking resource must not keep the others alive.
            let _ = std::panic::catch_unwind(AssertUnwindSafe(|| resource.abandon()));
        }
    }
}
