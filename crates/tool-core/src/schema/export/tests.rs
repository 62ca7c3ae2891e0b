//! Properties of the exports over random schemas, portable and foreign.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Dialect, export};
use crate::schema::lint;
use crate::schema::lower::lower;
use crate::spec::ToolSpec;
use crate::tier::Tier;

fn spec(schema: Value) -> ToolSpec {
    ToolSpec::new("t", Tier::Read, "Does it.", schema)
}

/// A random schema of the portable subset.
fn portable() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({ "type": "string" })),
        Just(json!({ "type": "string", "enum": ["a", "b"] })),
        Just(json!({ "type": "integer" })),
        Just(json!({ "type": "boolean" })),
    ];
    let value = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            object(inner),
        ]
    });
    object(value)
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[a-z]{1,4}", (value, any::<bool>()), 0..4).prop_map(|entries| {
        let mut properties = serde_json::Map::new();
        let mut required = Vec::new();
        for (name, (mut property, must)) in entries {
            property["description"] = json!("An argument.");
            if must {
                required.push(name.clone());
            }
            properties.insert(name, property);
        }
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    })
}

/// A random schema of anything JSON schema allows, and of what it does not.
fn foreign() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "additionalProperties",
        "minimum",
        "default",
        "format",
        "prefixItems",
        "description",
    ]);
    let leaf = prop_oneof![
        Just(json!("string")),
        Just(json!("object")),
        Just(json!(["integer", "null"])),
        Just(json!("#")),
        Just(json!("#/properties/a")),
        Just(json!(false)),
        Just(json!(3)),
        Just(json!(null)),
        Just(json!(["a"])),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::btree_map(word.clone().prop_map(str::to_owned), inner.clone(), 0..5)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
            prop::collection::btree_map("[ab]", inner.clone(), 0..3)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
            prop::collection::vec(inner, 0..3).prop_map(Value::Array),
        ]
    })
}

/// Required and optional arguments as a declaration shows them.
fn arguments(parameters: &Value, strict: bool) -> (BTreeSet<String>, BTreeSet<String>) {
    let required: BTreeSet<String> = parameters["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|v| v.as_str().map(str::to_owned))
        .collect();
    let properties = parameters["properties"].as_object().cloned().unwrap_or_default();
    properties.into_iter().fold(
        (BTreeSet::new(), BTreeSet::new()),
        |(mut must, mut may), (name, property)| {
            let null =
                property["type"].as_array().is_some_and(|kinds| kinds.contains(&json!("null")));
            if required.contains(&name) && !(strict && null) {
                must.insert(name);
            } else {
                may.insert(name);
            }
            (must, may)
        },
    )
}

/// Every keyword of a schema, at any depth.
fn keywords(schema: &Value, out: &mut BTreeSet<String>) {
    for (word, inner) in schema.as_object().into_iter().flatten() {
        out.insert(word.clone());
        match word.as_str() {
            "properties" => {
                inner.as_object().into_iter().flatten().for_each(|(_, p)| keywords(p, out));
            }
            "items" => keywords(inner, out),
            _ => {}
        }
    }
}

proptest! {
    #[test]
    fn a_portable_schema_is_lowered_to_itself(schema in portable()) {
        prop_assert_eq!(lint(&spec(schema.clone())), vec![]);
        prop_assert_eq!(lower(&schema), schema);
    }

    #[test]
    fn every_export_keeps_what_is_required_and_what_is_not(schema in portable()) {
        let want = arguments(&schema, false);
        let spec = spec(schema);
        let chat = export(&spec, Dialect::OpenAiChat);
        let strict = chat["function"]["strict"] == true;
        prop_assert_eq!(&arguments(&chat["function"]["parameters"], strict), &want);
        let responses = export(&spec, Dialect::OpenAiResponses);
        prop_assert_eq!(&arguments(&responses["parameters"], strict), &want);
        prop_assert_eq!(&arguments(&export(&spec, Dialect::Anthropic)["input_schema"], false), &want);
        prop_assert_eq!(&arguments(&export(&spec, Dialect::Gemini)["parameters"], false), &want);
        prop_assert_eq!(&arguments(&export(&spec, Dialect::JsonSchema)["input_schema"], false), &want);
    }

    #[test]
    fn a_foreign_schema_comes_out_in_the_subset(schema in foreign()) {
        let lowered = lower(&schema);
        let mut words = BTreeSet::new();
        keywords(&lowered, &mut words);
        for allowed in ["type", "properties", "required", "additionalProperties", "items", "enum", "description"] {
            words.remove(allowed);
        }
        prop_assert!(words.is_empty(), "{:?} in {}", words, lowered);
        for dialect in [Dialect::OpenAiChat, Dialect::OpenAiResponses, Dialect::Anthropic, Dialect::Gemini] {
            let _ = export(&spec(schema.clone()), dialect);
        }
    }
}

fn property(schema: Value) -> Value {
    lower(&json!({ "type": "object", "properties": { "p": schema } }))["properties"]["p"].take()
}

#[test]
fn foreign_words_become_portable_ones() {
    for (foreign, want) in [
        (json!({ "type": ["string", "null"] }), json!({ "type": "string" })),
        (
            json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] }),
            json!({ "type": "integer" }),
        ),
        (json!({ "const": "x" }), json!({ "type": "string", "enum": ["x"] })),
        (
            json!({ "oneOf": [{ "const": "a" }, { "const": "b" }] }),
            json!({ "type": "string", "enum": ["a", "b"] }),
        ),
        (
            json!({ "type": "integer", "format": "uint32", "minimum": 0, "description": "How many." }),
            json!({ "type": "integer", "description": "How many. (format uint32, at least 0)" }),
        ),
        (json!({ "enum": [1, 2] }), json!({ "type": "integer", "description": "(one of 1, 2)" })),
        (json!({ "type": "array" }), json!({ "type": "array", "items": { "type": "string" } })),
        (
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            json!({ "type": "object", "description": "(a map of any names to string)" }),
        ),
        (
            json!({ "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "string" }] }),
            json!({ "type": "string", "description": "(or: array, string)" }),
        ),
        (json!(true), json!({})),
    ] {
        assert_eq!(property(foreign.clone()), want, "{foreign}");
    }
}

#[test]
fn references_are_put_in_place_and_endless_ones_end() {
    let schema = json!({
        "type": "object",
        "properties": { "tree": { "$ref": "#/$defs/node", "description": "The tree." } },
        "$defs": { "node": {
            "type": "object",
            "properties": { "name": { "type": "string" }, "child": { "$ref": "#/$defs/node" } },
            "required": ["name"],
        } },
    });
    assert_eq!(
        lower(&schema)["properties"]["tree"],
        json!({
            "type": "object", "description": "The tree.", "required": ["name"],
            "properties": { "name": { "type": "string" }, "child": { "type": "object" } },
        })
    );
}

#[test]
fn alternatives_at_the_top_are_one_object() {
    let branch = |name: &str| {
        json!({ "type": "object", "properties": { "op": { "const": name }, (name): { "type": "string" } },
                "required": ["op", name], "additionalProperties": false })
    };
    let schema = json!({ "oneOf": [branch("open"), branch("close")] });
    assert_eq!(
        lower(&schema),
        json!({
            "type": "object", "required": ["op"], "additionalProperties": false,
            "properties": {
                "op": { "type": "string", "enum": ["open", "close"] },
                "open": { "type": "string" }, "close": { "type": "string" },
            },
        })
    );
}

#[test]
fn strict_is_claimed_only_where_it_holds() {
    let strict =
        |schema: Value| export(&spec(schema), Dialect::OpenAiChat)["function"]["strict"] == true;
    let closed = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    assert!(strict(closed.clone()));
    assert!(!strict(json!({ "type": "object", "properties": {} })), "open");
    let with = |property: Value| {
        let mut schema = closed.clone();
        schema["properties"]["p"] = property;
        schema
    };
    assert!(strict(with(json!({ "type": "array", "items": { "type": "string" } }))));
    assert!(!strict(with(json!({ "type": "object" }))), "a free map inside");
    assert!(!strict(with(json!({}))), "anything");
    let deep = (0..8).fold(json!({ "type": "string" }), |inner, _| with(inner));
    assert!(!strict(deep), "too deep for some");
}

#[test]
fn references_that_double_at_every_level_end() {
    let mut defs = serde_json::Map::new();
    for i in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", i + 1) });
        let level = json!({ "type": "object", "properties": { "a": next, "b": next } });
        defs.insert(format!("d{i}"), level);
    }
    let schema =
        json!({ "type": "object", "properties": { "p": { "$ref": "#/$defs/d0" } }, "$defs": defs });
    let size = lower(&schema).to_string().len();
    assert!(size < 2_000_000, "{size}");
}
