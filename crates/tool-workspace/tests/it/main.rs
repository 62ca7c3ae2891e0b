//! The crate against the real file system.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod commit;
mod crash;
mod faults;
mod kill;
mod locks;
mod paths;
mod race;
mod support;
mod walk;
