//! A cut answer of any tool, and `read` of what was cut.

use std::time::Duration;

use tempfile::TempDir;
use tool_core::serde_json::json;
use tool_core::{
    CallOutcome, CallRequest, CloseWhy, ErrorKind, FnTool, RegistryBuilder, RunScope, Tier,
    ToolOutput, ToolSpec, ToolView,
};
use tool_files::{FilesPack, Spills};
use tool_workspace::{Journals, Root};

const LINES: usize = 10_000;

fn lines() -> String {
    (1..=LINES).map(|n| format!("line {n}\n")).collect()
}

fn view(dir: &TempDir) -> ToolView {
    let (checkout, state) = (dir.path().join("checkout"), dir.path().join("state"));
    std::fs::create_dir_all(&checkout).unwrap();
    let root = Root::open(&checkout).unwrap();
    let scope = RunScope::builder("c").workspace(root.path()).state_dir(&state).build();
    let schema = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    let talk = FnTool::new(ToolSpec::new("talk", Tier::Read, "Talks.", schema), |_, _| async {
        Ok(ToolOutput::text(lines()))
    });
    let files =
        FilesPack::new(root.clone(), Journals::open(&state, &root)).spills(Spills::of(&scope));
    RegistryBuilder::new().tool(talk).pack(files).build(scope).unwrap()
}

async fn talk(view: &ToolView) -> String {
    let outcome = view.invoke(CallRequest::new("talk", json!({}))).await;
    let text = outcome.render_text();
    let (_, rest) = text.split_once("all of it is in ").unwrap();
    rest.split_once("]\n").unwrap().0.to_owned()
}

async fn read(view: &ToolView, path: &str) -> CallOutcome {
    let args = json!({ "path": path, "start_line": 5_000, "end_line": 5_001 });
    view.invoke(CallRequest::new("read", args)).await
}

#[tokio::test]
async fn the_file_that_a_cut_names_can_be_read_in_parts() {
    let dir = tempfile::tempdir().unwrap();
    let view = view(&dir);
    let file = talk(&view).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), lines());
    let part = read(&view, &file).await;
    assert_eq!(part.render_text(), "line 5000\nline 5001\n\n[lines 5000 to 5001 of 10000]");
    assert_eq!(part.details()["paths"], json!([file]));

    assert!(view.scope().close(CloseWhy::Finished, Duration::from_secs(5)).await.is_clean());
    assert!(!std::path::Path::new(&file).exists(), "it ends with the run");
}

#[tokio::test]
async fn another_run_and_other_files_are_as_far_away_as_ever() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (view(&dir), view(&dir));
    let file = talk(&one).await;
    std::fs::write(dir.path().join("secret"), "x").unwrap();
    for path in [file.as_str(), dir.path().join("secret").to_str().unwrap()] {
        let refused = read(&two, path).await.result.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Refused, "{refused}");
    }
    let beside = file.replace("cut-1", "cut-2");
    assert_eq!(read(&one, &beside).await.result.unwrap_err().kind(), ErrorKind::Refused);
    // Written by nobody but the run: a file that was put in the place of one is still only that file.
    let gone = file.clone();
    std::fs::remove_file(&gone).unwrap();
    assert_eq!(read(&one, &gone).await.result.unwrap_err().kind(), ErrorKind::Failed);
}
