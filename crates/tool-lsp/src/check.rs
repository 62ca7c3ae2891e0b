//! The checks that a project has of its own.
