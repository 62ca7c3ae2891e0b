//! `call`: one call, its text, its object, its exit code.

use serde_json::{Value, json};

use crate::support::Project;

const PYTHON: &str = "def f(d):\n    foo(1)\n    foo(2)\n";

#[test]
fn text_to_stdout_and_zero_when_it_went_well() {
    let project = Project::new(&[("a.txt", "hello\n")]);
    let ran = project.run(&["call", "read", r#"{"path": "a.txt"}"#]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("hello"));
}

#[test]
fn one_and_the_reason_when_it_did_not() {
    let project = Project::new(&[]);
    let ran = project.run(&["call", "read", r#"{"path": "absent.txt"}"#]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("absent.txt"), "{}", ran.err);
    let ran = project.run(&["call", "read", r#"{"path": "absent.txt"}"#, "--json"]);
    assert_eq!(ran.code, Some(1));
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["ok"], &object["error"]["kind"]), (&json!(false), &json!("failed")));
    assert!(object["details"].is_object());
}

#[test]
fn kinds_of_errors_are_the_documented_ones() {
    let project = Project::new(&[("a.py", PYTHON)]);
    for (tool, args, kind) in [
        ("nothing", json!({}), "unknown_tool"),
        ("read", json!({}), "invalid_args"),
        ("read", json!({"path": "../outside"}), "refused"),
        ("read", json!({"path": "absent"}), "failed"),
        ("read", json!([]), "invalid_args"),
        ("ast_grep", json!({"pattern": "foo(", "language": "python"}), "invalid_args"),
        ("ast_grep", json!({"pattern": "foo($A)", "language": "cobol"}), "invalid_args"),
        ("ast_grep", json!({"pattern": "foo($A)"}), "invalid_args"),
        (
            "ast_grep",
            json!({"pattern": "foo($A)", "language": "python", "max_results": 0}),
            "invalid_args",
        ),
        ("resolve", json!({"edit_id": "edit_9", "action": "accept"}), "invalid_args"),
    ] {
        let object = project.call(tool, &args);
        assert_eq!(object["error"]["kind"], kind, "{tool} {args}: {object}");
        assert!(object["details"].is_object(), "{object}");
    }
}

#[test]
fn arguments_come_from_standard_input_too() {
    let project = Project::new(&[("a.txt", "hello\n")]);
    let ran = project.run_with(&["call", "read", "-", "--json"], "{\"path\": \"a.txt\"}\n");
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("hello"));
    let ran = project.run_with(&["call", "read", "-"], "not json");
    assert_eq!(ran.code, Some(2));
}

#[test]
fn the_tier_hides() {
    let project = Project::new(&[]);
    let ran = project.run(&[
        "call",
        "write",
        r#"{"path": "a", "content": "b"}"#,
        "--json",
        "--tier",
        "read",
    ]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("unknown_tool"));
    assert!(!project.root().join("a").exists());
}

#[test]
fn nobody_to_ask_is_a_no() {
    let project = Project::new(&[("a.txt", "x")]);
    let ran = project.run(&[
        "call",
        "write",
        r#"{"path": "a.txt", "content": "b"}"#,
        "--json",
        "--permissions",
        "ask",
    ]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(object["error"]["kind"], "refused");
    assert_eq!(project.read("a.txt"), "x");
    let ran = project.run(&["call", "read", r#"{"path": "a.txt"}"#, "--permissions", "ask"]);
    assert_eq!(ran.code, Some(0), "reading is never asked about");
}

#[test]
fn a_search_has_the_documented_details() {
    let project = Project::new(&[("src/a.py", PYTHON)]);
    let object = project.call("ast_grep", &json!({"pattern": "foo($A)", "language": "python"}));
    let details = &object["details"];
    assert_eq!(
        (&details["total"], &details["shown"], &details["language"]),
        (&json!(2), &json!(2), &json!("python"))
    );
    let first = &details["matches"][0];
    assert_eq!(first["path"], "src/a.py");
    assert_eq!(
        (&first["start"], &first["end"]),
        (&json!({"line": 2, "column": 5}), &json!({"line": 2, "column": 11}))
    );
    assert_eq!((&first["text"], &first["captures"]), (&json!("foo(1)"), &json!({"A": "1"})));
}

#[test]
fn a_proposal_dies_with_the_process_and_says_so() {
    let project = Project::new(&[("a.py", PYTHON)]);
    let ran = project.run(&[
        "call",
        "ast_edit",
        r#"{"pattern": "foo($A)", "rewrite": "bar($A)", "language": "python"}"#,
    ]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("--accept") && ran.out.contains("console"), "{}", ran.out);
    assert_eq!(project.read("a.py"), PYTHON);
}

#[test]
fn accept_carries_the_proposal_out() {
    let project = Project::new(&[("a.py", PYTHON)]);
    let args = r#"{"pattern": "foo($A)", "rewrite": "bar($A)", "language": "python"}"#;
    let ran = project.run(&["call", "ast_edit", args, "--accept", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["tool"], &object["ok"]), (&json!("ast_edit"), &json!(true)));
    assert_eq!(object["details"]["replacements"], 2);
    assert_eq!(object["details"]["resolved"]["action"], "accept");
    assert_eq!(project.read("a.py"), PYTHON.replace("foo", "bar"));
    let ran = project.run(&["call", "ast_edit", args, "--accept"]);
    assert_eq!(ran.code, Some(0), "nothing left to change is no failure: {ran:?}");
}

#[test]
fn what_is_accepted_is_not_called_unwritten() {
    let project = Project::new(&[("a.py", PYTHON)]);
    let args = r#"{"pattern": "foo($A)", "rewrite": "bar($A)", "language": "python"}"#;
    let ran = project.run(&["call", "ast_edit", args, "--accept"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("Accepted edit_1"), "{}", ran.out);
    assert!(
        !ran.out.contains("Nothing is written") && !ran.out.contains("--accept"),
        "{}",
        ran.out
    );
}

#[test]
fn the_trace_has_the_call_and_its_result() {
    let project = Project::new(&[("a.txt", "hello\n")]);
    let log = project.outside("trace");
    project.run(&["call", "read", r#"{"path": "a.txt"}"#, "--log", log.to_str().unwrap()]);
    let text = std::fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["message"]["tool"], "read");
    assert_eq!(lines[1]["message"]["ok"], true);
}
