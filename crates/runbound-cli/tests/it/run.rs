//! `run`: a script of calls in one run.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::json;

use crate::support::{LONG, Project, piped, wait};

#[test]
fn results_come_in_order_with_their_ids() {
    let project = Project::new(&[("a.txt", "one\n"), ("b.txt", "two\n")]);
    let script = [
        json!({"id": 7, "tool": "read", "args": {"path": "a.txt"}}),
        json!({"id": "x", "tool": "read", "args": {"path": "absent"}}),
        json!({"tool": "nothing"}),
        json!({"id": [1], "tool": "read", "args": {"path": "b.txt"}}),
    ];
    let text: String = script.iter().map(|line| format!("{line}\n\n")).collect();
    let ran = project.run_with(&["run", "-"], &text);
    assert_eq!(ran.code, Some(0), "failed calls are results: {ran:?}");
    let got = ran.objects();
    let ids: Vec<_> = got.iter().map(|object| object["id"].clone()).collect();
    assert_eq!(ids, [json!(7), json!("x"), json!(null), json!([1])]);
    let ok: Vec<_> = got.iter().map(|object| object["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [true, false, false, true]);
}

#[test]
fn a_script_is_one_run() {
    let project = Project::new(&[("a.py", "foo(1)\n")]);
    let edit = json!({"id": 1, "tool": "ast_edit", "args": {"pattern": "foo($A)", "rewrite": "bar($A)", "language": "python"}});
    let accept =
        json!({"id": 2, "tool": "resolve", "args": {"edit_id": "edit_1", "action": "accept"}});
    let script = project.outside("script.jsonl");
    std::fs::write(&script, format!("{edit}\n{accept}\n{accept}")).unwrap();
    let ran = project.run(&["run", script.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0));
    let got = ran.objects();
    assert_eq!(
        (&got[0]["details"]["edit_id"], &got[1]["ok"]),
        (&json!("edit_1"), &json!(true)),
        "{got:?}"
    );
    assert_eq!(got[2]["error"]["kind"], "conflict");
    assert_eq!(project.read("a.py"), "bar(1)\n");
}

#[test]
fn an_unreadable_line_ends_the_script_after_the_results_before_it() {
    let project = Project::new(&[("a.txt", "one\n")]);
    let good = json!({"tool": "read", "args": {"path": "a.txt"}});
    for bad in
        ["{", "[]", "{\"args\": {}}", "{\"tool\": 3}", "{\"tool\": \"read\", \"arguments\": {}}"]
    {
        let ran = project.run_with(&["run", "-"], &format!("{good}\n{good}\n{bad}\n{good}\n"));
        assert_eq!(ran.code, Some(2), "{bad}");
        assert_eq!(ran.objects().len(), 2, "{bad}");
        assert!(ran.err.contains("line 3"), "{}", ran.err);
    }
}

#[test]
fn each_result_is_there_before_the_next_call_is_read() {
    let project = Project::new(&[("a.txt", "one\n")]);
    let mut child = piped(&mut project.command(&["run", "-"]));
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(stdin, "{}", json!({"id": id, "tool": "read", "args": {"path": "a.txt"}}))
            .unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains(&format!("\"id\":{id}")), "{line}");
    }
    drop(stdin);
    assert_eq!(wait(child, LONG).code(), Some(0));
}

#[test]
fn nothing_more_is_run_for_a_reader_that_went_away() {
    let project = Project::new(&[]);
    let mut command = project.command(&["run", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    for name in ["one", "two"] {
        let line =
            json!({"tool": "write", "args": {"path": format!("{name}.txt"), "content": "x"}});
        let _ = writeln!(stdin, "{line}");
    }
    drop(stdin);
    assert_eq!(wait(child, LONG).code(), Some(1));
    assert!(project.root().join("one.txt").exists());
    assert!(!project.root().join("two.txt").exists());
}
