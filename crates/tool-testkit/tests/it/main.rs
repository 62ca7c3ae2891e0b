//! The testkit's own fakes, and tool-wire with real processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod child;
mod connect;
mod faults;
mod find;
mod host;
mod scripted;
mod support;
