//! `console` over a pipe: the same rules as at a terminal, without the editing.

use crate::support::Project;

fn talk(project: &Project, flags: &[&str], lines: &[&str]) -> String {
    let mut words = vec!["console"];
    words.extend(flags);
    let ran = project.run_with(&words, &(lines.join("\n") + "\n"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}

#[test]
fn words_and_json_are_the_same_call() {
    let project = Project::new(&[("a.txt", "one\ntwo\nthree\n")]);
    let words = talk(&project, &[], &["read path=a.txt start_line=2 end_line=2"]);
    let json = talk(
        &project,
        &[],
        &["read {\"path\": \"a.txt\",", "  \"start_line\": 2, \"end_line\": 2}"],
    );
    for out in [words, json] {
        assert!(out.starts_with("┌ read · read · ok · "), "{out}");
        assert!(out.contains("two") && !out.contains("three"), "{out}");
    }
}

#[test]
fn a_session_keeps_its_edits() {
    let project = Project::new(&[("a.py", "foo(1)\n")]);
    let out = talk(
        &project,
        &[],
        &[
            "ast_edit pattern='foo($A)' rewrite='bar($A)' language=python",
            "resolve edit_id=edit_1 action=accept",
        ],
    );
    assert!(out.contains("resolve with edit_id \"edit_1\"") || out.contains("edit_1"), "{out}");
    assert_eq!(project.read("a.py"), "bar(1)\n");
}

#[test]
fn errors_are_cards_and_the_session_goes_on() {
    let project = Project::new(&[("a.txt", "one\n")]);
    let out = talk(
        &project,
        &[],
        &["nothing", "read path", "read path=absent", ":frob", "read path=a.txt"],
    );
    assert!(out.contains("· unknown_tool ·") && out.contains("· failed ·"), "{out}");
    assert!(out.contains("no key=value") && out.contains("no :frob"), "{out}");
    assert!(out.contains("one"), "{out}");
}

#[test]
fn calls_of_any_length_end_and_the_session_goes_on() {
    let project = Project::new(&[("a.txt", "one\n")]);
    let long = "x".repeat(17 << 20);
    let open = format!("read {{\"path\": [{}", "\n1,".repeat(2_000));
    let blank = format!("read {{\"path\": {}\"a.txt\"}}", "\n".repeat(300 << 10));
    let out = talk(&project, &[], &[&long, &"y".repeat(9_000), &open, &blank, ":tools"]);
    assert!(out.len() < 20_000, "{} bytes", out.len());
    assert_eq!(out.matches("are too many for one call here").count(), 2, "{out}");
    assert!(out.contains("unknown_tool") && !out.contains("did you mean"), "{out}");
    assert!(out.contains("│ one"), "blanks are not counted: {out}");
    assert!(out.contains("apply_patch"), "the session goes on: {out}");
}

#[test]
fn the_console_steers() {
    let project = Project::new(&[]);
    let out = talk(
        &project,
        &[],
        &[
            ":tools",
            ":schema read",
            ":tier read",
            "write path=a content=b",
            ":tier exec",
            "write path=b content=c",
            ":quit",
            "write path=c content=d",
        ],
    );
    assert!(out.contains("start_line"), "the schema is shown: {out}");
    assert!(out.contains("write · unknown_tool"), "{out}");
    assert!(!project.root().join("a").exists() && project.root().join("b").exists());
    assert!(!project.root().join("c").exists(), "nothing runs after :quit");
    assert!(talk(&project, &[], &[":help"]).contains(":tier TIER"));
}

#[test]
fn permission_is_asked_in_place() {
    let project = Project::new(&[]);
    let write = |name: &str| format!("write path={name} content=x");
    let lines = [
        &write("a"),
        "1",
        &write("b"),
        "no, not there",
        &write("c"),
        "2",
        &write("d"),
        &write("e"),
    ];
    talk(&project, &["--permissions", "ask"], &lines);
    let there = |name: &str| project.root().join(name).exists();
    assert!(there("a") && !there("b") && there("c") && there("d") && there("e"));
}

#[test]
fn no_answer_is_a_no() {
    let project = Project::new(&[]);
    let out = talk(&project, &["--permissions", "ask"], &["write path=a content=x"]);
    assert!(out.contains("· refused ·"), "{out}");
    assert!(!project.root().join("a").exists());
}
