//! The progress bar of a long call, for a person at a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use runbound::core::{CallEvent, EventReceiver, Progress};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::serve::progress_message;

/// A call that is faster than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// A bar that follows calls until [`finish`](Watched::finish).
pub(crate) struct Watched {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Watched {
    /// Takes the bar off the screen.
    pub(crate) async fn finish(self) {
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

/// Draws the progress of every call of the scope on standard error; draws nothing where that is no terminal.
pub(crate) fn watch(mut events: EventReceiver) -> Watched {
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(async move {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if bar.is_hidden() {
            return;
        }
        let mut stopped = stopped;
        tokio::select! {
            () = tokio::time::sleep(PATIENCE) => {}
            _ = &mut stopped => return,
        }
        let bar = bar.with_style(spinner());
        bar.enable_steady_tick(Duration::from_millis(120));
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some(CallEvent::Progress { progress, .. }) => show(&bar, &progress),
                    Some(CallEvent::HumanWait { on: true, .. }) => bar.set_draw_target(ProgressDrawTarget::hidden()),
                    Some(CallEvent::HumanWait { on: false, .. }) => bar.set_draw_target(ProgressDrawTarget::stderr()),
                    Some(_) => {}
                    None => break,
                },
                _ = &mut stopped => break,
            }
        }
        bar.finish_and_clear();
    });
    Watched { stop, task }
}

fn show(bar: &ProgressBar, progress: &Progress) {
    match progress {
        Progress::Fraction { done, total: Some(total) } => {
            if bar.length() != Some(*total) {
                bar.set_style(counted());
                bar.set_length(*total);
            }
            bar.set_position(*done);
        }
        other => bar.set_message(progress_message(other)),
    }
}

fn spinner() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {elapsed} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn counted() -> ProgressStyle {
    ProgressStyle::with_template("{bar:32} {pos} of {len} {elapsed} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
