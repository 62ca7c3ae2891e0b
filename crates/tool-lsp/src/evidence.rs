//! What a server has said about its documents, bound to the version it said it about. Pure, but for the lock around it.

mod doc;
mod inbox;
mod latency;

pub(crate) use doc::Reported;
pub(crate) use inbox::{DiagnosticsInbox, Push};

#[cfg(test)]
mod tests;
