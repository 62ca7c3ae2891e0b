//! Sessions and signals. A session's number is its leader's pid.
//!
//! The caller signals only while the leader is not reaped: until then the system gives its number to
//! nobody else.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// Gives the child a session and process group of its own. On Linux it is killed when the thread that
/// starts it ends, so that thread must live as long as the child may.
#[expect(
    unsafe_code,
    reason = "nothing between fork and exec has a safe form in the standard library"
)]
pub(crate) fn isolate(command: &mut Command) {
    #[cfg(target_os = "linux")]
    let host = rustix::process::getpid();
    // SAFETY: the closure runs in the forked child of a process with threads, where only what is safe in a
    // signal handler is allowed. It makes three system calls (setsid, prctl, getppid) through rustix, which
    // neither allocate nor lock, and makes its error from a number. It captures one number by value.
    unsafe {
        command.pre_exec(move || {
            rustix::process::setsid()?;
            #[cfg(target_os = "linux")]
            {
                rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
                // The host may have died before the signal was asked for.
                if rustix::process::getppid() != Some(host) {
                    return Err(Errno::SRCH.into());
                }
            }
            Ok(())
        });
    }
}

/// Blocks until the child has ended, and leaves it unreaped.
pub(crate) fn wait_exit(child: &mut Child) {
    let pid = pid(child.id());
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while let Some(pid) = pid {
        match rustix::process::waitid(WaitId::Pid(pid), options) {
            Err(Errno::INTR) => {}
            _ => return,
        }
    }
}

/// Ctrl-C for the whole group.
pub(crate) fn interrupt(leader: u32) {
    signal_group(leader, Signal::INT);
}

/// Asks the whole group to end.
pub(crate) fn terminate(leader: u32) {
    signal_group(leader, Signal::TERM);
}

/// Kills the whole session, and what descends from it. Gives how many besides the leader there were.
pub(crate) fn kill(leader: u32) -> usize {
    // Looked up first: with the leader gone, a child in a session of its own is nobody's descendant.
    let members = members(leader);
    signal_group(leader, Signal::KILL);
    for member in members.iter().filter_map(|member| pid(*member)) {
        // One that has ended meanwhile is no failure.
        let _ = rustix::process::kill_process(member, Signal::KILL);
    }
    members.iter().filter(|member| **member != leader).count()
}

/// The living processes of a session and their descendants, in other sessions too.
pub(crate) fn members(leader: u32) -> Vec<u32> {
    let all = table();
    let mut found: BTreeSet<u32> =
        all.iter().filter(|p| p.session == leader || p.pid == leader).map(|p| p.pid).collect();
    loop {
        let before = found.len();
        let more: Vec<u32> =
            all.iter().filter(|p| found.contains(&p.parent)).map(|p| p.pid).collect();
        found.extend(more);
        if found.len() == before {
            break;
        }
    }
    all.iter().filter(|p| !p.dead && found.contains(&p.pid)).map(|p| p.pid).collect()
}

struct Process {
    pid: u32,
    parent: u32,
    session: u32,
    /// Ended and not reaped yet.
    dead: bool,
}

#[cfg(target_os = "linux")]
fn table() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .filter_map(|pid| {
            let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
            let stat = String::from_utf8_lossy(&stat);
            // The name is in brackets and may hold brackets and spaces itself.
            let mut words = stat.rsplit_once(')')?.1.split_ascii_whitespace();
            let state = words.next()?;
            let parent = words.next()?.parse().ok()?;
            let session = words.nth(1)?.parse().ok()?;
            Some(Process { pid, parent, session, dead: matches!(state, "Z" | "X" | "x") })
        })
        .collect()
}

/// Where there is no `/proc`, `ps` lists the processes and the system is asked for each one's session.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::disallowed_methods, reason = "this crate is the one that starts processes")]
fn table() -> Vec<Process> {
    let mut ps = Command::new("/bin/ps");
    ps.args(["-A", "-o", "pid=,ppid=,stat="]);
    let Ok(output) = ps.output() else { return Vec::new() };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let number = words.next()?.parse().ok()?;
            let parent = words.next()?.parse().ok()?;
            let dead = words.next()?.starts_with('Z');
            // A zombie's session cannot be asked for; it needs no signal either.
            let session = rustix::process::getsid(pid(number)).map_or(0, pid_number);
            Some(Process { pid: number, parent, session, dead })
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn pid_number(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().unsigned_abs()
}

fn signal_group(leader: u32, signal: Signal) {
    if let Some(group) = pid(leader) {
        // An empty group is no failure.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

/// Never 0 or 1: those would be our own group, or everything.
fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok().filter(|number| *number > 1)?)
}
