//! Structural search and rewrite as agent tools: ast_grep, ast_edit and resolve
