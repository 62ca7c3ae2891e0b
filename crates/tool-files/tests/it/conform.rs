//! Every tool keeps the rules that a registry relies on.

use std::fs;
use std::sync::Mutex;

use tempfile::TempDir;
use tool_core::conform::{Conform, check};
use tool_core::serde_json::json;
use tool_core::{RegistryBuilder, RunScope, lint};
use tool_files::FilesPack;
use tool_workspace::{Journals, Root};

/// A view over a fresh checkout; the folders live until the test process ends or `kept` is dropped.
fn view(kept: &Mutex<Vec<TempDir>>) -> tool_core::ToolView {
    let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let checkout = dir.path().join("checkout");
    fs::create_dir(&checkout).unwrap();
    fs::write(checkout.join("a.txt"), "one\ntwo\n").unwrap();
    let root = Root::open(&checkout).unwrap();
    let journals = Journals::open(&dir.path().join("state"), &root);
    let scope = RunScope::builder("c").workspace(root.path()).build();
    kept.lock().unwrap().push(dir);
    RegistryBuilder::new().pack(FilesPack::new(root, journals)).build(scope).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_tools_keep_the_rules() {
    static KEPT: Mutex<Vec<TempDir>> = Mutex::new(Vec::new());
    let patch = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n";
    let report = check(
        &Conform::new(|| view(&KEPT))
            .sample("read", json!({ "path": "a.txt", "start_line": 1, "end_line": 1 }))
            .sample("write", json!({ "path": "b/c.txt", "content": "x" }))
            .sample("edit", json!({ "path": "a.txt", "old": "two", "new": "2", "all": true }))
            .sample("apply_patch", json!({ "patch": patch })),
    )
    .await;
    KEPT.lock().unwrap().clear();
    report.assert_complete();
    assert_eq!(report.tools, 4);
}

#[test]
fn all_schemas_are_portable() {
    let kept = Mutex::default();
    for spec in view(&kept).surface() {
        assert!(lint(spec).is_empty(), "{}: {:?}", spec.name(), lint(spec));
    }
}
