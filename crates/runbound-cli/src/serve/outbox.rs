//! The way out: one thread writes whole lines, in the order in which they were handed over.

use std::io::Write;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::trace::{Trace, Way};

/// How many lines may wait for a host that reads slowly before senders wait too.
const QUEUED: usize = 256;

/// Sends messages to the host. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Outbox {
    lines: mpsc::Sender<Vec<u8>>,
    gone: CancellationToken,
    trace: Trace,
}

/// Tells when everything handed over has been written, once every [`Outbox`] is dropped.
pub(crate) struct Drained(oneshot::Receiver<()>);

impl Drained {
    /// Waits for the last line to be written, or for the host to have closed its end.
    pub(crate) async fn wait(self) {
        let _ = self.0.await;
    }
}

impl Outbox {
    /// Starts the writing thread.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(crate) fn start(
        to: impl Write + Send + 'static,
        trace: Trace,
    ) -> std::io::Result<(Self, Drained)> {
        let (lines, queue) = mpsc::channel(QUEUED);
        let (done, drained) = oneshot::channel();
        let gone = CancellationToken::new();
        let broken = gone.clone();
        std::thread::Builder::new().name("host-out".into()).spawn(move || {
            write_all(to, queue, &broken);
            let _ = done.send(());
        })?;
        Ok((Self { lines, gone, trace }, Drained(drained)))
    }

    /// Hands a message over; waits while the queue is full. To a host that is gone it is dropped.
    pub(crate) async fn send(&self, message: &Value) {
        if let Some(line) = self.encode(message) {
            tokio::select! {
                _ = self.lines.send(line) => {}
                () = self.gone.cancelled() => {}
            }
        }
    }

    /// Hands a message over if there is room. For what may be lost: progress, and cancelling.
    pub(crate) fn try_send(&self, message: &Value) {
        if let Some(line) = self.encode(message) {
            let _ = self.lines.try_send(line);
        }
    }

    /// Fired once the host has closed its end of the pipe.
    pub(crate) fn gone(&self) -> &CancellationToken {
        &self.gone
    }

    fn encode(&self, message: &Value) -> Option<Vec<u8>> {
        if self.gone.is_cancelled() {
            return None;
        }
        self.trace.note(Way::Out, message);
        let mut line = message.to_string().into_bytes();
        line.push(b'\n');
        Some(line)
    }
}

fn write_all(mut to: impl Write, mut queue: mpsc::Receiver<Vec<u8>>, gone: &CancellationToken) {
    while let Some(line) = queue.blocking_recv() {
        if to.write_all(&line).and_then(|()| to.flush()).is_err() {
            gone.cancel();
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::io;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // One byte at a time: whole lines must not depend on whole writes.
            let one = bytes.get(..1).unwrap_or_default();
            self.0.lock().unwrap().extend_from_slice(one);
            Ok(one.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn lines_stay_whole_when_many_send() {
        let kept = Kept::default();
        let (outbox, drained) = Outbox::start(kept.clone(), Trace::default()).unwrap();
        let senders: Vec<_> = (0..20)
            .map(|n| {
                let outbox = outbox.clone();
                tokio::spawn(
                    async move { outbox.send(&json!({"n": n, "text": "x".repeat(100)})).await },
                )
            })
            .collect();
        for sender in senders {
            sender.await.unwrap();
        }
        drop(outbox);
        drained.wait().await;
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        let mut seen: Vec<u64> = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["n"].as_u64().unwrap())
            .collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..20).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_closed_pipe_is_told_and_blocks_nobody() {
        let (outbox, drained) = Outbox::start(Closed, Trace::default()).unwrap();
        for _ in 0..1000 {
            outbox.send(&json!({})).await;
        }
        assert!(outbox.gone().is_cancelled());
        drained.wait().await;
    }
}
