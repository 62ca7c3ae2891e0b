//! Requests of ours to the host, and the replies that settle them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::outbox::Outbox;
use super::wire::{RpcError, notification, request};

/// Why a request of ours has no result.
#[derive(Debug, PartialEq)]
pub(crate) enum HostError {
    /// The host closed its end of the pipe.
    Gone,
    /// The host said nothing in time.
    Silent(Duration),
    /// The host answered with an error.
    Said(RpcError),
}

type Waiting = HashMap<String, oneshot::Sender<Result<Value, RpcError>>>;

/// The open requests; `None` once the host is gone.
struct Table {
    waiting: Option<Waiting>,
    last: u64,
}

/// Asks the host. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Host {
    outbox: Outbox,
    table: Arc<Mutex<Table>>,
}

impl Host {
    pub(crate) fn new(outbox: Outbox) -> Self {
        let table = Table { waiting: Some(HashMap::new()), last: 0 };
        Self { outbox, table: Arc::new(Mutex::new(table)) }
    }

    /// Sends a request and waits up to `within` for its reply. Dropping the future tells the host to cancel.
    ///
    /// # Errors
    /// The host is gone, silent, or answers with an error.
    pub(crate) async fn ask(
        &self,
        method: &str,
        params: &Value,
        within: Duration,
    ) -> Result<Value, HostError> {
        let (settle, settled) = oneshot::channel();
        let id = {
            let mut table = self.lock();
            table.last += 1;
            let id = format!("rb-{}", table.last);
            match &mut table.waiting {
                None => return Err(HostError::Gone),
                Some(waiting) => waiting.insert(id.clone(), settle),
            };
            id
        };
        let _open = Open { host: self, id: &id };
        self.outbox.send(&request(&id, method, params)).await;
        let gone = self.outbox.gone();
        tokio::select! {
            biased;
            reply = settled => match reply {
                Ok(Ok(result)) => Ok(result),
                Ok(Err(error)) => Err(HostError::Said(error)),
                Err(_) => Err(HostError::Gone),
            },
            () = gone.cancelled() => Err(HostError::Gone),
            () = tokio::time::sleep(within) => Err(HostError::Silent(within)),
        }
    }

    /// Sends a notification; lost if the host does not read.
    pub(crate) fn tell(&self, method: &str, params: &Value) {
        self.outbox.try_send(&notification(method, params));
    }

    /// Settles a request of ours. `false`: no request with that id is open (a late or a second reply).
    pub(crate) fn settle(&self, id: &Value, result: Result<Value, RpcError>) -> bool {
        let sender = id.as_str().and_then(|id| self.lock().waiting.as_mut()?.remove(id));
        sender.is_some_and(|sender| sender.send(result).is_ok())
    }

    /// The host will send nothing more: every open request fails, and so does every later one.
    pub(crate) fn close(&self) {
        self.lock().waiting = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open request: dropped before its reply, it is cancelled at the host.
struct Open<'a> {
    host: &'a Host,
    id: &'a str,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let was_open = self
            .host
            .lock()
            .waiting
            .as_mut()
            .is_some_and(|waiting| waiting.remove(self.id).is_some());
        if was_open {
            self.host.tell("$/cancelRequest", &json!({"id": self.id}));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Trace;

    const LONG: Duration = Duration::from_secs(3600);

    fn host() -> Host {
        let (outbox, _drained) = Outbox::start(std::io::sink(), Trace::default()).unwrap();
        Host::new(outbox)
    }

    async fn opened(host: &Host, count: usize) {
        while host.lock().waiting.as_ref().map_or(0, HashMap::len) != count {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn replies_settle_their_own_request_once() {
        let host = host();
        let first = tokio::spawn({
            let host = host.clone();
            async move { host.ask("m", &json!({}), LONG).await }
        });
        opened(&host, 1).await;
        let second = tokio::spawn({
            let host = host.clone();
            async move { host.ask("m", &json!({}), LONG).await }
        });
        opened(&host, 2).await;
        assert!(host.settle(&json!("rb-2"), Ok(json!(2))));
        assert!(!host.settle(&json!("rb-2"), Ok(json!(3))), "a second reply is for nobody");
        assert!(!host.settle(&json!(1), Ok(json!(3))), "ids are compared with their type");
        assert!(host.settle(&json!("rb-1"), Err(RpcError::new(-1, "no"))));
        assert_eq!(second.await.unwrap(), Ok(json!(2)));
        assert_eq!(first.await.unwrap(), Err(HostError::Said(RpcError::new(-1, "no"))));
    }

    #[tokio::test]
    async fn the_end_fails_what_waits_and_what_comes() {
        let host = host();
        let open = tokio::spawn({
            let host = host.clone();
            async move { host.ask("m", &json!({}), LONG).await }
        });
        opened(&host, 1).await;
        host.close();
        assert_eq!(open.await.unwrap(), Err(HostError::Gone));
        assert_eq!(host.ask("m", &json!({}), LONG).await, Err(HostError::Gone));
        assert!(!host.settle(&json!("rb-1"), Ok(json!(1))));
    }

    #[tokio::test(start_paused = true)]
    async fn silence_has_an_end_and_leaves_nothing_open() {
        let host = host();
        let within = Duration::from_secs(5);
        assert_eq!(host.ask("m", &json!({}), within).await, Err(HostError::Silent(within)));
        opened(&host, 0).await;
    }
}
