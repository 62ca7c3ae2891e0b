//! The same functions for Windows, by its own tools. Written, and not checked on a Windows machine.

use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::time::Duration;

const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// Gives the child a process group of its own. It does not die with the host.
pub(crate) fn isolate(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

/// Blocks until the child has ended.
pub(crate) fn wait_exit(child: &mut Child) {
    while let Ok(None) = child.try_wait() {
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// There is no Ctrl-C for a process without a console.
pub(crate) fn interrupt(_leader: u32) {}

/// Asks the tree to end.
pub(crate) fn terminate(leader: u32) {
    taskkill(leader, &["/T"]);
}

/// Kills the tree. How many there were is not known.
pub(crate) fn kill(leader: u32) -> usize {
    taskkill(leader, &["/T", "/F"]);
    0
}

/// Not known.
pub(crate) fn members(_leader: u32) -> Vec<u32> {
    Vec::new()
}

#[expect(clippy::disallowed_methods, reason = "this crate is the one that starts processes")]
fn taskkill(leader: u32, flags: &[&str]) {
    let mut command = Command::new("taskkill");
    command.args(["/PID", &leader.to_string()]).args(flags).creation_flags(CREATE_NO_WINDOW);
    // A process that has ended meanwhile is no failure.
    let _ = command.output();
}
