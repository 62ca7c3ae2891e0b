//! `edit`: a text in a file, replaced where it occurs.

use serde::Deserialize;
use tool_core::serde_json::{Value, json};
use tool_core::{
    Args, CallCx, Targets, Tier, Tool, ToolError, ToolOutput, ToolSpec, Workspace, async_trait,
};
use tool_workspace::{ChangeSet, Journals, Root};

use crate::edit::{self, Misfit};
use crate::errors;
use crate::files::{Files, change};
use crate::near::{Differs, Near};
use crate::text::{at_lines, plural};
use crate::tools::{path_schema, path_target, schema};

/// Replaces texts in files below a root.
#[derive(Debug)]
pub struct EditTool {
    spec: ToolSpec,
    files: Files,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditArgs {
    path: String,
    old: String,
    new: String,
    all: Option<bool>,
}

impl EditTool {
    /// The tool over `root`, with the journals of its changes.
    #[must_use]
    pub fn new(root: Root, journals: Journals) -> Self {
        let input = schema(
            json!({
                "path": path_schema("The file"),
                "old": {
                    "type": "string",
                    "description": "The text to replace, exactly as it stands in the file, with enough around it to occur once.",
                },
                "new": { "type": "string", "description": "What comes in its place; empty deletes." },
                "all": { "type": "boolean", "description": "Replace every occurrence. Default: false." },
            }),
            &["path", "old", "new"],
        );
        let text = "Replaces a text in a file. It must occur exactly once, unless `all` is true.";
        Self {
            spec: ToolSpec::new("edit", Tier::Write, text, input),
            files: Files::new(root, journals),
        }
    }
}

#[async_trait]
impl Tool for EditTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        path_target(args, workspace)
    }

    async fn call(&self, cx: &CallCx, args: Args) -> Result<ToolOutput, ToolError> {
        let args: EditArgs = args.parse()?;
        change(cx, &self.files, move |files, set| plan(files, set, &args)).await
    }
}

fn plan(files: &Files, set: &mut ChangeSet, args: &EditArgs) -> Result<String, ToolError> {
    let file = files.text(&args.path)?;
    let rel = file.at.rel();
    let edit = edit::plan(&file.text, &args.old, &args.new, args.all.unwrap_or(false))
        .map_err(|misfit| says(&misfit, &rel))?;
    let edits =
        edit.ranges.iter().map(|range| (range.clone(), edit.new.clone().into_bytes())).collect();
    set.edits(&file.at, file.content.into(), edits).map_err(|error| errors::stage(&error))?;
    Ok(format!(
        "edited {rel}: {} at {}",
        plural(edit.lines.len(), "replacement"),
        at_lines(&edit.lines)
    ))
}

fn says(misfit: &Misfit, rel: &str) -> ToolError {
    let details = json!({ "paths": [rel], "written": false });
    match misfit {
        Misfit::Empty => ToolError::invalid("`old` is empty").hint("To create a file use `write`."),
        Misfit::Same => ToolError::invalid("`old` and `new` are the same"),
        Misfit::Missing { near } if !near.is_empty() => {
            ToolError::conflict(format!("`old` does not occur in {rel}; {}", nearly(near)))
                .hint("Copy the lines exactly as they stand in the file.")
        }
        Misfit::Missing { .. } => ToolError::conflict(format!("`old` does not occur in {rel}"))
            .hint("Read the file again: it may have changed."),
        Misfit::Several { lines } => ToolError::invalid(format!(
            "`old` occurs {} times in {rel}, at {}",
            lines.len(),
            at_lines(lines)
        ))
        .hint("Give more of what stands around it, or set `all` to true."),
    }
    .details(match misfit {
        Misfit::Several { lines } => {
            json!({ "paths": [rel], "written": false, "count": lines.len(), "lines": lines })
        }
        Misfit::Missing { near } => {
            let near: Vec<Value> =
                near.iter().map(|near| json!({ "line": near.line, "text": near.text })).collect();
            json!({ "paths": [rel], "written": false, "near": near })
        }
        _ => details,
    })
}

/// The near places in words, each with what stands there.
fn nearly(near: &[Near]) -> String {
    let says = |near: &Near| {
        let Near { line, text, differs } = near;
        match differs {
            Differs::Blanks => format!("with other blanks it starts at line {line}: `{text}`"),
            Differs::Case => format!("in other letters it starts at line {line}: `{text}`"),
            Differs::Line(n) => format!("its line {n} is different at line {line}: `{text}`"),
        }
    };
    near.iter().map(says).collect::<Vec<_>>().join("; ")
}
