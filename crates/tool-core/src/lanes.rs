//! Lanes: a mutex per key, so that a tool that is not parallel-safe is alone in its conversation.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::time::{Instant, timeout};

use crate::error::ToolError;
use crate::ids::CallId;
use crate::spec::LaneKey;
use crate::sync::lock;

/// How long a call waits for its lane.
pub const LANE_WAIT: Duration = Duration::from_secs(60);
/// How long a call made by another call waits: its parent may hold what the holder needs.
pub const NESTED_LANE_WAIT: Duration = Duration::from_secs(10);

/// The lanes of one conversation.
#[derive(Default)]
pub(crate) struct Lanes {
    slots: Mutex<HashMap<LaneKey, Arc<Slot>>>,
}

#[derive(Default)]
struct Slot {
    gate: Arc<AsyncMutex<()>>,
    holder: Mutex<Option<Holder>>,
}

#[derive(Clone)]
struct Holder {
    call: CallId,
    tool: String,
    since: Instant,
}

/// The lanes that a call and its ancestors hold.
pub(crate) struct Held {
    key: LaneKey,
    above: Option<Arc<Held>>,
}

impl Held {
    pub(crate) fn new(key: LaneKey, above: Option<Arc<Self>>) -> Arc<Self> {
        Arc::new(Self { key, above })
    }
}

fn holds(chain: Option<&Arc<Held>>, key: &LaneKey) -> bool {
    let mut next = chain;
    while let Some(held) = next {
        if held.key == *key {
            return true;
        }
        next = held.above.as_ref();
    }
    false
}

/// The right to be in a lane; ends when dropped.
pub(crate) struct Permit {
    lanes: Arc<Lanes>,
    key: LaneKey,
    slot: Arc<Slot>,
    _guard: OwnedMutexGuard<()>,
}

impl Lanes {
    /// Waits, in order of arrival, until the lane is free.
    ///
    /// `above` are the lanes of the calls that wait for this one; being in one of them is `busy` at once.
    pub(crate) async fn enter(
        self: &Arc<Self>,
        key: &LaneKey,
        call: CallId,
        tool: &str,
        above: Option<&Arc<Held>>,
        nested: bool,
    ) -> Result<Permit, ToolError> {
        if holds(above, key) {
            return Err(ToolError::busy(format!(
                "`{tool}` was called from inside a call that holds the lane `{}`; it would wait for itself",
                key.as_str()
            ))
            .hint("make the call after the outer one has ended"));
        }
        let slot = Arc::clone(lock(&self.slots).entry(key.clone()).or_default());
        let guard = match Arc::clone(&slot.gate).try_lock_owned() {
            Ok(guard) => guard,
            Err(_) => {
                let limit = if nested { NESTED_LANE_WAIT } else { LANE_WAIT };
                match timeout(limit, Arc::clone(&slot.gate).lock_owned()).await {
                    Ok(guard) => guard,
                    Err(_) => return Err(busy(&slot, key, tool, limit)),
                }
            }
        };
        *lock(&slot.holder) = Some(Holder { call, tool: tool.to_owned(), since: Instant::now() });
        Ok(Permit { lanes: Arc::clone(self), key: key.clone(), slot, _guard: guard })
    }
}

fn busy(slot: &Slot, key: &LaneKey, tool: &str, waited: Duration) -> ToolError {
    let (text, details) = match lock(&slot.holder).clone() {
        Some(holder) => {
            let age = holder.since.elapsed();
            (
                format!(
                    "`{}` (call {}) has been running for {} s",
                    holder.tool,
                    holder.call,
                    age.as_secs()
                ),
                json!({
                    "lane": key.as_str(), "holder": holder.tool, "holder_call": holder.call.to_string(),
                    "holder_age_ms": age.as_millis(), "waited_ms": waited.as_millis(),
                }),
            )
        }
        None => (
            "another call is just taking the lane".to_owned(),
            json!({ "lane": key.as_str(), "waited_ms": waited.as_millis() }),
        ),
    };
    ToolError::busy(format!(
        "`{tool}` runs one call at a time and {text}; waited {} s",
        waited.as_secs()
    ))
    .hint("wait for that call, or stop it, then call again")
    .details(details)
}

impl Drop for Permit {
    fn drop(&mut self) {
        *lock(&self.slot.holder) = None;
        let mut slots = lock(&self.lanes.slots);
        // Ours and the table's: nobody waits, so the slot need not be kept.
        if Arc::strong_count(&self.slot) == 2 {
            slots.remove(&self.key);
        }
    }
}
