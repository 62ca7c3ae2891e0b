//! When a server can be believed: the readiness state machine over progress, status notes and first answers. Pure.

use tokio::time::Instant;

/// Whether a server can be believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReadyState {
    /// It knows the project.
    Ready,
    /// It is still loading.
    Loading {
        /// What it is doing, in its own words where it tells.
        what: String,
        /// How far it is, from 0 to 100, where it tells.
        percent: Option<u8>,
        /// When it counts as ready if it says nothing more until then.
        quiet_until: Option<Instant>,
    },
    /// What it stands on has crashed, though the process is there.
    Broken(String),
}
