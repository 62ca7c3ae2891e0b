//! The rules that every tool of the family keeps.

use serde_json::json;
use tool_core::conform::{Conform, check};
use tool_testkit::Script;

use crate::support::Bench;

#[tokio::test(flavor = "multi_thread")]
async fn lsp_conforms() {
    let benches = std::sync::Mutex::new(Vec::new());
    let views = move || {
        let capabilities = json!({ "textDocumentSync": 1, "definitionProvider": true, "documentSymbolProvider": true });
        let bench = Bench::scripted(&[("a.x", "one two\n")], &capabilities, |_| Script::new());
        let view = bench.view.clone();
        benches.lock().unwrap().push(bench);
        view
    };
    let conform = Conform::new(views)
        .sample("lsp", json!({ "action": "definition", "file": "a.x", "line": 1, "symbol": "one" }))
        .sample("lsp", json!({ "action": "symbols", "file": "a.x" }))
        .sample("lsp", json!({ "action": "status" }));
    check(&conform).await.assert_complete();
}
