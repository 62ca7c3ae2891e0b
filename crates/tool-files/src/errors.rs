//! Every failure of the workspace as a model reads it.

use tool_core::ToolError;
use tool_core::serde_json::json;
use tool_workspace::{CommitError, Located, StageError, WorkspaceError, WorkspaceErrorKind};

pub(crate) fn path(error: &WorkspaceError) -> ToolError {
    let message = error.to_string();
    let details = json!({ "paths": [error.path()], "written": false });
    let error = match error.kind() {
        WorkspaceErrorKind::Outside => ToolError::refused(message)
            .hint("Use a path inside the workspace, relative to its root."),
        WorkspaceErrorKind::Invalid => ToolError::invalid(message),
        WorkspaceErrorKind::TooLarge => ToolError::limit(message),
        _ => ToolError::failed(message),
    };
    error.details(details)
}

pub(crate) fn no_file(at: &Located) -> ToolError {
    let what = if at.is_folder() { "a folder" } else { "no regular file" };
    ToolError::failed(format!("{:?} is {what}", at.asked()))
        .details(json!({ "paths": [at.rel()], "written": false }))
}

/// Neither UTF-8 nor free of NUL bytes.
pub(crate) fn no_text(at: &Located, len: usize, invalid: Option<usize>) -> ToolError {
    let why = match invalid {
        Some(offset) => format!("it is not UTF-8 at byte {offset}"),
        None => "it has NUL bytes".to_owned(),
    };
    ToolError::failed(format!("{} is no text: {why} ({len} bytes)", at.rel()))
        .hint("Files like this are neither shown nor edited here.")
        .details(json!({ "paths": [at.rel()], "written": false }))
}

pub(crate) fn stage(error: &StageError) -> ToolError {
    let message = error.to_string();
    match error {
        StageError::Exists { .. } => ToolError::conflict(message),
        StageError::NotAFile { .. } => ToolError::failed(message),
        _ => ToolError::invalid(message),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
pub(crate) fn commit(error: CommitError) -> ToolError {
    let message = error.to_string();
    match &error {
        CommitError::Mismatch { .. } => ToolError::conflict(message)
            .hint("Read these files again, then repeat the change.")
            .details(json!({ "mismatched": error.mismatched(), "written": false })),
        CommitError::Unwritable { files } => {
            let paths: Vec<&str> = files.iter().map(|file| file.rel.as_str()).collect();
            ToolError::failed(message).details(json!({ "paths": paths, "written": false }))
        }
        CommitError::Busy { .. } => {
            ToolError::busy(message).hint("Try again.").details(json!({ "written": false }))
        }
        CommitError::Cancelled => {
            ToolError::cancelled(message).details(json!({ "written": false }))
        }
        CommitError::Stuck { changed, .. } => ToolError::failed(message)
            .details(json!({ "paths": changed, "written": !changed.is_empty() })),
        _ => ToolError::failed(message).details(json!({ "written": false })),
    }
}
