//! `run`: a script of calls in one run, a result object a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use runbound::core::{CallRequest, CloseWhy};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::args::Common;
use crate::exit::Exit;
use crate::lines::{Line, next_line};
use crate::output::{Stdout, say};
use crate::script::{ScriptCall, parse_line};
use crate::signals::Interrupts;
use crate::trace::{Trace, Way};
use crate::wiring::{CLOSING, Wiring};

/// The longest line of a script, in bytes.
const LINE_LIMIT: usize = 256 << 20;

/// # Errors
/// The run cannot be opened, or the output cannot be written.
pub(crate) async fn run(common: &Common, script: &Path, trace: &Trace) -> anyhow::Result<Exit> {
    let input: Box<dyn BufRead + Send> = if script == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        match File::open(script) {
            Ok(file) => Box::new(BufReader::new(file)),
            Err(error) => {
                say(&format!("runbound: cannot read the script {}: {error}", script.display()));
                return Ok(Exit::Usage);
            }
        }
    };
    let run = Wiring::from_flags(common).leaves_texts().open()?;
    run.say_notes();
    let mut calls = read_calls(input)?;
    let mut out = Stdout::new();
    let mut interrupts = Interrupts::new();
    let exit = loop {
        let next = tokio::select! {
            next = calls.recv() => next,
            () = interrupts.next() => break Exit::Failed,
        };
        let call = match next {
            None => break Exit::Done,
            Some(Err(unreadable)) => {
                say(&format!("runbound: {}: {unreadable}", script.display()));
                break Exit::Usage;
            }
            Some(Ok(call)) => call,
        };
        trace.note(Way::In, &json!({"id": call.id, "tool": call.tool, "args": call.args}));
        let cancel = CancellationToken::new();
        let request = CallRequest::new(call.tool, call.args).cancel(cancel.clone());
        let outcome = interrupts.cancelling(&cancel, run.view.invoke(request)).await;
        let object = outcome.to_result_object(Some(call.id));
        trace.note(Way::Out, &object);
        out.line(&object.to_string())?;
        if out.is_gone() || cancel.is_cancelled() {
            break Exit::Failed;
        }
    };
    run.scope.close(CloseWhy::Finished, CLOSING).await;
    Ok(exit)
}

/// Reads the script on a thread of its own, one line ahead, so that a script can come from a program that waits
/// for each result. Ends after the first unreadable line, which is named by its number.
fn read_calls(
    mut input: Box<dyn BufRead + Send>,
) -> io::Result<mpsc::Receiver<Result<ScriptCall, String>>> {
    let (sender, calls) = mpsc::channel(1);
    std::thread::Builder::new().name("script".into()).spawn(move || {
        for number in 1_u64.. {
            let call = match next_line(&mut input, LINE_LIMIT) {
                Ok(None) => return,
                Ok(Some(Line::Whole(line))) => parse_line(&line),
                Ok(Some(Line::TooLong(length))) => {
                    Err(format!("{length} bytes are more than {LINE_LIMIT}"))
                }
                Err(error) => Err(format!("cannot be read: {error}")),
            };
            let call = match call {
                Ok(None) => continue,
                Ok(Some(call)) => Ok(call),
                Err(why) => Err(format!("line {number}: {why}")),
            };
            let last = call.is_err();
            if sender.blocking_send(call).is_err() || last {
                return;
            }
        }
    })?;
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(script: &'static str) -> Vec<Result<String, String>> {
        let mut calls = read_calls(Box::new(script.as_bytes())).unwrap();
        let mut all = Vec::new();
        while let Some(call) = calls.recv().await {
            all.push(call.map(|call| call.tool));
        }
        all
    }

    #[tokio::test]
    async fn the_bad_line_is_named_and_is_the_last() {
        let got = read("{\"tool\": \"a\"}\n\n{\"tool\": 1}\n{\"tool\": \"b\"}\n").await;
        assert_eq!(got.len(), 2);
        assert_eq!(got[0], Ok("a".to_owned()));
        assert!(got[1].as_ref().unwrap_err().starts_with("line 3: "));
    }

    #[tokio::test]
    async fn the_last_line_needs_no_line_feed() {
        assert_eq!(
            read("{\"tool\": \"a\"}\n{\"tool\": \"b\"}").await,
            [Ok("a".to_owned()), Ok("b".to_owned())]
        );
    }
}
