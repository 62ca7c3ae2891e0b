//! Usage, flags, `tools`, completions, and what is not built.

use serde_json::{Value, json};

use crate::support::{LONG, Project, Ran, bare, piped, wait};

fn run(words: &[&str]) -> Ran {
    Ran::of(bare(words).output().unwrap())
}

const COMMANDS: [&str; 8] =
    ["tools", "call", "run", "serve", "console", "doctor", "tour", "completions"];

#[test]
fn help_has_examples_for_every_command() {
    let ran = run(&["--help"]);
    assert_eq!(ran.code, Some(0));
    for command in COMMANDS {
        assert!(ran.out.contains(command), "{command}");
        let ran = run(&[command, "--help"]);
        assert_eq!(ran.code, Some(0));
        assert!(
            ran.out.contains("Example") && ran.out.contains(&format!("runbound {command}"))
                || command == "serve",
            "{}",
            ran.out
        );
    }
}

#[test]
fn wrong_usage_ends_with_two() {
    for words in [
        &["frobnicate"][..],
        &[],
        &["tools", "--no-such-flag"],
        &["tools", "--tier", "root"],
        &["call", "read"],
        &["call", "read", "{not json"],
        &["call", "read", ""],
        &["call", "read", "{}", "--accept"],
        &["run"],
        &["run", "/nowhere/script.jsonl"],
        &["tools", "--root", "/nowhere/at/all"],
        &["completions", "tcsh"],
        &["tools", "--log", "/nowhere/at/all/trace"],
    ] {
        let ran = run(words);
        assert_eq!(ran.code, Some(2), "{words:?}: {ran:?}");
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{words:?}: {ran:?}");
    }
}

#[test]
fn tools_are_listed_for_people_and_programs() {
    let project = Project::new(&[]);
    let ran = project.run(&["tools"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.out.lines().any(|line| line.starts_with("ast_grep ") && line.contains("read")),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains('\x1b'), "no colour in a pipe");

    let ran = project.run(&["tools", "--json", "--tier", "read"]);
    let list: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let names: Vec<&Value> = list.iter().map(|tool| &tool["name"]).collect();
    assert!(names.starts_with(&[&json!("read"), &json!("ast_grep")]), "{names:?}");
    assert!(!names.contains(&&json!("write")), "{names:?}");
    for tool in &list {
        assert_eq!(tool["tier"], "read");
        assert_eq!(tool["input_schema"]["type"], "object");
        assert!(tool["parallel_safe"].is_boolean() && tool["description"].is_string());
        assert_eq!(tool.as_object().unwrap().len(), 5);
    }
}

#[test]
fn flags_stand_before_and_after_the_command() {
    let project = Project::new(&[]);
    let root = project.root();
    let state = project.state();
    let (root, state) = (root.to_str().unwrap(), state.to_str().unwrap());
    let before = run(&["--tier", "read", "--root", root, "--state-dir", state, "tools", "--json"]);
    let after = run(&["tools", "--json", "--state-dir", state, "--root", root, "--tier", "read"]);
    assert_eq!((before.code, after.code), (Some(0), Some(0)));
    assert_eq!(before.out, after.out);
}

#[test]
fn colour_can_be_asked_for() {
    let project = Project::new(&[]);
    assert!(project.run(&["tools", "--color", "always"]).out.contains("\x1b["));
}

#[test]
fn what_is_not_built_is_said_and_unknown() {
    let project = Project::new(&[]);
    let ran = project.run(&["tools", "--vibe", "--worker-cmd", "agent"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("--vibe") && ran.err.contains("--worker-cmd"), "{}", ran.err);
    assert!(!ran.out.contains("vibe_"));
    for tool in ["debug", "eval", "ask_user", "vibe_spawn", "vibe_list"] {
        assert_eq!(project.call(tool, &json!({}))["error"]["kind"], "unknown_tool", "{tool}");
    }
}

#[test]
fn completion_scripts_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains("console") && ran.out.contains("doctor"), "{shell}");
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let project = Project::new(&[]);
    for words in [
        &["tools"][..],
        &["tools", "--json"],
        &["doctor"],
        &["completions", "zsh"],
        &["call", "read", "{}"],
        &["call", "read", "{}", "--json"],
    ] {
        let mut child = piped(&mut project.command(words));
        drop(child.stdout.take());
        let mut stderr = child.stderr.take().unwrap();
        let status = wait(child, LONG);
        let mut log = String::new();
        std::io::Read::read_to_string(&mut stderr, &mut log).unwrap();
        assert!(status.code().is_some() && !log.contains("panicked"), "{words:?}: {status} {log}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_a_failure_and_not_usage() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        println!("SKIP an_output_that_cannot_be_written_is_a_failure_and_not_usage: no /dev/full");
        return;
    };
    let project = Project::new(&[("a.txt", "x")]);
    let write = ["call", "write", r#"{"path": "b.txt", "content": "y"}"#];
    let mut command = project.command(&write);
    let output = command.stdout(full).stderr(std::process::Stdio::piped()).output().unwrap();
    let ran = Ran::of(output);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("cannot write the output"), "{}", ran.err);
    assert_eq!(project.read("b.txt"), "y", "the call itself was made");
}

#[test]
fn a_state_folder_inside_the_root_is_said() {
    let project = Project::new(&[("a.txt", "x")]);
    let inside = project.root().join("state");
    let words = ["call", "read", r#"{"path": "a.txt"}"#, "--state-dir", inside.to_str().unwrap()];
    let ran = Ran::of(bare(&words).current_dir(project.root()).output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("lies inside the root"), "{}", ran.err);
    let usual = project.run(&["call", "read", r#"{"path": "a.txt"}"#]);
    assert!(usual.err.is_empty(), "{}", usual.err);
}

#[test]
fn state_stays_out_of_the_checkout() {
    let project = Project::new(&[("a.txt", "one\n")]);
    assert_eq!(project.call("write", &json!({"path": "b.txt", "content": "two\n"}))["ok"], true);
    let mut names: Vec<String> = std::fs::read_dir(project.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["a.txt", "b.txt"]);
}
