//! Interrupts (Ctrl-C) and polite termination.

use std::future::Future;
use std::pin::pin;

use tokio_util::sync::CancellationToken;

/// Tells of interrupts. While it lives they do not end the process by themselves, and none is missed between two waits.
#[cfg(unix)]
pub(crate) struct Interrupts {
    interrupt: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
}

/// Tells of interrupts.
#[cfg(not(unix))]
pub(crate) struct Interrupts;

impl Interrupts {
    #[cfg(unix)]
    pub(crate) fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        Self {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn new() -> Self {
        Self
    }

    /// Waits for the next one.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) {
        async fn of(signal: &mut Option<tokio::signal::unix::Signal>) {
            match signal {
                Some(signal) => {
                    signal.recv().await;
                }
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = of(&mut self.interrupt) => {}
            () = of(&mut self.terminate) => {}
        }
    }

    /// Waits for the next one.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) {
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
