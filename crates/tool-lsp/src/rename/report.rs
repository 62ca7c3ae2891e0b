//! What was renamed, and what the text still holds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tool_core::ToolOutput;

use super::asked::{Asked, language_of};
use crate::actions::named;
use crate::edits::{Judgement, Staged, StagedFile};
use crate::render::count;
use crate::supervisor::Supervisor;
use crate::textcheck::{self, Hit, Kind};

/// Files and places that are named in the text.
const FILES: usize = 20;
const LEFT: usize = 8;
/// Places in the facts for a program.
const FACTS: usize = 200;

/// How the text compares before and after.
struct Check {
    before: usize,
    left: Vec<Hit>,
}

/// The answer for a rename that was written.
pub(super) fn report(
    sup: &Supervisor,
    asked: &Asked,
    staged: &Staged,
    judgement: Judgement,
) -> ToolOutput {
    let (old, new) = (asked.bare_old(), asked.bare_new());
    let changed: Vec<&StagedFile> = staged.files.iter().collect();
    let edits: usize = changed.iter().map(|file| file.edits).sum();
    let check = check(sup, asked, staged);
    let mut text = format!(
        "Renamed `{old}` to `{new}`: {} in {}",
        count(edits, "edit", "edits"),
        count(changed.iter().filter(|file| file.edits > 0).count(), "file", "files"),
    );
    for file in changed.iter().take(FILES) {
        text.push_str("\n  ");
        text.push_str(&line(file));
    }
    if changed.len() > FILES {
        let _ = write!(text, "\n  … and {} more", changed.len() - FILES);
    }
    let _ = write!(text, "\n{}", compared(&check, old));
    let mut notes = asked.notes.clone();
    if judgement.others > 0 {
        notes.push(format!(
            "{} of the edits replace more than the name or add to it (imports under another name, fields that keep \
             theirs); look at them",
            judgement.others
        ));
    }
    for note in &notes {
        let _ = write!(text, "\n{note}");
    }
    let files: Vec<Value> = changed.iter().map(|file| facts(file)).collect();
    let left: Vec<Value> = check.left.iter().take(FACTS).map(place).collect();
    ToolOutput::text(text).details(json!({
        "files": files,
        "edits": edits,
        "old_name": old,
        "new_name": new,
        "server": named(&asked.aim.client),
        "hits": check.before,
        "left": left,
        "left_total": check.left.len(),
        "notes": notes,
    }))
}

fn line(file: &StagedFile) -> String {
    match (&file.from, &file.new) {
        (_, None) => format!("{}: deleted", file.rel),
        (Some(from), _) if file.edits == 0 => format!("{}: moved from {from}", file.rel),
        (Some(from), _) => format!("{}: {}, moved from {from}", file.rel, file.edits),
        (None, _) => format!("{}: {}", file.rel, file.edits),
    }
}

fn facts(file: &StagedFile) -> Value {
    let mut facts = json!({ "path": file.rel, "edits": file.edits });
    if let Some(from) = &file.from {
        facts["from"] = json!(from);
    }
    if file.new.is_none() {
        facts["deleted"] = json!(true);
    }
    facts
}

fn place(hit: &Hit) -> Value {
    json!({ "path": hit.rel, "line": hit.line, "kind": word(hit.kind), "text": hit.text })
}

const fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Code => "code",
        Kind::Comment => "comment",
        Kind::Text => "string",
        Kind::Other => "other",
    }
}

/// Counts the old name before and after, in all files that were searched.
fn check(sup: &Supervisor, asked: &Asked, staged: &Staged) -> Check {
    let old = asked.bare_old();
    let mut after: BTreeMap<PathBuf, (String, String)> = BTreeMap::new();
    let mut before = 0;
    for (path, file) in &asked.found.files {
        before += textcheck::words(&file.text, old).count();
        after.insert(path.clone(), (file.rel.clone(), file.text.clone()));
    }
    for file in &staged.files {
        if let Some(from) = &file.from {
            after.remove(&sup.root().path().join(from));
        }
        match file.new.as_ref().map(|new| String::from_utf8_lossy(new).into_owned()) {
            Some(text) => after.insert(file.path.clone(), (file.rel.clone(), text)),
            None => after.remove(&file.path),
        };
    }
    let hits = |(path, (rel, text)): (&PathBuf, &(String, String))| {
        textcheck::hits(rel, language_of(sup, Path::new(path)), text, old)
    };
    let mut left: Vec<Hit> = after.iter().flat_map(hits).collect();
    left.sort_by(|a, b| (a.kind, &a.rel, a.line).cmp(&(b.kind, &b.rel, b.line)));
    Check { before, left }
}

/// `Text check: 9 hits of `a` before, 7 renamed, 2 left: 1 in a comment (b.rs:3), 1 in a string (c.rs:9)`.
fn compared(check: &Check, old: &str) -> String {
    let left = check.left.len();
    let gone = check.before.saturating_sub(left);
    let mut text = format!(
        "Text check: {} of `{old}` before, {gone} renamed",
        count(check.before, "hit", "hits")
    );
    if left == 0 {
        text.push_str(", none left");
        return text;
    }
    let _ = write!(text, ", {left} left: ");
    let mut parts = Vec::new();
    let mut named = 0;
    for (kind, one, many) in [
        (Kind::Code, "in code", "in code"),
        (Kind::Comment, "in a comment", "in comments"),
        (Kind::Text, "in a string", "in strings"),
        (Kind::Other, "in another file", "in other files"),
    ] {
        let hits: Vec<&Hit> = check.left.iter().filter(|hit| hit.kind == kind).collect();
        if hits.is_empty() {
            continue;
        }
        let room = LEFT.saturating_sub(named);
        let mut places: Vec<String> =
            hits.iter().map(|hit| format!("{}:{}", hit.rel, hit.line)).collect();
        // Several on one line are one place to look at.
        places.dedup();
        let more = if places.len() > room { ", …" } else { "" };
        places.truncate(room);
        named += places.len();
        let words = if hits.len() == 1 { one } else { many };
        let shown = if places.is_empty() {
            String::new()
        } else {
            format!(" ({}{more})", places.join(", "))
        };
        parts.push(format!("{} {words}{shown}", hits.len()));
    }
    text.push_str(&parts.join(", "));
    text
}

#[cfg(test)]
mod tests {
    use super::{Check, compared};
    use crate::textcheck::{Hit, Kind};

    fn hit(rel: &str, line: u32, kind: Kind) -> Hit {
        Hit { rel: rel.into(), line, kind, text: String::new() }
    }

    #[test]
    fn what_is_left_is_told_by_kind() {
        let left = vec![
            hit("a.rs", 3, Kind::Comment),
            hit("a.rs", 9, Kind::Comment),
            hit("b.rs", 1, Kind::Text),
            hit("README.md", 2, Kind::Other),
        ];
        assert_eq!(
            compared(&Check { before: 17, left }, "foo"),
            "Text check: 17 hits of `foo` before, 13 renamed, 4 left: 2 in comments (a.rs:3, a.rs:9), 1 in a string (b.rs:1), \
             1 in another file (README.md:2)"
        );
        assert_eq!(
            compared(&Check { before: 1, left: vec![] }, "foo"),
            "Text check: 1 hit of `foo` before, 1 renamed, none left"
        );
        let many = (0..30).map(|n| hit("x", n, Kind::Code)).collect();
        let told = compared(&Check { before: 40, left: many }, "foo");
        assert!(told.contains("30 in code (x:0, x:1,") && told.ends_with("x:7, …)"), "{told}");
    }
}
