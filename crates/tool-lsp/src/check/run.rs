//! One run of a checker: its output within bounds, its whole process tree ended when the time is over.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::time::{Instant, timeout};
use tool_wire::{Exit, Spawn, Stdin};

/// Bytes of output that are read.
const MOST: usize = 32 << 20;
/// Bytes of the error stream that are kept, from its end: some checkers say everything there.
const TAIL: usize = 4 << 20;
/// How long what was said last may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long a killed session is waited for.
const GONE: Duration = Duration::from_secs(3);

/// What is to be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Command {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) dir: PathBuf,
    pub(crate) env: Vec<(String, OsString)>,
    /// Variables of the host that it gets beside the harmless ones.
    pub(crate) pass_env: &'static [&'static str],
}

impl Command {
    /// The command as a person would type it.
    pub(crate) fn shown(&self) -> String {
        let name = self.program.file_name().unwrap_or(self.program.as_os_str());
        let mut text = name.to_string_lossy().into_owned();
        for arg in &self.args {
            text.push(' ');
            text.push_str(&arg.to_string_lossy());
        }
        match text.char_indices().nth(160) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// By itself.
    Exit(Exit),
    /// It was ended after so long.
    TimedOut(Duration),
    /// It was ended because it printed too much.
    TooMuch(usize),
}

/// What a run left behind.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    pub(crate) ended: Ended,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs to the end, or to the deadline. Dropping the future kills what was started.
///
/// # Errors
/// A sentence: it could not be started.
pub(crate) async fn run(command: &Command, until: Instant, limit: Duration) -> Result<Ran, String> {
    let mut spawn = Spawn::new(&command.program, &command.dir)
        .args(command.args.iter().cloned())
        .allow_env(command.pass_env.iter().copied())
        .stdin(Stdin::Empty)
        .tail(TAIL);
    for (name, value) in &command.env {
        spawn = spawn.env(name, value);
    }
    let mut spawned = spawn.start().await.map_err(|error| error.to_string())?;
    let watch = spawned.child.watch();
    let mut stdout = Vec::new();
    let mut stream = spawned.stdout.take();
    let reading = async {
        let Some(stream) = stream.as_mut() else { return true };
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(n @ 1..) = stream.read(&mut buffer).await {
            stdout.extend_from_slice(&buffer[..n]);
            if stdout.len() > MOST {
                return false;
            }
        }
        true
    };
    let left = until.saturating_duration_since(Instant::now());
    let whole = async {
        tokio::pin!(reading);
        tokio::select! {
            fits = &mut reading => if fits { Some(watch.gone().await) } else { None },
            gone = watch.gone() => {
                // A daemon that it left behind may hold the stream open.
                let fits = timeout(LAST_WORDS, &mut reading).await.unwrap_or(true);
                fits.then_some(gone)
            }
        }
    };
    let ended = match timeout(left, whole).await {
        Ok(Some(gone)) => Ended::Exit(gone.exit),
        Ok(None) => Ended::TooMuch(MOST),
        Err(_) => Ended::TimedOut(limit),
    };
    if !matches!(ended, Ended::Exit(_)) {
        spawned.child.kill();
        // If it is not gone by then, dropping it kills once more.
        let _ = timeout(GONE, watch.gone()).await;
    }
    let stderr = watch.last_words().await;
    Ok(Ran { ended, stdout: String::from_utf8_lossy(&stdout).into_owned(), stderr })
}
