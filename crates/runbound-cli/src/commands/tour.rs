//! `tour`: the main job on a bundled sample project: a search, a staged rewrite, a refusal, an acceptance.
//!
//! Every step is a call of the real registry on real files in a temporary folder. A step that does not go as told
//! fails the tour.

use std::path::Path;

use anyhow::{Context as _, bail};
use runbound::core::{CallOutcome, CallRequest, CloseWhy, ErrorKind};
use serde_json::{Map, Value, json};

use crate::args::Common;
use crate::exit::Exit;
use crate::output::Stdout;
use crate::style::Style;
use crate::wiring::{CLOSING, Run, Wiring};

/// The sample project.
const SAMPLE: [(&str, &str); 4] = [
    ("pubspec.yaml", include_str!("tour/sample/pubspec.yaml")),
    ("lib/editor.dart", include_str!("tour/sample/lib/editor.dart")),
    ("lib/player.dart", include_str!("tour/sample/lib/player.dart")),
    ("lib/session.dart", include_str!("tour/sample/lib/session.dart")),
];

const PATTERN: &str = "if ($X != null) $X.dispose()";
const REWRITE: &str = "$X?.dispose()";
/// The guards of the sample that dispose what they tested.
const GUARDS: u64 = 3;

/// # Errors
/// A step did not go as told, or the output cannot be written.
pub(crate) async fn tour(common: &Common) -> anyhow::Result<Exit> {
    let folder = tempfile::Builder::new()
        .prefix("runbound-tour-")
        .tempdir()
        .context("no temporary folder")?;
    let root = folder.path().join("sample");
    for (path, text) in SAMPLE {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(&root))?;
        std::fs::write(path, text)?;
    }
    let run = Wiring::from_flags(common)
        .root(root.clone())
        .state(folder.path().join("state"))
        .cap(runbound::core::Tier::Write)
        .gate(None)
        .open()?;
    let mut guide = Guide { out: Stdout::new(), style: Style::stdout(common.color), run };
    let shown = guide.show(&root).await;
    guide.run.scope.close(CloseWhy::Finished, CLOSING).await;
    shown.map(|()| Exit::Done)
}

struct Guide {
    out: Stdout,
    style: Style,
    run: Run,
}

impl Guide {
    async fn show(&mut self, root: &Path) -> anyhow::Result<()> {
        self.tell(&format!(
            "A small Dart project with {} files, copied to {}.",
            SAMPLE.len(),
            root.display()
        ))?;

        self.step("Search for guards that dispose what they tested, and for no others")?;
        let search = [("pattern", json!(PATTERN)), ("language", json!("dart"))];
        let found = self.good("ast_grep", &search, Show::All).await?;
        expect(&found, "total", &json!(GUARDS))?;
        self.tell("Spacing and line breaks do not matter; the comment, the string and `video.dispose()` are no matches.")?;
        self.tell("\"as stmt\": the pattern was read as a statement. Where a fragment can be read in several ways, the answer names them, and `context` picks one.")?;

        self.step("Stage a rewrite: nothing is written yet")?;
        let rewrite =
            [("pattern", json!(PATTERN)), ("rewrite", json!(REWRITE)), ("language", json!("dart"))];
        let staged = self.good("ast_edit", &rewrite, Show::All).await?;
        expect(&staged, "replacements", &json!(GUARDS))?;
        let id = staged.details().get("edit_id").cloned().context("the proposal has no edit_id")?;

        self.step("Somebody changes one of the files before the rewrite is accepted")?;
        let player = root.join("lib/player.dart");
        let changed = std::fs::read_to_string(&player)?.replacen("sound", "music", 1);
        std::fs::write(&player, &changed)?;
        self.tell("lib/player.dart has changed: \"music\" for \"sound\".")?;
        let refused = self.call("resolve", &decide(id), Show::All).await?;
        match &refused.result {
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            other => bail!("a stale rewrite was not refused: {other:?}"),
        }
        expect(&refused, "mismatched", &json!(["lib/player.dart"]))?;
        for (path, text) in SAMPLE {
            let now = std::fs::read_to_string(root.join(path))?;
            if now != text && path != "lib/player.dart" {
                bail!("{path} was written although the rewrite was refused");
            }
        }
        self.tell("The whole rewrite is refused, and no file was touched.")?;

        self.step("Stage it again and accept it")?;
        let staged = self.good("ast_edit", &rewrite, Show::FirstLine).await?;
        let id = staged.details().get("edit_id").cloned().context("the proposal has no edit_id")?;
        self.good("resolve", &decide(id), Show::All).await?;

        self.step("The result")?;
        let lines =
            [("path", json!("lib/editor.dart")), ("start_line", json!(9)), ("end_line", json!(14))];
        self.good("read", &lines, Show::All).await?;
        if std::fs::read_to_string(&player)?
            != changed
                .replace("if (decoder != null)\n      decoder.dispose();", "decoder?.dispose();")
        {
            bail!("lib/player.dart is not what the rewrite should have made of it");
        }
        self.farewell()
    }

    /// How to go on with a project of one's own.
    fn farewell(&mut self) -> anyhow::Result<()> {
        let binary = std::env::current_exe()
            .map_or_else(|_| "runbound".to_owned(), |path| path.display().to_string());
        self.step("Now your own project")?;
        let style = self.style;
        let lines = [
            style.dim("Its languages, and what can be used there:"),
            format!("  {} --root ~/src/app", style.bold(&format!("{binary} doctor"))),
            style.dim("A search: a pattern is code of the language, $X any one piece of it, $$$X any number:"),
            format!(
                "  {} --root ~/src/app '{}'",
                style.bold(&format!("{binary} call ast_grep")),
                "{\"language\": \"LANGUAGE\", \"pattern\": \"PATTERN, say open($FILE, $$$MORE)\"}"
            ),
            style.dim("A prompt with completion, where an edit can be staged and then accepted:"),
            format!("  {} --root ~/src/app", style.bold(&format!("{binary} console"))),
            String::new(),
            format!(
                "For a harness in another language: {}. Every command has --help.",
                style.bold("runbound serve --help")
            ),
        ];
        Ok(self.out.line(&lines.join("\n"))?)
    }

    fn step(&mut self, title: &str) -> anyhow::Result<()> {
        Ok(self.out.line(&format!("\n{} {}", self.style.cyan("==>"), self.style.bold(title)))?)
    }

    fn tell(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.out.line(&self.style.dim(text))?)
    }

    /// A call that must succeed.
    async fn good(&mut self, tool: &str, args: &[Arg], show: Show) -> anyhow::Result<CallOutcome> {
        let outcome = self.call(tool, args, show).await?;
        match &outcome.result {
            Ok(_) => Ok(outcome),
            Err(error) => bail!("{tool} failed: {error}"),
        }
    }

    /// Shows the call as a person would type it at the console, makes it, and shows the answer.
    async fn call(&mut self, tool: &str, args: &[Arg], show: Show) -> anyhow::Result<CallOutcome> {
        let words: Vec<String> = args.iter().map(word).collect();
        self.out.line(&format!("{} {tool} {}", self.style.green("write>"), words.join(" ")))?;
        let args: Map<String, Value> =
            args.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let outcome = self.run.view.invoke(CallRequest::new(tool, Value::Object(args))).await;
        let text = outcome.render_text();
        let text = match show {
            Show::All => text.as_str(),
            Show::FirstLine => text.lines().next().unwrap_or_default(),
        };
        let text = if outcome.is_error() { self.style.yellow(text) } else { self.style.diff(text) };
        self.out.line(&text)?;
        Ok(outcome)
    }
}

/// An argument, in the order in which it is shown.
type Arg = (&'static str, Value);

/// How much of an answer is shown.
#[derive(Clone, Copy)]
enum Show {
    All,
    FirstLine,
}

fn decide(id: Value) -> [Arg; 2] {
    [("edit_id", id), ("action", json!("accept"))]
}

/// An argument as a word of the console.
fn word((key, value): &Arg) -> String {
    match value {
        Value::String(text) if text.contains(|char: char| char.is_whitespace() || char == '$') => {
            format!("{key}='{text}'")
        }
        Value::String(text) => format!("{key}={text}"),
        other => format!("{key}={other}"),
    }
}

fn expect(outcome: &CallOutcome, key: &str, value: &Value) -> anyhow::Result<()> {
    match outcome.details().get(key) {
        Some(found) if found == value => Ok(()),
        found => bail!("{}: {key} should be {value} and is {found:?}", outcome.name),
    }
}
