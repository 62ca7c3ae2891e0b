//! Staging and deciding.

use serde_json::json;
use tool_astgrep::AstGrepConfig;

use crate::support::Bench;

fn rename(from: &str, to: &str) -> serde_json::Value {
    json!({ "pattern": format!("{from}($A)"), "rewrite": format!("{to}($A)"), "language": "python" })
}

#[tokio::test]
async fn staged_shown_accepted() {
    let bench = Bench::new();
    bench
        .write("a.py", "x = old(1)\nold(2)\n")
        .write("b.py", "old(3)\n")
        .write("c.py", "other()\n");
    let edited = bench.edit(rename("old", "new")).await;
    let details = edited.details();
    assert_eq!(details["edit_id"], "edit_1");
    assert_eq!(details["replacements"], 3);
    assert_eq!(
        details["files"],
        json!([{ "path": "a.py", "replacements": 2 }, { "path": "b.py", "replacements": 1 }])
    );
    let diff = details["diff"].as_str().unwrap();
    assert!(diff.contains(
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x = old(1)\n-old(2)\n+x = new(1)\n+new(2)\n"
    ));
    assert!(edited.text.starts_with("(proposed) 3 replacements in 2 files"), "{}", edited.text);
    assert!(edited.text.contains("call resolve with edit_id \"edit_1\""), "{}", edited.text);
    assert!(edited.text.contains("+new(2)"));
    assert_eq!(bench.read("a.py"), "x = old(1)\nold(2)\n", "nothing is written");

    let accepted = bench.resolve("edit_1", "accept").await;
    assert_eq!(accepted.details()["files"], json!(["a.py", "b.py"]));
    assert_eq!(accepted.details()["action"], "accept");
    assert_eq!(bench.read("a.py"), "x = new(1)\nnew(2)\n");
    assert_eq!(bench.read("b.py"), "new(3)\n");
}

#[tokio::test]
async fn an_edit_is_decided_once() {
    let bench = Bench::new();
    bench.write("a.py", "old(1)\n");
    let first = bench.stage(rename("old", "new")).await;
    assert!(bench.resolve(&first, "accept").await.is_ok());
    for action in ["accept", "discard"] {
        let again = bench.resolve(&first, action).await;
        assert_eq!(again.kind(), "conflict");
        assert!(again.text.contains("accepted before"), "{}", again.text);
    }
    let second = bench.stage(rename("new", "newer")).await;
    assert_eq!(second, "edit_2", "ids are never reused");
    let discarded = bench.resolve(&second, "discard").await;
    assert_eq!(discarded.details()["files"], json!(["a.py"]));
    assert_eq!(bench.resolve(&second, "accept").await.kind(), "conflict");
    assert_eq!(bench.read("a.py"), "new(1)\n");
}

#[tokio::test]
async fn unknown_and_foreign_ids_name_the_open_ones() {
    let bench = Bench::new();
    bench.write("a.py", "old(1)\n");
    assert_eq!(bench.resolve("edit_1", "accept").await.kind(), "invalid_args");
    bench.stage(rename("old", "new")).await;
    bench.stage(rename("old", "newer")).await;
    let other = bench.another_run(&AstGrepConfig::default());
    assert_eq!(
        other.resolve("edit_1", "accept").await.kind(),
        "invalid_args",
        "another run's edit"
    );
    let unknown = bench.resolve("edit_9", "accept").await;
    assert_eq!(unknown.kind(), "invalid_args");
    assert!(unknown.text.contains("edit_1, edit_2"), "{}", unknown.text);
    assert_eq!(bench.resolve("edit_1", "maybe").await.kind(), "invalid_args");
}

#[tokio::test]
async fn a_changed_file_refuses_the_whole_edit_for_good() {
    let bench = Bench::new();
    bench.write("a.py", "old(1)\n").write("b.py", "old(2)\n").write("c.py", "old(3)\n");
    let id = bench.stage(rename("old", "new")).await;
    bench.write("b.py", "old(2)  # touched\n");
    std::fs::remove_file(bench.path("c.py")).unwrap();
    let refused = bench.resolve(&id, "accept").await;
    assert_eq!(refused.kind(), "conflict");
    assert_eq!(refused.details()["mismatched"], json!(["b.py", "c.py"]));
    assert_eq!(bench.read("a.py"), "old(1)\n", "all or nothing");
    bench.write("b.py", "old(2)\n").write("c.py", "old(3)\n");
    let again = bench.resolve(&id, "accept").await;
    assert_eq!(again.kind(), "conflict", "refused stays refused: {}", again.text);
    let anew = bench.stage(rename("old", "new")).await;
    assert!(bench.resolve(&anew, "accept").await.is_ok());
    assert_eq!(bench.read("b.py"), "new(2)\n");
}

#[tokio::test]
async fn of_two_edits_of_one_file_the_second_is_stale() {
    let bench = Bench::new();
    bench.write("a.py", "one(1)\ntwo(2)\n").write("b.py", "two(2)\n");
    let first = bench.stage(rename("one", "uno")).await;
    let second = bench.stage(rename("two", "due")).await;
    assert!(bench.resolve(&first, "accept").await.is_ok());
    let stale = bench.resolve(&second, "accept").await;
    assert_eq!(stale.details()["mismatched"], json!(["a.py"]));
    assert_eq!(bench.read("b.py"), "two(2)\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn accepted_twice_at_once_it_is_applied_once() {
    let bench = Bench::new();
    for n in 0..20 {
        bench.write(&format!("{n}.py"), "old(1)\n");
    }
    let id = bench.stage(rename("old", "new")).await;
    let (one, two) = tokio::join!(bench.resolve(&id, "accept"), bench.resolve(&id, "accept"));
    let kinds = [one.is_ok(), two.is_ok()];
    assert_eq!(kinds.iter().filter(|ok| **ok).count(), 1, "{} / {}", one.text, two.text);
    assert_eq!(bench.read("19.py"), "new(1)\n");
}

#[tokio::test]
async fn bytes_outside_the_matches_stay() {
    let bench = Bench::new();
    bench.write("a.py", "\u{feff}old(1)\r\nx = 'é'\r\nold(2)");
    let id = bench.stage(rename("old", "new")).await;
    assert!(bench.resolve(&id, "accept").await.is_ok());
    assert_eq!(bench.read("a.py"), "\u{feff}new(1)\r\nx = 'é'\r\nnew(2)");
}

#[tokio::test]
async fn what_is_not_replaced_is_counted() {
    let bench = Bench::new();
    bench.write("nested.py", "old(old(1))\n").write("broken.py", "old(2)\n\ndef (:\n    old(3\n");
    bench.write("latin1.py", b"old('\xe9')\n");
    let edited = bench.edit(rename("old", "new")).await;
    let details = edited.details();
    assert_eq!(details["not_replaced"]["nested"], 1, "{}", edited.text);
    assert!(edited.text.contains("1 match inside a replaced match"), "{}", edited.text);
    assert!(edited.skipped().contains(&"latin1.py: not UTF-8".to_owned()));
    let named = bench
        .edit(json!({ "pattern": "old($A)", "rewrite": "new($A)", "path": "latin1.py" }))
        .await;
    assert_eq!(named.kind(), "failed", "{}", named.text);
    assert!(named.text.contains("not UTF-8"), "{}", named.text);
    let id = details["edit_id"].as_str().unwrap().to_owned();
    assert!(bench.resolve(&id, "accept").await.is_ok());
    assert_eq!(bench.read("nested.py"), "new(old(1))\n");
    assert!(bench.read("broken.py").contains("old(3"), "never at a syntax error");
    assert_eq!(std::fs::read(bench.path("latin1.py")).unwrap(), b"old('\xe9')\n");
}

#[tokio::test]
async fn an_edit_that_changes_nothing_or_matches_nothing_stages_nothing() {
    let bench = Bench::new();
    bench.write("a.py", "old(1)\n");
    let same = bench.edit(rename("old", "old")).await;
    assert!(same.is_ok());
    assert_eq!(same.details()["edit_id"], json!(null));
    assert_eq!(same.details()["not_replaced"]["unchanged"], 1);
    assert!(same.text.contains("changes nothing"), "{}", same.text);
    let none = bench.edit(rename("other", "new")).await;
    assert!(none.is_ok() && none.text.contains("0 matches"), "{}", none.text);
    assert_eq!(none.details()["files"], json!([]));
    assert_eq!(bench.stage(rename("old", "new")).await, "edit_1", "no id was used up");
}

#[tokio::test]
async fn a_result_that_does_not_parse_is_named() {
    let bench = Bench::new();
    bench.write("a.py", "x = 1\nold(1)\n").write("b.py", "old(2)\n");
    let edited = bench
        .edit(json!({ "pattern": "old($A)", "rewrite": "new($A", "language": "python" }))
        .await;
    let broken = edited.details()["new_syntax_errors"].as_array().unwrap();
    assert_eq!(broken.len(), 2, "{}", edited.text);
    assert_eq!(broken[0]["path"], "a.py");
    assert!(
        edited.text.contains("WARNING: 2 files would have a new syntax error: a.py:"),
        "{}",
        edited.text
    );
    let fine = bench.edit(rename("old", "new")).await;
    assert_eq!(fine.details()["new_syntax_errors"], json!([]));
}

#[tokio::test]
async fn unknown_captures_in_the_rewrite_are_refused() {
    let bench = Bench::new();
    bench.write("a.py", "old(1)\n");
    for rewrite in ["new($B)", "new($$$A)"] {
        let result = bench
            .edit(json!({ "pattern": "old($A)", "rewrite": rewrite, "language": "python" }))
            .await;
        assert_eq!(result.kind(), "invalid_args", "{rewrite}");
    }
}

#[tokio::test]
async fn an_edit_is_never_capped_but_its_diff_is() {
    let bench = Bench::new();
    for n in 0..300 {
        bench.write(&format!("{n:03}.py"), "old(1)\n# keep\n".repeat(40));
    }
    let edited = bench.edit(rename("old", "new")).await;
    assert_eq!(edited.details()["replacements"], 12_000);
    assert_eq!(edited.details()["files"].as_array().unwrap().len(), 300);
    assert!(edited.details()["diff"].as_str().unwrap().len() <= 64 * 1024);
    assert!(edited.text.len() < 16 * 1024, "{}", edited.text.len());
    assert!(edited.text.contains("of 300 files whole"), "{}", edited.text);
    let id = edited.details()["edit_id"].as_str().unwrap().to_owned();
    assert!(bench.resolve(&id, "accept").await.is_ok());
    let left = bench.grep(json!({ "pattern": "old($A)", "language": "python" })).await;
    assert_eq!(left.total(), 0);
}

#[tokio::test]
async fn staged_bytes_are_bounded_and_freed() {
    let mut config = AstGrepConfig::default();
    config.staged_budget = 3000;
    let bench = Bench::with(&config);
    bench.write("a.py", format!("old(1)\n#{}\n", "x".repeat(1000)));
    let first = bench.stage(rename("old", "new")).await;
    let full = bench.edit(rename("old", "newer")).await;
    assert_eq!(full.kind(), "limit");
    assert!(full.text.contains(&first), "{}", full.text);
    assert!(bench.resolve(&first, "discard").await.is_ok());
    assert_eq!(bench.stage(rename("old", "newer")).await, "edit_2");
}

#[tokio::test]
async fn a_single_call_names_the_ways_that_outlive_it() {
    let bench = Bench::with(&AstGrepConfig::one_shot());
    bench.write("a.py", "old(1)\n");
    let edited = bench.edit(rename("old", "new")).await;
    assert!(
        edited.text.contains("--accept") && !edited.text.contains("call resolve"),
        "{}",
        edited.text
    );
    assert_eq!(edited.details()["edit_id"], "edit_1", "the same process may still decide it");
}

#[tokio::test]
async fn a_python_body_left_empty_gets_a_pass() {
    let bench = Bench::new();
    bench.write("a.py", "def f():\n    old(1)\n\n\ndef g():\n    old(2)\n    h()\n");
    let edited =
        bench.edit(json!({ "pattern": "old($A)", "rewrite": "", "language": "python" })).await;
    assert_eq!(edited.details()["new_syntax_errors"], json!([]), "{}", edited.text);
    assert!(bench.resolve("edit_1", "accept").await.is_ok());
    assert_eq!(bench.read("a.py"), "def f():\n    pass\n\n\ndef g():\n    h()\n");
}

#[tokio::test]
async fn a_new_syntax_error_is_told_and_still_proposed() {
    let bench = Bench::new();
    bench.write("a.py", "def f():\n    old(1)\n\n\ndef g():\n    old(2)\n    h()\n");
    let edited = bench
        .edit(json!({ "pattern": "old($A)", "rewrite": "# gone", "language": "python" }))
        .await;
    assert_eq!(edited.details()["new_syntax_errors"], json!([{ "path": "a.py", "line": 1 }]));
    assert!(edited.text.contains("WARNING: 1 file would have a new syntax error: a.py:1."));
    assert_eq!(edited.details()["edit_id"], "edit_1", "{}", edited.text);
    assert!(bench.resolve("edit_1", "accept").await.is_ok());
    assert_eq!(bench.read("a.py"), "def f():\n    # gone\n\n\ndef g():\n    # gone\n    h()\n");
}

#[cfg(feature = "lang-ruby")]
#[tokio::test]
async fn a_torn_here_document_is_left_with_the_reason() {
    let bench = Bench::new();
    bench.write("a.rb", "old(<<~T)\n  text\nT\nold(2)\n");
    let wrap =
        json!({ "pattern": "old($A)", "rewrite": "if x\n  old($A)\nend", "language": "ruby" });
    let edited = bench.edit(wrap).await;
    assert_eq!(edited.details()["replacements"], 1, "{}", edited.text);
    assert_eq!(edited.details()["not_replaced"]["heredocs"], 1);
    assert!(edited.text.contains("1 match left: the rewrite would tear a here-document"));
    assert!(bench.resolve("edit_1", "accept").await.is_ok());
    assert_eq!(bench.read("a.rb"), "old(<<~T)\n  text\nT\nif x\n  old(2)\nend\n");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_file_whose_name_is_no_utf8_is_rewritten() {
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.py");
    let path = bench.path(".").join(name);
    std::fs::write(&path, "old(1)\n").unwrap();
    let edited = bench.edit(rename("old", "new")).await;
    assert_eq!(edited.details()["replacements"], 1, "{}", edited.text);
    let accepted = bench.resolve("edit_1", "accept").await;
    assert!(accepted.is_ok(), "{}", accepted.text);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new(1)\n");
}
