//! Interrupts (Ctrl-C), polite termination, and the end of the terminal.

use std::future::Future;
use std::pin::pin;

use tokio_util::sync::CancellationToken;

/// Tells of interrupts. While it lives they do not end the process by themselves, and none is missed between two waits.
#[cfg(unix)]
pub(crate) struct Interrupts {
    interrupt: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
    hangup: Option<tokio::signal::unix::Signal>,
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
            // Whoever was started by `nohup` lives on.
            hangup: (!is_ignored(1)).then(|| signal(SignalKind::hangup()).ok()).flatten(),
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
            () = of(&mut self.hangup) => {}
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

/// Whether this process was told to ignore the signal `number` when it was started; not known without `/proc`.
#[cfg(unix)]
fn is_ignored(number: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}
