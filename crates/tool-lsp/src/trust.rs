//! What an untrusted checkout may not make a server do.
