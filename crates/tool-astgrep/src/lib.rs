//! Structural search and rewrite as agent tools: ast_grep, ast_edit and resolve

mod diff;
mod filter;
mod kept;
mod lines;
mod memory;
mod rewrite;
mod schedule;
mod stage;
mod ladders;
mod language;
mod matches;
mod pattern;
mod scaffold;
mod tree;
