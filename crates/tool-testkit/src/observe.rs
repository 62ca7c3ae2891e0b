//! Waiting for what can be observed, with a deadline that no healthy machine reaches.

use std::time::{Duration, Instant};

/// Looks again and again until it is so.
///
/// # Panics
///
/// If it is not so within a minute; `what` is in the message.
pub async fn eventually(what: &str, mut is: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !is() {
        assert!(Instant::now() < until, "not within a minute: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
