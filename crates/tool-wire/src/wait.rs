//! A deadline with the name of what is waited for.

use crate::error::WireError;
use std::borrow::Cow;
use std::time::Duration;

/// One wait on another party: what for, and for how long at most.
#[derive(Debug, Clone)]
pub struct Wait {
    what: Cow<'static, str>,
    limit: Duration,
}

impl Wait {
    /// `what` completes the sentence "no answer within 5s: …".
    pub fn new(what: impl Into<Cow<'static, str>>, limit: Duration) -> Self {
        Self { what: what.into(), limit }
    }

    /// The longest this wait may take.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// What a caller is told when the deadline passed.
    pub fn expired(self) -> WireError {
        WireError::Deadline { what: self.what.into_owned(), after: self.limit }
    }

    /// Runs a future under the deadline; it is dropped when that passes.
    ///
    /// # Errors
    ///
    /// [`WireError::Deadline`].
    pub async fn on<F: Future>(self, future: F) -> Result<F::Output, WireError> {
        tokio::time::timeout(self.limit, future).await.map_err(|_| self.expired())
    }
}
