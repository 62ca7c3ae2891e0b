//! A TCP connection to a program of ours that listens, or is about to.

use crate::child::Watch;
use crate::error::WireError;
use crate::exit::{Ended, EndedWhy};
use crate::wait::Wait;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;

const FIRST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(200);

/// Connects to a loopback address, again and again until something listens, the program ends, or the
/// deadline passes.
///
/// # Errors
///
/// [`WireError::Connect`] if the address is not this machine's own or the system refuses for good,
/// [`WireError::Closed`] with its last words if the program ended, [`WireError::Deadline`].
pub async fn connect(
    to: SocketAddr,
    program: Option<&Watch>,
    wait: Wait,
) -> Result<TcpStream, WireError> {
    if !to.ip().is_loopback() {
        let why = "only addresses of this machine are connected to".to_string();
        return Err(WireError::Connect { to: to.to_string(), why });
    }
    let ended = async {
        match program {
            Some(program) => program.gone().await,
            None => std::future::pending().await,
        }
    };
    let attempt = async {
        tokio::select! {
            stream = again(to) => stream,
            gone = ended => {
                let stderr = match program { Some(program) => program.last_words().await, None => String::new() };
                let why = EndedWhy::Eof { lost: 0 };
                Err(WireError::Closed(Arc::new(Ended { why, exit: Some(gone.exit), stderr, noise: String::new() })))
            }
        }
    };
    wait.on(attempt).await?
}

async fn again(to: SocketAddr) -> Result<TcpStream, WireError> {
    let mut pause = FIRST;
    loop {
        match TcpStream::connect(to).await {
            // With nobody listening, the system may choose the very port that is connected to as its own
            // and connect the socket with itself.
            Ok(stream) if stream.local_addr().ok() == Some(to) => {}
            Ok(stream) => {
                // Small frames must not wait for each other; that it cannot be set is no reason to fail.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) if passing(&error) => {}
            Err(error) => {
                return Err(WireError::Connect { to: to.to_string(), why: error.to_string() });
            }
        }
        // The pause between two attempts at what cannot be observed otherwise.
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST);
    }
}

/// Whether nobody listens yet.
fn passing(error: &io::Error) -> bool {
    use io::ErrorKind::{
        AddrNotAvailable, ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted,
    };
    matches!(
        error.kind(),
        ConnectionRefused | ConnectionReset | ConnectionAborted | Interrupted | AddrNotAvailable
    )
}
