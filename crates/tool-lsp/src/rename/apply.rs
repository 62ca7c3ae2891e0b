//! From the server's edit to files: judged, staged as one change set, committed with a journal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;
use tool_core::{CallCx, ToolError, ToolOutput, Touched};
use tool_workspace::{CommitError, CommitOptions, ContentHash, Journals, Root};

use super::asked::{Asked, language_of};
use super::report;
use crate::actions::off;
use crate::edits::{
    self, EditProblem, Judgement, Known, Plan, Staged, Step, Wanted, WireEdit, encoding_of, judge,
};
use crate::error::LspError;
use crate::supervisor::Supervisor;
use crate::text::{Encoding, Text};

/// A staged rename with what its edits are.
pub(crate) struct Ready {
    pub(crate) staged: Staged,
    pub(crate) judgement: Judgement,
    /// Said where the server counts otherwise than it announced.
    pub(crate) note: Option<String>,
}

/// Judges and stages the edits. Reads files; writes nothing.
///
/// # Errors
/// The edit is refused as a whole, with the reason.
pub(crate) async fn stage(sup: &Supervisor, asked: &Asked) -> Result<Ready, LspError> {
    let client = &asked.aim.client;
    let claimed = client.encoding();
    let root = sup.root().clone();
    let plan = asked.plan.clone();
    let hashes: BTreeMap<PathBuf, ContentHash> =
        asked.found.files.iter().map(|(path, file)| (path.clone(), file.hash)).collect();
    let versions: BTreeMap<PathBuf, i64> = plan
        .steps
        .iter()
        .flat_map(Step::paths)
        .filter_map(|path| Some((path.to_path_buf(), i64::from(client.open_version(path)?))))
        .collect();
    let languages: BTreeMap<PathBuf, String> = plan
        .steps
        .iter()
        .flat_map(Step::paths)
        .filter_map(|path| Some((path.to_path_buf(), language_of(sup, path)?.to_owned())))
        .collect();
    let (old, new, asked_at) = (asked.old.clone(), asked.new.clone(), asked.asked_at);
    let unaligned = client.spec().rename.unaligned;
    let fallback = asked.language.clone();
    let work = move || {
        let wanted = Wanted { old: &old, new: &new, unaligned };
        let encoding = real_encoding(&root, &plan, claimed, &wanted, &languages);
        let known = Known {
            root: &root,
            encoding,
            version: &|path: &Path| versions.get(path).copied(),
            hashes: &hashes,
            asked_at,
        };
        let mut all = Judgement::default();
        let staged = edits::stage(&plan, &known, &mut |at, text, edits| {
            let language = languages.get(at.path()).unwrap_or(&fallback);
            let one = judge(&at.rel(), language, text, edits, &wanted)?;
            all.names += one.names;
            all.others += one.others;
            Ok(())
        })?;
        Ok((staged, all, encoding))
    };
    let (staged, judgement, encoding) =
        off(work).await.map_err(|problem: EditProblem| refusal(&problem))?;
    let note = (encoding != claimed).then(|| {
        let id = client.id();
        let why = format!(
            "{id} counts columns in {}, not in {} as it says",
            encoding.as_str(),
            claimed.as_str()
        );
        client.set_encoding(encoding, &why);
        format!("{why}; its edits were read accordingly")
    });
    if judgement.names + judgement.others == 0 {
        let why = EditProblem::Unreadable { what: "it moves files and renames nothing".into() };
        return Err(refusal(&why).into());
    }
    Ok(Ready { staged, judgement, note })
}

/// In what the columns of the edits count, by the names that they replace.
fn real_encoding(
    root: &Root,
    plan: &Plan,
    claimed: Encoding,
    wanted: &Wanted<'_>,
    languages: &BTreeMap<PathBuf, String>,
) -> Encoding {
    let read = |step: &Step| -> Option<(String, Text, Vec<WireEdit>)> {
        let Step::Text { path, edits, .. } = step else { return None };
        let at = root.resolve(path.to_str()?).ok()?;
        let text = Text::new(root.read(&at).ok()?.bytes).ok()?;
        Some((languages.get(path).cloned().unwrap_or_default(), text, edits.clone()))
    };
    let documents: Vec<_> = plan.steps.iter().filter_map(read).collect();
    let borrowed: Vec<(&str, Text, &[WireEdit])> = documents
        .iter()
        .map(|(language, text, edits)| (language.as_str(), text.clone(), edits.as_slice()))
        .collect();
    encoding_of(&borrowed, claimed, wanted)
}

/// The error for an edit that is not applied.
pub(crate) fn refusal(problem: &EditProblem) -> ToolError {
    let message = format!("the rename was refused as a whole and nothing was written: {problem}");
    let facts = json!({ "reason": problem.reason(), "files": [], "edits": 0 });
    match problem {
        EditProblem::Outside { .. } => ToolError::refused(message)
            .hint("the name is used, or declared, outside of the workspace"),
        EditProblem::Version { rel, .. }
        | EditProblem::Versions { rel, .. }
        | EditProblem::Changed { rel } => {
            let mut facts = facts;
            facts["mismatched"] = json!([rel]);
            return ToolError::conflict(message).hint("ask again").details(facts);
        }
        EditProblem::Exists { .. } => ToolError::conflict(message),
        EditProblem::NotTheName { .. } => ToolError::failed(message)
            .hint("the server may be behind: `lsp` with action `reload` starts it anew"),
        _ => ToolError::failed(message),
    }
    .details(facts)
}

/// Writes all files, or none. Once the first is changed it is carried out, whatever becomes of the call.
///
/// # Errors
/// Files that changed meanwhile or cannot be written; nothing is written then.
pub(crate) async fn commit(
    cx: &CallCx,
    sup: &Supervisor,
    state_dir: &Path,
    asked: Asked,
    ready: Ready,
) -> Result<ToolOutput, ToolError> {
    let (root, state_dir) = (sup.root().clone(), state_dir.to_path_buf());
    let stop = cx.cancel().clone();
    let Ready { staged, judgement, note } = ready;
    let done = cx.shield_blocking("lsp_rename", move || {
        let journals = Journals::open(&state_dir, &root);
        let options =
            CommitOptions { cancelled: &|| stop.is_cancelled(), ..CommitOptions::default() };
        staged.changes.commit_with(&root, &journals, &options)?;
        for folder in staged.folders.iter().rev() {
            remove_empty(folder);
        }
        Ok(staged)
    });
    let staged = done.await.map_err(|error: CommitError| not_written(&error))?;
    let mut asked = asked;
    asked.notes.extend(note);
    let output = report::report(sup, &asked, &staged, judgement);
    let gone = staged.files.iter().filter_map(|file| file.from.as_ref());
    let gone = gone.map(|rel| sup.root().path().join(rel));
    let touched = staged.files.iter().map(|file| file.path.clone()).chain(gone);
    Ok(touched.fold(output, |output, path| output.touched(Touched::written(path))))
}

/// Removes a folder that was moved or deleted, as far as nothing is left in it.
fn remove_empty(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path());
        }
    }
    // Fails where something is in it, and that is right.
    let _ = std::fs::remove_dir(folder);
}

fn not_written(error: &CommitError) -> ToolError {
    let message = error.to_string();
    let facts = |reason: &str| json!({ "reason": reason, "files": [], "edits": 0 });
    match error {
        CommitError::Mismatch { .. } => {
            let mut facts = facts("stale");
            facts["mismatched"] = json!(error.mismatched());
            ToolError::conflict(message).hint("ask again").details(facts)
        }
        CommitError::Unwritable { files } => {
            let paths: Vec<&str> = files.iter().map(|file| file.rel.as_str()).collect();
            let mut facts = facts("not_writable");
            facts["not_writable"] = json!(paths);
            ToolError::failed(message).hint("make the files writable and ask again").details(facts)
        }
        CommitError::Busy { .. } => {
            ToolError::busy(message).hint("ask again").details(facts("busy"))
        }
        CommitError::Cancelled => ToolError::cancelled(message).details(facts("cancelled")),
        CommitError::Stuck { changed, .. } => ToolError::failed(message)
            .details(json!({ "reason": "stuck", "files": changed, "edits": 0 })),
        _ => ToolError::failed(message).details(facts("io")),
    }
}
