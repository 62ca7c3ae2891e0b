//! A workspace edit as a change set. Pure.
