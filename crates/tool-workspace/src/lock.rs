//! Advisory locks that the system releases when their holder dies, waited for with a deadline.
//!
//! A commit locks the root folder itself, exclusively, and every folder above it, shared. So two roots of which one
//! lies inside the other exclude each other too, and no file has to be put into the checkout.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Why a lock was not got.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another commit holds it.
    Busy(Duration),
    /// `stop` said so.
    Stopped,
    Io(io::Error),
}

/// Locks that are released when this is dropped, even while a child process still has copies of the descriptors.
#[derive(Debug, Default)]
pub(crate) struct Held(Vec<File>);

impl Drop for Held {
    fn drop(&mut self) {
        for file in &self.0 {
            // The descriptor is closed next, which releases the lock as well.
            let _ = file.unlock();
        }
    }
}

#[derive(Clone, Copy)]
enum Mode {
    Shared,
    Exclusive,
}

/// Waits for one exclusive lock on `file`.
pub(crate) fn exclusive(
    file: File,
    within: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<Held, LockError> {
    wait(&file, Mode::Exclusive, Instant::now(), within, stop)?;
    Ok(Held(vec![file]))
}

/// Locks the folder `root` and, shared, all above it. `spare` makes a lock file for systems that lock no folders.
pub(crate) fn tree(
    root: &Path,
    within: Duration,
    stop: &dyn Fn() -> bool,
    spare: impl FnOnce() -> io::Result<File>,
) -> Result<Held, LockError> {
    let since = Instant::now();
    let mut held = Held::default();
    // From the top down, in every process, so that nobody waits in a circle.
    let mut above: Vec<&Path> = root.ancestors().skip(1).collect();
    above.reverse();
    for folder in above {
        // A folder that may not be opened or locked cannot be the root of another run of this user either.
        let Ok(file) = File::open(folder) else {
            continue;
        };
        match wait(&file, Mode::Shared, since, within, stop) {
            Ok(()) => held.0.push(file),
            Err(LockError::Io(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let file = File::open(root).map_err(LockError::Io)?;
    match wait(&file, Mode::Exclusive, since, within, stop) {
        Ok(()) => held.0.push(file),
        Err(LockError::Io(_)) => {
            // Network file systems want a writable descriptor for this, which a folder cannot have.
            let file = spare().map_err(LockError::Io)?;
            wait(&file, Mode::Exclusive, since, within, stop)?;
            held.0.push(file);
        }
        Err(error) => return Err(error),
    }
    Ok(held)
}

fn wait(
    file: &File,
    mode: Mode,
    since: Instant,
    within: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<(), LockError> {
    loop {
        let tried = match mode {
            Mode::Shared => file.try_lock_shared(),
            Mode::Exclusive => file.try_lock(),
        };
        match tried {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) => return Err(LockError::Io(error)),
            Err(TryLockError::WouldBlock) => {}
        }
        if stop() {
            return Err(LockError::Stopped);
        }
        if since.elapsed() >= within {
            return Err(LockError::Busy(within));
        }
        // The system tells nobody when a lock with a deadline becomes free, so it is asked again.
        thread::park_timeout(Duration::from_millis(2));
    }
}
