//! `console`: a prompt over one run, for a person; a pipe works too.

mod ask;
mod card;
mod complete;
mod input;
mod line;

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

use runbound::core::{CallRequest, CloseWhy, Tier, ToolView};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::args::{Common, Permissions};
use crate::bar;
use crate::commands::tools::table;
use crate::exit::Exit;
use crate::images::text_and_saved_images;
use crate::output::{Stdout, say};
use crate::signals::Interrupts;
use crate::style::Style;
use crate::trace::{Trace, Way};
use crate::wiring::{CLOSING, Run, Wiring, state_dir};
use ask::Person;
use card::Card;
use complete::Known;
use input::{Input, Typed, Want};
use line::{Entry, parse};

const HELP: &str = "\
A call is a tool's name and its arguments, as words or as JSON:
  read path=Cargo.toml start_line=1 end_line=5
  ast_grep pattern='$X.unwrap()' language=rust
  read {\"path\": \"Cargo.toml\"}
'…' is literal; in \"…\" \\n, \\t, \\\" and \\\\ mean what they usually do. Tab completes. Ctrl-C cancels a call.
  :tools         the visible tools
  :schema TOOL   what a tool takes
  :tier TIER     narrows what is visible to read or write; exec shows all again, up to --tier
  :quit          ends the session, as Ctrl-D does";

/// # Errors
/// The run cannot be opened, or the output cannot be written.
pub(crate) async fn console(common: &Common, trace: &Trace) -> anyhow::Result<Exit> {
    let state = state_dir(common)?;
    let input = Input::start(state.join("console-history"))?;
    let mut wiring = Wiring::from_flags(common);
    if common.permissions == Permissions::Ask {
        wiring = wiring.gate(Some(Arc::new(Person::new(input.clone()))));
    }
    let run = wiring.open()?;
    run.say_notes();
    let mut console = Console {
        view: run.view.clone(),
        style: Style::stdout(common.color),
        out: Stdout::new(),
        input,
        trace,
        run,
    };
    // Over a pipe the output is what the calls answer, and nothing else.
    if std::io::stdin().is_terminal() {
        console.out.line(&banner(&console.view, console.run.root_path(), console.style))?;
    }
    let done = console.converse().await;
    console.run.scope.close(CloseWhy::Finished, CLOSING).await;
    done.map(|()| Exit::Done)
}

/// Where the session stands and how to go on, in a line.
fn banner(view: &ToolView, root: &Path, style: Style) -> String {
    let tools = view.surface().len();
    let tier = view.cap();
    format!(
        "{} {} in {}: {tools} tools up to tier {tier}. :help tells how to call them, :tools lists them, Ctrl-D ends.",
        style.bold("runbound"),
        env!("CARGO_PKG_VERSION"),
        root.display(),
    )
}

struct Console<'a> {
    run: Run,
    /// The view that `:tier` has left.
    view: ToolView,
    style: Style,
    out: Stdout,
    input: Input,
    trace: &'a Trace,
}

impl Console<'_> {
    async fn converse(&mut self) -> anyhow::Result<()> {
        let mut interrupts = Interrupts::new();
        self.learn();
        while !self.out.is_gone() {
            let prompt = format!("{}> ", self.run.view.cap().min(self.view.cap()));
            let line = tokio::select! {
                typed = self.input.line(prompt, Want::Command) => match typed {
                    Typed::Line(line) => line,
                    Typed::TooLong(length) => {
                        let why = format!("{length} bytes are too many for one call here; `run` takes longer lines");
                        self.out.line(&self.style.red(&why))?;
                        continue;
                    }
                    Typed::Interrupted => {
                        say("Ctrl-D or :quit ends the session");
                        continue;
                    }
                    Typed::End => break,
                },
                // Only a pipe leaves signals to us while a line is awaited.
                () = interrupts.next() => break,
            };
            let entry = parse(&line, |name| self.view.get(name).map(|spec| spec.input_schema()));
            match entry {
                Ok(Entry::Nothing) => {}
                Ok(Entry::Quit) => break,
                Ok(Entry::Help) => self.out.line(HELP)?,
                Ok(Entry::Tools) => self.out.line(&table(&self.view, self.style))?,
                Ok(Entry::Schema(name)) => self.schema(&name)?,
                Ok(Entry::Tier(word)) => self.narrow(&word)?,
                Ok(Entry::Call { tool, args }) => self.call(&mut interrupts, &tool, args).await?,
                Err(why) => self.out.line(&self.style.red(&why))?,
            }
        }
        Ok(())
    }

    fn learn(&self) {
        let known = self.view.surface().into_iter().map(|spec| Known {
            name: spec.name().to_owned(),
            schema: spec.input_schema().clone(),
        });
        self.input.know(known.collect());
    }

    fn schema(&mut self, name: &str) -> anyhow::Result<()> {
        let text = match self.view.get(name) {
            Some(spec) => format!(
                "{}\n{}",
                spec.description(),
                serde_json::to_string_pretty(spec.input_schema())?
            ),
            None => self.style.red(&format!("there is no tool {name} here; see :tools")),
        };
        Ok(self.out.line(&text)?)
    }

    fn narrow(&mut self, word: &str) -> anyhow::Result<()> {
        let text = match word.parse::<Tier>() {
            Ok(tier) => {
                self.view = self.run.view.narrowed(tier);
                self.learn();
                table(&self.view, self.style)
            }
            Err(error) => self.style.red(&error.to_string()),
        };
        Ok(self.out.line(&text)?)
    }

    async fn call(
        &mut self,
        interrupts: &mut Interrupts,
        tool: &str,
        args: Value,
    ) -> anyhow::Result<()> {
        self.trace.note(Way::In, &json!({"tool": tool, "args": args}));
        let cancel = CancellationToken::new();
        let bar = bar::watch(self.run.scope.events());
        let request = CallRequest::new(tool, args).cancel(cancel.clone());
        let outcome = interrupts.cancelling(&cancel, self.view.invoke(request)).await;
        bar.finish().await;
        self.trace.note(Way::Out, &outcome.to_result_object(None));
        let text = text_and_saved_images(&outcome, &self.run.images());
        let card = Card {
            tool,
            tier: self.view.get(tool).map(|spec| spec.tier().as_str()),
            error: outcome.result.as_ref().err().map(|error| error.kind().as_str()),
            elapsed: outcome.elapsed,
            text: &text,
        };
        Ok(self.out.line(&card.draw(self.style))?)
    }
}
