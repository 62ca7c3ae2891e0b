//! A server as data.
