//! The tools through a registry, against the real file system.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod conform;
mod spills;
mod tools;
