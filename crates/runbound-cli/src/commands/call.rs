//! `call`: one call, its text or its result object.

use std::io::Read as _;

use anyhow::Context as _;
use runbound::core::{CallOutcome, CallRequest, CloseWhy};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::args::Common;
use crate::bar;
use crate::exit::Exit;
use crate::images::text_and_saved_images;
use crate::output::{Stdout, say};
use crate::signals::Interrupts;
use crate::style::Style;
use crate::trace::{Trace, Way};
use crate::wiring::{CLOSING, Run, Wiring};

/// What to call and how to answer.
pub(crate) struct Call {
    pub(crate) tool: String,
    /// As on the command line: JSON, or `-`.
    pub(crate) args: String,
    pub(crate) json: bool,
    pub(crate) accept: bool,
}

/// # Errors
/// The arguments cannot be read, the run cannot be opened, or the output cannot be written.
pub(crate) async fn call(common: &Common, call: Call, trace: &Trace) -> anyhow::Result<Exit> {
    if call.accept && call.tool != "ast_edit" {
        say(&format!("runbound: --accept goes with ast_edit; {} stages nothing", call.tool));
        return Ok(Exit::Usage);
    }
    let text = match call.args.as_str() {
        "-" => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .context("cannot read the arguments from standard input")?;
            text
        }
        text => text.to_owned(),
    };
    let args: Value = match serde_json::from_str(&text) {
        Ok(args) => args,
        Err(error) => {
            say(&format!(
                "runbound: the arguments are not JSON: {error}\nthey look like '{{\"path\": \"a.txt\"}}'; see runbound call --help"
            ));
            return Ok(Exit::Usage);
        }
    };
    let wiring = Wiring::from_flags(common).one_shot();
    let run = if call.accept { wiring.accepting() } else { wiring }.open()?;
    run.say_notes();
    trace.note(Way::In, &json!({"tool": call.tool, "args": args}));
    let cancel = CancellationToken::new();
    let mut interrupts = Interrupts::new();
    let (first, second) =
        interrupts.cancelling(&cancel, invoke(&run, &call.tool, args, call.accept, &cancel)).await;
    let exit = answer(common, &call, &run, &first, second.as_ref(), trace)?;
    run.scope.close(CloseWhy::Finished, CLOSING).await;
    Ok(exit)
}

/// The call, and the acceptance of what it staged.
async fn invoke(
    run: &Run,
    tool: &str,
    args: Value,
    accept: bool,
    cancel: &CancellationToken,
) -> (CallOutcome, Option<CallOutcome>) {
    let bar = bar::watch(run.scope.events());
    let first = run.view.invoke(CallRequest::new(tool, args).cancel(cancel.clone())).await;
    let staged = first.details().get("edit_id").filter(|id| accept && id.is_string()).cloned();
    let second = match staged {
        Some(id) => {
            let args = json!({"edit_id": id, "action": "accept"});
            Some(run.view.invoke(CallRequest::new("resolve", args).cancel(cancel.clone())).await)
        }
        None => None,
    };
    bar.finish().await;
    (first, second)
}

fn answer(
    common: &Common,
    call: &Call,
    run: &Run,
    first: &CallOutcome,
    second: Option<&CallOutcome>,
    trace: &Trace,
) -> anyhow::Result<Exit> {
    let mut out = Stdout::new();
    let last = second.unwrap_or(first);
    let object = merged(first, second);
    trace.note(Way::Out, &object);
    if call.json {
        out.line(&object.to_string())?;
    } else {
        let style = Style::stdout(common.color);
        for outcome in [Some(first), second].into_iter().flatten() {
            let text = text_and_saved_images(outcome, &run.images());
            if outcome.is_error() {
                say(&format!("runbound: {text}"));
            } else {
                out.line(&style.diff(&text))?;
            }
        }
    }
    Ok(if last.is_error() { Exit::Failed } else { Exit::Done })
}

/// One result object for both: the call's own, with the acceptance under `details.resolved` and its error if it failed.
fn merged(first: &CallOutcome, second: Option<&CallOutcome>) -> Value {
    let mut object = first.to_result_object(Some(Value::Null));
    let Some(second) = second else { return object };
    let mut accepted = second.to_result_object(None);
    object["ok"] = accepted["ok"].take();
    if let (Some(content), Some(more)) =
        (object["content"].as_array_mut(), accepted["content"].as_array_mut())
    {
        content.append(more);
    }
    if let Some(error) = accepted.get_mut("error") {
        object["error"] = error.take();
    }
    if let Some(mismatched) = accepted["details"].get("mismatched") {
        object["details"]["mismatched"] = mismatched.clone();
    }
    object["details"]["resolved"] = accepted["details"].take();
    let spent = |value: &Value| value["elapsed_ms"].as_f64().unwrap_or_default();
    object["elapsed_ms"] = json!(spent(&object) + spent(&accepted));
    object
}
