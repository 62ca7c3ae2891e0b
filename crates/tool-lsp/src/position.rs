//! From a line and a symbol to places on that line. Pure.
