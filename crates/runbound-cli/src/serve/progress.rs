//! Progress of calls, told to the host under the id of its request.

use std::collections::HashMap;

use runbound::core::{CallEvent, CallId, EventReceiver, Progress};
use serde_json::{Value, json};

use super::host::Host;

/// Forwards progress until the scope is gone.
pub(crate) async fn forward(mut events: EventReceiver, host: Host) {
    let mut requests = Requests::default();
    while let Some(event) = events.recv().await {
        if let Some(params) = requests.see(&event) {
            host.tell("tools/progress", &params);
        }
    }
}

/// Which call answers which request.
#[derive(Default)]
struct Requests {
    open: HashMap<CallId, Value>,
}

impl Requests {
    /// Takes an event; gives the parameters of a notification if there is something to tell.
    fn see(&mut self, event: &CallEvent) -> Option<Value> {
        match event {
            CallEvent::Queued { id, client_id: Some(client_id), .. } => {
                // The client id of a call is the JSON of its request's id.
                let request = serde_json::from_str(client_id).unwrap_or(Value::Null);
                self.open.insert(*id, request);
                None
            }
            CallEvent::Progress { id, progress } => Some(params(self.open.get(id)?, progress)),
            CallEvent::Finished(outcome) => {
                self.open.remove(&outcome.id);
                None
            }
            _ => None,
        }
    }
}

fn params(request: &Value, progress: &Progress) -> Value {
    let mut params = json!({"request_id": request, "message": message(progress)});
    if let Progress::Fraction { done, total, .. } = progress {
        params["done"] = json!(done);
        if let Some(total) = total {
            params["total"] = json!(total);
        }
    }
    params
}

/// Progress in words.
pub(crate) fn message(progress: &Progress) -> String {
    match progress {
        Progress::Text(text) => text.clone(),
        Progress::Fraction { done, total: Some(total) } => format!("{done} of {total}"),
        Progress::Fraction { done, total: None } => done.to_string(),
        _ => String::new(),
    }
}
