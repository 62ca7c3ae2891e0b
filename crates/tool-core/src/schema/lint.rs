//! The linter of the portable subset: what every provider takes, and nothing else.

use std::fmt;

use serde_json::{Map, Value};

use crate::spec::{ToolSpec, valid_name};

/// Keywords of the subset; any other is refused by some provider.
const ALLOWED: [&str; 7] =
    ["type", "properties", "required", "additionalProperties", "items", "enum", "description"];

/// Something about a tool that some provider refuses, or some model gets wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LintFinding {
    /// Where in the schema, as a JSON pointer; empty for the tool itself.
    pub path: String,
    /// What is wrong, and what to do instead.
    pub message: String,
}

impl fmt::Display for LintFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// Checks a tool against the portable subset. Foreign tools may fail it and still work: they are lowered at export.
#[must_use]
pub fn lint(spec: &ToolSpec) -> Vec<LintFinding> {
    let mut lint = Lint::default();
    if !valid_name(&spec.name) {
        lint.find("", "the name must be a letter or `_`, then letters, digits and `_`, at most 64");
    }
    if spec.description.trim().is_empty() {
        lint.find("", "the tool has no description");
    }
    if spec.description.len() > 4_096 {
        lint.find("", "the description is over 4,096 bytes; it is sent with every request");
    }
    match spec.input_schema.as_object() {
        Some(schema) if schema.get("type").and_then(Value::as_str) == Some("object") => {
            lint.object(schema, "");
        }
        _ => lint.find("", "the schema must be an object with `\"type\": \"object\"`"),
    }
    lint.findings
}

#[derive(Default)]
struct Lint {
    findings: Vec<LintFinding>,
}

impl Lint {
    fn find(&mut self, path: &str, message: impl Into<String>) {
        self.findings.push(LintFinding { path: path.to_owned(), message: message.into() });
    }

    fn object(&mut self, schema: &Map<String, Value>, path: &str) {
        self.keywords(schema, path);
        if schema.get("additionalProperties") != Some(&Value::Bool(false)) {
            self.find(path, "an object must say `\"additionalProperties\": false`");
        }
        let empty = Map::new();
        let properties = match schema.get("properties").and_then(Value::as_object) {
            Some(properties) => properties,
            None => {
                self.find(path, "an object must have `properties` (it may be empty)");
                &empty
            }
        };
        match schema.get("required").and_then(Value::as_array) {
            None => self.find(path, "an object must have a `required` list (it may be empty)"),
            Some(required) => {
                for name in required {
                    if !name.as_str().is_some_and(|n| properties.contains_key(n)) {
                        self.find(path, format!("`required` names {name}, which is no property"));
                    }
                }
            }
        }
        for (name, property) in properties {
            let path = format!("{path}/properties/{name}");
            if !valid_name(name) {
                self.find(&path, "a property's name must be letters, digits and `_`, at most 64");
            }
            if property.get("description").and_then(Value::as_str).is_none_or(str::is_empty) {
                self.find(&path, "a property must have a description");
            }
            self.value(property, &path);
        }
    }

    fn value(&mut self, schema: &Value, path: &str) {
        let Some(map) = schema.as_object() else {
            self.find(path, "a schema must be an object");
            return;
        };
        let kind = map.get("type").and_then(Value::as_str);
        match kind {
            Some("object") => return self.object(map, path),
            Some("array") => match map.get("items") {
                Some(items) => self.value(items, &format!("{path}/items")),
                None => self.find(path, "an array must have `items`"),
            },
            Some("string" | "integer" | "number" | "boolean") => {}
            _ => self.find(
                path,
                "`type` must be one of string, integer, number, boolean, array and object",
            ),
        }
        self.keywords(map, path);
        if let Some(values) = map.get("enum") {
            let words =
                values.as_array().is_some_and(|v| !v.is_empty() && v.iter().all(Value::is_string));
            if kind != Some("string") || !words {
                self.find(path, "an `enum` must be a list of strings");
            }
        }
    }

    fn keywords(&mut self, schema: &Map<String, Value>, path: &str) {
        for word in schema.keys().filter(|word| !ALLOWED.contains(&word.as_str())) {
            self.find(
                path,
                format!("`{word}` is not portable: say it in the description and check it in code"),
            );
        }
    }
}
