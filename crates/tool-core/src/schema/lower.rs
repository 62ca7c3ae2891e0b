//! Lowering: any schema, as far as it means something, in the portable subset.
//!
//! A schema that the linter passes comes out unchanged. In others references are put in place (endless ones end in
//! "any object"), `allOf` is merged, alternatives become what they have in common, `const` becomes `enum`, and bounds
//! and formats move into the description, where a model can still read them.

use std::cell::Cell;

use serde_json::{Map, Value, json};

type Object = Map<String, Value>;

/// Nesting beyond this is cut off; no model fills it anyway.
const DEPTH: usize = 24;

/// Schemas put in place before the rest is cut off: references can double at every level.
const NODES: usize = 10_000;

/// Keywords whose value a model should know, and the words for them.
const IN_WORDS: [(&str, &str); 16] = [
    ("format", "format"),
    ("pattern", "pattern"),
    ("minimum", "at least"),
    ("maximum", "at most"),
    ("exclusiveMinimum", "more than"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "a multiple of"),
    ("minLength", "characters at least"),
    ("maxLength", "characters at most"),
    ("minItems", "items at least"),
    ("maxItems", "items at most"),
    ("uniqueItems", "items differ"),
    ("minProperties", "properties at least"),
    ("maxProperties", "properties at most"),
    ("contentEncoding", "encoded as"),
    ("default", "default"),
];

/// The schema of a tool's arguments in the portable subset.
pub(crate) fn lower(schema: &Value) -> Value {
    let lowering = Lowering { root: schema, nodes: Cell::new(0) };
    let mut out = lowering.schema(schema, &mut Vec::new(), 0);
    out.insert("type".to_owned(), json!("object"));
    out.entry("properties").or_insert_with(|| json!({}));
    out.entry("required").or_insert_with(|| json!([]));
    Value::Object(out)
}

struct Lowering<'a> {
    root: &'a Value,
    nodes: Cell<usize>,
}

impl<'a> Lowering<'a> {
    /// `via` are the references that led here.
    fn schema(&self, schema: &'a Value, via: &mut Vec<&'a str>, depth: usize) -> Object {
        let Some(map) = schema.as_object() else {
            // `true` and `{}` allow anything.
            return Object::new();
        };
        self.nodes.set(self.nodes.get() + 1);
        if depth > DEPTH || self.nodes.get() > NODES {
            return any_object();
        }
        let before = via.len();
        let mut out = self.referenced(map, via, depth);
        for part in list(map, "allOf") {
            merge(&mut out, self.schema(part, via, depth + 1));
        }
        let branches: Vec<Object> = ["anyOf", "oneOf"]
            .into_iter()
            .flat_map(|word| list(map, word))
            .filter(|branch| branch.get("type").is_none_or(|t| t != "null"))
            .filter(|branch| branch.get("const").is_none_or(|c| !c.is_null()))
            .map(|branch| self.schema(branch, via, depth + 1))
            .collect();
        let own = self.own(map, via, depth);
        if own.contains_key("properties") {
            // "One of these sets is required": the properties are known already, the rest is the tool's to check.
            for branch in branches.into_iter().filter(|b| b.contains_key("properties")) {
                merge_optional(&mut out, branch);
            }
        } else {
            merge(&mut out, alternatives(branches));
        }
        merge(&mut out, own);
        via.truncate(before);
        describe(&mut out, map);
        if out.get("type") == Some(&json!("array")) {
            out.entry("items").or_insert_with(|| json!({ "type": "string" }));
        }
        out
    }

    fn referenced(&self, map: &'a Object, via: &mut Vec<&'a str>, depth: usize) -> Object {
        let Some(reference) = map.get("$ref").and_then(Value::as_str) else {
            return Object::new();
        };
        let target = reference.strip_prefix('#').and_then(|p| self.root.pointer(p));
        match target {
            Some(target) if !via.contains(&reference) => {
                via.push(reference);
                self.schema(target, via, depth + 1)
            }
            _ => any_object(),
        }
    }

    /// What the schema says itself, without references and alternatives.
    fn own(&self, map: &'a Object, via: &mut Vec<&'a str>, depth: usize) -> Object {
        let mut out = Object::new();
        if let Some(kind) = kind(map) {
            out.insert("type".to_owned(), json!(kind));
        }
        if let Some(properties) = map.get("properties").and_then(Value::as_object) {
            let lowered: Object = properties
                .iter()
                .map(|(name, p)| (name.clone(), Value::Object(self.schema(p, via, depth + 1))))
                .collect();
            let required: Vec<&Value> = list(map, "required")
                .filter(|name| name.as_str().is_some_and(|n| properties.contains_key(n)))
                .collect();
            out.insert("required".to_owned(), json!(required));
            out.insert("properties".to_owned(), Value::Object(lowered));
        }
        if map.get("additionalProperties") == Some(&json!(false)) {
            out.insert("additionalProperties".to_owned(), json!(false));
        }
        let items = match map.get("items") {
            Some(items @ Value::Object(_)) => Some(items),
            Some(Value::Array(tuple)) => tuple.first(),
            _ => list(map, "prefixItems").next(),
        };
        if let Some(items) = items {
            let items = self.schema(items, via, depth + 1);
            out.insert("items".to_owned(), Value::Object(items));
        }
        let words: Vec<&str> = values(map).filter_map(Value::as_str).collect();
        if !words.is_empty() && values(map).all(|v| v.is_string() || v.is_null()) {
            out.insert("enum".to_owned(), json!(words));
        }
        out
    }
}

fn any_object() -> Object {
    Object::from_iter([("type".to_owned(), json!("object"))])
}

fn list<'a>(map: &'a Object, word: &str) -> impl Iterator<Item = &'a Value> {
    map.get(word).and_then(Value::as_array).into_iter().flatten()
}

/// The values of `enum`, or the one of `const`.
fn values(map: &Object) -> impl Iterator<Item = &Value> {
    list(map, "enum").chain(map.get("const"))
}

/// The one type: of several a string if it is among them (it can hold anything), else the first that is not null.
fn kind(map: &Object) -> Option<&str> {
    let said: Vec<&str> = match map.get("type") {
        Some(Value::String(kind)) => vec![kind],
        _ => list(map, "type").filter_map(Value::as_str).collect(),
    };
    let mut real = said.iter().copied().filter(|kind| *kind != "null");
    if real.clone().any(|kind| kind == "string") {
        return Some("string");
    }
    real.next().or_else(|| {
        let of_value = values(map).find(|v| !v.is_null()).map(|value| match value {
            Value::Bool(_) => "boolean",
            Value::Number(n) if n.is_i64() || n.is_u64() => "integer",
            Value::Number(_) => "number",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
            Value::String(_) | Value::Null => "string",
        });
        let of_word = [("properties", "object"), ("items", "array"), ("prefixItems", "array")]
            .into_iter()
            .find_map(|(word, kind)| map.contains_key(word).then_some(kind));
        of_value.or(of_word)
    })
}

/// What alternatives have in common.
fn alternatives(mut branches: Vec<Object>) -> Object {
    if branches.len() <= 1 {
        return branches.pop().unwrap_or_default();
    }
    let kinds: Vec<Option<&Value>> = branches.iter().map(|b| b.get("type")).collect();
    let all = |kind: &str| kinds.iter().all(|k| *k == Some(&json!(kind)));
    if all("string") {
        let mut words: Vec<Value> = Vec::new();
        for branch in &branches {
            let Some(more) = branch.get("enum").and_then(Value::as_array) else {
                // One alternative takes any string, so the words are only examples.
                return Object::from_iter([("type".to_owned(), json!("string"))]);
            };
            words.extend(more.iter().cloned());
        }
        words.dedup();
        return Object::from_iter([
            ("type".to_owned(), json!("string")),
            ("enum".to_owned(), json!(words)),
        ]);
    }
    if all("object") {
        return objects(branches);
    }
    let others: Vec<String> =
        kinds.iter().flatten().filter_map(|k| k.as_str()).map(str::to_owned).collect();
    let pick = branches.iter().position(|b| b.get("type") == Some(&json!("string"))).unwrap_or(0);
    let mut out = branches.swap_remove(pick);
    let text = out.get("description").and_then(Value::as_str).unwrap_or_default();
    let text = format!("{text} (or: {})", others.join(", "));
    out.insert("description".to_owned(), json!(text.trim_start()));
    out
}

/// All properties of all alternatives; required is what every one of them requires.
fn objects(branches: Vec<Object>) -> Object {
    let required = |b: &Object| -> Vec<Value> { list(b, "required").cloned().collect() };
    let mut common = branches.first().map(required).unwrap_or_default();
    for branch in &branches {
        let here = required(branch);
        common.retain(|name| here.contains(name));
    }
    let closed = branches.iter().all(|b| b.contains_key("additionalProperties"));
    let mut out = any_object();
    for branch in branches {
        merge_optional(&mut out, branch);
    }
    out.insert("required".to_owned(), json!(common));
    if closed {
        out.insert("additionalProperties".to_owned(), json!(false));
    }
    out
}

/// Adds a branch's properties without requiring any. The same property in two branches: both sets of words count.
fn merge_optional(out: &mut Object, mut branch: Object) {
    let Some(Value::Object(more)) = branch.remove("properties") else { return };
    let properties = out.entry("properties").or_insert_with(|| json!({}));
    let Some(properties) = properties.as_object_mut() else { return };
    for (name, property) in more {
        match (properties.get_mut(&name), property) {
            (Some(Value::Object(old)), Value::Object(new)) => {
                let both = alternatives(vec![std::mem::take(old), new]);
                *old = both;
            }
            (_, property) => {
                properties.insert(name, property);
            }
        }
    }
}

/// All that both say; where they differ the later wins, but properties and what is required add up.
fn merge(out: &mut Object, more: Object) {
    for (word, value) in more {
        match (word.as_str(), out.get_mut(&word), value) {
            ("properties", Some(Value::Object(old)), Value::Object(new)) => old.extend(new),
            ("required", Some(Value::Array(old)), Value::Array(new)) => {
                let new = new.into_iter().filter(|name| !old.contains(name)).collect::<Vec<_>>();
                old.extend(new);
            }
            (_, _, value) => {
                out.insert(word, value);
            }
        }
    }
}

/// The description, with what the subset cannot say in words after it.
fn describe(out: &mut Object, map: &Object) {
    let mut words: Vec<String> = IN_WORDS
        .iter()
        .filter_map(|(word, text)| map.get(*word).map(|value| (text, value)))
        .filter(|(_, value)| !value.is_null())
        .map(|(text, value)| match value {
            Value::String(value) => format!("{text} {value}"),
            Value::Bool(true) => (*text).to_owned(),
            value => format!("{text} {value}"),
        })
        .collect();
    if !out.contains_key("enum") && values(map).next().is_some() {
        let texts: Vec<String> = values(map).map(Value::to_string).collect();
        words.push(format!("one of {}", texts.join(", ")));
    }
    if let Some(Value::Object(names)) = map.get("additionalProperties")
        && !map.contains_key("properties")
    {
        let of = kind(names).map_or_else(String::new, |kind| format!(" to {kind}"));
        words.push(format!("a map of any names{of}"));
    }
    let said = map
        .get("description")
        .and_then(Value::as_str)
        .or_else(|| out.get("description").and_then(Value::as_str))
        .unwrap_or_default();
    let text = if words.is_empty() {
        said.to_owned()
    } else {
        format!("{said} ({})", words.join(", ")).trim_start().to_owned()
    };
    if !text.is_empty() {
        out.insert("description".to_owned(), json!(text));
    }
}
