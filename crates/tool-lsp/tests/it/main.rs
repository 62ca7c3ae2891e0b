//! The crate from outside: scripted servers, then real ones.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and skips are printed"
)]

mod check;
mod conformance;
mod failures_page;
mod faulty_writes;
mod fixes;
mod installed;
mod marks;
mod page;
mod real;
mod rename;
mod rename_scripted;
mod scripted;
mod shop;
mod support;
mod survey;
mod untrusted;
mod writes;
