//! What the messages of a protocol look like: the one thing that a peer does not know by itself. Pure.

use crate::error::RemoteError;
use serde_json::{Value, json};

/// What came from the other side.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// The answer to one of our requests.
    Reply {
        /// The number of the request.
        id: u64,
        /// What it answers.
        result: Result<Value, RemoteError>,
    },
    /// A request to us.
    Call {
        /// The other side's number for it, given back as it came.
        id: Value,
        /// What is asked.
        method: String,
        /// With what; `Null` if nothing came.
        params: Value,
    },
    /// Something that wants no answer.
    Event {
        /// What happened.
        method: String,
        /// With what; `Null` if nothing came.
        params: Value,
    },
    /// An object that is none of these.
    Other(Value),
}

/// Builds and reads the messages of one protocol.
pub trait Dialect: Send + 'static {
    /// A request of ours. `params` of `None` leaves the member out, which some servers insist on.
    fn request(&mut self, id: u64, method: &str, params: Option<Value>) -> Value;
    /// A message that wants no answer.
    fn event(&mut self, method: &str, params: Option<Value>) -> Value;
    /// The answer to a call of the other side.
    fn reply(&mut self, id: Value, method: &str, result: Result<Value, RemoteError>) -> Value;
    /// What tells the other side that a request is given up. `None` if the protocol has no word for it.
    fn cancel(&mut self, id: u64) -> Option<Value>;
    /// What an object is.
    fn classify(&mut self, message: Value) -> Incoming;
}

/// JSON-RPC 2.0, as language servers speak it.
#[derive(Debug, Clone, Default)]
pub struct JsonRpc {
    cancel: Option<String>,
}

impl JsonRpc {
    /// Cancels with `$/cancelRequest`.
    pub fn lsp() -> Self {
        Self { cancel: Some("$/cancelRequest".into()) }
    }

    /// Knows no cancelling.
    pub fn plain() -> Self {
        Self::default()
    }
}

impl Dialect for JsonRpc {
    fn request(&mut self, id: u64, method: &str, params: Option<Value>) -> Value {
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        message
    }

    fn event(&mut self, method: &str, params: Option<Value>) -> Value {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        message
    }

    fn reply(&mut self, id: Value, _method: &str, result: Result<Value, RemoteError>) -> Value {
        match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => {
                let mut body = json!({"code": error.code, "message": error.message});
                if !error.data.is_null() {
                    body["data"] = error.data;
                }
                json!({"jsonrpc": "2.0", "id": id, "error": body})
            }
        }
    }

    fn cancel(&mut self, id: u64) -> Option<Value> {
        let method = self.cancel.clone()?;
        Some(self.event(&method, Some(json!({"id": id}))))
    }

    /// A member `method` decides first: a call whose number equals one of ours is still a call.
    fn classify(&mut self, mut message: Value) -> Incoming {
        let id = message.get("id").cloned().filter(|id| !id.is_null());
        if let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_string) {
            let params = message.get_mut("params").map(Value::take).unwrap_or_default();
            return match id {
                Some(id) => Incoming::Call { id, method, params },
                None => Incoming::Event { method, params },
            };
        }
        // Some servers send numbers back as text.
        let ours = id.as_ref().and_then(|id| {
            id.as_u64()
                .or_else(|| id.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0).map(|n| n as u64))
                .or_else(|| id.as_str()?.parse().ok())
        });
        let Some(id) = ours else { return Incoming::Other(message) };
        if let Some(error) = message.get_mut("error").filter(|error| !error.is_null()) {
            return Incoming::Reply { id, result: Err(RemoteError::from_json(error.take())) };
        }
        match message.get_mut("result") {
            Some(result) => Incoming::Reply { id, result: Ok(result.take()) },
            // Neither: a server that leaves a null result out.
            None => Incoming::Reply { id, result: Ok(Value::Null) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(message: Value) -> Incoming {
        JsonRpc::lsp().classify(message)
    }

    #[test]
    fn a_call_with_our_number_is_a_call() {
        let got = classify(json!({"id": 1, "method": "workspace/configuration", "result": null}));
        let want = Incoming::Call {
            id: json!(1),
            method: "workspace/configuration".into(),
            params: Value::Null,
        };
        assert_eq!(got, want);
    }

    #[test]
    fn replies_are_taken_leniently() {
        for id in [json!(7), json!("7"), json!(7.0)] {
            assert_eq!(
                classify(json!({"id": id, "result": 1})),
                Incoming::Reply { id: 7, result: Ok(json!(1)) }
            );
        }
        assert_eq!(classify(json!({"id": 7})), Incoming::Reply { id: 7, result: Ok(Value::Null) });
        let both = classify(json!({"id": 7, "result": null, "error": null}));
        assert_eq!(both, Incoming::Reply { id: 7, result: Ok(Value::Null) });
        let Incoming::Reply { result: Err(error), .. } =
            classify(json!({"id": 7, "error": {"code": -32801.0, "message": "content modified"}}))
        else {
            panic!("an error");
        };
        assert_eq!((error.code, error.message.as_str()), (-32801, "content modified"));
        let Incoming::Reply { result: Err(odd), .. } = classify(json!({"id": 7, "error": "no"}))
        else {
            panic!("an error");
        };
        assert_eq!(odd.message, "no");
    }

    #[test]
    fn the_rest_is_named_as_such() {
        for other in [
            json!({}),
            json!({"id": -1, "result": 1}),
            json!({"id": "x", "result": 1}),
            json!({"method": 4}),
        ] {
            assert_eq!(classify(other.clone()), Incoming::Other(other));
        }
    }

    #[test]
    fn absent_parameters_stay_absent() {
        let mut dialect = JsonRpc::lsp();
        assert_eq!(
            dialect.request(1, "shutdown", None),
            json!({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})
        );
        assert_eq!(dialect.cancel(3).unwrap()["params"], json!({"id": 3}));
        assert_eq!(JsonRpc::plain().cancel(3), None);
    }
}
