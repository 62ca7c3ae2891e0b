//! The three tools through a real registry, on real files.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and skips are printed"
)]

mod cases;
mod conformance;
mod edits;
mod files;
mod paths;
mod readings;
mod run;
mod support;
