//! The shape of the protocol's result object.

use serde_json::Value;

use crate::error::ErrorKind;

/// What is wrong with a result object of the host protocol; empty when nothing is.
#[must_use]
pub fn check_result_object(object: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |ok: bool, text: &str| {
        if !ok {
            faults.push(text.to_owned());
        }
    };
    fault(object["tool"].is_string(), "`tool` is not a string");
    fault(object["details"].is_object(), "`details` is not an object");
    let elapsed = object["elapsed_ms"].as_f64();
    fault(elapsed.is_some_and(|ms| ms >= 0.0), "`elapsed_ms` is not a number from 0");
    match object["content"].as_array() {
        None => fault(false, "`content` is not a list"),
        Some(blocks) => {
            for block in blocks {
                let good = match block["type"].as_str() {
                    Some("text") => block["text"].is_string(),
                    Some("image") => block["mime_type"].is_string() && block["data"].is_string(),
                    _ => false,
                };
                fault(good, "a block of `content` is neither text nor image");
            }
        }
    }
    match object["ok"].as_bool() {
        Some(true) => {
            fault(object.get("error").is_none(), "`ok` is true, yet there is an `error`");
            let empty = object["content"].as_array().is_none_or(Vec::is_empty);
            fault(!empty, "a success has no `content`");
        }
        Some(false) => {
            let kind = object["error"]["kind"].as_str();
            let known = kind.is_some_and(|kind| ErrorKind::ALL.iter().any(|k| k.as_str() == kind));
            fault(known, "`error.kind` is no word of the protocol");
            let message = object["error"]["message"].as_str();
            fault(message.is_some_and(|m| !m.trim().is_empty()), "`error.message` is empty");
        }
        None => fault(false, "`ok` is not a boolean"),
    }
    faults
}
