//! A host that is killed leaves nothing behind.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use tool_testkit::{LeakGuard, eventually};

/// Starts a host under the guard, and gives it once its program says `ready`.
fn host(guard: &LeakGuard, script: &str) -> Child {
    let (name, mark) = guard.variable();
    #[expect(clippy::disallowed_methods, reason = "the host itself is what is tested")]
    let mut host = Command::new(env!("CARGO_BIN_EXE_testkit-host"))
        .arg(script)
        .env(name, mark)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.trim_end().ends_with(" ready"), "{line:?}");
    host
}

#[tokio::test]
async fn a_killed_host_leaves_no_child_and_no_grandchild() {
    let guard = LeakGuard::new();
    // The leader goes down by signal where there is one; what it started, in two groups, does not.
    let script = "sleep 1000 & (set -m; sleep 1000 & echo ready; wait) & wait";
    let mut host = host(&guard, script);
    if cfg!(target_os = "linux") {
        assert!(guard.alive().len() >= 4, "{:#?}", guard.alive());
    }
    host.kill().unwrap();
    host.wait().unwrap();
    eventually("everything that it started is gone", || guard.alive().is_empty()).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_leader_dies_with_its_host_without_the_warden_too() {
    let guard = LeakGuard::new();
    let mut host = host(&guard, "echo ready; exec sleep 1000");
    let warden = warden_of(host.id()).expect("a warden");
    #[expect(clippy::disallowed_methods, reason = "a test kills what tool-wire started for itself")]
    let killed =
        Command::new("/bin/sh").args(["-c", &format!("kill -9 {warden}")]).status().unwrap();
    assert!(killed.success());
    eventually("the warden is gone", || warden_of(host.id()).is_none()).await;
    host.kill().unwrap();
    host.wait().unwrap();
    eventually("the leader is gone", || guard.alive().is_empty()).await;
}

/// The living warden among a host's children.
#[cfg(target_os = "linux")]
fn warden_of(host: u32) -> Option<u32> {
    std::fs::read_dir("/proc").unwrap().find_map(|entry| {
        let folder = entry.ok()?.path();
        let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok()?;
        let line = std::fs::read(folder.join("cmdline")).ok()?;
        let warden = String::from_utf8_lossy(&line).contains("tool-wire-warden");
        (parent == host && warden).then(|| folder.file_name()?.to_str()?.parse().ok()).flatten()
    })
}
