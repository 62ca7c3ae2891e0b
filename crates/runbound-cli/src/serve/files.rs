//! Files that a host writes by its own tools: the baseline before, and what the write has broken after.

use std::future::Future;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::session::read;
use super::wire::RpcError;
use crate::wiring::Run;

#[derive(Deserialize)]
struct Files {
    paths: Vec<String>,
}

/// `files/written` (or `files/writing`): the details that a write tool's result would have.
///
/// # Errors
/// Parameters that cannot be read. Without servers there is no error, but `unavailable`.
pub(super) fn look(
    run: &Run,
    written: bool,
    params: Value,
) -> Result<impl Future<Output = Value> + Send + use<>, RpcError> {
    let asked: Files = read(if written { "files/written" } else { "files/writing" }, params)?;
    let (diagnostics, scope) = (run.diagnostics.clone(), Arc::clone(&run.scope));
    Ok(async move {
        let paths = asked.paths;
        if !written {
            let unavailable = diagnostics.writing(&paths).await;
            return match unavailable {
                Some(why) => json!({ "paths": paths, "unavailable": why }),
                None => json!({ "paths": paths }),
            };
        }
        let mut details = diagnostics.written(&scope, &paths).await;
        details.insert("paths".into(), json!(paths));
        Value::Object(details)
    })
}

/// The host has cancelled it.
pub(super) fn stopped() -> Value {
    json!({ "unavailable": "the look was cancelled before there was a verdict" })
}
