//! The crate against the real file system.

mod commit;
mod support;
