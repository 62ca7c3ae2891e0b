//! A running program: one thread starts it, waits for it, sweeps its session and reaps it.

use crate::error::SpawnError;
use crate::exit::Exit;
use crate::os;
use crate::spawn::{Spawn, Stdin, Stdout};
use crate::stderr::Tail;
use crate::sync::lock;
use crate::warden;
use std::io;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{oneshot, watch};

/// How long a session is swept after its leader ended.
const SWEEP: Duration = Duration::from_secs(2);
/// How long what a program said last may take to arrive after it ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What was started, with the streams that were asked for.
#[derive(Debug)]
pub struct Spawned {
    /// The program. Dropping it kills the whole session.
    pub child: Child,
    /// Its input.
    pub stdin: Option<ChildStdin>,
    /// Its output.
    pub stdout: Option<ChildStdout>,
}

/// A running or ended program and everything that it started. Dropping it kills the session.
#[derive(Debug)]
pub struct Child {
    owner: Owner,
    watch: Watch,
}

/// Sees a program's end and its error stream, and keeps nothing alive.
#[derive(Debug, Clone)]
pub struct Watch {
    core: Arc<Core>,
    tail: Arc<Mutex<Tail>>,
    /// How many of the drained streams are still open.
    open: watch::Receiver<usize>,
}

/// How a program and its session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    /// How it ended itself.
    pub exit: Exit,
    /// How many processes of its session outlived it and were killed.
    pub swept: usize,
    /// How many could not be ended.
    pub survivors: usize,
}

#[derive(Debug)]
struct Core {
    pid: u32,
    /// Until it is reaped, its number is nobody else's, and may be signalled.
    reaped: Mutex<bool>,
    gone: watch::Sender<Option<Gone>>,
}

impl Core {
    fn signal<R>(&self, act: impl FnOnce(u32) -> R) -> Option<R> {
        let reaped = lock(&self.reaped);
        (!*reaped).then(|| act(self.pid))
    }
}

/// Kills the session when it is dropped, wherever that happens.
#[derive(Debug)]
struct Owner(Arc<Core>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.signal(os::kill);
    }
}

/// The pid that a program should watch if it wants to end with its host: there is no process in between.
pub fn host_pid() -> u32 {
    std::process::id()
}

pub(crate) async fn start(spawn: Spawn) -> Result<Spawned, SpawnError> {
    let (tell, told) = oneshot::channel();
    let program = spawn.program.clone();
    let failed = |source| SpawnError::Io { program: program.clone(), source };
    // The system's parent-death signal comes when the starting thread ends, not the process. So the thread
    // that starts the child is the one that waits for it.
    std::thread::Builder::new()
        .name("tool-wire-child".into())
        .stack_size(256 * 1024)
        .spawn({
            let spawn = spawn.clone();
            move || run(&spawn, tell)
        })
        .map_err(failed)?;
    let lost = || failed(io::Error::other("the starting thread ended"));
    let Started { owner, stdin, stdout, stderr } = told.await.map_err(|_| lost())??;
    let tail = Arc::new(Mutex::new(Tail::new(spawn.tail)));
    let (closed, open) = watch::channel(0);
    let watch = Watch { core: owner.0.clone(), tail: tail.clone(), open };
    let child = Child { owner, watch };
    let stdin = stdin.map(ChildStdin::from_std).transpose().map_err(failed)?;
    let mut stdout = stdout.map(ChildStdout::from_std).transpose().map_err(failed)?;
    let stderr = stderr.map(ChildStderr::from_std).transpose().map_err(failed)?;
    let closed = Arc::new(closed);
    if let Some(stream) = stderr {
        drain(stream, &tail, &closed);
    }
    if spawn.stdout == Stdout::Tail
        && let Some(stream) = stdout.take()
    {
        drain(stream, &tail, &closed);
    }
    Ok(Spawned { child, stdin, stdout })
}

/// Reads a stream to its end whatever comes, so that the program never blocks on it.
fn drain(
    mut stream: impl AsyncRead + Unpin + Send + 'static,
    tail: &Arc<Mutex<Tail>>,
    closed: &Arc<watch::Sender<usize>>,
) {
    let (tail, closed) = (tail.clone(), closed.clone());
    closed.send_modify(|open| *open += 1);
    tokio::spawn(async move {
        let mut buffer = vec![0; 8 * 1024];
        while let Ok(n @ 1..) = stream.read(&mut buffer).await {
            lock(&tail).push(&buffer[..n]);
        }
        closed.send_modify(|open| *open -= 1);
    });
}

/// Dropped on the way, it ends what was started.
struct Started {
    owner: Owner,
    stdin: Option<std::process::ChildStdin>,
    stdout: Option<std::process::ChildStdout>,
    stderr: Option<std::process::ChildStderr>,
}

#[expect(clippy::disallowed_methods, reason = "this crate is the one that starts processes")]
fn command(spawn: &Spawn) -> Command {
    let mut command = Command::new(&spawn.program);
    command
        .args(&spawn.args)
        .current_dir(&spawn.dir)
        .env_clear()
        .envs(spawn.environment(std::env::vars_os()))
        .stdin(if spawn.stdin == Stdin::Piped { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    os::isolate(&mut command);
    command
}

/// The life of the starting thread.
fn run(spawn: &Spawn, tell: oneshot::Sender<Result<Started, SpawnError>>) {
    if !spawn.dir.is_dir() {
        let (program, dir) = (spawn.program.clone(), spawn.dir.clone());
        let _ = tell.send(Err(SpawnError::Folder { program, dir }));
        return;
    }
    let mut child = match command(spawn).spawn() {
        Ok(child) => child,
        Err(source) => {
            let program = spawn.program.clone();
            let _ = tell.send(Err(match source.kind() {
                io::ErrorKind::NotFound => SpawnError::Missing { program },
                _ => SpawnError::Io { program, source },
            }));
            return;
        }
    };
    warden::watch(child.id());
    let (gone, _) = watch::channel(None);
    let core = Arc::new(Core { pid: child.id(), reaped: Mutex::new(false), gone });
    let started = Started {
        owner: Owner(core.clone()),
        stdin: child.stdin.take(),
        stdout: child.stdout.take(),
        stderr: child.stderr.take(),
    };
    // If nobody waits any more, this drops it.
    drop(tell.send(Ok(started)));
    os::wait_exit(&mut child);
    let (swept, survivors) = sweep(core.pid);
    let mut reaped = lock(&core.reaped);
    let exit = child.wait().map_or(Exit { code: None, signal: None }, Exit::from);
    *reaped = true;
    warden::forget(core.pid);
    drop(reaped);
    core.gone.send_replace(Some(Gone { exit, swept, survivors }));
}

/// Kills what is left of a session whose leader has ended and is not reaped.
fn sweep(leader: u32) -> (usize, usize) {
    let until = Instant::now() + SWEEP;
    let mut most = 0;
    loop {
        let left = os::kill(leader);
        most = most.max(left);
        if left == 0 || Instant::now() >= until {
            return (most, left);
        }
        // A killed process takes a moment to leave the table; one that is forking is met again.
        std::thread::park_timeout(Duration::from_millis(2));
    }
}

impl Child {
    /// The program's pid, and the number of its session and group.
    pub fn pid(&self) -> u32 {
        self.owner.0.pid
    }

    /// Something that sees this program's end and keeps nothing alive.
    pub fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// Ctrl-C for the program and its group.
    pub fn interrupt(&self) {
        self.owner.0.signal(os::interrupt);
    }

    /// Asks the program and its group to end.
    pub fn terminate(&self) {
        self.owner.0.signal(os::terminate);
    }

    /// Kills the session. Does not wait.
    pub fn kill(&self) {
        self.owner.0.signal(os::kill);
    }

    /// The living processes of the session.
    pub fn members(&self) -> Vec<u32> {
        self.owner.0.signal(os::members).unwrap_or_default()
    }
}

impl Watch {
    /// Waits for the end of the program and of its session. The caller sets the deadline.
    pub async fn gone(&self) -> Gone {
        let mut gone = self.core.gone.subscribe();
        loop {
            if let Some(gone) = *gone.borrow_and_update() {
                return gone;
            }
            // The sender is kept by `self.core`, so this is never an error.
            if gone.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// How it ended, if it did.
    pub fn is_gone(&self) -> Option<Gone> {
        *self.core.gone.borrow()
    }

    /// The tail of its error stream, so far.
    pub fn stderr(&self) -> String {
        lock(&self.tail).text()
    }

    /// The tail once the stream has ended, or what there is half a second after.
    pub async fn last_words(&self) -> String {
        let mut open = self.open.clone();
        // Either way the tail is as full as it gets.
        let _ = tokio::time::timeout(LAST_WORDS, open.wait_for(|open| *open == 0)).await;
        self.stderr()
    }
}
