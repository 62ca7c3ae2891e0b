//! The actions of the `lsp` tool.
