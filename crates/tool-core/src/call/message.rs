//! Outcomes as each provider wants them in the conversation.

use serde_json::{Value, json};

use super::CallOutcome;
use crate::base64;
use crate::output::{Block, ToolOutput};
use crate::schema::Dialect;

pub(super) fn message(outcome: &CallOutcome, dialect: Dialect) -> Value {
    let id = outcome.client_id.clone().unwrap_or_else(|| outcome.id.to_string());
    match dialect {
        // A tool message takes text only.
        Dialect::OpenAiChat => {
            json!({ "role": "tool", "tool_call_id": id, "content": outcome.render_text() })
        }
        Dialect::OpenAiResponses => json!({
            "type": "function_call_output", "call_id": id,
            "output": parts(outcome, |text| json!({ "type": "input_text", "text": text }), |mime, data| {
                json!({ "type": "input_image", "image_url": format!("data:{mime};base64,{data}") })
            }),
        }),
        Dialect::Anthropic => json!({
            "type": "tool_result", "tool_use_id": id, "is_error": outcome.is_error(),
            "content": parts(outcome, |text| json!({ "type": "text", "text": text }), |mime, data| {
                json!({ "type": "image", "source": { "type": "base64", "media_type": mime, "data": data } })
            }),
        }),
        Dialect::Gemini => {
            let word = if outcome.is_error() { "error" } else { "output" };
            json!({ "functionResponse": { "name": outcome.name, "response": { word: outcome.render_text() } } })
        }
        Dialect::JsonSchema => outcome.to_result_object(outcome.client_id.clone().map(Value::from)),
    }
}

/// The blocks and notes, and after them the error if there is one. No part is empty: providers refuse those.
fn parts(
    outcome: &CallOutcome,
    text: impl Fn(&str) -> Value,
    image: impl Fn(&str, &str) -> Value,
) -> Vec<Value> {
    let (output, error): (Option<&ToolOutput>, _) = match &outcome.result {
        Ok(output) => (Some(output), None),
        Err(error) => (error.partial(), Some(error.to_string())),
    };
    let mut parts = Vec::new();
    let say = |parts: &mut Vec<Value>, words: &str| {
        if !words.trim().is_empty() {
            parts.push(text(words));
        }
    };
    if let Some(output) = output {
        for block in &output.blocks {
            match block {
                Block::Image { mime, data, .. } => {
                    parts.push(image(mime.as_str(), &base64::encode(data)));
                }
                other => say(&mut parts, &other.to_text()),
            }
        }
        for note in &output.notes {
            say(&mut parts, note);
        }
    }
    if let Some(error) = error {
        say(&mut parts, &error);
    }
    if parts.is_empty() {
        parts.push(text("(no output)"));
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::super::CallOutcome;
    use crate::error::ToolError;
    use crate::ids::{CallId, Origin, RunId};
    use crate::output::{ImageMime, ToolOutput};
    use crate::schema::Dialect;

    fn outcome(result: Result<ToolOutput, ToolError>) -> CallOutcome {
        CallOutcome {
            id: CallId { run: RunId::fresh(), seq: 1 },
            client_id: Some("call_9".to_owned()),
            name: "plot".to_owned(),
            result,
            elapsed: Duration::from_millis(1),
            origin: Origin::Model,
        }
    }

    #[test]
    fn pictures_go_where_there_is_a_place_for_them() {
        let output =
            ToolOutput::text("a plot").image(ImageMime::Png, [1u8, 2, 3], "a line that rises");
        let outcome = outcome(Ok(output));
        assert_eq!(
            outcome.to_message(Dialect::Anthropic),
            json!({
                "type": "tool_result", "tool_use_id": "call_9", "is_error": false,
                "content": [
                    { "type": "text", "text": "a plot" },
                    { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AQID" } },
                ],
            })
        );
        let responses = outcome.to_message(Dialect::OpenAiResponses);
        assert_eq!(responses["output"][1]["image_url"], "data:image/png;base64,AQID");
        for dialect in [Dialect::OpenAiChat, Dialect::Gemini] {
            let text = outcome.to_message(dialect).to_string();
            assert!(text.contains("a line that rises") && !text.contains("AQID"), "{text}");
        }
        assert_eq!(outcome.to_message(Dialect::JsonSchema)["id"], "call_9");
    }

    #[test]
    fn a_failure_keeps_what_there_was_and_is_marked() {
        let error = ToolError::failed("line 3 raised").with_partial(ToolOutput::text("1\n2"));
        let outcome = outcome(Err(error));
        let message = outcome.to_message(Dialect::Anthropic);
        assert_eq!(message["is_error"], true);
        assert_eq!(
            message["content"],
            json!([{ "type": "text", "text": "1\n2" }, { "type": "text", "text": "failed: line 3 raised" }])
        );
        let gemini = outcome.to_message(Dialect::Gemini);
        assert_eq!(gemini["functionResponse"]["response"]["error"], "1\n2\nfailed: line 3 raised");
        let chat = outcome.to_message(Dialect::OpenAiChat);
        assert_eq!(chat["tool_call_id"], "call_9");
    }

    #[test]
    fn no_provider_is_sent_an_empty_text() {
        let message = outcome(Ok(ToolOutput::text(""))).to_message(Dialect::Anthropic);
        assert_eq!(message["content"], json!([{ "type": "text", "text": "(no output)" }]));
    }
}
