//! Permission by the host's person: a question over the wire before a `write` or `exec` call.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use runbound::core::{GateError, PermissionGate, PermissionRequest, Verdict, async_trait};
use serde_json::{Value, json};

use super::host::{Host, HostError};

/// How long a person has to answer.
const EXPIRY: Duration = Duration::from_secs(15 * 60);

/// Asks the host's person; without one every prompt is refused at once.
pub(crate) struct HostGate {
    approver: Option<Host>,
    asked: AtomicU64,
}

impl HostGate {
    /// `approver`: the host, if it said that it can put questions to a person.
    pub(crate) fn new(approver: Option<Host>) -> Self {
        Self { approver, asked: AtomicU64::new(0) }
    }
}

#[async_trait]
impl PermissionGate for HostGate {
    async fn check(&self, request: &PermissionRequest) -> Result<Verdict, GateError> {
        let host = self.approver.as_ref().ok_or(GateError::NoApprover)?;
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let mut card = Card { host, id: format!("permission_{number}"), closed: Some("cancelled") };
        let reply = host.ask("question/ask", &question(&card.id, request), EXPIRY).await;
        card.closed = match &reply {
            Err(HostError::Silent(_)) => Some("expired"),
            _ => None,
        };
        match reply {
            Ok(reply) => read(&reply),
            Err(HostError::Gone) => Err(GateError::Failed("the host closed its end".to_owned())),
            Err(HostError::Silent(after)) => {
                Err(GateError::Failed(format!("nobody answered within {} s", after.as_secs())))
            }
            Err(HostError::Said(error)) => {
                Err(GateError::Failed(format!("the host answered: {}", error.message)))
            }
        }
    }

    fn timeout(&self) -> Duration {
        // The wait for the reply ends by itself, and names what it waited for.
        EXPIRY + Duration::from_secs(5)
    }
}

/// A question on somebody's screen: if nobody answers it, the host is told that it is closed.
struct Card<'a> {
    host: &'a Host,
    id: String,
    closed: Option<&'static str>,
}

impl Drop for Card<'_> {
    fn drop(&mut self) {
        if let Some(why) = self.closed {
            self.host.tell("question/closed", &json!({"question_id": self.id, "why": why}));
        }
    }
}

fn question(id: &str, request: &PermissionRequest) -> Value {
    let whose = if request.agent.is_root() {
        String::new()
    } else {
        format!(" (asked by {})", request.agent)
    };
    json!({
        "question_id": id,
        "kind": "permission",
        "title": format!("Allow {} ({})?{whose}", request.tool, request.tier),
        "context": request.summary,
        "options": [
            {"label": "Allow once"},
            {"label": format!("Allow {} for this run", request.tool)},
            {"label": "Deny"},
        ],
        "allow_free_text": true,
        "multi_select": false,
        "expires_in_ms": EXPIRY.as_millis() as u64,
        "tool": request.tool,
        "arguments": request.args.value(),
    })
}

/// What a reply means. Only a clear yes is one.
fn read(reply: &Value) -> Result<Verdict, GateError> {
    let note = || {
        reply
            .get("text")
            .and_then(Value::as_str)
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned)
    };
    match reply.get("outcome").and_then(Value::as_str) {
        Some("answered") => {
            let selected: Vec<u64> = reply
                .get("selected")
                .and_then(Value::as_array)
                .map(|all| all.iter().filter_map(Value::as_u64).collect())
                .unwrap_or_default();
            Ok(match selected.as_slice() {
                [1] => Verdict::Allow,
                [2] => Verdict::AllowSame,
                _ => Verdict::Deny { note: note() },
            })
        }
        Some("skipped") => Ok(Verdict::Deny { note: note() }),
        Some("no_human") => Err(GateError::NoApprover),
        other => Err(GateError::Failed(format!(
            "the host's outcome {other:?} is none of answered, skipped, no_human"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        let answered =
            |selected: Value| read(&json!({"outcome": "answered", "selected": selected})).unwrap();
        assert_eq!(answered(json!([1])), Verdict::Allow);
        assert_eq!(answered(json!([2])), Verdict::AllowSame);
        for other in [json!([3]), json!([]), json!([1, 2]), json!([0]), json!("1"), json!(null)] {
            assert_eq!(answered(other), Verdict::Deny { note: None });
        }
        let said = read(&json!({"outcome": "answered", "text": "not on main"})).unwrap();
        assert_eq!(said, Verdict::Deny { note: Some("not on main".into()) });
        assert_eq!(read(&json!({"outcome": "skipped"})).unwrap(), Verdict::Deny { note: None });
        assert_eq!(read(&json!({"outcome": "no_human"})), Err(GateError::NoApprover));
        assert!(read(&json!({})).is_err());
    }
}
