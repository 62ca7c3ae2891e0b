//! The crate against the real file system.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and seeds are printed"
)]

mod commit;
mod crash;
mod faults;
mod kill;
mod locks;
mod paths;
mod race;
mod support;
mod walk;
