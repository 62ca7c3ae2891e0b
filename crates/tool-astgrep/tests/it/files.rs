//! Which files are searched, and how the others are accounted for.

use std::os::unix::fs::symlink;

use serde_json::json;

use crate::support::Bench;

const FIND: &str = "f($A)";

/// Larger than what a folder's search takes, and quick to parse.
fn huge() -> String {
    format!("f(1)\nx = \"\"\"\n{}\"\"\"\n", "0123456789 abcde\n".repeat(253_000))
}

#[tokio::test]
async fn each_file_that_is_not_searched_has_its_reason() {
    let bench = Bench::new();
    bench.write("ok.py", "f(1)\n");
    bench.write("latin1.py", b"f('caf\xe9')\n").write("binary.py", b"f(1)\n\0\0");
    bench.write("huge.py", huge());
    symlink("ok.py", bench.path("link.py")).unwrap();
    symlink("..", bench.path("loop")).unwrap();
    let found = bench.grep(json!({ "pattern": FIND, "language": "python" })).await;
    assert_eq!(found.places(), ["ok.py:1"]);
    let skipped = found.skipped();
    assert!(skipped.contains(&"latin1.py: not UTF-8".to_owned()), "{skipped:?}");
    assert!(skipped.contains(&"binary.py: binary".to_owned()), "{skipped:?}");
    assert!(skipped.contains(&"huge.py: larger than 4 MiB (4.1 MiB)".to_owned()), "{skipped:?}");
    assert!(skipped.iter().any(|s| s.starts_with("link.py: symbolic link")), "{skipped:?}");
    assert_eq!(found.details()["files_skipped_total"], skipped.len());
    assert_eq!(found.details()["files_searched"], 1);
    assert!(found.text.contains("Skipped"), "{}", found.text);
}

#[tokio::test]
async fn a_file_that_is_named_is_searched_whatever_it_is() {
    let bench = Bench::new();
    bench.write(".gitignore", "ignored.py\n").write("ignored.py", "f(1)\n");
    std::fs::create_dir(bench.path(".git")).unwrap();
    bench.write(".hidden/h.py", "f(1)\n").write("latin1.py", b"x = 'caf\xe9'; f(1)\n");
    bench.write("binary.py", b"f(1)\n# \0\n").write("huge.py", huge());
    symlink("ignored.py", bench.path("link.py")).unwrap();
    let all = bench.grep(json!({ "pattern": FIND, "language": "python" })).await;
    assert_eq!(all.places(), [] as [&str; 0], "{}", all.text);
    assert_eq!(all.details()["entries_ignored"], 1);
    for (file, total) in [
        ("ignored.py", 1),
        (".hidden/h.py", 1),
        ("latin1.py", 1),
        ("binary.py", 1),
        ("huge.py", 1),
        ("link.py", 1),
    ] {
        let found = bench.grep(json!({ "pattern": FIND, "path": file })).await;
        assert_eq!(found.total(), total, "{file}: {}", found.text);
    }
    let hidden =
        bench.grep(json!({ "pattern": FIND, "path": ".hidden", "language": "python" })).await;
    assert_eq!(hidden.total(), 1, "{}", hidden.text);
}

#[tokio::test]
async fn a_minified_file_gives_short_answers_and_true_totals() {
    let bench = Bench::new();
    bench.write("min.py", "x=f(1);".repeat(20_000));
    let found =
        bench.grep(json!({ "pattern": FIND, "language": "python", "max_results": 1000 })).await;
    assert_eq!(found.total(), 20_000);
    assert_eq!(found.details()["shown"], 1000);
    assert_eq!(found.matches()[999]["start"]["column"], 999 * 7 + 3);
    assert!(found.text.len() < 30_000, "{}", found.text.len());
    assert!(found.object.to_string().len() < 500_000);
}

#[tokio::test]
async fn columns_count_characters_and_line_breaks_are_either_kind() {
    let bench = Bench::new();
    bench.write("bom.py", "\u{feff}é = f('日本')\r\nif x:\r\n    g(\r\n      1)\r\n");
    let found = bench.grep(json!({ "pattern": FIND, "path": "bom.py" })).await;
    let one = &found.matches()[0];
    assert_eq!(one["start"], json!({ "line": 1, "column": 5 }));
    assert_eq!(one["end"], json!({ "line": 1, "column": 12 }));
    assert_eq!(one["captures"], json!({ "A": "'日本'" }));
    let two = bench.grep(json!({ "pattern": "g($A)", "path": "bom.py" })).await;
    assert_eq!(two.matches()[0]["start"], json!({ "line": 3, "column": 5 }));
    assert_eq!(two.matches()[0]["end"], json!({ "line": 4, "column": 9 }));
    assert_eq!(two.matches()[0]["text"], "g(\r\n      1)");
}

#[tokio::test]
async fn files_with_syntax_errors_are_searched_and_said_to_be_so() {
    let bench = Bench::new();
    bench.write("a.py", "f(1)\ndef (:\nf(2)\n");
    let found = bench.grep(json!({ "pattern": FIND, "path": "a.py" })).await;
    assert!(found.total() >= 1, "{}", found.text);
    assert_eq!(found.details()["files_with_syntax_errors"], 1);
    assert!(found.text.contains("syntax error"), "{}", found.text);
}

#[tokio::test]
async fn an_empty_workspace_says_that_nothing_was_searched() {
    let bench = Bench::new();
    bench.write("a.rs", "fn main() {}\n");
    let found = bench.grep(json!({ "pattern": FIND, "language": "python" })).await;
    assert!(found.is_ok());
    assert_eq!((found.total(), &found.details()["files_searched"]), (0, &json!(0)));
    assert!(found.text.contains("nothing was searched"), "{}", found.text);
}

#[tokio::test]
async fn a_match_at_a_syntax_error_is_marked() {
    let bench = Bench::new();
    bench.write("a.py", "ok(1)\nok(2 +)\n");
    let found = bench.grep(json!({ "pattern": "ok($$$A)", "path": "a.py" })).await;
    let marked = |at: usize| found.details()["matches"][at]["at_syntax_error"] == json!(true);
    assert_eq!(found.details()["total"], 2, "{}", found.text);
    assert!(!marked(0) && marked(1), "{}", found.text);
    assert_eq!(found.text.matches("(at a syntax error").count(), 1, "{}", found.text);
}
