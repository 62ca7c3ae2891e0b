//! `doctor`: what this checkout can use, and what it cannot and why.

mod servers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use runbound::astgrep::{languages, languages_of};
use runbound::core::ToolSpec;
use runbound::workspace::{RecoverReport, Root, Walk};
use serde_json::{Value, json};
use servers::Servers;

use crate::args::Common;
use crate::exit::Exit;
use crate::output::Stdout;
use crate::style::Style;
use crate::wiring::{NOT_BUILT, Wiring, recovery_notes, state_dir};

/// What was found out.
struct Report {
    root: PathBuf,
    state: Result<PathBuf, String>,
    recovered: RecoverReport,
    compiled: Vec<&'static str>,
    not_compiled: Vec<&'static str>,
    files: Files,
    servers: Servers,
    /// Name and tier; or why no run can be opened.
    tools: Result<Vec<(String, &'static str)>, String>,
}

/// The files that a search of the whole root would look at.
#[derive(Default)]
struct Files {
    by_language: BTreeMap<&'static str, usize>,
    other: usize,
    ignored: usize,
    hidden: usize,
}

/// # Errors
/// The root is no folder, or the output cannot be written.
pub(crate) async fn doctor(common: &Common, as_json: bool) -> anyhow::Result<Exit> {
    let report = examine(common).await?;
    let text = if as_json {
        serde_json::to_string_pretty(&report.json())?
    } else {
        report.text(Style::stdout(common.color))
    };
    Stdout::new().line(&text)?;
    Ok(Exit::Done)
}

async fn examine(common: &Common) -> anyhow::Result<Report> {
    let asked = common.root.clone().unwrap_or_else(|| PathBuf::from("."));
    let root = Root::open(&asked).with_context(|| format!("cannot work in {}", asked.display()))?;
    let run = Wiring::from_flags(common).one_shot().open();

    let tool = |spec: &ToolSpec| (spec.name().to_owned(), spec.tier().as_str());
    let tools = match &run {
        Ok(run) => Ok(run.view.surface().into_iter().map(tool).collect()),
        Err(error) => Err(format!("{error:#}")),
    };
    // Unsaid, the tier decides, as in a run.
    let trusted = match &run {
        Ok(run) => run.scope.trusted(),
        Err(_) => common.trusted().unwrap_or(false),
    };
    let recovered = run.map(|run| run.recovered).unwrap_or_default();
    let (compiled, not_compiled): (Vec<_>, Vec<_>) =
        languages().into_iter().partition(|language| language.compiled);
    Ok(Report {
        root: root.path().to_owned(),
        state: state_dir(common).map_err(|error| format!("{error:#}")).and_then(writable),
        recovered,
        compiled: compiled.iter().map(|language| language.id).collect(),
        not_compiled: not_compiled.iter().map(|language| language.id).collect(),
        files: count(&root)?,
        servers: Servers::examine(&root, common.servers.as_deref(), trusted).await,
        tools,
    })
}

/// The folder, if a file can be made there; found out by making one.
fn writable(folder: PathBuf) -> Result<PathBuf, String> {
    let made =
        std::fs::create_dir_all(&folder).and_then(|()| tempfile::NamedTempFile::new_in(&folder));
    match made {
        Ok(_) => Ok(folder),
        Err(error) => Err(format!("{}: {error}", folder.display())),
    }
}

fn count(root: &Root) -> anyhow::Result<Files> {
    let start = root.resolve(".")?;
    let walked = Walk::new(root, &start).run()?;
    let mut files = Files { ignored: walked.ignored, hidden: walked.hidden, ..Files::default() };
    for file in &walked.files {
        match languages_of(Path::new(&file.rel)).first() {
            Some(language) => *files.by_language.entry(language).or_default() += 1,
            None => files.other += 1,
        }
    }
    Ok(files)
}

impl Report {
    fn json(&self) -> Value {
        let state = match &self.state {
            Ok(folder) => json!({"path": folder, "writable": true}),
            Err(reason) => json!({"writable": false, "reason": reason}),
        };
        let tools = self.tools.as_deref().unwrap_or_default().iter();
        let tools: Vec<Value> =
            tools.map(|(name, tier)| json!({"name": name, "tier": tier})).collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "root": self.root,
            "state_dir": state,
            "journals": {
                "settled": self.recovered.settled.len(),
                "held": self.recovered.held,
                "damaged": self.recovered.damaged,
                "pending": self.recovered.failed.len(),
                "notes": recovery_notes(&self.recovered),
            },
            "grammars": {"compiled": self.compiled, "not_compiled": self.not_compiled},
            "files": {
                "by_language": self.files.by_language,
                "other": self.files.other,
                "ignored": self.files.ignored,
                "hidden": self.files.hidden,
            },
            "servers": self.servers.json(),
            "tools": tools,
            "not_built": NOT_BUILT,
        })
    }

    fn text(&self, style: Style) -> String {
        let mut lines = vec![
            format!("{} {}", style.bold("runbound"), env!("CARGO_PKG_VERSION")),
            row(style, "root", true, &self.root.display().to_string()),
        ];
        lines.push(match &self.state {
            Ok(folder) => {
                row(style, "state", true, &format!("{} can be written", folder.display()))
            }
            Err(why) => row(
                style,
                "state",
                false,
                &format!("{why}; without it no change can be made: give a folder with --state-dir"),
            ),
        });
        let notes = recovery_notes(&self.recovered);
        let sound = self.recovered.failed.is_empty() && self.recovered.damaged.is_empty();
        let held = match self.recovered.held {
            0 => String::new(),
            held => format!("; {held} held by other processes"),
        };
        lines.push(match notes.as_slice() {
            [] => row(style, "journals", true, &format!("no change was cut short{held}")),
            notes => row(style, "journals", sound, &format!("{}{held}", notes.join("; "))),
        });
        lines.push(row(
            style,
            "grammars",
            true,
            &format!("{}: {}", self.compiled.len(), self.compiled.join(", ")),
        ));
        if !self.not_compiled.is_empty() {
            lines.push(row(
                style,
                "",
                false,
                &format!("not compiled in: {}", self.not_compiled.join(", ")),
            ));
        }
        lines.push(row(style, "files", true, &self.files.text()));
        lines.extend(self.servers.lines(style));
        lines.push(match &self.tools {
            Ok(tools) => {
                let tools: Vec<String> =
                    tools.iter().map(|(name, tier)| format!("{name} ({tier})")).collect();
                row(style, "tools", true, &tools.join(", "))
            }
            Err(why) => row(style, "tools", false, why),
        });
        lines.push(row(
            style,
            "not built",
            false,
            &format!("{} (not in this version)", NOT_BUILT.join(", ")),
        ));
        lines.join("\n")
    }
}

/// A line of the report: a mark, what it is about, and what was found.
fn row(style: Style, name: &str, good: bool, text: &str) -> String {
    let mark = if good { style.green("+") } else { style.yellow("-") };
    format!("{mark} {name:10} {text}")
}

impl Files {
    fn text(&self) -> String {
        let mut counts: Vec<(&str, usize)> =
            self.by_language.iter().map(|(id, count)| (*id, *count)).collect();
        counts.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        let mut parts: Vec<String> =
            counts.iter().map(|(id, count)| format!("{id} {count}")).collect();
        parts.push(format!("other {}", self.other));
        format!(
            "{} ({} ignored and {} hidden ones left out)",
            parts.join(", "),
            self.ignored,
            self.hidden
        )
    }
}
