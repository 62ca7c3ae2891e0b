//! A script of calls: what one line of it means.

use serde_json::{Map, Value};

/// One call of a script.
#[derive(Debug, PartialEq)]
pub(crate) struct ScriptCall {
    /// As written; `null` where the line has none.
    pub(crate) id: Value,
    pub(crate) tool: String,
    /// As written; an empty object where the line has none.
    pub(crate) args: Value,
}

/// Reads one line. Blank lines are `None`.
///
/// # Errors
/// What is wrong with the line, without its number.
pub(crate) fn parse_line(line: &[u8]) -> Result<Option<ScriptCall>, String> {
    let line = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() {
        return Ok(None);
    }
    let value: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    let Value::Object(mut object) = value else {
        return Err(format!("a call is a JSON object like {EXAMPLE}, not {}", kind(&value)));
    };
    let tool = match object.remove("tool") {
        Some(Value::String(tool)) => tool,
        Some(other) => return Err(format!("\"tool\" must be a string, not {}", kind(&other))),
        None => return Err(format!("\"tool\" is missing: a call looks like {EXAMPLE}")),
    };
    let id = object.remove("id").unwrap_or(Value::Null);
    let args = match object.remove("args") {
        Some(args) => args,
        // With "args" absent another key is most likely a misspelt one, and dropping it would run the wrong call.
        None => match object.keys().next() {
            Some(key) => {
                return Err(format!(
                    "\"args\" is missing and \"{key}\" is unknown: a call looks like {EXAMPLE}"
                ));
            }
            None => Value::Object(Map::new()),
        },
    };
    Ok(Some(ScriptCall { id, tool, args }))
}

const EXAMPLE: &str = r#"{"id": 1, "tool": "read", "args": {"path": "a.txt"}}"#;

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(line: &str) -> Result<Option<ScriptCall>, String> {
        parse_line(line.as_bytes())
    }

    #[test]
    fn a_call_keeps_its_id_as_written() {
        for id in [json!(7), json!("seven"), json!(null), json!([1])] {
            let line = json!({"id": id, "tool": "read", "args": {"path": "a"}}).to_string();
            let got = call(&line).unwrap().unwrap();
            assert_eq!(got, ScriptCall { id, tool: "read".into(), args: json!({"path": "a"}) });
        }
    }

    #[test]
    fn id_and_args_may_be_absent_and_blank_lines_are_nothing() {
        let got = call(r#"{"tool": "t"}"#).unwrap().unwrap();
        assert_eq!((got.id, got.args), (json!(null), json!({})));
        assert_eq!(call("  \r"), Ok(None));
        assert_eq!(call(""), Ok(None));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let wrong = [
            ("{", "not JSON"),
            ("[]", "not an array"),
            ("3", "not a number"),
            ("{}", "\"tool\" is missing"),
            (r#"{"tool": 4}"#, "must be a string"),
            (r#"{"tool": "read", "arguments": {}}"#, "\"arguments\" is unknown"),
            (r#"{"tool": "read"} {"tool": "read"}"#, "not JSON"),
        ];
        for (line, why) in wrong {
            let said = call(line).unwrap_err();
            assert!(said.contains(why), "{line}: {said}");
        }
        assert!(parse_line(b"\xff{}").unwrap_err().contains("not UTF-8"));
    }

    #[test]
    fn a_byte_order_mark_and_a_comment_key_do_no_harm() {
        let got =
            call("\u{feff}{\"tool\": \"t\", \"args\": {}, \"note\": \"why\"}").unwrap().unwrap();
        assert_eq!(got.tool, "t");
    }
}
