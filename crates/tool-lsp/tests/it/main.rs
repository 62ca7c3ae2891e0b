//! The crate from outside, against real servers.
#![cfg(unix)]

mod installed;
mod page;
mod real;
mod survey;
