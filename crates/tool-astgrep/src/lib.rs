//! Structural search and rewrite as agent tools: ast_grep, ast_edit and resolve

mod diff;
mod filter;
mod kept;
mod ladders;
mod language;
mod lines;
mod matches;
mod memory;
#[cfg(test)]
mod mined;
mod pattern;
mod rewrite;
mod scaffold;
mod schedule;
mod stage;
mod tree;
