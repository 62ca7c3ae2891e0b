//! Where the whole text of a cut answer goes. The core writes no files: a harness says where with [`Spill`].

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt as _;
use tokio::time::timeout;

use crate::ids::CallId;

/// An answer waits so long for its whole text to be kept; after that it goes out without.
pub const SPILL_WAIT: Duration = Duration::from_secs(5);

/// Keeps the whole text of answers that the output budget cuts, for the time of the run.
///
/// `tool-files` has one that keeps files below the run's state folder.
#[async_trait]
pub trait Spill: Send + Sync + 'static {
    /// Keeps the text of this call's answer; gives the file that holds it. The place must be bounded: when it is full
    /// older texts go, or this one is not taken.
    ///
    /// # Errors
    /// Why it was not kept, in words for the host's log.
    async fn keep(&self, call: CallId, text: String) -> Result<PathBuf, String>;
}

/// Keeps a text, under a deadline and a panic guard.
pub(crate) async fn keep(
    spill: &Arc<dyn Spill>,
    call: CallId,
    text: String,
) -> Result<PathBuf, String> {
    match timeout(SPILL_WAIT, AssertUnwindSafe(spill.keep(call, text)).catch_unwind()).await {
        Ok(Ok(kept)) => kept,
        Ok(Err(_)) => Err("the spill panicked".to_owned()),
        Err(_) => Err(format!("the spill took longer than {} s", SPILL_WAIT.as_secs())),
    }
}
