//! The workspace that the four tools share: locating, reading as text, and committing under a shield.

use std::sync::Arc;

use tool_core::serde_json::json;
use tool_core::{CallCx, ToolError, ToolOutput, Touched};
use tool_workspace::{ChangeSet, CommitOptions, FileContent, Journals, Located, Root};

use crate::errors;

/// Files above this size are not read or edited: an agent has better ways to look into them.
pub(crate) const MAX_FILE: u64 = 32 * 1024 * 1024;

/// A root with its journals. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    pub(crate) root: Root,
    pub(crate) journals: Arc<Journals>,
}

/// The text of a file, and the file as it was read.
pub(crate) struct TextFile {
    pub(crate) at: Located,
    pub(crate) text: String,
    pub(crate) content: FileContent,
}

impl Files {
    pub(crate) fn new(root: Root, journals: Journals) -> Self {
        Self { root, journals: Arc::new(journals) }
    }

    /// Reads a file whose bytes are text in UTF-8.
    pub(crate) fn text(&self, path: &str) -> Result<TextFile, ToolError> {
        read_text(&self.root, path)
    }
}

/// Reads a file below `root` whose bytes are text in UTF-8.
pub(crate) fn read_text(root: &Root, path: &str) -> Result<TextFile, ToolError> {
    let at = root.resolve(path).map_err(|error| errors::path(&error))?;
    if !at.is_file() {
        return Err(errors::no_file(&at));
    }
    let content = root.read_up_to(&at, MAX_FILE).map_err(|error| errors::path(&error))?;
    match String::from_utf8(content.bytes.clone()) {
        Ok(text) if !is_binary(&content.bytes) => Ok(TextFile { at, text, content }),
        decoded => {
            let invalid = decoded.err().map(|error| error.utf8_error().valid_up_to());
            Err(errors::no_text(&at, content.bytes.len(), invalid))
        }
    }
}

/// A NUL byte near the start is what ripgrep and git take for binary, too.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(8 * 1024).any(|byte| *byte == 0)
}

/// Plans a change on a blocking thread and commits it there. Once the first file is replaced nothing stops it; a
/// cancelled call is then answered when it is done.
pub(crate) async fn change(
    cx: &CallCx,
    files: &Files,
    plan: impl FnOnce(&Files, &mut ChangeSet) -> Result<String, ToolError> + Send + 'static,
) -> Result<ToolOutput, ToolError> {
    let files = files.clone();
    let cancel = cx.cancel().clone();
    cx.shield_blocking("a change of files", move || {
        let mut set = ChangeSet::new();
        let said = plan(&files, &mut set)?;
        let options =
            CommitOptions { cancelled: &|| cancel.is_cancelled(), ..CommitOptions::default() };
        let paths: Vec<String> = set.files().map(|file| file.at.rel()).collect();
        let done =
            set.commit_with(&files.root, &files.journals, &options).map_err(errors::commit)?;
        let mut output = ToolOutput::text(said);
        for file in set.files() {
            let rel = file.at.rel();
            if done.files.iter().any(|changed| changed.rel == rel) {
                output = output.touched(Touched::written(file.at.path()));
            }
        }
        Ok(output.details(json!({ "paths": paths, "written": !done.files.is_empty() })))
    })
    .await
}
