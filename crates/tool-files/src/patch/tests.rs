//! Patches as git, diff and models write them, and all that a difference of two texts can be.

use proptest::prelude::*;

use super::apply::{Applied, Unapplied, apply};
use super::parse::parse;
use super::*;

fn patched(text: &str, patch: &str) -> Result<Applied, Unapplied> {
    let files = parse(patch).unwrap();
    assert_eq!(files.len(), 1);
    apply(text, &files[0].hunks)
}

fn text(text: &str, patch: &str) -> String {
    patched(text, patch).unwrap().text
}

const HEAD: &str = "--- a/f\n+++ b/f\n";

#[test]
fn a_plain_hunk() {
    let patch = format!("{HEAD}@@ -1,3 +1,3 @@ fn x\n a\n-b\n+B\n c\n");
    assert_eq!(text("a\nb\nc\n", &patch), "a\nB\nc\n");
}

#[test]
fn files_of_every_kind_in_one_patch() {
    let patch = "\
diff --git a/one b/one
index 1..2 100644
--- a/one
+++ b/one
@@ -1 +1 @@
-a
+b
diff --git a/new.sh b/new.sh
new file mode 100755
--- /dev/null
+++ b/new.sh
@@ -0,0 +1,2 @@
+x
+y
diff --git a/old b/old
deleted file mode 100644
--- a/old
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/from b/to
similarity index 100%
rename from from
rename to to
diff --git a/empty file b/empty file
new file mode 100644
index 0000000..e69de29
-- 
2.39.0
";
    let verbs: Vec<Verb> = parse(patch).unwrap().into_iter().map(|file| file.verb).collect();
    assert_eq!(
        verbs,
        [
            Verb::Change { path: "one".into(), executable: None },
            Verb::Create { path: "new.sh".into(), executable: Some(true) },
            Verb::Delete { path: "old".into() },
            Verb::Rename { from: "from".into(), to: "to".into(), executable: None },
            Verb::Create { path: "empty file".into(), executable: Some(false) },
        ]
    );
}

#[test]
fn prefixes_are_those_that_git_was_told_to_write() {
    let verb = |head: &str| {
        let patch = format!("{head}@@ -1 +1 @@\n-a\n+b\n");
        parse(&patch).unwrap().remove(0).verb
    };
    let changed = |path: &str| Verb::Change { path: path.into(), executable: None };
    assert_eq!(verb("diff --git i/x w/x\n--- i/x\n+++ w/x\n"), changed("x"));
    assert_eq!(verb("diff --git a/x a/x\n--- a/x\n+++ a/x\n"), changed("a/x"));
    assert_eq!(
        verb("diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n"),
        Verb::Create { path: "b/x".into(), executable: Some(false) }
    );
    assert_eq!(
        verb("diff --git c/x i/x\ndeleted file mode 100644\n--- c/x\n+++ /dev/null\n"),
        Verb::Delete { path: "x".into() }
    );
    assert_eq!(
        verb("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n--- a/x\n+++ b/x\n"),
        Verb::Change { path: "x".into(), executable: Some(true) }
    );
}

#[test]
fn what_models_get_wrong_harmlessly() {
    let wrong_counts = format!("Here is it:\n```diff\n{HEAD}@@ -1,9 +1,9 @@\n a\n-b\n+B\n```\n");
    assert_eq!(text("a\nb\nc\n", &wrong_counts), "a\nB\nc\n");
    let no_numbers = format!("{HEAD}@@\n a\n-b\n+B\n");
    assert_eq!(text("x\na\nb\nc\n", &no_numbers), "x\na\nB\nc\n");
    let trimmed = format!("{HEAD}@@ -1,4 +1,4 @@\n a\n\n-b\n+B\n c\n");
    assert_eq!(text("a\n\nb\nc\n", &trimmed), "a\n\nB\nc\n");
    let again = format!("{HEAD}@@ -1 +1 @@\n-a\n+A\n{HEAD}@@ -3 +3 @@\n-c\n+C\n");
    assert_eq!(text("a\nb\nc\n", &again), "A\nb\nC\n");
    let two = format!("{HEAD}@@ -1,2 +1,2 @@\n-a\n+A\n b\n\n@@ -4,1 +4,1 @@\n-d\n+D\n\n");
    assert_eq!(text("a\nb\nc\nd\n", &two), "A\nb\nc\nD\n");
}

#[test]
fn lines_that_look_like_headers_are_content_when_the_counts_say_so() {
    let patch = format!("{HEAD}@@ -1,2 +1,2 @@\n--- old\n+++ new\n x\n");
    assert_eq!(text("-- old\nx\n", &patch), "++ new\nx\n");
}

#[test]
fn a_hunk_that_slid_is_found_where_its_context_is() {
    let patch = format!("{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -4,1 +4,1 @@\n-d\n+D\n");
    let done = patched("0\n0\n0\na\nb\nc\nd\nd\n", &patch).unwrap();
    assert_eq!(done.text, "0\n0\n0\na\nB\nc\nD\nd\n", "the second is as far off as the first");
    assert_eq!(done.moved, [(1, 1, 4), (2, 4, 7)]);
}

#[test]
fn context_must_match_exactly_and_the_hunk_is_named() {
    let fails = |text: &str, patch: &str| patched(text, &format!("{HEAD}{patch}")).unwrap_err();
    let error = fails("a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    assert_eq!((error.hunk, error.header), (1, 3));
    assert_eq!(error.message, "line 2 is \"x\", the patch expects \"b\"");
    let error = fails("a \nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n");
    assert_eq!(error.message, "line 1 is \"a \", the patch expects \"a\"", "blanks count");
    let error = fails("k\nb\nk\nb\n", "@@ -9,2 +9,2 @@\n k\n-b\n+B\n");
    assert!(
        error.message.starts_with("its context occurs 2 times, at lines 1 and 3"),
        "{}",
        error.message
    );
    let error = fails("a\n", "@@ -1,2 +1,1 @@\n a\n-b\n");
    assert_eq!(error.message, "the file ends at line 1, the patch expects \"b\"");
    let error = fails("a\nb\nc\n", "@@ -3 +3 @@\n-c\n+C\n@@ -1 +1 @@\n-a\n+A\n");
    assert_eq!(error.hunk, 2);
    assert!(error.message.contains("put the hunks in order"), "{}", error.message);
    let error = fails("a\n", "@@ -7,0 +8 @@\n+x\n");
    assert!(error.message.starts_with("it only adds lines"), "{}", error.message);
}

#[test]
fn line_endings_of_the_file_are_kept() {
    let patch = format!("{HEAD}@@ -1,3 +1,4 @@\n a\n-b\n+B\n+BB\n c\n");
    assert_eq!(text("a\r\nb\r\nc\r\n", &patch), "a\r\nB\r\nBB\r\nc\r\n");
    assert_eq!(text("a\r\nb\r\nc\r\n", &patch.replace('\n', "\r\n")), "a\r\nB\r\nBB\r\nc\r\n");
    assert_eq!(text("a\nb\nc\n", &patch.replace('\n', "\r\n")), "a\nB\nBB\nc\n");
    assert_eq!(text("a\nb\r\nc\n", &patch), "a\nB\r\nBB\r\nc\n", "each as the line in front of it");
    let convert = format!("{HEAD}@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n");
    assert_eq!(text("a\r\nb\n", &convert), "a\nb\n", "a change of endings");
    assert_eq!(text("", &format!("{HEAD}@@ -0,0 +1,2 @@\n+a\r\n+b\r\n")), "a\r\nb\r\n");
}

#[test]
fn the_last_line_without_an_ending() {
    let none = "\\ No newline at end of file\n";
    let both = format!("{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n{none}+B\n{none}");
    assert_eq!(text("a\nb", &both), "a\nB");
    let gets = format!("{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n{none}+B\n");
    assert_eq!(text("a\nb", &gets), "a\nB\n");
    let loses = format!("{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+B\n{none}");
    assert_eq!(text("a\nb\n", &loses), "a\nB");
    let unsaid = format!("{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+B\n");
    assert_eq!(text("a\nb", &unsaid), "a\nB", "kept as it is when the patch does not say");
    let appended = format!("{HEAD}@@ -1,2 +1,3 @@\n a\n b\n+c\n");
    assert_eq!(text("a\r\nb", &appended), "a\r\nb\r\nc");
    let error = patched("a\nb\n", &both).unwrap_err();
    assert_eq!(error.message, "line 2 is the same but for its ending");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let patch = format!("{HEAD}@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(text("\u{feff}a\n", &patch), "\u{feff}b\n");
    let gone = format!("{HEAD}@@ -1,1 +0,0 @@\n-a\n");
    assert_eq!(text("\u{feff}a\n", &gone), "\u{feff}");
}

#[test]
fn what_is_no_patch_is_told_with_its_line() {
    let error = |patch: &str| parse(patch).unwrap_err();
    for (patch, line, says) in [
        ("", 1, "no file in it"),
        ("hello\n", 1, "no file in it"),
        ("*** Begin Patch\n*** Update File: a\n", 1, "no unified diff"),
        ("@@ -1 +1 @@\n-a\n+b\n", 1, "a hunk without"),
        ("--- a/x\n+++ b/x\n", 1, "no hunk"),
        ("--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", 1, "rename from"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n", 3, "neither adds nor removes"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n\\ No newline at end of file\n+a\n", 4, "before any line"),
        ("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", 1, "nothing but a file's mode"),
        ("diff --git a/l b/l\ndeleted file mode 120000\n", 2, "symbolic link"),
        ("diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n", 2, "symbolic link"),
        ("diff --git a/x b/x\nBinary files a/x and b/x differ\n", 2, "binary"),
        (
            "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+t\n",
            1,
            "120000",
        ),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", 1, "names a file"),
    ] {
        let got = error(patch);
        assert!(got.line == line && got.message.contains(says), "{patch:?}: {got:?}");
    }
}

/// A text of few different lines, so that contexts repeat.
fn texts() -> impl Strategy<Value = String> {
    let line = prop_oneof!["[ab]{0,2}", "[-+ @]{1,3}[ab]?", Just("\t".to_owned())];
    (proptest::collection::vec(line, 0..14), any::<bool>()).prop_map(|(lines, ended)| {
        let mut text = lines.join("\n");
        if ended && !text.is_empty() {
            text.push('\n');
        }
        text
    })
}

proptest! {
    #[test]
    fn every_difference_of_two_texts_applies(old in texts(), new in texts(), radius in 0usize..4) {
        prop_assume!(old != new);
        let diff = similar::TextDiff::from_lines(&old, &new);
        let patch = diff.unified_diff().context_radius(radius).header("a/f", "b/f").to_string();
        let files = parse(&patch).unwrap();
        let done = apply(&old, &files[0].hunks);
        prop_assert_eq!(done.map(|done| done.text), Ok(new), "{}", patch);
    }

    #[test]
    fn every_difference_applies_to_lines_that_end_in_crlf(old in texts(), new in texts()) {
        prop_assume!(old != new && old.ends_with('\n') && new.ends_with('\n'));
        let diff = similar::TextDiff::from_lines(&old, &new);
        let patch = diff.unified_diff().header("a/f", "b/f").to_string();
        let files = parse(&patch).unwrap();
        let done = apply(&old.replace('\n', "\r\n"), &files[0].hunks);
        prop_assert_eq!(done.map(|done| done.text), Ok(new.replace('\n', "\r\n")), "{}", patch);
    }

    #[test]
    fn junk_never_panics(patch in "(---|\\+\\+\\+|@@|diff --git| |\\\\|a/x|b/x|-1,2|\\+1|\n|\r|\"|rename from|[ab]){0,40}", text in texts()) {
        if let Ok(files) = parse(&patch) {
            for file in files {
                let _ = apply(&text, &file.hunks);
            }
        }
        let _ = parse(&format!("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n{patch}"));
    }
}
