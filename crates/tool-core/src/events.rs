//! What a host can watch: calls queued, started, in progress, waiting for a person, finished.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::Notify;

use crate::call::CallOutcome;
use crate::context::Progress;
use crate::ids::{AgentPath, CallId, Origin};
use crate::sync::lock;

/// Events (other than `Finished`) that wait for a slow listener; the oldest go first.
const QUEUE: usize = 1024;

/// Something that happened to a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CallEvent {
    /// The call was taken in.
    Queued {
        /// The call.
        id: CallId,
        /// The provider's id for it.
        client_id: Option<String>,
        /// The tool.
        tool: String,
        /// Who made it.
        origin: Origin,
        /// Which agent.
        agent: AgentPath,
    },
    /// The tool itself begins: approved, and in its lane.
    Started {
        /// The call.
        id: CallId,
    },
    /// Where it stands. A newer one replaces an unread older one of the same call.
    Progress {
        /// The call.
        id: CallId,
        /// Where it stands.
        progress: Progress,
    },
    /// The call begins (or ceases) to wait for a person.
    HumanWait {
        /// The call.
        id: CallId,
        /// Begins or ceases.
        on: bool,
    },
    /// The one outcome. Never lost, however slow the listener.
    Finished(Arc<CallOutcome>),
}

#[derive(Default)]
pub(crate) struct EventHub {
    listeners: Mutex<Vec<Weak<Queue>>>,
    count: AtomicUsize,
}

#[derive(Default)]
struct Queue {
    state: Mutex<QueueState>,
    arrived: Notify,
}

#[derive(Default)]
struct QueueState {
    events: VecDeque<CallEvent>,
    dropped: u64,
    closed: bool,
}

impl EventHub {
    /// Does anybody listen? Cheap, so that events cost nothing otherwise.
    pub(crate) fn active(&self) -> bool {
        self.count.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn send(&self, event: &CallEvent) {
        lock(&self.listeners).retain(|listener| {
            let Some(queue) = listener.upgrade() else {
                return false;
            };
            queue.push(event.clone());
            true
        });
    }

    pub(crate) fn listen(self: &Arc<Self>) -> EventReceiver {
        let queue = Arc::new(Queue::default());
        lock(&self.listeners).push(Arc::downgrade(&queue));
        self.count.fetch_add(1, Ordering::Relaxed);
        EventReceiver { queue, hub: Arc::downgrade(self) }
    }
}

impl Drop for EventHub {
    fn drop(&mut self) {
        for queue in lock(&self.listeners).iter().filter_map(Weak::upgrade) {
            lock(&queue.state).closed = true;
            queue.arrived.notify_one();
        }
    }
}

impl Queue {
    fn push(&self, event: CallEvent) {
        let mut state = lock(&self.state);
        if let CallEvent::Progress { id, .. } = &event {
            let same =
                |e: &CallEvent| matches!(e, CallEvent::Progress { id: other, .. } if other == id);
            if let Some(old) = state.events.iter().position(same) {
                state.events.remove(old);
            }
        }
        if state.events.len() >= QUEUE {
            let expendable = |e: &CallEvent| !matches!(e, CallEvent::Finished(_));
            if let Some(oldest) = state.events.iter().position(expendable) {
                state.events.remove(oldest);
                state.dropped += 1;
            } else if expendable(&event) {
                state.dropped += 1;
                return;
            }
        }
        state.events.push_back(event);
        drop(state);
        self.arrived.notify_one();
    }
}

/// A listener's end. Read it or drop it: finished calls are kept until read.
pub struct EventReceiver {
    queue: Arc<Queue>,
    hub: Weak<EventHub>,
}

impl EventReceiver {
    /// The next event; `None` when the scope is gone and all is read. May be dropped at any time without loss.
    pub async fn recv(&mut self) -> Option<CallEvent> {
        loop {
            {
                let mut state = lock(&self.queue.state);
                if let Some(event) = state.events.pop_front() {
                    return Some(event);
                }
                if state.closed {
                    return None;
                }
            }
            self.queue.arrived.notified().await;
        }
    }

    /// The next event if there is one now.
    pub fn try_recv(&mut self) -> Option<CallEvent> {
        lock(&self.queue.state).events.pop_front()
    }

    /// How many events (never `Finished` ones) were dropped because this listener was slow.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        lock(&self.queue.state).dropped
    }
}

impl Drop for EventReceiver {
    fn drop(&mut self) {
        if let Some(hub) = self.hub.upgrade() {
            hub.count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
