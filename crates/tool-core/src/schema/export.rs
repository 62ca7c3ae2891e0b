//! Tools as each provider wants them declared.

use serde_json::{Map, Value, json};

use super::lower::lower;
use super::strict::{gemini, strict};
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
///
/// In a strict declaration every argument is required and an optional one may be null, which the registry reads as
/// absent. Foreign schemas are lowered to what the provider takes; [`Dialect::JsonSchema`] leaves them alone.
#[must_use]
pub fn export(spec: &ToolSpec, dialect: Dialect) -> Value {
    let (name, description) = (&spec.name, &spec.description);
    match dialect {
        Dialect::OpenAiChat => {
            let (parameters, strict) = openai(spec);
            json!({
                "type": "function",
                "function": { "name": name, "description": description, "parameters": parameters, "strict": strict },
            })
        }
        Dialect::OpenAiResponses => {
            let (parameters, strict) = openai(spec);
            json!({
                "type": "function", "name": name, "description": description,
                "parameters": parameters, "strict": strict,
            })
        }
        Dialect::Anthropic => {
            json!({ "name": name, "description": description, "input_schema": lower(&spec.input_schema) })
        }
        Dialect::Gemini => {
            let mut out = json!({ "name": name, "description": description });
            let parameters = gemini(&lower(&spec.input_schema));
            // A function without arguments has no parameters at all.
            if !parameters["properties"].as_object().is_none_or(Map::is_empty) {
                out["parameters"] = parameters;
            }
            out
        }
        Dialect::JsonSchema => json!({
            "name": name, "title": spec.title, "tier": spec.tier, "description": description,
            "input_schema": spec.input_schema, "parallel_safe": spec.parallel_safe(),
        }),
    }
}

fn openai(spec: &ToolSpec) -> (Value, bool) {
    let lowered = lower(&spec.input_schema);
    match strict(&lowered) {
        Some(parameters) => (parameters, true),
        None => (lowered, false),
    }
}

#[cfg(test)]
mod tests;
