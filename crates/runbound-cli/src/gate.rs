//! The permission gate of a run that nobody watches: every prompt is refused at once.

use runbound::core::{GateError, PermissionGate, PermissionRequest, Verdict, async_trait};

/// There is nobody to ask.
pub(crate) struct Unattended;

#[async_trait]
impl PermissionGate for Unattended {
    async fn check(&self, _: &PermissionRequest) -> Result<Verdict, GateError> {
        Err(GateError::NoApprover)
    }
}
