//! The crate from outside: scripted servers, then real ones.
#![cfg(unix)]

mod check;
mod conformance;
mod failures_page;
mod faulty_writes;
mod fixes;
mod installed;
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
