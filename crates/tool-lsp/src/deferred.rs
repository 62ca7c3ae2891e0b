//! Verdicts that came too late for their call.
