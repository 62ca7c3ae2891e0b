//! The ladder down which a program is led: every step is bounded, and the report says which one it took.

use crate::child::Child;
use crate::exit::Exit;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// How long each step may take.
#[derive(Debug, Clone, Copy)]
pub struct Ladder {
    /// For the protocol's own good-bye, and then for the program to end.
    pub goodbye: Duration,
    /// For the program to end after its input was closed.
    pub close: Duration,
    /// For the group to end after it was asked to.
    pub terminate: Duration,
    /// For the session to be gone after it was killed.
    pub kill: Duration,
}

impl Default for Ladder {
    /// Nine seconds in all. Language servers were measured at up to 1.2 s for the first step and 3.6 s for
    /// the second.
    fn default() -> Self {
        Self {
            goodbye: Duration::from_secs(2),
            close: Duration::from_secs(4),
            terminate: Duration::from_secs(1),
            kill: Duration::from_secs(2),
        }
    }
}

/// The step that ended a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// It had ended before.
    Already,
    /// It said good-bye and went.
    Goodbye,
    /// It went when its input was closed.
    Closed,
    /// It went when asked to.
    Terminated,
    /// It was killed.
    Killed,
    /// It is still there.
    Survived,
}

/// How a program was stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopReport {
    /// The step that did it.
    pub rung: Rung,
    /// How it ended.
    pub exit: Option<Exit>,
    /// How many other processes of its session had to be killed.
    pub swept: usize,
    /// What could not be ended.
    pub survivors: usize,
    /// How long it took.
    pub took: Duration,
}

impl Child {
    /// Ends the program: the protocol's good-bye, then its input is closed, then the group is asked, then
    /// the session is killed. `goodbye` is given up when its time is over. Dropping this future stops
    /// nothing by itself; dropping the [`Child`] kills.
    pub async fn stop(
        &self,
        ladder: Ladder,
        goodbye: impl Future<Output = ()>,
        close_input: impl FnOnce(),
    ) -> StopReport {
        let start = Instant::now();
        let rung = self.descend(ladder, goodbye, close_input).await;
        let gone = self.watch().is_gone();
        StopReport {
            rung,
            exit: gone.map(|gone| gone.exit),
            swept: gone.map_or(0, |gone| gone.swept),
            survivors: gone.map_or_else(|| self.members().len(), |gone| gone.survivors),
            took: start.elapsed(),
        }
    }

    async fn descend(
        &self,
        ladder: Ladder,
        goodbye: impl Future<Output = ()>,
        close_input: impl FnOnce(),
    ) -> Rung {
        let watch = self.watch();
        if watch.is_gone().is_some() {
            return Rung::Already;
        }
        let leave = async {
            tokio::select! {
                () = goodbye => { watch.gone().await; }
                _ = watch.gone() => {}
            }
        };
        if timeout(ladder.goodbye, leave).await.is_ok() {
            return Rung::Goodbye;
        }
        close_input();
        if timeout(ladder.close, watch.gone()).await.is_ok() {
            return Rung::Closed;
        }
        self.terminate();
        if timeout(ladder.terminate, watch.gone()).await.is_ok() {
            return Rung::Terminated;
        }
        self.kill();
        match timeout(ladder.kill, watch.gone()).await {
            Ok(_) => Rung::Killed,
            Err(_) => Rung::Survived,
        }
    }
}
