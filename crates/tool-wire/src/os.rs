//! What the systems do differently, behind the same six functions:
//! `isolate`, `wait_exit`, `interrupt`, `terminate`, `kill`, `members`.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::{interrupt, isolate, kill, members, terminate, wait_exit};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::{interrupt, isolate, kill, members, terminate, wait_exit};
