//! The rules that every tool of the family keeps.

use serde_json::json;
use tool_core::conform::{Conform, check};

use crate::support::Bench;

#[tokio::test(flavor = "multi_thread")]
async fn the_three_tools_conform() {
    let benches = std::sync::Mutex::new(Vec::new());
    let views = move || {
        let bench = Bench::new();
        bench.write("a.py", "foo(1)\nbar(foo(2))\n").write("b.py", "x = foo(3)\n");
        let view = bench.view.clone();
        stage_two(&bench);
        benches.lock().unwrap().push(bench);
        view
    };
    let conform = Conform::new(views)
        .sample("ast_grep", json!({ "pattern": "foo($A)", "language": "python" }))
        .sample("ast_grep", json!({ "pattern": "foo($A)", "path": "a.py", "max_results": 1 }))
        .sample(
            "ast_edit",
            json!({ "pattern": "foo($A)", "rewrite": "qux($A)", "language": "python" }),
        )
        .sample("resolve", json!({ "edit_id": "edit_1", "action": "discard" }))
        .sample("resolve", json!({ "edit_id": "edit_2", "action": "accept" }));
    check(&conform).await.assert_complete();
}

/// The kit makes its views outside of async code, so the edits are staged on a runtime of their own.
fn stage_two(bench: &Bench) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                for name in ["qux", "quux"] {
                    let rewrite = format!("{name}($A)");
                    bench
                        .stage(json!({ "pattern": "foo($A)", "rewrite": rewrite, "path": "a.py" }))
                        .await;
                }
            });
        });
    });
}
