//! Paths and `file:` addresses, tolerant of what servers write.
