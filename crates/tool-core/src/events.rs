//! What a host can watch: calls queued, started, in progress, waiting for a person, finished; and log records.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::Notify;

use crate::call::CallOutcome;
use crate::context::Progress;
use crate::ids::{AgentPath, CallId, Origin};
use crate::log::LogRecord;
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
    /// Something for the host's log. Models never see it.
    Log(LogRecord),
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
    /// Numbered in order of arrival. Kept until read.
    finished: VecDeque<(u64, CallEvent)>,
    /// Numbered likewise; bounded.
    others: VecDeque<(u64, CallEvent)>,
    /// The number of a call's unread progress.
    latest: HashMap<CallId, u64>,
    next: u64,
    dropped: u64,
    closed: bool,
}

impl QueueState {
    fn push(&mut self, event: CallEvent) {
        let number = self.next;
        self.next += 1;
        match &event {
            CallEvent::Finished(_) => return self.finished.push_back((number, event)),
            CallEvent::Progress { id, .. } => {
                if let Some(unread) = self.latest.get(id)
                    && let Ok(at) = self.others.binary_search_by_key(unread, |(n, _)| *n)
                {
                    self.others[at].1 = event;
                    return;
                }
                self.latest.insert(*id, number);
            }
            _ => {}
        }
        if self.others.len() == QUEUE {
            self.dropped += 1;
            self.pop_other();
        }
        self.others.push_back((number, event));
    }

    fn pop(&mut self) -> Option<CallEvent> {
        let first = |queue: &VecDeque<(u64, CallEvent)>| queue.front().map(|(n, _)| *n);
        match (first(&self.finished), first(&self.others)) {
            (Some(f), Some(o)) if o < f => self.pop_other(),
            (Some(_), _) => self.finished.pop_front().map(|(_, event)| event),
            (None, _) => self.pop_other(),
        }
    }

    fn pop_other(&mut self) -> Option<CallEvent> {
        let (_, event) = self.others.pop_front()?;
        if let CallEvent::Progress { id, .. } = &event {
            self.latest.remove(id);
        }
        Some(event)
    }
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
        lock(&self.state).push(event);
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
                if let Some(event) = state.pop() {
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
        lock(&self.queue.state).pop()
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
