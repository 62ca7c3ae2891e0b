//! Other programs: run in a given folder, with retries where a network is involved, and with a deadline.

use crate::repo;
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// A command that starts in the repository's root with no input.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    #[expect(clippy::disallowed_methods, reason = "chores start other programs")]
    let mut command = Command::new(program);
    command.current_dir(repo::root()).stdin(Stdio::null());
    command
}

/// The `cargo` that runs this program, so that the pinned toolchain is used.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command to its end with this program's own output; true when it succeeded.
pub(crate) fn ok(command: &mut Command) -> Result<bool> {
    Ok(command.status().with_context(|| format!("cannot start {}", show(command)))?.success())
}

/// The standard output of a command that must succeed.
pub(crate) fn stdout(command: &mut Command) -> Result<String> {
    let out = command.output().with_context(|| format!("cannot start {}", show(command)))?;
    if !out.status.success() {
        bail!("{} failed: {}", show(command), tail(&String::from_utf8_lossy(&out.stderr), 20));
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// A command as a person would type it.
pub(crate) fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|w| w.to_string_lossy().into_owned()).collect();
    let name = Path::new(&words[0]).file_name().map(|n| n.to_string_lossy().into_owned());
    [name.unwrap_or_default()]
        .into_iter()
        .chain(words.into_iter().skip(1))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The last `lines` lines of a text.
pub(crate) fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// How a watched command ended.
pub(crate) enum End {
    /// It ended by itself.
    Exited(ExitStatus),
    /// It was killed, with all its children, after the budget was over.
    Killed,
}

/// Runs a command in a process group of its own, gives each line of both of its outputs to `line`
/// as it comes, and kills the group once `budget` is over.
pub(crate) fn watch(
    command: &mut Command,
    budget: Duration,
    mut line: impl FnMut(&str),
) -> Result<End> {
    let deadline = Instant::now() + budget;
    // One pipe for both outputs keeps their order.
    let (reader, writer) = std::io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let child = command.spawn();
    // The command holds ends of the pipe that would keep it open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.with_context(|| format!("cannot start {}", show(command)))?;
    let (send, lines) = mpsc::channel::<String>();
    std::thread::spawn(move || {
        for part in BufReader::new(reader).split(b'\n') {
            let Ok(bytes) = part else { break };
            if send.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                break;
            }
        }
    });
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(text) => line(text.trim_end_matches('\r')),
            Err(RecvTimeoutError::Disconnected) => return Ok(End::Exited(child.wait()?)),
            Err(RecvTimeoutError::Timeout) => {
                kill_group(&mut child);
                return Ok(End::Killed);
            }
        }
    }
}

/// Kills a child and all that share its process group. The shell's own `kill` is always there.
fn kill_group(child: &mut Child) {
    if cfg!(unix) {
        let _ = command("sh").arg("-c").arg(format!("kill -KILL -{}", child.id())).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Tries something up to `tries` times with a growing pause; the last error is given back.
pub(crate) fn retry<T>(tries: u32, mut what: impl FnMut() -> Result<T>) -> Result<T> {
    let mut n = 1;
    loop {
        match what() {
            Err(_) if n < tries => {
                #[expect(
                    clippy::disallowed_methods,
                    reason = "a registry that failed is given time"
                )]
                std::thread::sleep(Duration::from_secs(u64::from(n) * 3));
                n += 1;
            }
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_overruns_is_killed_with_its_children() {
        let started = Instant::now();
        let mut seen = Vec::new();
        let mut sh = command("sh");
        sh.arg("-c").arg("echo begun; sleep 60 & wait");
        let end = watch(&mut sh, Duration::from_millis(500), |l| seen.push(l.to_string())).unwrap();
        assert!(matches!(end, End::Killed));
        assert_eq!(seen, ["begun"]);
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn both_outputs_and_the_status_arrive() {
        let mut seen = Vec::new();
        let mut sh = command("sh");
        sh.arg("-c").arg("echo out; echo err >&2; exit 3");
        let end = watch(&mut sh, Duration::from_secs(30), |l| seen.push(l.to_string())).unwrap();
        assert_eq!(seen, ["out", "err"]);
        assert!(matches!(end, End::Exited(status) if status.code() == Some(3)));
    }

    #[test]
    fn retry_gives_the_first_success_and_the_last_error() {
        let mut n = 0;
        let got = retry(1, || {
            n += 1;
            Ok(n)
        });
        assert_eq!(got.unwrap(), 1);
        assert!(retry(1, || -> Result<()> { bail!("no") }).is_err());
        assert_eq!(tail("a\nb\nc\n", 2), "b\nc");
    }
}
