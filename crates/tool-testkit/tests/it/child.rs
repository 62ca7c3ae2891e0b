//! Starting, the ladder, and what a program starts itself.

use crate::support::{patient, quick, serve, wait};
use serde_json::json;
use std::path::Path;
use tokio::io::AsyncReadExt;
use tool_testkit::{LeakGuard, Script, Verb, eventually};
use tool_wire::{Exit, Rung, Spawn, SpawnError, Spawned, Stdin, Stdout};

fn sh(script: &str) -> Spawn {
    Spawn::new("/bin/sh", "/").args(["-c", script])
}

async fn output(spawn: Spawn) -> String {
    let mut spawned = spawn.start().await.unwrap();
    let mut text = String::new();
    spawned.stdout.take().unwrap().read_to_string(&mut text).await.unwrap();
    spawned.child.watch().gone().await;
    text
}

#[tokio::test]
async fn folder_and_environment_are_those_that_were_named() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path().canonicalize().unwrap();
    let spawn = Spawn::new("/bin/sh", &here).args(["-c", "pwd -P; echo $A; env"]).env("A", "1 2");
    let text = output(spawn).await;
    assert!(text.starts_with(&format!("{}\n1 2\n", here.display())), "{text}");
    // Cargo sets some for every test; they are on no list.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO")) {
        assert!(!text.contains(&name), "{name} is in {text}");
    }
}

#[tokio::test]
async fn a_child_leads_a_session_and_sees_the_host_as_its_parent() {
    let test = "a_child_leads_a_session_and_sees_the_host_as_its_parent";
    let Some(python) = tool_testkit::python(test).await else { return };
    let source = "from os import *; print(getpid(), getppid(), getsid(0), getpgid(0))";
    let text = output(Spawn::new(python, "/").args(["-I", "-S", "-c", source])).await;
    let numbers: Vec<u32> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [pid, parent, session, group] = numbers[..] else { panic!("{text}") };
    assert_eq!((session, group, parent), (pid, pid, tool_wire::host_pid()));
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let missing = Spawn::new("/no/such/program", "/").start().await.unwrap_err();
    assert_eq!(missing.to_string(), "/no/such/program does not exist");
    let folder = Spawn::new("/bin/sh", "/no/such/folder").start().await.unwrap_err();
    assert_eq!(folder.to_string(), "cannot start /bin/sh in /no/such/folder: not a folder");
    let refused = Spawn::new("/", "/").start().await.unwrap_err();
    assert!(matches!(refused, SpawnError::Io { .. }), "{refused}");
}

#[tokio::test]
async fn codes_and_signals_are_told_apart() {
    for (script, exit, text) in [
        ("exit 0", Exit { code: Some(0), signal: None }, "exit code 0"),
        ("exit 7", Exit { code: Some(7), signal: None }, "exit code 7"),
        ("kill -SEGV $$", Exit { code: None, signal: Some(11) }, "signal 11 (segmentation fault)"),
    ] {
        let spawned = sh(script).stdin(Stdin::Empty).start().await.unwrap();
        let gone = spawned.child.watch().gone().await;
        assert_eq!((gone.exit, gone.exit.to_string().as_str()), (exit, text));
    }
}

#[tokio::test]
async fn output_goes_to_the_tail_when_nobody_reads_it() {
    let spawned = sh("echo out; echo err >&2").stdout(Stdout::Tail).start().await.unwrap();
    assert!(spawned.stdout.is_none());
    let watch = spawned.child.watch();
    watch.gone().await;
    let mut lines: Vec<String> = watch.last_words().await.lines().map(str::to_string).collect();
    lines.sort();
    assert_eq!(lines, ["err", "out"]);
}

#[tokio::test]
async fn a_polite_program_leaves_by_the_first_step() {
    let Some(server) = serve("a_polite_program_leaves_by_the_first_step", Script::new()).await
    else {
        return;
    };
    let goodbye = async {
        server.peer.call("shutdown", None, wait("shutdown")).await.unwrap();
        server.peer.notify("exit", None).await.unwrap();
    };
    let report = server.child.stop(patient(), goodbye, || server.peer.close_input()).await;
    assert_eq!((report.rung, report.exit.unwrap().code, report.swept), (Rung::Goodbye, Some(0), 0));
    let again = server.child.stop(patient(), async {}, || {}).await;
    assert_eq!(again.rung, Rung::Already);
}

#[tokio::test]
async fn the_end_of_its_input_is_the_second_step() {
    let Some(server) = serve("the_end_of_its_input_is_the_second_step", Script::new()).await else {
        return;
    };
    server.peer.call("x", None, wait("x")).await.unwrap();
    let ladder = tool_wire::Ladder { goodbye: quick().goodbye, ..patient() };
    let report = server.child.stop(ladder, async {}, || server.peer.close_input()).await;
    assert_eq!(report.rung, Rung::Closed);
}

#[tokio::test]
async fn asking_is_the_third_step() {
    let script = Script::new().on("x", [Verb::IgnoreEof, Verb::Reply(json!(1))]);
    let Some(server) = serve("asking_is_the_third_step", script).await else { return };
    server.peer.call("x", None, wait("x")).await.unwrap();
    let ladder = tool_wire::Ladder { terminate: patient().terminate, ..quick() };
    let report = server.child.stop(ladder, async {}, || server.peer.close_input()).await;
    assert_eq!((report.rung, report.exit.unwrap().signal), (Rung::Terminated, Some(15)));
}

#[tokio::test]
async fn grandchildren_do_not_outlive_a_program_that_leaves() {
    let script = Script::new()
        .on("x", [Verb::Grandchild, Verb::GrandchildInItsOwnGroup, Verb::Reply(json!(1))]);
    let Some(server) = serve("grandchildren_do_not_outlive_a_program_that_leaves", script).await
    else {
        return;
    };
    server.peer.call("x", None, wait("x")).await.unwrap();
    assert_eq!(server.child.members().len(), 3);
    let goodbye = async { server.peer.notify("exit", None).await.unwrap() };
    let report = server.child.stop(patient(), goodbye, || {}).await;
    assert_eq!((report.rung, report.swept, report.survivors), (Rung::Goodbye, 2, 0));
    assert_eq!(server.guard.alive(), Vec::<String>::new());
}

#[tokio::test]
async fn a_drop_kills_grandchildren_in_sessions_of_their_own_too() {
    let script = Script::new()
        .on("x", [Verb::Grandchild, Verb::GrandchildInItsOwnSession, Verb::Reply(json!(1))]);
    let Some(server) = serve("a_drop_kills_grandchildren", script).await else { return };
    server.peer.call("x", None, wait("x")).await.unwrap();
    eventually("both have become what they are", || server.child.members().len() == 3).await;
    let watch = server.child.watch();
    drop(server.child);
    assert_eq!(watch.gone().await.exit.signal, Some(9));
    eventually("nothing is left", || server.guard.alive().is_empty()).await;
}

#[tokio::test]
async fn a_start_that_nobody_waits_for_leaves_nothing() {
    let guard = LeakGuard::new();
    for turns in 0..6 {
        let mut start = Box::pin(guard.mark(sh("sleep 1000")).start());
        for _ in 0..turns {
            let polled =
                tokio::time::timeout(std::time::Duration::from_millis(turns), &mut start).await;
            if polled.is_ok() {
                break;
            }
        }
    }
    eventually("nothing is left", || guard.alive().is_empty()).await;
}

#[tokio::test]
async fn many_children_come_and_go() {
    let guard = LeakGuard::new();
    let mut children = Vec::new();
    for _ in 0..20 {
        let Spawned { child, .. } = guard.mark(sh("sleep 1000 & wait")).start().await.unwrap();
        children.push(child);
    }
    let watches: Vec<_> = children.iter().map(tool_wire::Child::watch).collect();
    drop(children);
    for watch in watches {
        assert_eq!(watch.gone().await.survivors, 0);
    }
    assert!(Path::new("/").is_dir());
}
