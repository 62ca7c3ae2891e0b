//! Interrupts: the call ends, its result says so, and the session (or process) ends as it should.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Host, LONG, Project, Ran, endless, piped, signal, wait};

const SEARCH: &str = r#"{"pattern": "$F($$$A)", "language": "python"}"#;

/// Waits until the process has computed enough to be at work.
#[cfg(target_os = "linux")]
fn at_work(id: u32) {
    let begun = std::time::Instant::now();
    while begun.elapsed() < LONG {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let ticks: Option<u64> =
            stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(11)?.parse().ok());
        // A tenth of a second of its own computing.
        if ticks.is_some_and(|ticks| ticks >= 10) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("the process does nothing");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_cancels_the_call_cleanly() {
    let project = endless();
    for name in ["INT", "TERM", "HUP"] {
        let child = piped(&mut project.command(&["call", "ast_grep", SEARCH, "--json"]));
        at_work(child.id());
        signal(child.id(), name);
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let object: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(object["error"]["kind"], "cancelled", "{object}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_script_stops_after_its_result() {
    let project = endless();
    let mut child = piped(&mut project.command(&["run", "-"]));
    let mut stdin = child.stdin.take().unwrap();
    let search: Value = serde_json::from_str(SEARCH).unwrap();
    writeln!(stdin, "{}", json!({"id": 1, "tool": "ast_grep", "args": search})).unwrap();
    writeln!(
        stdin,
        "{}",
        json!({"id": 2, "tool": "write", "args": {"path": "new.txt", "content": "x"}})
    )
    .unwrap();
    at_work(child.id());
    signal(child.id(), "INT");
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(1));
    let got = ran.objects();
    assert_eq!(got.len(), 1, "{got:?}");
    assert_eq!(got[0]["error"]["kind"], "cancelled");
    assert!(!project.root().join("new.txt").exists());
}

#[test]
fn an_interrupt_ends_serve_with_its_calls() {
    let project = Project::new(&[]);
    let slow = json!({"name": "slow", "tier": "read", "description": "Waits.", "input_schema": {"type": "object"}});
    let mut host = Host::ready(&project, json!({"host_tools": [slow]}));
    host.start_call(json!(1), "slow", json!({}));
    host.asked("host_tools/call");
    signal(host.id(), "INT");
    let reply = host.reply(&json!(1));
    assert_eq!(reply["result"]["error"]["kind"], "cancelled", "{reply}");
    assert_eq!(host.end(Duration::from_secs(5)).0, Some(1));
}

#[test]
fn an_interrupt_at_rest_ends_a_script() {
    let project = Project::new(&[("a.txt", "x")]);
    let mut child = piped(&mut project.command(&["run", "-"]));
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}", json!({"tool": "read", "args": {"path": "a.txt"}})).unwrap();
    let mut first = [0; 1];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    signal(child.id(), "INT");
    assert_eq!(wait(child, LONG).code(), Some(1));
}
