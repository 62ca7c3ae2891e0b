//! Every sentence that an agent reads, and the same facts for a program.

mod edit;
mod search;

pub(crate) use edit::{
    accepted, discarded, mismatched, not_open, not_written, nothing_to_edit, proposed,
};
pub(crate) use search::answer;

use serde_json::{Value, json};
use tool_core::ToolError;

use crate::lines::clip;
pub(crate) use tool_core::{count, thousands};

use crate::pattern::PatternError;
use crate::search::Ground;

/// Skipped files listed in the details, and named in the text.
const SKIPPED_LISTED: usize = 200;
const SKIPPED_NAMED: usize = 5;

/// An unparsable pattern, with what each context said of it.
pub(crate) fn pattern_error(error: &PatternError) -> ToolError {
    let rungs: Vec<Value> = error
        .rungs
        .iter()
        .map(|(context, said)| json!({ "context": context, "message": said }))
        .collect();
    // What to write instead comes first: it is what most readers need.
    let mut message = error.message.clone();
    if let Some(suggestion) = &error.suggestion {
        message.push_str("; ");
        message.push_str(suggestion);
    }
    for line in error.grouped() {
        message.push_str("\n  as ");
        message.push_str(&line);
    }
    let mut details = json!({ "rungs": rungs });
    if let Some(suggestion) = &error.suggestion {
        details["suggestion"] = json!(suggestion);
    }
    ToolError::invalid(message).details(details)
}

/// What the searched tree was like, for a program.
fn ground_details(ground: &Ground, details: &mut serde_json::Map<String, Value>) {
    let skipped: Vec<Value> = ground
        .skipped
        .iter()
        .take(SKIPPED_LISTED)
        .map(|(path, why)| json!({ "path": path, "reason": why.to_string() }))
        .collect();
    details.insert("language".into(), json!(ground.language));
    details.insert("files_searched".into(), json!(ground.searched));
    details.insert("files_parsed".into(), json!(ground.parsed));
    details.insert("files_skipped".into(), json!(skipped));
    details.insert("files_skipped_total".into(), json!(ground.skipped.len()));
    if !ground.notes.is_empty() {
        details.insert("notes".into(), json!(ground.notes));
    }
    details.insert("files_with_syntax_errors".into(), json!(ground.broken));
    if let Some((ignored, hidden)) = ground.excluded {
        details.insert("entries_ignored".into(), json!(ignored));
        details.insert("entries_hidden".into(), json!(hidden));
    }
}

/// `14 python files`, `a.py`.
fn place(ground: &Ground) -> String {
    if ground.is_file {
        return ground.path.clone();
    }
    let files = count(ground.searched, "file", "files");
    let (n, word) = files.split_once(' ').unwrap_or(("0", "files"));
    let below = match ground.path.as_str() {
        "." => String::new(),
        path => format!(" below {path}"),
    };
    format!("{n} {} {word}{below}", ground.language)
}

/// Lines about a pattern that matches nothing: what no file has, and what the pattern means.
fn absence_notes(ground: &Ground, out: &mut Vec<String>) {
    if !ground.absent.is_empty() {
        let quoted: Vec<String> =
            ground.absent.iter().map(|text| format!("`{}`", clip(text, 80))).collect();
        out.push(format!(
            "No file has the text {}, which the pattern requires.",
            quoted.join(", ")
        ));
    }
}

/// Lines about what was not searched.
fn ground_notes(ground: &Ground, out: &mut Vec<String>) {
    out.extend(ground.notes.iter().cloned());
    if !ground.skipped.is_empty() {
        let named: Vec<String> = ground
            .skipped
            .iter()
            .take(SKIPPED_NAMED)
            .map(|(path, why)| format!("{path} ({why})"))
            .collect();
        let more = ground.skipped.len().saturating_sub(named.len());
        let more = match more {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        out.push(format!(
            "Skipped {}: {}{more}. A file is searched when `path` names it.",
            count(ground.skipped.len(), "file", "files"),
            named.join(", ")
        ));
    }
    if !ground.left_out.is_empty() {
        out.push(format!(
            "The grammar of {} does not accept the pattern; its files were not searched.",
            ground.left_out.join(", ")
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "match", "matches"), "1 match");
        assert_eq!(count(0, "match", "matches"), "0 matches");
    }
}
