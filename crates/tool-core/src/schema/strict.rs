//! Strict schemas for OpenAI, and Gemini's own subset, made of lowered ones.

use serde_json::{Map, Value, json};

/// The older and tighter of the documented limits, so that a claim of strictness always holds.
const MAX_DEPTH: usize = 5;
const MAX_PROPERTIES: usize = 100;
const MAX_WORDS: usize = 500;

/// The schema in which every property is required and optional ones may be null; `None` where that cannot be proved.
pub(crate) fn strict(lowered: &Value) -> Option<Value> {
    let mut count = Count::default();
    let out = object(lowered.as_object()?, 1, &mut count)?;
    (count.properties <= MAX_PROPERTIES && count.words <= MAX_WORDS).then_some(out)
}

#[derive(Default)]
struct Count {
    properties: usize,
    words: usize,
}

fn object(schema: &Map<String, Value>, depth: usize, count: &mut Count) -> Option<Value> {
    if depth > MAX_DEPTH || schema.get("additionalProperties") != Some(&Value::Bool(false)) {
        return None;
    }
    let properties = schema.get("properties")?.as_object()?;
    let required = schema.get("required")?.as_array()?;
    let mut out = Map::new();
    for (name, property) in properties {
        count.properties += 1;
        let mut property = value(property, depth, count)?;
        if !required.iter().any(|r| r == name) {
            nullable(&mut property)?;
        }
        out.insert(name.clone(), property);
    }
    let mut whole = schema.clone();
    whole.insert("required".to_owned(), json!(out.keys().collect::<Vec<_>>()));
    whole.insert("properties".to_owned(), Value::Object(out));
    Some(Value::Object(whole))
}

fn value(schema: &Value, depth: usize, count: &mut Count) -> Option<Value> {
    let map = schema.as_object()?;
    match map.get("type")?.as_str()? {
        "object" => object(map, depth + 1, count),
        "array" => {
            let mut out = map.clone();
            out.insert("items".to_owned(), value(map.get("items")?, depth + 1, count)?);
            Some(Value::Object(out))
        }
        "string" | "integer" | "number" | "boolean" => {
            let words = map.get("enum").and_then(Value::as_array);
            count.words += words.map_or(0, Vec::len);
            Some(schema.clone())
        }
        _ => None,
    }
}

fn nullable(schema: &mut Value) -> Option<()> {
    let map = schema.as_object_mut()?;
    let kind = map.get("type")?.clone();
    map.insert("type".to_owned(), json!([kind, "null"]));
    if let Some(Value::Array(words)) = map.get_mut("enum") {
        words.push(Value::Null);
    }
    Some(())
}

/// What Gemini takes: no `additionalProperties`, no empty word, a type everywhere, and no object without properties
/// (such an argument is asked for as JSON text, which the argument normalisation decodes).
pub(crate) fn gemini(lowered: &Value) -> Value {
    let Some(map) = lowered.as_object() else {
        return lowered.clone();
    };
    let mut out = Map::new();
    for (word, inner) in map {
        let inner = match word.as_str() {
            "additionalProperties" => continue,
            "properties" => Value::Object(
                inner
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, property)| (name.clone(), argument(property)))
                    .collect(),
            ),
            "items" => argument(inner),
            "enum" => {
                inner.as_array().into_iter().flatten().filter(|w| *w != "").cloned().collect()
            }
            _ => inner.clone(),
        };
        out.insert(word.clone(), inner);
    }
    Value::Object(out)
}

fn argument(schema: &Value) -> Value {
    let bare =
        schema["type"] == "object" && schema["properties"].as_object().is_none_or(Map::is_empty);
    if schema.get("type").is_some() && !bare {
        return gemini(schema);
    }
    let said = schema["description"].as_str().unwrap_or_default();
    let what = if bare { "a JSON object" } else { "any JSON value" };
    json!({ "type": "string", "description": format!("{said} ({what}, as text)").trim_start() })
}
