//! The rules that every tool of the family keeps.

use std::path::Path;

use serde_json::json;
use tool_core::conform::{Conform, check};
use tool_testkit::{Script, Verb};

use crate::support::{Bench, uri};

#[tokio::test(flavor = "multi_thread")]
async fn the_tools_conform() {
    let benches = std::sync::Mutex::new(Vec::new());
    let views = move || {
        let capabilities = json!({
            "textDocumentSync": 1, "definitionProvider": true, "documentSymbolProvider": true, "renameProvider": true,
        });
        let bench = Bench::scripted(&[("a.x", "one two\n")], &capabilities, renames);
        let view = bench.view.clone();
        benches.lock().unwrap().push(bench);
        view
    };
    let conform = Conform::new(views)
        .sample("lsp", json!({ "action": "definition", "file": "a.x", "line": 1, "symbol": "one" }))
        .sample("lsp", json!({ "action": "symbols", "file": "a.x" }))
        .sample("lsp", json!({ "action": "status" }))
        .sample(
            "lsp_rename",
            json!({ "file": "a.x", "line": 1, "symbol": "one", "new_name": "uno" }),
        );
    check(&conform).await.assert_complete();
}

/// Renames the first word of the file, as often as the kit asks for it.
fn renames(root: &Path) -> Script {
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 3 } });
    let edits =
        json!({ "changes": { uri(&root.join("a.x")): [{ "range": range, "newText": "uno" }] } });
    let step = |script: Script, _| script.on("textDocument/rename", [Verb::Reply(edits.clone())]);
    (0..8).fold(Script::new(), step)
}
