//! Diagnostics as servers send them. Pure.
