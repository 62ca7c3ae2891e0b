//! The answer of `ast_grep`.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use tool_core::ToolOutput;

use super::{absence_notes, count, ground_details, ground_notes, place, thousands};
use crate::found::Found;
use crate::lines::clip;
use crate::search::Answer;

/// Characters shown of one capture, and of all captures of one match.
const CAPTURE_CHARS: usize = 60;
const CAPTURES_CHARS: usize = 200;
/// Bytes of match text in the details before the rest is cut to `SHORT_TEXT` each.
const DETAIL_BYTES: usize = 1024 * 1024;
const SHORT_TEXT: usize = 200;

/// Text and details of an answer.
pub(crate) fn answer(answer: &Answer, pattern: &str) -> ToolOutput {
    let mut notes = Vec::new();
    let text = if answer.total == 0 {
        nothing(answer, pattern, &mut notes)
    } else {
        matches(answer, &mut notes)
    };
    ground_notes(&answer.ground, &mut notes);
    let mut lines = vec![text];
    lines.extend(notes);
    ToolOutput::text(lines.join("\n")).details(details(answer))
}

fn matches(answer: &Answer, notes: &mut Vec<String>) -> String {
    let shown = shown(answer);
    let mut text = String::new();
    let files = match answer.ground.is_file {
        true => String::new(),
        false => format!("{} of ", thousands(answer.files_matched)),
    };
    let _ = write!(
        text,
        "{} in {files}{}",
        count(answer.total, "match", "matches"),
        place(&answer.ground)
    );
    if answer.fell_through {
        let _ = write!(text, ": none as {}; {}", answer.context, listed(&answer.other_contexts));
    } else {
        let _ = write!(text, ", as {}", answer.context);
    }
    if shown < answer.total {
        let _ = write!(
            text,
            "; the first {} of {} {} shown (raise max_results, at most 1,000, or narrow `path` or the pattern)",
            thousands(shown),
            thousands(answer.total),
            if shown == 1 { "is" } else { "are" }
        );
    }
    text.push('\n');
    for (path, found) in &answer.files {
        let _ = writeln!(text, "{path}");
        for one in found {
            let context = answer.fell_through.then_some(one.context.as_str());
            entry(&mut text, one, context);
        }
    }
    text.truncate(text.trim_end().len());
    if !answer.fell_through && !answer.other_contexts.is_empty() {
        notes.push(format!(
            "The pattern also matches {} (not shown; pass `context` to search for one of these).",
            listed(&answer.other_contexts)
        ));
    }
    notes.extend(answer.near.lines());
    if answer.ground.broken > 0 {
        notes.push(format!(
            "{} with syntax errors; a match in a broken region can be missing.",
            count(answer.ground.broken, "file", "files")
        ));
    }
    text
}

fn entry(text: &mut String, found: &Found, context: Option<&str>) {
    let number = found.start.line;
    let mut lines = found.lines.iter();
    let _ = write!(text, "  {number}: {}", lines.next().map_or("", String::as_str));
    for line in lines {
        let _ = write!(text, "\n      {line}");
    }
    if found.more_lines > 0 {
        let _ = write!(text, "\n      (+{})", count(found.more_lines, "line", "lines"));
    }
    if let Some(context) = context {
        let _ = write!(text, "  ({context})");
    }
    if found.at_error {
        text.push_str("  (at a syntax error; captures can be incomplete)");
    }
    let captures = captures(found);
    if !captures.is_empty() {
        let _ = write!(text, "  [{captures}]");
    }
    text.push('\n');
}

/// `X = a, $$$R = b, c`, on one line, bounded.
fn captures(found: &Found) -> String {
    let mut out = String::new();
    for (at, (name, value)) in found.captures.iter().enumerate() {
        if out.chars().count() > CAPTURES_CHARS {
            let _ = write!(out, "; +{} more", found.captures.len() - at);
            break;
        }
        if at > 0 {
            out.push_str("; ");
        }
        let dollar = if name.starts_with('$') { "" } else { "$" };
        let head: String = value.chars().take(4 * CAPTURE_CHARS).collect();
        let flat = head.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = write!(out, "{dollar}{name} = {}", clip(&flat, CAPTURE_CHARS));
    }
    out
}

fn nothing(answer: &Answer, pattern: &str, notes: &mut Vec<String>) -> String {
    let ground = &answer.ground;
    let pattern = clip(pattern.trim(), 200);
    let (ignored, hidden) = ground.excluded.unwrap_or_default();
    if ground.searched == 0 {
        return format!(
            "No {} files {}, so nothing was searched. ({} ignored, {} hidden)",
            ground.language,
            match ground.path.as_str() {
                "." => "in the workspace".to_owned(),
                path => format!("below {path}"),
            },
            count(ignored, "entry", "entries"),
            thousands(hidden),
        );
    }
    absence_notes(ground, notes);
    notes.extend(answer.near.lines());
    if ground.broken > 0 {
        notes.push(format!(
            "Files that could match and have syntax errors: {}; code in broken regions is not matched.",
            thousands(ground.broken)
        ));
    }
    let mut left = Vec::new();
    if ignored > 0 {
        left.push(format!(
            "{} that .gitignore and the like leave out",
            count(ignored, "entry", "entries")
        ));
    }
    if hidden > 0 {
        left.push(format!("{} hidden", thousands(hidden)));
    }
    if !left.is_empty() {
        notes.push(format!("Not searched: {}.", left.join(", ")));
    }
    format!("0 matches of `{pattern}` (as {}) in {}.", answer.context, place(ground))
}

pub(super) fn listed(counts: &[(String, usize)]) -> String {
    let parts: Vec<String> =
        counts.iter().map(|(name, n)| format!("{} as {name}", thousands(*n))).collect();
    parts.join(", ")
}

fn shown(answer: &Answer) -> usize {
    answer.files.iter().map(|(_, found)| found.len()).sum()
}

fn details(answer: &Answer) -> Value {
    let mut room = DETAIL_BYTES;
    let mut matches = Vec::with_capacity(shown(answer));
    for (path, found) in &answer.files {
        for one in found {
            matches.push(match_details(path, one, &mut room));
        }
    }
    let others: Vec<Value> = answer
        .other_contexts
        .iter()
        .map(|(context, n)| json!({ "context": context, "count": n }))
        .collect();
    let mut details = Map::new();
    details.insert("shown".into(), json!(matches.len()));
    details.insert("matches".into(), json!(matches));
    details.insert("total".into(), json!(answer.total));
    details.insert("files_matched".into(), json!(answer.files_matched));
    details.insert("context".into(), json!(answer.context));
    details.insert("other_contexts".into(), json!(others));
    details.insert("fell_through".into(), json!(answer.fell_through));
    ground_details(&answer.ground, &mut details);
    if answer.total > 0 && !answer.near.is_empty() {
        details.insert("near_misses".into(), answer.near.details());
    }
    if answer.total == 0 {
        details.insert("absent".into(), json!(answer.ground.absent));
        details.insert("near_misses".into(), answer.near.details());
    }
    Value::Object(details)
}

fn match_details(path: &str, found: &Found, room: &mut usize) -> Value {
    let mut cut = found.cut > 0;
    let mut text = |text: &str| {
        if text.len() <= *room {
            *room -= text.len();
            return text.to_owned();
        }
        cut |= text.len() > SHORT_TEXT;
        clip(text, SHORT_TEXT)
    };
    let captures: Map<String, Value> =
        found.captures.iter().map(|(name, value)| (name.clone(), json!(text(value)))).collect();
    let text = text(&found.text);
    let mut value = json!({
        "path": path,
        "start": { "line": found.start.line, "column": found.start.column },
        "end": { "line": found.end.line, "column": found.end.column },
        "text": text,
        "captures": captures,
        "context": found.context,
    });
    if found.at_error {
        value["at_syntax_error"] = json!(true);
    }
    if cut {
        value["text_cut"] = json!(true);
    }
    value
}
