//! The answers of `ast_edit` and `resolve`.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use tool_core::{ToolError, ToolOutput, Touched};
use tool_workspace::{CommitError, FileProblem};

use super::search::listed;
use super::{absence_notes, count, ground_details, ground_notes, place, thousands};
use crate::edit::{Edited, Proposal};
use crate::lines::clip;
use crate::stage::{Closed, EditId, NotOpen};
use crate::workshop::Decided;

/// Files named in a proposal.
const FILES_NAMED: usize = 20;

/// A staged change and how to decide it.
pub(crate) fn proposed(edited: &Edited, id: &str, decided: Decided) -> ToolOutput {
    let mut text = format!(
        "(proposed) {} in {} (of {} searched, as {}). ",
        count(edited.replacements, "replacement", "replacements"),
        count(edited.files.len(), "file", "files"),
        place(&edited.ground),
        edited.context,
    );
    match decided {
        Decided::ByResolve => {
            let _ = write!(
                text,
                "Nothing is written yet: call resolve with edit_id \"{id}\" and action \"accept\" to write all of it, or \"discard\"."
            );
        }
        Decided::Never => text.push_str(
            "Nothing is written yet: this proposal ends with the process. Repeat the call with --accept to write it, or make \
             it in `runbound run` or `runbound console`, where a second call can accept it.",
        ),
        Decided::AtOnce => text.push_str("It is accepted right away; what came of that is said below."),
    }
    for (path, n) in edited.files.iter().take(FILES_NAMED) {
        let _ = write!(text, "\n  {path}: {}", thousands(*n));
    }
    if edited.files.len() > FILES_NAMED {
        let _ =
            write!(text, "\n  … {} of {} files named", FILES_NAMED, thousands(edited.files.len()));
    }
    let mut lines = vec![text];
    if !edited.newly_broken.is_empty() {
        let named: Vec<String> = edited
            .newly_broken
            .iter()
            .take(FILES_NAMED)
            .map(|(path, line)| format!("{path}:{line}"))
            .collect();
        lines.push(format!(
            "WARNING: {} would have a new syntax error: {}.",
            count(edited.newly_broken.len(), "file", "files"),
            named.join(", ")
        ));
    }
    left_notes(edited, &mut lines);
    ground_notes(&edited.ground, &mut lines);
    let (diff, whole) = &edited.short_diff;
    if *whole < edited.files.len() {
        lines.push(format!(
            "The diff below is cut: {} of {} files whole.",
            thousands(*whole),
            thousands(edited.files.len())
        ));
    }
    lines.push(diff.trim_end().to_owned());
    ToolOutput::text(lines.join("\n")).details(details(edited))
}

/// Nothing is staged: no match, or no match that the rewrite would change.
pub(crate) fn nothing_to_edit(edited: &Edited, pattern: &str) -> ToolOutput {
    let pattern = clip(pattern.trim(), 200);
    let left = edited.left;
    let mut lines = Vec::new();
    if left.total() == 0 {
        lines.push(format!(
            "0 matches of `{pattern}` (as {}) in {}. Nothing is staged.",
            edited.context,
            place(&edited.ground)
        ));
        absence_notes(&edited.ground, &mut lines);
        lines.extend(edited.near.lines());
    } else if left.unchanged == left.total() {
        lines.push(format!(
            "{} of `{pattern}`, and the rewrite gives what stands there already: it changes nothing. Nothing is staged.",
            count(left.unchanged, "match", "matches")
        ));
    } else {
        lines.push(format!(
            "{} of `{pattern}`, none of which is replaced. Nothing is staged.",
            count(left.total(), "match", "matches")
        ));
    }
    left_notes(edited, &mut lines);
    ground_notes(&edited.ground, &mut lines);
    ToolOutput::text(lines.join("\n")).details(details(edited))
}

fn left_notes(edited: &Edited, lines: &mut Vec<String>) {
    let left = edited.left;
    let matches = |n| count(n, "match", "matches");
    if left.nested > 0 {
        lines.push(format!(
            "{} inside a replaced match not replaced; run ast_edit again after accepting.",
            matches(left.nested)
        ));
    }
    if left.in_errors > 0 {
        lines.push(format!(
            "{} not replaced: in or at a syntax error of the file.",
            matches(left.in_errors)
        ));
    }
    if left.unchanged > 0 && left.unchanged < left.total() + edited.replacements {
        lines.push(format!(
            "{} left: the rewrite gives what stands there already.",
            matches(left.unchanged)
        ));
    }
    if left.unbound > 0 {
        lines.push(format!(
            "{} left: without a capture that the rewrite uses.",
            matches(left.unbound)
        ));
    }
    if left.heredocs > 0 {
        lines.push(format!(
            "{} left: the rewrite would tear a here-document from its text; edit by hand.",
            matches(left.heredocs)
        ));
    }
    if left.comments > 0 {
        lines.push(format!(
            "{} inside replaced code would be lost; see the diff.",
            count(left.comments, "comment", "comments")
        ));
    }
    if left.again > 0 {
        lines.push(format!(
            "{} of the new texts match the pattern again: do not run the same edit twice.",
            thousands(left.again)
        ));
    }
    if !edited.other_contexts.is_empty() {
        lines.push(format!(
            "The pattern also matches {} (not replaced; pass `context` to edit one of these).",
            listed(&edited.other_contexts)
        ));
    }
}

fn details(edited: &Edited) -> Value {
    let others: Vec<Value> = edited
        .other_contexts
        .iter()
        .map(|(context, n)| json!({ "context": context, "count": n }))
        .collect();
    let files: Vec<Value> =
        edited.files.iter().map(|(path, n)| json!({ "path": path, "replacements": n })).collect();
    let broken: Vec<Value> = edited
        .newly_broken
        .iter()
        .map(|(path, line)| json!({ "path": path, "line": line }))
        .collect();
    let (diff, whole) = &edited.diff;
    let mut details = Map::new();
    details.insert("edit_id".into(), json!(edited.edit_id));
    details.insert("replacements".into(), json!(edited.replacements));
    details.insert("files".into(), json!(files));
    details.insert("diff".into(), json!(diff));
    details.insert("diff_files".into(), json!(whole));
    details.insert("context".into(), json!(edited.context));
    details.insert("other_contexts".into(), json!(others));
    details.insert("new_syntax_errors".into(), json!(broken));
    details.insert("comments_dropped".into(), json!(edited.left.comments));
    details.insert(
        "not_replaced".into(),
        json!({
            "nested": edited.left.nested,
            "in_syntax_errors": edited.left.in_errors,
            "unchanged": edited.left.unchanged,
            "unbound": edited.left.unbound,
            "heredocs": edited.left.heredocs,
        }),
    );
    ground_details(&edited.ground, &mut details);
    if edited.replacements == 0 {
        details.insert("absent".into(), json!(edited.ground.absent));
        details.insert("near_misses".into(), edited.near.details());
    }
    Value::Object(details)
}

/// The files of a proposal as they are shown.
fn paths(proposal: &Proposal) -> Vec<&str> {
    proposal.files.iter().map(|f| f.rel.as_str()).collect()
}

fn named(paths: &[&str]) -> String {
    let mut text = paths.iter().take(FILES_NAMED).copied().collect::<Vec<_>>().join(", ");
    if paths.len() > FILES_NAMED {
        let _ = write!(text, " and {} more", thousands(paths.len() - FILES_NAMED));
    }
    text
}

/// All of an edit is written.
pub(crate) fn accepted(id: EditId, proposal: &Proposal) -> ToolOutput {
    let paths = paths(proposal);
    let text = format!(
        "Accepted {id}: {} written in {}: {}",
        count(proposal.replacements, "replacement", "replacements"),
        count(paths.len(), "file", "files"),
        named(&paths)
    );
    let output = ToolOutput::text(text).details(json!({
        "edit_id": id.to_string(), "action": "accept", "files": paths, "replacements": proposal.replacements,
    }));
    proposal.files.iter().fold(output, |output, file| output.touched(Touched::written(&*file.path)))
}

/// An edit is thrown away.
pub(crate) fn discarded(id: EditId, proposal: &Proposal) -> ToolOutput {
    let paths = paths(proposal);
    ToolOutput::text(format!(
        "Discarded {id} ({} in {}); no file was changed.",
        count(proposal.replacements, "replacement", "replacements"),
        count(paths.len(), "file", "files"),
    ))
    .details(json!({ "edit_id": id.to_string(), "action": "discard", "files": paths }))
}

/// Files are no longer what was captured: the whole edit is refused, and used up.
pub(crate) fn mismatched(id: EditId, proposal: &Proposal, files: &[(String, String)]) -> ToolError {
    let list: Vec<String> =
        files.iter().take(FILES_NAMED).map(|(path, why)| format!("{path} ({why})")).collect();
    let more = match files.len() - list.len() {
        0 => String::new(),
        n => format!(" and {} more", thousands(n)),
    };
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    ToolError::conflict(format!(
        "{id} was refused as a whole and nothing was written: {} of {} changed since it was staged: {}{more}",
        thousands(files.len()),
        count(proposal.files.len(), "file", "files"),
        list.join(", "),
    ))
    .hint(format!("{id} is used up; run ast_edit again for a proposal on the files as they are now"))
    .details(json!({ "edit_id": id.to_string(), "action": "accept", "mismatched": paths, "files": [] }))
}

/// An edit that cannot be decided (any more).
pub(crate) fn not_open(id: &str, action: &str, why: &NotOpen) -> ToolError {
    let shown = clip(id, 60);
    let details = |open: &[String]| json!({ "edit_id": id, "action": action, "open": open });
    match why {
        NotOpen::Unknown { open } if open.is_empty() => {
            ToolError::invalid(format!("this run has no edit \"{shown}\", and no edit is open"))
                .hint("ast_edit stages one and names it")
                .details(details(open))
        }
        NotOpen::Unknown { open } => {
            ToolError::invalid(format!("this run has no edit \"{shown}\""))
                .hint(format!("open: {}", open.join(", ")))
                .details(details(open))
        }
        NotOpen::Consumed(how) => {
            let how = match how {
                Closed::Accepted => "was accepted before",
                Closed::Discarded => "was discarded before",
                Closed::Broken => "failed half-way before",
                Closed::Stale => "was refused before, since files had changed",
            };
            ToolError::conflict(format!("{shown} {how}; an edit is decided once"))
                .hint("run ast_edit again to stage a new one")
                .details(json!({ "edit_id": id, "action": action }))
        }
        NotOpen::InUse => ToolError::busy(format!("{shown} is being applied by another call"))
            .details(json!({ "edit_id": id, "action": action })),
    }
}

/// Nothing was written, for a reason that may pass: the edit stays open.
pub(crate) fn not_written(id: EditId, error: &CommitError) -> ToolError {
    let message = error.to_string();
    let open = format!("{id} is still open");
    let details = |files: &[FileProblem]| {
        let paths: Vec<&str> = files.iter().map(|f| f.rel.as_str()).collect();
        json!({ "edit_id": id.to_string(), "action": "accept", "files": [], "not_writable": paths })
    };
    match error {
        CommitError::Busy { .. } => ToolError::busy(message).hint(open).details(details(&[])),
        CommitError::Cancelled => ToolError::cancelled(message).hint(open).details(details(&[])),
        CommitError::Unwritable { files } => ToolError::failed(message)
            .hint(format!("{open}; make the files writable and accept it again, or discard it"))
            .details(details(files)),
        CommitError::Stuck { changed, .. } => {
            let facts = json!({ "edit_id": id.to_string(), "action": "accept", "files": changed });
            ToolError::failed(message).details(facts)
        }
        _ => ToolError::failed(message).hint(open).details(details(&[])),
    }
}
