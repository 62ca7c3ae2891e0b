//! The project's own checks: cargo, tsc, pyright, go and the like, run as their own processes.

mod parse;
