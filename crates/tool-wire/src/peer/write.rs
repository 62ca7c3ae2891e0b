//! The writing task.

use super::Out;
use crate::exit::EndedWhy;
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

/// Writes frames in order until told to close, to stop, or it fails; a failure is told once.
pub(super) async fn run(
    mut writer: impl AsyncWrite + Unpin + Send,
    mut frames: mpsc::UnboundedReceiver<Out>,
    mut stop: watch::Receiver<bool>,
    stall: Duration,
    failed: oneshot::Sender<EndedWhy>,
) {
    let work = async {
        let result = write_all(&mut writer, &mut frames, stall).await;
        if result.is_ok() {
            // Closing is a wait too: what is buffered may have to go first.
            let _ = timeout(stall, writer.shutdown()).await;
        }
        result
    };
    tokio::select! {
        result = work => if let Err(why) = result {
            let _ = failed.send(why);
        },
        // What is half written stays so: nobody reads on after a stop.
        _ = stop.wait_for(|stop| *stop) => {}
    }
}

async fn write_all(
    writer: &mut (impl AsyncWrite + Unpin),
    frames: &mut mpsc::UnboundedReceiver<Out>,
    stall: Duration,
) -> Result<(), EndedWhy> {
    while let Some(out) = frames.recv().await {
        let Out::Frame(frame, room) = out else { return Ok(()) };
        let mut rest = &frame[..];
        while !rest.is_empty() {
            // Each write that takes anything starts the stall anew.
            match timeout(stall, writer.write(rest)).await {
                Err(_) => return Err(EndedWhy::Stalled),
                Ok(Err(_) | Ok(0)) => return Err(EndedWhy::InputClosed),
                Ok(Ok(n)) => rest = &rest[n..],
            }
        }
        drop(room);
        if frames.is_empty() {
            match timeout(stall, writer.flush()).await {
                Err(_) => return Err(EndedWhy::Stalled),
                Ok(Err(_)) => return Err(EndedWhy::InputClosed),
                Ok(Ok(())) => {}
            }
        }
    }
    Ok(())
}
