//! The `lsp` tool: arguments and dispatch.

mod args;
