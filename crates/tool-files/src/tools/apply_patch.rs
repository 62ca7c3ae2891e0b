//! `apply_patch`: a unified diff of any number of files, all of it or nothing.

use serde::Deserialize;
use tool_core::serde_json::{Value, json};
use tool_core::{
    Args, CallCx, ErrorKind, Targets, Tier, Tool, ToolError, ToolOutput, ToolSpec, Workspace,
    async_trait,
};
use tool_workspace::{ChangeSet, Journals, Located, Root};

use crate::errors;
use crate::files::{Files, change};
use crate::patch::apply::{Applied, Unapplied, apply};
use crate::patch::parse::parse;
use crate::patch::{FilePatch, PatchError, Verb};
use crate::text::{count_lines, plural};
use crate::tools::schema;

/// Applies unified diffs below a root.
#[derive(Debug)]
pub struct ApplyPatchTool {
    spec: ToolSpec,
    files: Files,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatchArgs {
    patch: String,
}

impl ApplyPatchTool {
    /// The tool over `root`, with the journals of its changes.
    #[must_use]
    pub fn new(root: Root, journals: Journals) -> Self {
        let input = schema(
            json!({
                "patch": {
                    "type": "string",
                    "description": "A unified diff: `--- a/path`, `+++ b/path`, `@@` hunks. `/dev/null` creates or \
                                    deletes; `rename from` and `rename to` rename. Paths relative to the workspace.",
                },
            }),
            &["patch"],
        );
        let text = "Applies a unified diff of any number of files: all of it, or nothing when a hunk does not fit. \
                    Context lines must match exactly.";
        Self {
            spec: ToolSpec::new("apply_patch", Tier::Write, text, input),
            files: Files::new(root, journals),
        }
    }
}

#[async_trait]
impl Tool for ApplyPatchTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        let patch = args.value().get("patch").and_then(Value::as_str);
        match patch.map(parse) {
            Some(Ok(files)) => {
                let paths = files.iter().flat_map(|file| file.verb.paths());
                Targets::Paths(paths.map(|path| workspace.lexical(path)).collect())
            }
            _ => Targets::Unknown,
        }
    }

    async fn call(&self, cx: &CallCx, args: Args) -> Result<ToolOutput, ToolError> {
        let args: PatchArgs = args.parse()?;
        change(cx, &self.files, move |files, set| plan(files, set, &args.patch)).await
    }
}

/// What is wrong with one file of the patch.
struct Fault {
    path: String,
    hunk: Option<usize>,
    error: ToolError,
}

fn plan(files: &Files, set: &mut ChangeSet, patch: &str) -> Result<String, ToolError> {
    let parsed = parse(patch).map_err(|PatchError { line, message }| {
        ToolError::invalid(format!("line {line} of the patch: {message}"))
            .details(json!({ "written": false, "line": line }))
    })?;
    let mut said = Vec::new();
    let mut faults = Vec::new();
    for file in &parsed {
        match stage(files, set, file) {
            Ok(mut lines) => said.append(&mut lines),
            Err(fault) => faults.push(*fault),
        }
    }
    if faults.is_empty() {
        return Ok(said.join("\n"));
    }
    Err(refusal(&faults, parsed.len()))
}

/// One error for all faults, of the kind of the first.
fn refusal(faults: &[Fault], files: usize) -> ToolError {
    const TOLD: usize = 5;
    let kind = faults.first().map_or(ErrorKind::Failed, |fault| fault.error.kind());
    let mut lines = vec![format!(
        "nothing was written: {} of {} cannot be patched",
        faults.len(),
        plural(files, "file")
    )];
    lines.extend(faults.iter().take(TOLD).map(|fault| fault.error.message().to_owned()));
    if faults.len() > TOLD {
        lines.push(format!("({TOLD} of {} shown)", faults.len()));
    }
    let details: Vec<Value> =
        faults.iter().map(|fault| json!({ "path": fault.path, "hunk": fault.hunk })).collect();
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    let error = ToolError::new(kind, lines.join("\n"))
        .details(json!({ "paths": paths, "written": false, "failed": details }));
    match kind {
        ErrorKind::Conflict => error.hint("Read the files again and make the patch anew."),
        _ => error,
    }
}

fn stage(files: &Files, set: &mut ChangeSet, file: &FilePatch) -> Result<Vec<String>, Box<Fault>> {
    let path = file.verb.paths()[0].to_owned();
    let fault = |error: ToolError| Box::new(Fault { path: path.clone(), hunk: None, error });
    let apply = |text: &str| {
        apply(text, &file.hunks).map_err(|Unapplied { hunk, header, message }| {
            let error = ToolError::conflict(format!(
                "{path}, hunk {hunk} (line {header} of the patch): {message}"
            ));
            Box::new(Fault { path: path.clone(), hunk: Some(hunk), error })
        })
    };
    let locate =
        |path: &str| files.root.resolve_new(path).map_err(|error| fault(errors::path(&error)));
    let staged = |result: Result<(), tool_workspace::StageError>| {
        result.map_err(|error| fault(errors::stage(&error)))
    };
    match &file.verb {
        Verb::Change { path, executable } => {
            let old = files.text(path).map_err(fault)?;
            let done = apply(&old.text)?;
            let rel = old.at.rel();
            staged(set.replace(&old.at, old.content.into(), done.text.clone().into_bytes()))?;
            run_bits(set, &old.at, *executable);
            Ok(says(format!("patched {rel} ({})", plural(file.hunks.len(), "hunk")), &done))
        }
        Verb::Create { path, executable } => {
            let at = locate(path)?;
            let done = apply("")?;
            let lines = count_lines(&done.text);
            let new = done.text.clone().into_bytes();
            staged(set.create(&at, new))?;
            run_bits(set, &at, *executable);
            Ok(says(format!("created {} ({})", at.rel(), plural(lines, "line")), &done))
        }
        Verb::Delete { path } => {
            let old = files.text(path).map_err(fault)?;
            let left = count_lines(&apply(&old.text)?.text);
            let rel = old.at.rel();
            if left > 0 {
                let message = format!(
                    "{rel} is to be deleted, but has {} that the patch does not remove",
                    plural(left, "line")
                );
                return Err(fault(ToolError::conflict(message)));
            }
            staged(set.delete(&old.at, old.content.into()))?;
            Ok(vec![format!("deleted {rel}")])
        }
        Verb::Rename { from, to, executable } => {
            let old = files.text(from).map_err(fault)?;
            let at = locate(to)?;
            let done = apply(&old.text)?;
            let rel = old.at.rel();
            staged(set.rename(&old.at, old.content.into(), &at, done.text.clone().into_bytes()))?;
            run_bits(set, &at, *executable);
            Ok(says(format!("renamed {rel} to {}", at.rel()), &done))
        }
        Verb::Copy { from, to, executable } => {
            let old = files.text(from).map_err(fault)?;
            let at = locate(to)?;
            let done = apply(&old.text)?;
            staged(set.create(&at, done.text.clone().into_bytes()))?;
            run_bits(set, &at, executable.or(Some(old.content.mode & 0o100 != 0)));
            Ok(says(format!("copied {} to {}", old.at.rel(), at.rel()), &done))
        }
    }
}

/// Says of a staged file whether it may be run, where the patch does.
fn run_bits(set: &mut ChangeSet, at: &Located, executable: Option<bool>) {
    if let Some(executable) = executable {
        set.make_executable(at, executable);
    }
}

fn says(done: String, applied: &Applied) -> Vec<String> {
    let mut lines = vec![done];
    for (hunk, said, at) in &applied.moved {
        lines.push(format!(
            "  hunk {hunk} says line {said}; its context is at line {at}, so it was applied there"
        ));
    }
    lines
}
