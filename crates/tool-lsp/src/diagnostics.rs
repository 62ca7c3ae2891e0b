//! Diagnostics as servers send them. Pure.

/// What a server has published.
#[derive(Debug, Default)]
pub(crate) struct DiagnosticsInbox;

impl DiagnosticsInbox {
    /// Takes `publishDiagnostics` of a server's generation, in the order in which they came.
    pub(crate) fn push(&self, _params: &serde_json::Value, _generation: u64) {}
}
