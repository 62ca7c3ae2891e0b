//! What each tool does and says.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use tempfile::TempDir;
use tool_core::serde_json::{Value, json};
use tool_core::{Access, CallOutcome, CallRequest, ErrorKind, RegistryBuilder, RunScope, ToolView};
use tool_files::FilesPack;
use tool_workspace::{Journals, Root};

struct Site {
    dir: TempDir,
    view: ToolView,
}

impl Site {
    fn with(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let checkout = dir.path().join("checkout");
        fs::create_dir(&checkout).unwrap();
        let root = Root::open(&checkout).unwrap();
        let journals = Journals::open(&dir.path().join("state"), &root);
        let scope = RunScope::builder("c").workspace(root.path()).build();
        let view =
            RegistryBuilder::new().pack(FilesPack::new(root, journals)).build(scope).unwrap();
        let site = Self { dir, view };
        for (path, text) in files {
            fs::create_dir_all(site.at(path).parent().unwrap()).unwrap();
            fs::write(site.at(path), text).unwrap();
        }
        site
    }

    fn at(&self, path: &str) -> std::path::PathBuf {
        self.dir.path().join("checkout").join(path)
    }

    fn get(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    async fn call(&self, tool: &str, args: Value) -> CallOutcome {
        self.view.invoke(CallRequest::new(tool, args)).await
    }

    async fn done(&self, tool: &str, args: Value) -> (String, Value) {
        let outcome = self.call(tool, args).await;
        let output = outcome.result.as_ref().unwrap_or_else(|error| panic!("{error}"));
        (outcome.render_text(), Value::Object(output.details.clone()))
    }

    async fn fails(&self, tool: &str, args: Value) -> (ErrorKind, String, Value) {
        let outcome = self.call(tool, args).await;
        let error = outcome.result.as_ref().unwrap_err();
        assert_eq!(error.detail_map()["written"], json!(false), "{error}");
        (error.kind(), error.full_message(), Value::Object(error.detail_map().clone()))
    }
}

#[tokio::test]
async fn read_gives_raw_text_and_says_what_is_left() {
    let site = Site::with(&[("a.txt", "\u{feff}one\r\ntwo\r\nthree"), ("empty", "")]);
    let (text, details) = site.done("read", json!({ "path": "./a.txt" })).await;
    assert_eq!(text, "\u{feff}one\r\ntwo\r\nthree");
    assert_eq!(details["paths"], json!(["a.txt"]));
    assert_eq!((&details["written"], &details["complete"]), (&json!(false), &json!(true)));
    let (text, details) =
        site.done("read", json!({ "path": "a.txt", "start_line": 2, "end_line": 2 })).await;
    assert_eq!(text, "two\r\n\n[lines 2 to 2 of 3]");
    assert_eq!(details["total_lines"], 3);
    let (text, _) =
        site.done("read", json!({ "path": "a.txt", "start_line": 3, "end_line": 99 })).await;
    assert_eq!(text, "three\n[lines 3 to 3 of 3]");
    let (text, _) = site.done("read", json!({ "path": "empty" })).await;
    assert_eq!(text, "\n[empty is empty]");
}

#[tokio::test]
async fn names_and_paths_are_as_long_as_the_system_takes_and_no_longer() {
    let site = Site::with(&[]);
    for longest in ["n".repeat(255), format!("{}/{}", "d/".repeat(5), "n".repeat(255))] {
        let (text, _) = site.done("write", json!({ "path": longest, "content": "x" })).await;
        assert!(text.starts_with("created"), "{text}");
        site.done("write", json!({ "path": longest, "content": "y" })).await;
        assert_eq!(site.get(&longest), "y");
    }
    for too_long in ["n".repeat(256), format!("{}f", "d/".repeat(3_000))] {
        let (kind, text, _) =
            site.fails("write", json!({ "path": too_long, "content": "x" })).await;
        assert_eq!(kind, ErrorKind::InvalidArgs, "{text}");
        assert!(text.len() < 1_000, "{} bytes of error", text.len());
    }
}

#[tokio::test]
async fn read_cuts_long_files_at_a_line_and_says_how_to_go_on() {
    let long: String = (1..=20_000).map(|n| format!("line {n}\n")).collect();
    let site = Site::with(&[("long", &long), ("wide", &"ä".repeat(100_000))]);
    let (text, details) = site.done("read", json!({ "path": "long" })).await;
    let last = details["end_line"].as_u64().unwrap();
    assert!(text.len() < 66 * 1024 && last > 5_000);
    let note = format!("\n[lines 1 to {last} of 20000; go on with start_line {}]", last + 1);
    assert!(text.ends_with(&format!("line {last}\n{note}")), "{}", &text[text.len() - 100..]);
    let (rest, _) = site.done("read", json!({ "path": "long", "start_line": last + 1 })).await;
    assert!(rest.starts_with(&format!("line {}\n", last + 1)));
    let (text, details) = site.done("read", json!({ "path": "wide" })).await;
    assert!(text.ends_with("[line 1 of 1: 65536 of 200000 bytes shown]"));
    assert_eq!(details["complete"], false);
}

#[tokio::test]
async fn read_refuses_what_is_no_text_and_what_is_not_inside() {
    let site = Site::with(&[("src/a", "x")]);
    fs::write(site.at("latin"), b"caf\xe9").unwrap();
    fs::write(site.at("binary"), b"PK\0\x01").unwrap();
    symlink("/etc/passwd", site.at("leak")).unwrap();
    let cases = [
        (
            json!({ "path": "latin" }),
            ErrorKind::Failed,
            "latin is no text: it is not UTF-8 at byte 3 (4 bytes)",
        ),
        (json!({ "path": "binary" }), ErrorKind::Failed, "binary is no text: it has NUL bytes"),
        (json!({ "path": "src" }), ErrorKind::Failed, "\"src\" is a folder"),
        (json!({ "path": "none" }), ErrorKind::Failed, "\"none\" does not exist"),
        (
            json!({ "path": "leak" }),
            ErrorKind::Refused,
            "\"leak\" is outside the workspace (a symbolic link",
        ),
        (
            json!({ "path": "../x" }),
            ErrorKind::Refused,
            "\"../x\" is outside the workspace (the root is",
        ),
        (json!({ "path": "" }), ErrorKind::InvalidArgs, "\"\" is no usable path"),
    ];
    for (args, kind, says) in cases {
        let (got, message, _) = site.fails("read", args).await;
        assert_eq!(got, kind, "{message}");
        assert!(message.starts_with(says), "{message}");
    }
    let beyond = site.call("read", json!({ "path": "src/a", "start_line": 2 })).await;
    assert_eq!(beyond.result.unwrap_err().message(), "src/a has 1 line only");
    let reversed =
        site.call("read", json!({ "path": "src/a", "start_line": 3, "end_line": 2 })).await;
    assert_eq!(reversed.result.unwrap_err().kind(), ErrorKind::InvalidArgs);
    for line in [0, -1] {
        let below = site.call("read", json!({ "path": "src/a", "start_line": line })).await;
        let error = below.result.unwrap_err();
        assert_eq!(error.message(), format!("lines count from 1, there is no line {line}"));
        assert_eq!(error.detail_map()["paths"], json!(["src/a"]));
    }
}

#[tokio::test]
async fn write_creates_replaces_and_leaves_alone() {
    let site = Site::with(&[("a", "old")]);
    fs::set_permissions(site.at("a"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("a", site.at("link")).unwrap();
    let (text, details) = site.done("write", json!({ "path": "x/y/z", "content": "1\n2" })).await;
    assert_eq!(text, "created x/y/z (2 lines)");
    assert_eq!(details, json!({ "paths": ["x/y/z"], "written": true }));
    assert_eq!(site.get("x/y/z"), "1\n2");
    let outcome = site.call("write", json!({ "path": "link", "content": "new" })).await;
    assert_eq!(outcome.render_text(), "replaced a (1 line)");
    let touched = &outcome.result.unwrap().touched;
    assert_eq!(touched.len(), 1);
    assert_eq!(touched[0].access, Access::Written);
    assert_eq!(fs::read_link(site.at("link")).unwrap().to_str(), Some("a"));
    assert_eq!(fs::metadata(site.at("a")).unwrap().permissions().mode() & 0o777, 0o755);
    let (text, details) = site.done("write", json!({ "path": "a", "content": "new" })).await;
    assert_eq!(
        (text.as_str(), &details["written"]),
        ("unchanged: a has this content already", &json!(false))
    );
    for (path, kind) in [
        ("x", ErrorKind::Failed),
        ("../out", ErrorKind::Refused),
        ("a/below", ErrorKind::Failed),
        ("", ErrorKind::InvalidArgs),
        ("folder/", ErrorKind::InvalidArgs),
    ] {
        let (got, message, _) = site.fails("write", json!({ "path": path, "content": "" })).await;
        assert_eq!(got, kind, "{message}");
    }
    fs::set_permissions(site.at("a"), fs::Permissions::from_mode(0o444)).unwrap();
    let (kind, message, _) = site.fails("write", json!({ "path": "a", "content": "z" })).await;
    assert_eq!(kind, ErrorKind::Failed);
    assert!(message.ends_with("cannot be written: a: it is read-only"), "{message}");
}

#[tokio::test]
async fn edit_replaces_what_occurs_once() {
    let site = Site::with(&[("a", "one\r\ntwo\r\none\r\n")]);
    let (text, details) =
        site.done("edit", json!({ "path": "a", "old": "two", "new": "2\n2" })).await;
    assert_eq!(text, "edited a: 1 replacement at line 2");
    assert_eq!(details, json!({ "paths": ["a"], "written": true }));
    assert_eq!(site.get("a"), "one\r\n2\r\n2\r\none\r\n");
    let (kind, message, details) =
        site.fails("edit", json!({ "path": "a", "old": "one", "new": "1" })).await;
    assert_eq!(kind, ErrorKind::InvalidArgs);
    assert!(message.starts_with("`old` occurs 2 times in a, at lines 1 and 4"), "{message}");
    assert_eq!((&details["count"], &details["lines"]), (&json!(2), &json!([1, 4])));
    let (text, _) =
        site.done("edit", json!({ "path": "a", "old": "one", "new": "1", "all": true })).await;
    assert_eq!(text, "edited a: 2 replacements at lines 1 and 4");
    let (kind, message, _) =
        site.fails("edit", json!({ "path": "a", "old": "nine", "new": "9" })).await;
    assert_eq!(
        (kind, message.as_str()),
        (
            ErrorKind::Conflict,
            "`old` does not occur in a\nRead the file again: it may have changed."
        )
    );
    fs::write(site.at("latin"), b"caf\xe9").unwrap();
    let (kind, _, _) = site.fails("edit", json!({ "path": "latin", "old": "c", "new": "k" })).await;
    assert_eq!(kind, ErrorKind::Failed);
    assert_eq!(fs::read(site.at("latin")).unwrap(), b"caf\xe9");
}

#[tokio::test]
async fn apply_patch_changes_all_files_or_none() {
    let site = Site::with(&[("a", "1\n2\n3\n"), ("old", "x\n"), ("from", "f\n"), ("b", "b\n")]);
    let good = "--- a/a\n+++ b/a\n@@ -2 +2 @@\n-2\n+two\n\
        diff --git a/from b/d/to\nrename from from\nrename to d/to\n--- a/from\n+++ b/d/to\n@@ -1 +1 @@\n-f\n+F\n\
        --- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n\
        --- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    let bad = format!("{good}--- a/b\n+++ b/b\n@@ -1 +1 @@\n-c\n+d\n");
    let (kind, message, details) = site.fails("apply_patch", json!({ "patch": bad })).await;
    assert_eq!(kind, ErrorKind::Conflict);
    assert!(
        message.starts_with("nothing was written: 1 of 5 files cannot be patched\nb, hunk 1 (line 24 of the patch): line 1 is \"b\", the patch expects \"c\""),
        "{message}"
    );
    assert_eq!(details["failed"], json!([{ "path": "b", "hunk": 1 }]));
    assert_eq!(
        (site.get("a").as_str(), site.at("old").exists(), site.at("new").exists()),
        ("1\n2\n3\n", true, false)
    );
    let (text, details) = site.done("apply_patch", json!({ "patch": good })).await;
    assert_eq!(text, "patched a (1 hunk)\nrenamed from to d/to\ncreated new (1 line)\ndeleted old");
    assert_eq!(details, json!({ "paths": ["a", "d/to", "from", "new", "old"], "written": true }));
    assert_eq!(
        (site.get("a"), site.get("d/to"), site.get("new")),
        ("1\ntwo\n3\n".into(), "F\n".into(), "n\n".into())
    );
    assert!(!site.at("old").exists() && !site.at("from").exists());
}

#[tokio::test]
async fn apply_patch_names_what_is_wrong() {
    let site = Site::with(&[("a", "1\n2\n"), ("b", "1\n")]);
    let create = "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+n\n";
    let delete = "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n";
    let outside = "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\n";
    let twice =
        "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n";
    for (patch, kind, says) in [
        (create, ErrorKind::Conflict, "a exists already"),
        (
            delete,
            ErrorKind::Conflict,
            "a is to be deleted, but has 1 line that the patch does not remove",
        ),
        (outside, ErrorKind::Refused, "\"../x\" is outside the workspace"),
        (twice, ErrorKind::InvalidArgs, "b is in the change set already"),
        (
            "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-1\n+2\n",
            ErrorKind::Failed,
            "\"none\" does not exist",
        ),
        ("nonsense", ErrorKind::InvalidArgs, "line 1 of the patch: no file in it"),
    ] {
        let (got, message, _) = site.fails("apply_patch", json!({ "patch": patch })).await;
        assert_eq!(got, kind, "{message}");
        assert!(message.contains(says), "{message}");
    }
    assert_eq!((site.get("a"), site.get("b")), ("1\n2\n".into(), "1\n".into()));
    let slid = "--- a/a\n+++ b/a\n@@ -9 +9 @@\n-2\n+two\n";
    let (text, _) = site.done("apply_patch", json!({ "patch": slid })).await;
    assert_eq!(
        text,
        "patched a (1 hunk)\n  hunk 1 says line 9; its context is at line 2, so it was applied there"
    );
}

#[tokio::test]
async fn patches_copy_rename_and_make_executable_as_git_writes_them() {
    let site = Site::with(&[("a", "\u{feff}one\ntwo\n"), ("run", "x\n")]);
    fs::set_permissions(site.at("run"), fs::Permissions::from_mode(0o755)).unwrap();
    let patch = "\
diff --git a/a b/a
old mode 100644
new mode 100755
--- a/a
+++ b/a
@@ -1,2 +1,2 @@
-\u{feff}one
+\u{feff}ONE
 two
diff --git a/a b/copy
similarity index 60%
copy from a
copy to copy
--- a/a
+++ b/copy
@@ -2 +2,2 @@ one
 two
+three
diff --git a/run b/walk
old mode 100755
new mode 100644
similarity index 100%
rename from run
rename to walk
";
    let (text, details) = site.done("apply_patch", json!({ "patch": patch })).await;
    assert_eq!(text, "patched a (1 hunk)\ncopied a to copy\nrenamed run to walk");
    assert_eq!(details["paths"], json!(["a", "copy", "run", "walk"]));
    assert_eq!(site.get("a"), "\u{feff}ONE\ntwo\n");
    assert_eq!(site.get("copy"), "\u{feff}one\ntwo\nthree\n", "from the file as it was");
    let mode = |path: &str| fs::metadata(site.at(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("a"), mode("copy") & 0o100, mode("walk")), (0o755, 0, 0o644));
    assert!(!site.at("run").exists());
}
