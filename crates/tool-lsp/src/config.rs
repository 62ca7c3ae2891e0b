//! Servers from a file that the harness names.
