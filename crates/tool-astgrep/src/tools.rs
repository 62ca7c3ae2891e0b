//! Arguments in, answers out, and the way from the async call to the blocking work. Nothing else.

mod ast_edit;
mod ast_grep;
mod resolve;

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tool_core::{CallCx, Progress, ToolError};

pub use ast_edit::AstEditTool;
pub use ast_grep::AstGrepTool;
pub use resolve::ResolveTool;

use crate::error::SearchError;
use crate::schedule::Control;

/// How long a search may take: a cold search of a very large tree takes a minute.
const TIME_LIMIT: Duration = Duration::from_secs(300);
/// Milliseconds between two reports of progress.
const REPORT_EVERY: u64 = 100;

/// Runs blocking work off the async threads. It stops soon after the call does, and reports how far it is.
async fn blocking<T: Send + 'static>(
    cx: &CallCx,
    work: impl FnOnce(Control<'_>) -> Result<T, SearchError> + Send + 'static,
) -> Result<T, ToolError> {
    let inside = cx.clone();
    let task = tokio::task::spawn_blocking(move || {
        let began = Instant::now();
        let reported = AtomicU64::new(0);
        let stop = || inside.cancel().is_cancelled();
        let progress = |done: usize, total: usize| {
            let now = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let last = reported.load(Ordering::Relaxed);
            let mine = || {
                reported.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            };
            if now.saturating_sub(last) >= REPORT_EVERY && mine() {
                inside
                    .progress(Progress::Fraction { done: done as u64, total: Some(total as u64) });
            }
        };
        work(Control { stop: &stop, progress: &progress })
    });
    match task.await {
        Ok(result) => result.map_err(ToolError::from),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(ToolError::cancelled("the runtime is shutting down")),
        },
    }
}

/// An object schema of the portable subset: every property has a type and a description, nothing else is allowed in.
fn schema(properties: &[(&str, &str, &str)], required: &[&str]) -> Value {
    let properties: Map<String, Value> = properties
        .iter()
        .map(|(name, kind, description)| {
            let property = json!({ "type": kind, "description": description });
            ((*name).to_owned(), property)
        })
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

const PATTERN: &str = "A code fragment of the language. $NAME matches any one node, $$$NAME a run of siblings (also none), \
     $_ any one node without capturing it. The same name twice must capture the same text. A metavariable stands for a \
     whole node, never for a part of a name or of a string.";
const PATH: &str =
    "File or folder, relative to the workspace's root. Default: the whole workspace.";
const LANGUAGE: &str = "Id of a grammar, e.g. python, rust, typescript (with .tsx), c, dart. Needed when path is a folder; \
     of a file it is told by the extension.";
const CONTEXT: &str = "Which reading of an ambiguous pattern is meant: the name of a context that an earlier answer gave.";
