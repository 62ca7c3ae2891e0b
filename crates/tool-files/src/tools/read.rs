//! `read`: the raw text of a file, whole lines.

use std::path::PathBuf;

use serde::Deserialize;
use tool_core::serde_json::json;
use tool_core::{
    Args, CallCx, Targets, Tier, Tool, ToolError, ToolKind, ToolOutput, ToolSpec, Touched,
    Workspace, async_trait,
};
use tool_workspace::Root;

use crate::files::{self, TextFile};
use crate::spills::Spills;
use crate::text::{count_lines, plural};
use crate::tools::{path_schema, path_target, schema};

/// Bytes of text that one call gives at most.
const SHOWN: usize = 64 * 1024;

/// Reads text files below a root.
#[derive(Debug)]
pub struct ReadTool {
    spec: ToolSpec,
    root: Root,
    spills: Option<Spills>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArgs {
    path: String,
    start_line: Option<i64>,
    end_line: Option<i64>,
}

impl ReadTool {
    /// The tool over `root`.
    #[must_use]
    pub fn new(root: Root) -> Self {
        let input = schema(
            json!({
                "path": path_schema("The file"),
                "start_line": { "type": "integer", "description": "First line, from 1. Default: 1." },
                "end_line": { "type": "integer", "description": "Last line, inclusive. Default: the last." },
            }),
            &["path"],
        );
        let text =
            "Reads a text file and gives its raw text. Long files: ask for the lines you need.";
        let spec = ToolSpec::new("read", Tier::Read, text, input)
            .kind(ToolKind::Read)
            // Its own cap is what cuts, at a line border and with the way to go on.
            .output_budget(SHOWN + 1024);
        Self { spec, root, spills: None }
    }

    /// Takes the names of these files too: the whole texts of answers of this run that were cut.
    #[must_use]
    pub fn spills(mut self, spills: Option<Spills>) -> Self {
        self.spills = spills;
        self
    }
}

#[async_trait]
impl Tool for ReadTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        path_target(args, workspace)
    }

    async fn call(&self, cx: &CallCx, args: Args) -> Result<ToolOutput, ToolError> {
        let args: ReadArgs = args.parse()?;
        let root = self.root.clone();
        let spilled = self.spills.as_ref().and_then(|spills| spills.find(&args.path));
        let reading = tokio::task::spawn_blocking(move || {
            let open = || match spilled {
                Some(path) => Source::spilled(path),
                None => files::read_text(&root, &args.path).map(Source::of),
            };
            read(open, &args)
        });
        match cx.or_cancelled(reading).await? {
            Ok(done) => done,
            Err(error) => Err(ToolError::internal(error)),
        }
    }
}

/// A text and where it comes from.
struct Source {
    /// As the answer names it.
    name: String,
    path: PathBuf,
    text: String,
}

impl Source {
    fn of(file: TextFile) -> Self {
        Self { name: file.at.rel(), path: file.at.path().to_owned(), text: file.text }
    }

    /// A text that this run has kept itself: whole, and UTF-8.
    fn spilled(path: PathBuf) -> Result<Self, ToolError> {
        let name = path.display().to_string();
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Self { name, path, text }),
            Err(error) => Err(ToolError::failed(format!("{name} cannot be read: {error}"))
                .details(json!({ "paths": [name], "written": false }))),
        }
    }
}

fn read(
    open: impl FnOnce() -> Result<Source, ToolError>,
    args: &ReadArgs,
) -> Result<ToolOutput, ToolError> {
    let unfit = |message: String| {
        ToolError::invalid(message).details(json!({ "paths": [args.path], "written": false }))
    };
    let line = |given: Option<i64>, unsaid: usize| match given.map(usize::try_from) {
        None => Ok(unsaid),
        Some(Ok(line)) if line > 0 => Ok(line),
        _ => Err(unfit(format!("lines count from 1, there is no line {}", given.unwrap_or(0)))),
    };
    let (start, end) = (line(args.start_line, 1)?, line(args.end_line, usize::MAX)?);
    if start > end {
        return Err(unfit(format!("start_line {start} is behind end_line {end}")));
    }
    let Source { name, path, text } = open()?;
    let text = text.as_str();
    let total = count_lines(text);
    if start > total.max(1) {
        return Err(unfit(format!("{} has {} only", name, plural(total, "line"))));
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = end.min(total);
    let mut shown = String::new();
    let mut last = start - 1;
    for line in &lines[(start - 1).min(total)..end] {
        if shown.len() + line.len() > SHOWN {
            break;
        }
        shown.push_str(line);
        last += 1;
    }
    let mut note = None;
    if total == 0 {
        note = Some(format!("{} is empty", name));
    } else if last < start {
        // One line alone is too long.
        let line = lines[start - 1];
        let cut = char_border(line, SHOWN);
        shown.push_str(&line[..cut]);
        note = Some(format!("line {start} of {total}: {cut} of {} bytes shown", line.len()));
        last = start;
    } else if last < end {
        note =
            Some(format!("lines {start} to {last} of {total}; go on with start_line {}", last + 1));
    } else if start > 1 || last < total {
        note = Some(format!("lines {start} to {last} of {total}"));
    }
    let complete = shown.len() == text.len();
    let details = json!({
        "paths": [name], "written": false, "start_line": start, "end_line": last, "total_lines": total,
        "complete": complete,
    });
    let mut touched = Touched::read(path);
    if !complete {
        touched.lines = Some(narrow(start)..=narrow(last));
    }
    let output = ToolOutput::text(shown).details(details).touched(touched);
    Ok(match note {
        Some(note) => output.note(format!("[{note}]")),
        None => output,
    })
}

fn narrow(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// The last place at or before `at` where a character starts.
fn char_border(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
