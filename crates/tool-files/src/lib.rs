//! Reference harness tools: read, write, edit and apply_patch over contained, atomic writes.

#![doc = include_str!("../README.md")]

mod edit;
mod errors;
mod files;
mod pack;
mod patch;
mod text;
mod tools;

pub use pack::FilesPack;
pub use tools::{ApplyPatchTool, EditTool, ReadTool, WriteTool};
