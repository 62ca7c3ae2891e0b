//! Answers of several checks.

use std::time::Duration;

use serde_json::json;
use tool_core::ErrorKind;
use tool_workspace::Root;

use super::{Check, CheckReport};
use crate::check::verdict::Verdict;
use crate::diagnostics::{Diagnostic, Severity};
use crate::text::{Pos, Span};

fn check(id: &'static str, root: &str, verdict: Verdict) -> Check {
    Check {
        id,
        root: root.into(),
        verdict,
        command: format!("{id} --all"),
        took: Duration::from_millis(3210),
        diagnostics: Vec::new(),
        notes: Vec::new(),
    }
}

fn at(root: &Root, name: &str, line: u32, severity: Severity) -> Diagnostic {
    let pos = Pos::new(line, 0);
    Diagnostic {
        path: root.path().join(name),
        span: Span { start: pos, end: pos },
        severity,
        code: Some("E1".into()),
        source: Some("x".into()),
        message: format!("message {line}"),
    }
}

fn root() -> (tempfile::TempDir, Root) {
    let dir = tempfile::tempdir().expect("a folder");
    let root = Root::open(dir.path()).expect("opened");
    (dir, root)
}

#[test]
fn each_check_has_its_line_and_a_failed_one_is_not_clean() {
    let (_dir, root) = root();
    let mut cargo = check("cargo check", ".", Verdict::Found { incomplete: None });
    cargo.diagnostics =
        vec![at(&root, "a.rs", 2, Severity::Warning), at(&root, "b.rs", 6, Severity::Error)];
    let report = CheckReport {
        checks: vec![
            cargo,
            check("tsc", "web", Verdict::Clean),
            check("pyright", "py", Verdict::Failed { why: "exit code 3: no config".into() }),
            check(
                "go",
                "go",
                Verdict::Skipped { code: "no_binary", why: "go is not installed".into() },
            ),
            check("mypy", "py", Verdict::TimedOut { limit: Duration::from_secs(120) }),
        ],
    };
    let output = report.output(&root).expect("two of them tell");
    assert_eq!(
        output.render_text(),
        "cargo check: 1 error, 1 warning (3.2 s)\n\
         tsc in web: clean (3.2 s)\n\
         pyright in py: the check itself failed, which says nothing of the code: exit code 3: no config\n\
         go in go: not run: go is not installed\n\
         mypy in py: ended after 120 s without a verdict; ask again (what was built is kept), or run `mypy --all` yourself\n\n\
         b.rs:7: error: message 6 [E1]\n\
         a.rs:3: warning: message 2 [E1]"
    );
    let words: Vec<&str> = output.details["checks"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|check| check["verdict"].as_str().expect("a word"))
        .collect();
    assert_eq!(words, ["found", "clean", "failed", "skipped", "timeout"]);
    assert_eq!(output.details["checks"][3]["reason"], "no_binary");
    assert_eq!(
        output.details["diagnostics"][0],
        json!({ "path": "b.rs", "line": 7, "end_line": 7, "severity": "error", "code": "E1", "source": "x", "message": "message 6" })
    );
    assert_eq!(output.details["total"], 2);
}

#[test]
fn without_a_verdict_it_is_an_error() {
    let (_dir, root) = root();
    let none = CheckReport::default().output(&root).expect_err("nothing to run");
    assert_eq!(
        (none.kind(), &none.detail_map()["reason"]),
        (ErrorKind::Unavailable, &json!("no_check"))
    );
    let skip = check("cargo check", ".", Verdict::Skipped { code: "untrusted", why: "w".into() });
    let report = CheckReport { checks: vec![skip.clone()] };
    let told = report.output(&root).expect_err("skipped");
    assert_eq!(
        (told.kind(), &told.detail_map()["reason"]),
        (ErrorKind::Unavailable, &json!("untrusted"))
    );
    let broken = check("tsc", ".", Verdict::Failed { why: "boom".into() });
    let told = CheckReport { checks: vec![skip, broken] }.output(&root).expect_err("failed");
    assert_eq!(told.kind(), ErrorKind::Failed);
    assert!(told.message().contains("boom"), "{told}");
    assert_eq!(told.detail_map()["checks"][1]["verdict"], "failed");
}

#[test]
fn what_two_checks_say_alike_counts_once_and_a_flood_is_cut() {
    let (_dir, root) = root();
    let mut one = check("tsc", "a", Verdict::Found { incomplete: None });
    one.diagnostics = (0..30).map(|n| at(&root, "!a.ts", n, Severity::Error)).collect();
    let mut two = one.clone();
    two.diagnostics.extend((0..70).map(|n| at(&root, &format!("{n}.ts"), 1, Severity::Error)));
    let output = CheckReport { checks: vec![one, two] }.output(&root).expect("found");
    assert_eq!(output.details["total"], 100);
    let text = output.render_text();
    assert!(text.ends_with("… and 50 more (100 in 71 files)"), "{text}");
    assert_eq!(text.matches("!a.ts:").count(), 10);
}
