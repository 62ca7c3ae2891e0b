//! The actions of the `lsp` tool.

mod aim;
mod calls;
mod code_actions;
mod complete;
mod coverage;
mod diagnostics;
mod hover;
mod meaning;
mod navigate;
mod outline;
mod places;
mod status;
mod symbols;
mod verify;

use tool_core::{CallCx, ToolOutput};

pub(crate) use aim::{Aim, aim, named, off, read};
pub(crate) use complete::incomplete;
pub(crate) use places::document_symbols;

use crate::check::check_all;
use crate::error::LspError;
use crate::supervisor::Supervisor;
use crate::tool::Ask;

/// Answers a checked question.
pub(crate) async fn answer(
    cx: &CallCx,
    sup: &Supervisor,
    ask: Ask,
) -> Result<ToolOutput, LspError> {
    match ask {
        Ask::Places(relation, at) => navigate::navigate(cx, sup, relation, &at).await,
        Ask::Hover(at) => hover::hover(cx, sup, &at).await,
        Ask::DocumentSymbols { file } => symbols::of_document(cx, sup, &file).await,
        Ask::WorkspaceSymbols { query, file } => {
            symbols::of_workspace(cx, sup, &query, file.as_deref()).await
        }
        Ask::Calls { incoming, at } => calls::calls(cx, sup, incoming, &at).await,
        Ask::CodeActions(at) => code_actions::code_actions(cx, sup, &at).await,
        Ask::Status => status::status(sup).await,
        Ask::Reload { file } => status::reload(sup, file.as_deref()).await,
        Ask::Diagnostics { file } => diagnostics::of_file(cx, sup, &file).await,
        Ask::CheckAll => Ok(check_all(sup, cx).await?.output(sup.root())?),
    }
}
