//! The `lsp` tool: arguments and dispatch.
