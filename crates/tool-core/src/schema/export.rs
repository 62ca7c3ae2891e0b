//! Tools as each provider wants them declared.

use serde_json::{Value, json};

use super::lower::lower;
use crate::spec::ToolSpec;

/// The form of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI chat completions; strict where the schema provably allows it.
    OpenAiChat,
    /// OpenAI responses; strict where the schema provably allows it.
    OpenAiResponses,
    /// Anthropic messages.
    Anthropic,
    /// Gemini function declarations.
    Gemini,
    /// Plain: the schema as the tool wrote it, with name, tier and description.
    JsonSchema,
}

/// One tool in one dialect.
#[must_use]
pub fn export(spec: &ToolSpec, dialect: Dialect) -> Value {
    let (name, description) = (&spec.name, &spec.description);
    let schema = lower(&spec.input_schema);
    match dialect {
        Dialect::OpenAiChat => json!({
            "type": "function",
            "function": { "name": name, "description": description, "parameters": schema },
        }),
        Dialect::OpenAiResponses => json!({
            "type": "function", "name": name, "description": description, "parameters": schema, "strict": false,
        }),
        Dialect::Anthropic => {
            json!({ "name": name, "description": description, "input_schema": schema })
        }
        Dialect::Gemini => {
            json!({ "name": name, "description": description, "parameters": schema })
        }
        Dialect::JsonSchema => json!({
            "name": name, "title": spec.title, "tier": spec.tier, "description": description,
            "input_schema": spec.input_schema, "parallel_safe": spec.parallel_safe(),
        }),
    }
}
