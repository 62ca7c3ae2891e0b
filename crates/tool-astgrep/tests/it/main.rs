//! The three tools through a real registry, on real files.

mod cases;
mod conformance;
mod edits;
mod files;
mod paths;
mod readings;
mod run;
mod support;
