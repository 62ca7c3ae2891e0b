//! The real binary, driven as a person, a script and a host would drive it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod basics;
mod call;
mod console;
mod crash;
mod doctor;
mod foreign;
mod run;
mod serve;
mod serve_faults;
mod serve_host;
mod signals;
mod support;
mod tour;
#[cfg(target_os = "linux")]
mod tty;
#[cfg(unix)]
mod unreadable;
