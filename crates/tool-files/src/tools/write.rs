//! `write`: one file, created or replaced.

use serde::Deserialize;
use tool_core::serde_json::json;
use tool_core::{
    Args, CallCx, Targets, Tier, Tool, ToolError, ToolOutput, ToolSpec, Workspace, async_trait,
};
use tool_workspace::{ChangeSet, Journals, Root};

use crate::errors;
use crate::files::{Files, change};
use crate::text::{count_lines, plural};
use crate::tools::{path_schema, path_target, schema};

/// Creates or replaces files below a root.
#[derive(Debug)]
pub struct WriteTool {
    spec: ToolSpec,
    files: Files,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteArgs {
    path: String,
    content: String,
}

impl WriteTool {
    /// The tool over `root`, with the journals of its changes.
    #[must_use]
    pub fn new(root: Root, journals: Journals) -> Self {
        let input = schema(
            json!({
                "path": path_schema("The file"),
                "content": { "type": "string", "description": "The whole new content, written exactly as given." },
            }),
            &["path", "content"],
        );
        let text = "Writes a whole file: creates it, with its folders, or replaces what it holds.";
        Self {
            spec: ToolSpec::new("write", Tier::Write, text, input),
            files: Files::new(root, journals),
        }
    }
}

#[async_trait]
impl Tool for WriteTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        path_target(args, workspace)
    }

    async fn call(&self, cx: &CallCx, args: Args) -> Result<ToolOutput, ToolError> {
        let args: WriteArgs = args.parse()?;
        change(cx, &self.files, move |files, set| plan(files, set, args)).await
    }
}

fn plan(files: &Files, set: &mut ChangeSet, args: WriteArgs) -> Result<String, ToolError> {
    let at = files.root.resolve_new(&args.path).map_err(|error| errors::path(&error))?;
    let lines = plural(count_lines(&args.content), "line");
    let new = args.content.into_bytes();
    if !at.exists() {
        set.create(&at, new).map_err(|error| errors::stage(&error))?;
        return Ok(format!("created {} ({lines})", at.rel()));
    }
    if !at.is_file() {
        return Err(errors::no_file(&at));
    }
    let old = files.root.read(&at).map_err(|error| errors::path(&error))?;
    let same = old.bytes == new;
    set.replace(&at, old.into(), new).map_err(|error| errors::stage(&error))?;
    Ok(if same {
        format!("unchanged: {} has this content already", at.rel())
    } else {
        format!("replaced {} ({lines})", at.rel())
    })
}
