//! The one normalisation of arguments: what models get wrong in harmless ways is put right, the rest is named.
//!
//! - no text, `null` and a string that holds the object are taken for the object they mean;
//! - `null` is absent (unless the schema allows it or the argument is required);
//! - a string that holds JSON is decoded once where the schema wants an object, an array, a number or a boolean;
//! - a whole number written as `3.0` is an integer where the schema wants one;
//! - unknown keys are refused only where the schema says `additionalProperties: false`.
//!
//! Everything that is wrong is reported at once, with its path.

use serde_json::{Map, Number, Value, json};

use crate::args::RawArgs;
use crate::error::ToolError;
use crate::spec::ToolSpec;
use crate::text::{listed, nearest};

/// Faults told at once; a model gets no further with more.
const TOLD: usize = 8;
/// A schema that refers to itself ends somewhere.
const DEPTH: usize = 32;

/// Arguments in the shape that the schema asks for: always an object.
pub(crate) fn normalise(spec: &ToolSpec, raw: RawArgs) -> Result<Value, ToolError> {
    let mut value = match raw {
        RawArgs::Value(value) => value,
        RawArgs::Text(text) if text.trim().is_empty() => Value::Null,
        RawArgs::Text(text) => serde_json::from_str(&text).map_err(|e| {
            ToolError::invalid(format!("the arguments of `{}` are not JSON: {e}", spec.name))
                .hint("send one JSON object")
        })?,
    };
    if let Value::String(text) = &value {
        match serde_json::from_str(text) {
            Ok(inner @ (Value::Object(_) | Value::Null)) => value = inner,
            _ if text.trim().is_empty() => value = Value::Null,
            _ => {}
        }
    }
    if value.is_null() {
        value = Value::Object(Map::new());
    }
    if !value.is_object() {
        return Err(ToolError::invalid(format!(
            "the arguments of `{}` must be one JSON object, not {}",
            spec.name,
            kind_of(&value)
        )));
    }
    let mut walk = Walk { root: &spec.input_schema, faults: Vec::new() };
    walk.object(&mut value, &spec.input_schema, "", 0);
    if walk.faults.is_empty() {
        return Ok(value);
    }
    let total = walk.faults.len();
    let mut text = walk.faults;
    text.truncate(TOLD);
    let more = if total > TOLD { format!("; {} more", total - TOLD) } else { String::new() };
    let message = format!("`{}`: {}{more}", spec.name, text.join("; "));
    Err(ToolError::invalid(message).details(json!({ "faults": text })))
}

struct Walk<'a> {
    root: &'a Value,
    faults: Vec<String>,
}

impl<'a> Walk<'a> {
    fn object(&mut self, value: &mut Value, schema: &'a Value, path: &str, depth: usize) {
        let Some(map) = value.as_object_mut() else { return };
        let properties = Properties(schema.get("properties").and_then(Value::as_object));
        let required: Vec<&str> = strings(schema.get("required")).collect();

        map.retain(|key, value| {
            let means_null = properties.get(key).is_some_and(|p| allows_null(self.resolve(p)));
            // A required null that the schema allows is a value; any other null says "absent".
            !value.is_null()
                || (means_null && required.contains(&key.as_str()))
                || properties.get(key).is_none()
        });
        for key in &required {
            if !map.contains_key(*key) {
                let what = properties
                    .get(key)
                    .and_then(|p| types(self.resolve(p)).next())
                    .map_or_else(String::new, |kind| format!(" ({kind})"));
                self.faults.push(format!("`{}`{what} is missing", join(path, key)));
            }
        }
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            let unknown: Vec<String> =
                map.keys().filter(|key| properties.get(key).is_none()).cloned().collect();
            for key in unknown {
                self.unknown_key(&key, properties, path);
            }
        }
        for (key, value) in map.iter_mut() {
            if let Some(property) = properties.get(key) {
                self.value(value, property, &join(path, key), depth + 1);
            }
        }
    }

    fn unknown_key(&mut self, key: &str, properties: Properties<'_>, path: &str) {
        let names = || properties.names();
        let near = nearest(key, names())
            .map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
        let shown: String = key.chars().take(60).collect();
        self.faults.push(format!(
            "`{}` is not an argument{near} (allowed: {})",
            join(path, &shown),
            listed(names())
        ));
    }

    fn value(&mut self, value: &mut Value, schema: &'a Value, path: &str, depth: usize) {
        if depth > DEPTH {
            return;
        }
        let schema = self.resolve(schema);
        let wanted: Vec<&str> = types(schema).collect();
        if !wanted.is_empty() && !wanted.iter().any(|kind| fits(value, kind)) {
            match wanted.iter().find_map(|kind| coerced(value, kind)) {
                Some(better) => *value = better,
                None => {
                    self.faults.push(format!(
                        "`{path}` must be {}, not {}",
                        wanted.iter().map(|k| article(k)).collect::<Vec<_>>().join(" or "),
                        kind_of(value)
                    ));
                    return;
                }
            }
        }
        if wanted.contains(&"integer")
            && !wanted.contains(&"number")
            && let Some(whole) = whole_number(value)
        {
            *value = whole;
        }
        if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
            && !allowed.contains(value)
        {
            self.not_in(value, allowed, path);
            return;
        }
        match value {
            Value::Object(_) => self.object(value, schema, path, depth),
            Value::Array(items) => {
                if let Some(item) = schema.get("items") {
                    for (i, value) in items.iter_mut().enumerate() {
                        self.value(value, item, &format!("{path}[{i}]"), depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn not_in(&mut self, value: &Value, allowed: &[Value], path: &str) {
        let names: Vec<String> = allowed
            .iter()
            .map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned))
            .collect();
        let near = value
            .as_str()
            .and_then(|given| nearest(given, names.iter().map(String::as_str)))
            .map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
        let given: String = value.to_string().chars().take(60).collect();
        self.faults.push(format!(
            "`{path}` cannot be {given}{near} (allowed: {})",
            listed(names.iter().map(String::as_str))
        ));
    }

    /// Follows references inside the schema; a foreign or endless one allows anything.
    fn resolve(&self, mut schema: &'a Value) -> &'a Value {
        for _ in 0..DEPTH {
            let Some(reference) = schema.get("$ref").and_then(Value::as_str) else {
                return schema;
            };
            let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            match target {
                Some(target) => schema = target,
                None => return &Value::Null,
            }
        }
        &Value::Null
    }
}

/// The properties of an object schema; none if it names none.
#[derive(Clone, Copy)]
struct Properties<'a>(Option<&'a Map<String, Value>>);

impl<'a> Properties<'a> {
    fn get(self, key: &str) -> Option<&'a Value> {
        self.0?.get(key)
    }

    fn names(self) -> impl Iterator<Item = &'a str> {
        self.0.into_iter().flat_map(|map| map.keys().map(String::as_str))
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The `type` of a schema: one, several, or none.
fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let kind = schema.get("type");
    kind.and_then(Value::as_str).into_iter().chain(strings(kind))
}

fn allows_null(schema: &Value) -> bool {
    types(schema).any(|kind| kind == "null")
        || ["anyOf", "oneOf"].iter().any(|word| {
            let branches = schema.get(word).and_then(Value::as_array);
            branches.is_some_and(|b| b.iter().any(allows_null))
        })
}

fn fits(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.as_number().is_some_and(|_| whole_number(value).is_some()),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        // A word that JSON schema does not have forbids nothing.
        _ => true,
    }
}

/// The value that a string was meant to be, where only one reading is possible.
fn coerced(value: &Value, kind: &str) -> Option<Value> {
    let text = value.as_str()?;
    match kind {
        "object" | "array" | "integer" | "number" | "boolean" => {
            let inner: Value = serde_json::from_str(text).ok()?;
            fits(&inner, kind).then_some(inner)
        }
        _ => None,
    }
}

/// The integer that a number is, if it is one: `3`, `3.0`, `3e0`.
fn whole_number(value: &Value) -> Option<Value> {
    /// Above this, floats skip integers.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = value.as_number()?;
    if number.is_i64() || number.is_u64() {
        return Some(value.clone());
    }
    let float = number.as_f64()?;
    if float.fract() != 0.0 || float.abs() > EXACT {
        return None;
    }
    // Printed without a fraction, so that no cast can lose anything.
    let whole: Number = format!("{float:.0}").parse().ok()?;
    Some(Value::Number(whole))
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn article(kind: &str) -> String {
    match kind {
        "integer" | "array" | "object" => format!("an {kind}"),
        "null" => kind.to_owned(),
        other => format!("a {other}"),
    }
}

#[cfg(test)]
mod tests;
