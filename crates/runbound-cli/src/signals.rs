//! Interrupts (Ctrl-C) and polite termination.

use std::future::Future;
use std::pin::pin;

use tokio_util::sync::CancellationToken;

/// Tells of interrupts. While it lives they do not end the process by themselves.
pub(crate) struct Interrupts {
    #[cfg(unix)]
    terminate: Option<tokio::signal::unix::Signal>,
}

impl Interrupts {
    pub(crate) fn new() -> Self {
        Self {
            #[cfg(unix)]
            terminate: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
                .ok(),
        }
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(terminate) = &mut self.terminate {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
        let _ = tokio::signal::ctrl_c().await;
    }

    /// Runs `work` to its end; an interrupt fires `cancel`, which is for `work` to notice.
    pub(crate) async fn cancelling<F: Future>(
        &mut self,
        cancel: &CancellationToken,
        work: F,
    ) -> F::Output {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                output = &mut work => return output,
                () = self.next() => cancel.cancel(),
            }
        }
    }
}
