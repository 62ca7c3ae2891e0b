//! The program of a server, or why there is none.
