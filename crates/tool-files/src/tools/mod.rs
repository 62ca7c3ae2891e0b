//! The tools: arguments, schema and dispatch.

mod apply_patch;
mod edit;
mod read;
mod write;

pub use apply_patch::ApplyPatchTool;
pub use edit::EditTool;
pub use read::ReadTool;
pub use write::WriteTool;

use tool_core::serde_json::{Value, json};
use tool_core::{Args, Targets, Workspace};

/// An object schema that takes nothing else.
fn schema(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn path_schema(what: &str) -> Value {
    json!({ "type": "string", "description": format!("{what}, relative to the workspace.") })
}

/// The one file that `path` names.
fn path_target(args: &Args, workspace: &Workspace) -> Targets {
    match args.value().get("path").and_then(Value::as_str) {
        Some(path) => Targets::Paths(vec![workspace.lexical(path)]),
        None => Targets::Unknown,
    }
}
