//! When a server can be believed: the readiness state machine over progress, status notes and first answers. Pure.
