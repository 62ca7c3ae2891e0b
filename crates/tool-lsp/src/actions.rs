//! The actions of the `lsp` tool.

mod meaning;
mod outline;
mod verify;
