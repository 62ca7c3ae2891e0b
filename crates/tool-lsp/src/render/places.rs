//! Answers that are places: definitions, references and the like, and hovers.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use tool_core::{ToolOutput, n_of_m};

use super::{clip, count, thousands};

/// Characters of a line of code that are shown.
const LINE: usize = 160;
/// Places of a text search that the details list.
const OTHERS: usize = 50;
/// Characters of a hover that are shown.
const HOVER: usize = 6_000;

/// What was asked about, where, and who answered.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Id and version.
    pub(crate) server: String,
    pub(crate) id: String,
}

impl Asked {
    /// "`greet` (main.py:3)".
    fn what(&self) -> String {
        format!("`{}` ({}:{})", self.name, self.path, self.line)
    }
}

/// One place of an answer. Lines and columns from 1, columns in Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Relative to the root, or absolute outside it.
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) end_line: u32,
    pub(crate) column: u32,
    /// The line's code, without the blanks around it.
    pub(crate) text: String,
    /// The symbol around it.
    pub(crate) within: Option<String>,
}

impl Hit {
    fn details(&self) -> Value {
        let mut facts = json!({
            "path": self.path, "line": self.line, "end_line": self.end_line, "column": self.column, "text": self.text,
        });
        if let Some(within) = &self.within {
            facts["within"] = json!(within);
        }
        facts
    }
}

/// How a text search compares with the references of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    /// Whole words in files of the language below the root.
    pub(crate) hits: usize,
    /// Those among them that are references of the answer.
    pub(crate) known: usize,
    /// Of the others those in comments, and those in strings.
    pub(crate) comments: usize,
    pub(crate) strings: usize,
    /// The rest, by file and line (from 1): namesakes, or code that the server does not see.
    pub(crate) others: Vec<(String, u32)>,
    /// Not all files were searched.
    pub(crate) cut: bool,
}

/// An answer that is a list of places.
#[derive(Debug)]
pub(crate) struct Navigation<'a> {
    pub(crate) asked: &'a Asked,
    /// "definition" and "definitions", and so on.
    pub(crate) one: &'a str,
    pub(crate) many: &'a str,
    /// In the order of the answer, as many as are shown.
    pub(crate) hits: &'a [Hit],
    pub(crate) total: usize,
    /// Files of all places.
    pub(crate) files: usize,
    pub(crate) coverage: Option<&'a Coverage>,
    /// Whether the server says that it knows the whole project; only where that matters.
    pub(crate) complete: Option<bool>,
    /// What else must be known to judge the answer.
    pub(crate) notes: &'a [String],
}

/// A list of places, grouped by file.
pub(crate) fn navigation(answer: &Navigation<'_>) -> ToolOutput {
    let Navigation { asked, one, many, hits, total, .. } = answer;
    let mut out = String::new();
    if *total == 0 {
        let _ = write!(out, "No {one} of {} is known to {}.", asked.what(), asked.server);
    } else {
        let n = n_of_m(hits.len(), *total);
        let word = if *total == 1 { one } else { many };
        let _ = write!(out, "{n} {word} of {}", asked.what());
        if answer.files > 1 {
            let _ = write!(out, " in {} files", thousands(answer.files));
        }
        let _ = write!(out, ", by {}", asked.server);
        if answer.complete == Some(true) {
            out.push_str(" (project loaded)");
        }
        places(&mut out, hits);
    }
    if let Some(coverage) = answer.coverage {
        out.push('\n');
        out.push_str(&covered(coverage));
    }
    for note in answer.notes {
        out.push('\n');
        out.push_str(note);
    }
    let mut details = Map::new();
    details.insert("locations".into(), hits.iter().map(Hit::details).collect());
    details.insert("total".into(), json!(total));
    details.insert("shown".into(), json!(hits.len()));
    details.insert("files".into(), json!(answer.files));
    asked_details(asked, &mut details);
    if let Some(complete) = answer.complete {
        details.insert("complete".into(), json!(complete));
    }
    if let Some(coverage) = answer.coverage {
        let others = coverage.others.iter().take(OTHERS);
        let others: Vec<Value> =
            others.map(|(path, line)| json!({ "path": path, "line": line })).collect();
        details.insert(
            "text_search".into(),
            json!({
                "hits": coverage.hits, "known": coverage.known, "comments": coverage.comments,
                "strings": coverage.strings, "others": others, "others_total": coverage.others.len(),
                "cut": coverage.cut,
            }),
        );
    }
    if !answer.notes.is_empty() {
        details.insert("notes".into(), json!(answer.notes));
    }
    ToolOutput::text(out).details(Value::Object(details))
}

fn asked_details(asked: &Asked, details: &mut Map<String, Value>) {
    details.insert("server".into(), json!(asked.id));
    details.insert(
        "asked".into(),
        json!({ "symbol": asked.name, "path": asked.path, "line": asked.line, "column": asked.column }),
    );
}

/// Places under the names of their files; those on one line together.
fn places(out: &mut String, hits: &[Hit]) {
    let mut at = 0;
    let mut file = "";
    while let Some(hit) = hits.get(at) {
        if hit.path != file {
            file = &hit.path;
            out.push('\n');
            out.push_str(file);
        }
        let alike =
            hits[at..].iter().take_while(|next| next.path == hit.path && next.line == hit.line);
        let times = alike.count();
        let _ = write!(out, "\n  {}: {}", hit.line, clip(&hit.text, LINE));
        if times > 1 {
            let _ = write!(out, "  ({times} times)");
        }
        if let Some(within) = &hit.within {
            let _ = write!(out, "  [in {within}]");
        }
        at += times;
    }
}

fn covered(coverage: &Coverage) -> String {
    const SHOWN: usize = 5;
    let Coverage { hits, known, comments, strings, others, cut } = coverage;
    let part = if *cut { " (not all files were searched)" } else { "" };
    let words = count(*hits, "time", "times");
    if known == hits {
        return format!("Text search: the word stands {words}{part}, all of them are these.");
    }
    let mut parts = vec![format!("{} are these", thousands(*known))];
    if *comments > 0 {
        parts.push(format!("{} in comments", thousands(*comments)));
    }
    if *strings > 0 {
        parts.push(format!("{} in strings", thousands(*strings)));
    }
    if !others.is_empty() {
        let mut named: Vec<String> =
            others.iter().take(SHOWN).map(|(path, line)| format!("{path}:{line}")).collect();
        if others.len() > SHOWN {
            named.push(format!("and {} more", thousands(others.len() - SHOWN)));
        }
        let n = thousands(others.len());
        parts.push(format!("{n} namesakes or code the server does not see ({})", named.join(", ")));
    }
    format!("Text search: the word stands {words}{part}: {}.", parts.join(", "))
}

/// What a server says about a symbol; `None` is "nothing".
pub(crate) fn hover(asked: &Asked, contents: Option<&str>, notes: &[String]) -> ToolOutput {
    let mut out = match contents {
        Some(contents) => {
            let shown =
                contents.char_indices().nth(HOVER).map_or(contents, |(at, _)| &contents[..at]);
            let cut = if shown.len() < contents.len() {
                let (n, m) = (HOVER, contents.chars().count());
                format!("\n[{} characters shown]", n_of_m(n, m))
            } else {
                String::new()
            };
            format!("{}, by {}\n{shown}{cut}", asked.what(), asked.server)
        }
        None => format!("{} has nothing to say about {}.", asked.server, asked.what()),
    };
    for note in notes {
        out.push('\n');
        out.push_str(note);
    }
    let mut details = Map::new();
    details.insert("contents".into(), json!(contents));
    details.insert("path".into(), json!(asked.path));
    details.insert("line".into(), json!(asked.line));
    asked_details(asked, &mut details);
    if !notes.is_empty() {
        details.insert("notes".into(), json!(notes));
    }
    ToolOutput::text(out).details(Value::Object(details))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked {
            name: "greet".into(),
            path: "main.py".into(),
            line: 3,
            column: 5,
            server: "ty 0.0.108".into(),
            id: "ty".into(),
        }
    }

    fn hit(path: &str, line: u32, column: u32, text: &str, within: Option<&str>) -> Hit {
        let (path, text) = (path.to_owned(), text.to_owned());
        Hit { path, line, end_line: line, column, text, within: within.map(str::to_owned) }
    }

    fn answer<'a>(asked: &'a Asked, hits: &'a [Hit], total: usize) -> Navigation<'a> {
        let (one, many) = ("reference", "references");
        Navigation {
            asked,
            one,
            many,
            hits,
            total,
            files: 2,
            coverage: None,
            complete: None,
            notes: &[],
        }
    }

    #[test]
    fn places_are_grouped_by_file_and_line() {
        let hits = [
            hit("main.py", 3, 1, "greet(greet)", Some("main")),
            hit("main.py", 3, 7, "greet(greet)", Some("main")),
            hit("util.py", 1, 5, "def greet():", None),
        ];
        let asked = asked();
        let out = navigation(&answer(&asked, &hits, 60));
        assert_eq!(
            out.render_text(),
            "3 of 60 references of `greet` (main.py:3) in 2 files, by ty 0.0.108\nmain.py\n  3: greet(greet)  (2 times)  \
             [in main]\nutil.py\n  1: def greet():"
        );
        assert_eq!(out.details["total"], 60);
        assert_eq!(out.details["locations"][1]["column"], 7, "one entry an occurrence");
        assert_eq!(out.details["locations"][1]["within"], "main");
        assert_eq!(out.details["server"], "ty");
    }

    #[test]
    fn nothing_is_said_as_such() {
        let asked = asked();
        let out = navigation(&answer(&asked, &[], 0));
        assert_eq!(
            out.render_text(),
            "No reference of `greet` (main.py:3) is known to ty 0.0.108."
        );
        assert_eq!(out.details["locations"], json!([]));
    }

    #[test]
    fn the_text_search_says_what_it_found_besides() {
        let all = Coverage { hits: 15, known: 15, ..Coverage::default() };
        assert_eq!(covered(&all), "Text search: the word stands 15 times, all of them are these.");
        let some = Coverage {
            hits: 20,
            known: 15,
            comments: 3,
            strings: 1,
            others: vec![("x.py".into(), 4)],
            cut: true,
        };
        assert_eq!(
            covered(&some),
            "Text search: the word stands 20 times (not all files were searched): 15 are these, 3 in comments, 1 in \
             strings, 1 namesakes or code the server does not see (x.py:4)."
        );
    }

    #[test]
    fn a_long_hover_is_cut_with_a_count() {
        let long = "é".repeat(HOVER + 1);
        let out = hover(&asked(), Some(&long), &[]);
        assert!(out.render_text().ends_with("[6000 of 6001 characters shown]"));
        assert_eq!(out.details["contents"], json!(long));
        assert!(
            hover(&asked(), None, &[]).render_text().contains("has nothing to say about `greet`")
        );
    }
}
