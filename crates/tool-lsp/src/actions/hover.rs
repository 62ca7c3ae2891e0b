//! hover: what the server says about a symbol.

use tool_core::{CallCx, ToolOutput};

use super::aim::aim;
use crate::decode;
use crate::error::LspError;
use crate::render;
use crate::supervisor::Supervisor;
use crate::tool::At;

const METHOD: &str = "textDocument/hover";

pub(crate) async fn hover(cx: &CallCx, sup: &Supervisor, at: &At) -> Result<ToolOutput, LspError> {
    let aim = aim(cx, sup, at, METHOD, "hovers").await?;
    let mut answer = aim.ask(cx, "hover", METHOD, aim.params()).await?;
    let mut notes = Vec::new();
    // The range it speaks about tells whether the question was understood.
    let range = answer.get("range").and_then(decode::span);
    let ranges = range.map(|span| (aim.text(), span)).into_iter();
    if let Some(note) = aim.recount(ranges) {
        notes.push(note);
        answer = aim.ask(cx, "hover", METHOD, aim.params()).await?;
    }
    let contents = decode::hover(&answer);
    Ok(render::hover(&aim.asked(), contents.as_deref(), &notes))
}
