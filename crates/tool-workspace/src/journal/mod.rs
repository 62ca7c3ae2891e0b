//! Journals: where unfinished changes are written down, who holds them, and how they are found again.

pub mod codec;
mod store;

pub use store::Journals;
pub(crate) use store::{Found, Live, StoreError, fresh_id};
