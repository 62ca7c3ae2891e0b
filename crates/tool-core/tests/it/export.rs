//! The exports, byte for byte. `RUNBOUND_BLESS=1` rewrites the golden files; read the difference then.

use std::path::Path;

use tool_core::serde_json::{self, Value, json};
use tool_core::{Dialect, RegistryBuilder, Tier, ToolOutput, ToolSpec, ToolView, lint};

use crate::support::{build, tool};

fn portable() -> Value {
    json!({
        "type": "object",
        "properties": {
            "pattern": { "type": "string", "description": "Code with metavariables." },
            "path": { "type": "string", "description": "File or directory; default the whole workspace." },
            "max_results": { "type": "integer", "description": "From 1 to 1,000; default 50." },
            "mode": { "type": "string", "enum": ["fast", "good"], "description": "How." },
            "edits": {
                "type": "array",
                "description": "What to change.",
                "items": {
                    "type": "object",
                    "properties": {
                        "line": { "type": "integer", "description": "From 1." },
                        "text": { "type": "string", "description": "The new text." },
                    },
                    "required": ["line"],
                    "additionalProperties": false,
                },
            },
        },
        "required": ["pattern"],
        "additionalProperties": false,
    })
}

/// What a derive of another library, or somebody's server, gives.
fn foreign() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Args",
        "type": "object",
        "properties": {
            "count": { "type": ["integer", "null"], "format": "uint32", "minimum": 0, "default": 5 },
            "target": { "$ref": "#/$defs/Target" },
            "choice": { "anyOf": [{ "const": "yes" }, { "const": "no" }], "description": "Well?" },
            "level": { "enum": [1, 2, 3] },
            "env": { "type": "object", "additionalProperties": { "type": "string" } },
            "extra": {},
        },
        "required": ["target"],
        "$defs": {
            "Target": {
                "oneOf": [
                    { "type": "object", "properties": { "file": { "type": "string" } }, "required": ["file"] },
                    { "type": "object", "properties": { "url": { "type": "string", "format": "uri" } }, "required": ["url"] },
                ],
            },
        },
    })
}

fn view() -> ToolView {
    let never = |spec| tool(spec, |_| async { Ok(ToolOutput::new()) });
    let empty = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    build(
        RegistryBuilder::new()
            .tool(never(ToolSpec::new("search", Tier::Read, "Finds code.", portable())))
            .tool(never(ToolSpec::new("status", Tier::Read, "Says how it stands.", empty)))
            .tool(never(
                ToolSpec::new("host_tool", Tier::Exec, "Somebody else's.", foreign()).exclusive(),
            )),
    )
}

fn golden(name: &str, dialect: Dialect) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let is = Value::from(view().export(dialect));
    if std::env::var_os("RUNBOUND_BLESS").is_some() {
        let text = serde_json::to_string_pretty(&is).expect("json");
        std::fs::write(&path, text + "\n").expect("writable");
    }
    let text = std::fs::read_to_string(&path).expect("a golden file; RUNBOUND_BLESS=1 writes it");
    let want: Value = serde_json::from_str(&text).expect("json");
    assert_eq!(is, want, "{name} differs; RUNBOUND_BLESS=1 rewrites it");
}

#[test]
fn the_dialects_are_as_their_golden_files() {
    golden("openai_chat.json", Dialect::OpenAiChat);
    golden("openai_responses.json", Dialect::OpenAiResponses);
    golden("anthropic.json", Dialect::Anthropic);
    golden("gemini.json", Dialect::Gemini);
    golden("json_schema.json", Dialect::JsonSchema);
}

#[test]
fn the_linter_passes_the_portable_tool_and_names_what_is_foreign() {
    let view = view();
    let findings = |name: &str| -> Vec<String> {
        lint(view.get(name).expect("there")).iter().map(ToString::to_string).collect()
    };
    assert_eq!(findings("search"), Vec::<String>::new());
    let foreign = findings("host_tool").join("\n");
    for part in [
        "`$defs` is not portable",
        "/properties/count: `minimum` is not portable",
        "/properties/count: `type` must be one of",
        "/properties/level: a property must have a description",
        "`\"additionalProperties\": false`",
        "/properties/choice: `anyOf` is not portable",
    ] {
        assert!(foreign.contains(part), "{part} not in\n{foreign}");
    }
}
