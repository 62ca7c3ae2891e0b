//! Reference harness tools: read, write, edit and apply_patch over contained, atomic writes.

#![doc = include_str!("../README.md")]

mod edit;
mod errors;
mod files;
mod near;
mod pack;
mod patch;
mod spills;
mod text;
mod tools;

pub use pack::FilesPack;
pub use spills::{SPILL_RUN_BYTES, SPILL_TEXT_BYTES, Spills};
pub use tools::{ApplyPatchTool, EditTool, ReadTool, WriteTool};
