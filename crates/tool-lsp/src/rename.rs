//! The `lsp_rename` tool.
