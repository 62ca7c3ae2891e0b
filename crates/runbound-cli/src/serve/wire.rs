//! JSON-RPC 2.0 messages: what a line of the host means, and what is sent back.

use serde::Serialize;
use serde_json::{Number, Value, json};

/// The line is not JSON.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// The JSON is no request, or one that may not come now.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// No such method.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters do not fit the method.
pub(crate) const INVALID_PARAMS: i64 = -32602;
/// The server could not do what it should.
pub(crate) const INTERNAL_ERROR: i64 = -32603;
/// A request before `initialize`.
pub(crate) const NOT_INITIALIZED: i64 = -32002;

/// The id of a request: a string or a number, echoed as it came.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id(Value);

impl Id {
    /// Accepts what JSON-RPC allows a caller to expect back: strings and numbers.
    pub(crate) fn from_value(value: &Value) -> Option<Self> {
        // A number that is kept inexactly would come back as another one.
        let exact = |number: &Number| {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|n| n.abs() < 9e15)
        };
        let fits = match value {
            Value::String(_) => true,
            Value::Number(number) => exact(number),
            _ => false,
        };
        fits.then(|| Self(value.clone()))
    }

    pub(crate) fn value(&self) -> &Value {
        &self.0
    }
}

/// The error member of a reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Value>,
}

impl RpcError {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }
}

/// A message of the host.
#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    Request {
        id: Id,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// The answer to a request of ours. The id is as the host wrote it.
    Reply {
        id: Value,
        result: Result<Value, RpcError>,
    },
}

/// A line that is no message: the error to send, and the id it can be tied to (`null` if none).
#[derive(Debug, PartialEq)]
pub(crate) struct Malformed {
    pub(crate) id: Value,
    /// It can only be meant as a reply: it has no method.
    pub(crate) is_reply: bool,
    pub(crate) error: RpcError,
}

/// Reads one line. Blank lines are `None`.
///
/// # Errors
/// The line is not JSON, or is no JSON-RPC message.
pub(crate) fn parse(line: &[u8]) -> Result<Option<Incoming>, Malformed> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        malformed(Value::Null, PARSE_ERROR, format!("the line is not JSON: {error}"))
    })?;
    let Value::Object(mut message) = value else {
        return Err(malformed(
            Value::Null,
            INVALID_REQUEST,
            "a message is one JSON object; batches are not taken",
        ));
    };
    let id = message.remove("id");
    let echo = id.as_ref().and_then(Id::from_value).map_or(Value::Null, |id| id.0);
    if message.get("jsonrpc").is_some_and(|version| version != "2.0") {
        return Err(malformed(echo, INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\""));
    }
    let method = match message.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return Err(malformed(echo, INVALID_REQUEST, "\"method\" must be a string")),
        None => return reply(id, echo, message),
    };
    let params = message.remove("params").unwrap_or(Value::Null);
    if !(params.is_object() || params.is_null()) {
        return Err(malformed(echo, INVALID_PARAMS, "\"params\" must be an object"));
    }
    match id {
        None => Ok(Some(Incoming::Notification { method, params })),
        Some(id) => match Id::from_value(&id) {
            Some(id) => Ok(Some(Incoming::Request { id, method, params })),
            None => Err(malformed(
                Value::Null,
                INVALID_REQUEST,
                "\"id\" must be a string, or a number of at most 64 bits",
            )),
        },
    }
}

fn reply(
    id: Option<Value>,
    echo: Value,
    mut message: serde_json::Map<String, Value>,
) -> Result<Option<Incoming>, Malformed> {
    let result = match (message.remove("result"), message.remove("error")) {
        (_, Some(error)) if !error.is_null() => Err(RpcError {
            code: error.get("code").and_then(Value::as_i64).unwrap_or(INTERNAL_ERROR),
            message: error
                .get("message")
                .and_then(Value::as_str)
                .unwrap_or("no message")
                .to_owned(),
            data: error.get("data").cloned(),
        }),
        (Some(result), _) => Ok(result),
        _ => {
            let message = "a message has a \"method\", a \"result\" or an \"error\"";
            return Err(Malformed { is_reply: true, ..malformed(echo, INVALID_REQUEST, message) });
        }
    };
    Ok(Some(Incoming::Reply { id: id.unwrap_or(Value::Null), result }))
}

fn malformed(id: Value, code: i64, message: impl Into<String>) -> Malformed {
    Malformed { id, is_reply: false, error: RpcError::new(code, message) }
}

/// A reply to the host.
pub(crate) fn response(id: &Value, result: Result<Value, RpcError>) -> Value {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
}

/// A request to the host.
pub(crate) fn request(id: &str, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A notification to the host.
pub(crate) fn notification(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(line: &str) -> (Value, i64) {
        let bad = parse(line.as_bytes()).unwrap_err();
        (bad.id, bad.error.code)
    }

    #[test]
    fn requests_keep_ids_of_every_allowed_type() {
        for id in [json!(1), json!(-1), json!(1.5), json!(u64::MAX), json!("a"), json!("")] {
            let line = json!({"jsonrpc": "2.0", "id": id, "method": "m"}).to_string();
            let Some(Incoming::Request { id: got, method, params }) =
                parse(line.as_bytes()).unwrap()
            else {
                panic!("{line} is a request");
            };
            assert_eq!((got.value(), method.as_str(), params), (&id, "m", Value::Null));
        }
    }

    #[test]
    fn other_ids_are_refused() {
        for id in ["null", "true", "[1]", "{}", "123456789012345678901234567890", "1e300"] {
            let line = format!(r#"{{"jsonrpc": "2.0", "id": {id}, "method": "m"}}"#);
            assert_eq!(code(&line), (Value::Null, INVALID_REQUEST), "{line}");
        }
    }

    #[test]
    fn garbage_is_told_apart() {
        assert_eq!(code("{"), (Value::Null, PARSE_ERROR));
        assert_eq!(code("\u{1}"), (Value::Null, PARSE_ERROR));
        assert_eq!(code("[]"), (Value::Null, INVALID_REQUEST));
        assert_eq!(code("7"), (Value::Null, INVALID_REQUEST));
        assert_eq!(code(r#"{"id": 3}"#), (json!(3), INVALID_REQUEST));
        assert_eq!(code(r#"{"id": 3, "method": 4}"#), (json!(3), INVALID_REQUEST));
        assert_eq!(code(r#"{"id": 3, "method": "m", "params": [1]}"#), (json!(3), INVALID_PARAMS));
        assert_eq!(
            code(r#"{"jsonrpc": "1.0", "id": 3, "method": "m"}"#),
            (json!(3), INVALID_REQUEST)
        );
        assert_eq!(parse(b"\xff\xfe").unwrap_err().error.code, PARSE_ERROR);
        assert_eq!(parse(b" \t\r").unwrap(), None);
    }

    #[test]
    fn replies_carry_a_result_or_an_error() {
        let ok = parse(br#"{"id": "rb-1", "result": null}"#).unwrap();
        assert_eq!(ok, Some(Incoming::Reply { id: json!("rb-1"), result: Ok(Value::Null) }));
        let Some(Incoming::Reply { result: Err(error), .. }) =
            parse(br#"{"id": "rb-1", "error": {"code": -5, "message": "no"}}"#).unwrap()
        else {
            panic!("an error reply");
        };
        assert_eq!((error.code, error.message.as_str()), (-5, "no"));
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_overflow() {
        let line = "[".repeat(200_000);
        assert_eq!(code(&line), (Value::Null, PARSE_ERROR));
    }
}
