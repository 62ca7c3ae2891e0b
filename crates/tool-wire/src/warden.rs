//! One small process that kills what the host leaves behind when it is killed itself.
//!
//! The parent-death signal reaches the leader only, and only on Linux. The warden reads a pipe whose other
//! end only the host holds; when that end is gone, however the host died, it kills every session that it
//! was told of. Without a shell there is no warden, and the signal is all.

#[cfg(unix)]
pub(crate) use unix::{forget, watch};

#[cfg(unix)]
mod unix {
    use crate::sync::lock;
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::process::{ChildStdin, Command, Stdio};
    use std::sync::{Mutex, OnceLock};

    static WARDEN: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();

    /// Puts a session under the warden, which the first one starts.
    pub(crate) fn watch(leader: u32) {
        tell(WARDEN.get_or_init(start).as_ref(), '+', leader);
    }

    /// The session has ended and its number may be used again.
    pub(crate) fn forget(leader: u32) {
        tell(WARDEN.get().and_then(Option::as_ref), '-', leader);
    }

    fn tell(warden: Option<&Mutex<ChildStdin>>, what: char, leader: u32) {
        if let Some(warden) = warden {
            // One that was killed by somebody else is missed by nobody until the host dies.
            let _ = lock(warden).write_all(format!("{what} {leader}\n").as_bytes());
        }
    }

    /// It has a group of its own, so that a Ctrl-C for the host does not end it, holds no stream and no
    /// folder of the host, and gets no variable.
    #[expect(clippy::disallowed_methods, reason = "this crate is the one that starts processes")]
    fn start() -> Option<Mutex<ChildStdin>> {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", include_str!("warden.sh"), "tool-wire-warden"])
            .current_dir("/")
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        command.spawn().ok()?.stdin.take().map(Mutex::new)
    }
}

#[cfg(not(unix))]
pub(crate) fn watch(_leader: u32) {}

#[cfg(not(unix))]
pub(crate) fn forget(_leader: u32) {}
