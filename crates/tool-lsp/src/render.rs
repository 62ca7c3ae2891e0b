//! Every sentence of this crate that an agent reads.
