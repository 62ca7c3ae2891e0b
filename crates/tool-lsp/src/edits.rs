//! What a server wants to change: read strictly, checked, and turned into one change set that is carried out whole or not.

mod bytes;
mod judge;
mod problem;
mod stage;
mod wire;

pub(crate) use bytes::to_byte_edits;
pub(crate) use judge::{Judgement, Wanted, encoding_of, judge};
pub(crate) use problem::EditProblem;
pub(crate) use stage::{Known, Staged, StagedFile, stage};
pub(crate) use wire::{Plan, Step, WireEdit};
