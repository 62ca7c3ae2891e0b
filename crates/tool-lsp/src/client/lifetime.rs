//! The end of a server, and what it uses meanwhile.

use std::sync::Arc;
use std::time::Duration;

use tool_wire::{Ended, Ladder, StopReport, Wait};

use super::Client;

/// How long a server may take to answer `shutdown`.
const GOODBYE: Duration = Duration::from_secs(5);

impl Client {
    /// Ends the server: asked first, then made to. Everything that waits for it fails. `None` for one in memory.
    pub(crate) async fn stop(&self, ladder: Ladder) -> Option<StopReport> {
        let goodbye = async {
            // Some refuse `params: null`, so there are none. Whatever it answers, it is told to go.
            let wait = Wait::new("shutdown", GOODBYE);
            let _ = self.peer.call("shutdown", None, wait).await;
            let _ = self.peer.notify("exit", None).await;
        };
        let report = match &self.child {
            Some(child) => Some(child.stop(ladder, goodbye, || self.peer.close_input()).await),
            None => {
                let _ = tokio::time::timeout(ladder.goodbye, goodbye).await;
                None
            }
        };
        self.peer.close();
        report
    }

    /// Kills the server. Does not wait.
    pub(crate) fn kill(&self) {
        if let Some(child) = &self.child {
            child.kill();
        }
        self.peer.close();
    }

    /// Waits for the end of the conversation.
    pub(crate) async fn gone(&self) -> Arc<Ended> {
        self.peer.ended().await
    }

    /// Whether it still speaks.
    pub(crate) fn is_alive(&self) -> bool {
        !self.peer.is_ended()
    }

    /// Whether requests wait for its answer.
    pub(crate) fn is_busy(&self) -> bool {
        self.peer.waiting() > 0
    }

    /// For how long it has run.
    pub(crate) fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// How long it took to be ready for the first time.
    pub(crate) fn ready_after(&self) -> Option<Duration> {
        self.state().ready_after
    }

    /// The pids of its session.
    pub(crate) fn processes(&self) -> Vec<u32> {
        self.child.as_ref().map(tool_wire::Child::members).unwrap_or_default()
    }

    /// What `status` should say beside its state.
    pub(crate) fn notes(&self) -> Vec<String> {
        let state = self.state();
        let health = state.ready.health().map(|said| format!("it says: {said}"));
        let complaint = state.complaint.as_ref().map(|said| format!("its last complaint: {said}"));
        health.into_iter().chain(state.encoding_note.clone()).chain(complaint).collect()
    }

    /// Why it must be started anew to know the files as they are, if so.
    pub(crate) fn outdated(&self) -> Option<String> {
        self.state().outdated.clone()
    }
}
