//! Schemas: the portable subset, and how each provider wants them.

mod export;
mod lint;
mod lower;

pub use export::{Dialect, export};
pub use lint::{LintFinding, lint};
