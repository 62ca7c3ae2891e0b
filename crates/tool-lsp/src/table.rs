//! The servers that are known.
