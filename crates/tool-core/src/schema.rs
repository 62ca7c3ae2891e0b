//! Schemas: the portable subset, and how each provider wants them.

mod export;
mod lint;
mod lower;
mod strict;

pub use export::{Dialect, export};
pub use lint::{LintFinding, lint};
