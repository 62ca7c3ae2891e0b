//! Tables and properties of the argument normalisation.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::normalise;
use crate::args::RawArgs;
use crate::error::ErrorKind;
use crate::spec::ToolSpec;
use crate::tier::Tier;

fn spec() -> ToolSpec {
    let schema = json!({
        "type": "object",
        "properties": {
            "pattern": { "type": "string" },
            "max": { "type": "integer" },
            "ratio": { "type": "number" },
            "deep": { "type": "boolean" },
            "action": { "type": "string", "enum": ["accept", "discard"] },
            "edits": { "type": "array", "items": {
                "type": "object",
                "properties": { "path": { "type": "string" }, "line": { "type": "integer" } },
                "required": ["path"], "additionalProperties": false,
            } },
            "opts": { "type": "object", "properties": { "x": { "type": "integer" } } },
        },
        "required": ["pattern"],
        "additionalProperties": false,
    });
    ToolSpec::new("t", Tier::Read, "d", schema)
}

fn run(raw: impl Into<RawArgs>) -> Result<Value, String> {
    normalise(&spec(), raw.into()).map_err(|e| {
        assert_eq!(e.kind(), ErrorKind::InvalidArgs);
        e.full_message()
    })
}

#[test]
fn harmless_faults_are_put_right() {
    for (raw, want) in [
        (json!({ "pattern": "a" }), json!({ "pattern": "a" })),
        (json!({ "pattern": "a", "max": null, "opts": null }), json!({ "pattern": "a" })),
        (json!("{\"pattern\":\"a\"}"), json!({ "pattern": "a" })),
        (json!({ "pattern": "a", "max": 3.0 }), json!({ "pattern": "a", "max": 3 })),
        (json!({ "pattern": "a", "max": "3" }), json!({ "pattern": "a", "max": 3 })),
        (json!({ "pattern": "a", "max": "3.0" }), json!({ "pattern": "a", "max": 3 })),
        (json!({ "pattern": "a", "deep": "true" }), json!({ "pattern": "a", "deep": true })),
        (json!({ "pattern": "a", "ratio": "0.5" }), json!({ "pattern": "a", "ratio": 0.5 })),
        (
            json!({ "pattern": "a", "edits": "[{\"path\":\"x\",\"line\":\"2\"}]" }),
            json!({ "pattern": "a", "edits": [{ "path": "x", "line": 2 }] }),
        ),
        (
            json!({ "pattern": "a", "opts": "{\"x\":1,\"any\":2}" }),
            json!({ "pattern": "a", "opts": { "x": 1, "any": 2 } }),
        ),
    ] {
        assert_eq!(run(raw.clone()), Ok(want), "{raw}");
    }
    assert_eq!(run("{\"pattern\": \"a\"}"), Ok(json!({ "pattern": "a" })));
}

#[test]
fn a_string_that_is_wanted_stays_a_string() {
    for text in ["3", "true", "null", "{\"a\":1}", "[1]", ""] {
        assert_eq!(run(json!({ "pattern": text })), Ok(json!({ "pattern": text })));
    }
}

#[test]
fn every_fault_is_named_at_once() {
    let text =
        run(json!({ "patern": "a", "max": "ten", "action": "acept", "edits": [{ "line": 1.5 }] }))
            .expect_err("wrong");
    for part in [
        "`pattern` (string) is missing",
        "`patern` is not an argument, did you mean `pattern`?",
        "allowed: action, deep, edits, max, opts, pattern and ratio",
        "`max` must be an integer, not a string",
        "`action` cannot be \"acept\", did you mean `accept`? (allowed: accept and discard)",
        "`edits[0].path` (string) is missing",
        "`edits[0].line` must be an integer, not a number",
    ] {
        assert!(text.contains(part), "{part} not in {text}");
    }
}

#[test]
fn what_is_no_object_is_refused() {
    for raw in [json!([1]), json!(3), json!("hello"), json!(true)] {
        assert!(run(raw).expect_err("wrong").contains("one JSON object"));
    }
    assert!(run("{\"pattern\": ").expect_err("wrong").contains("not JSON"));
    // Nothing at all is an empty object, so what is missing is named.
    for raw in [
        RawArgs::from(""),
        RawArgs::from("null"),
        RawArgs::from(json!(null)),
        RawArgs::from(json!("")),
    ] {
        assert!(run(raw).expect_err("wrong").contains("`pattern` (string) is missing"));
    }
    assert!(run(json!({ "pattern": null })).expect_err("wrong").contains("is missing"));
}

#[test]
fn foreign_schemas_are_read_as_they_mean() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": { "$ref": "#/$defs/n" },
            "b": { "type": ["string", "null"] },
            "loop": { "$ref": "#/$defs/loop" },
        },
        "required": ["b"],
        "$defs": { "n": { "type": "integer" }, "loop": { "$ref": "#/$defs/loop" } },
    });
    let spec = ToolSpec::new("t", Tier::Read, "d", schema);
    let good = json!({ "a": "7", "b": null, "loop": [1], "more": 1 });
    assert_eq!(
        normalise(&spec, good.into()).expect("fits"),
        json!({ "a": 7, "b": null, "loop": [1], "more": 1 })
    );
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z{}\\[\\]\":0-9 ]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let key = prop_oneof![
            Just("pattern".to_owned()),
            Just("edits".to_owned()),
            Just("max".to_owned()),
            "[a-z]{1,6}",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn normalising_twice_changes_nothing(value in any_json()) {
        if let Ok(once) = run(value) {
            prop_assert!(once.is_object());
            prop_assert_eq!(run(once.clone()), Ok(once));
        }
    }

    #[test]
    fn any_text_is_an_object_or_an_error(text in ".{0,80}") {
        if let Ok(value) = run(text) {
            prop_assert!(value.get("pattern").is_some_and(Value::is_string));
        }
    }
}
