//! Rewriting matches: a template becomes edits, edits become a new file text.

pub(crate) mod frozen;
pub(crate) mod render;
pub(crate) mod splice;
pub(crate) mod template;
pub(crate) mod text;
