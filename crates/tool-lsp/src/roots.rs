//! The root that a file belongs to.
