//! Files that begin with a byte order mark and are not open: servers read them themselves and count it.

use std::fs;

use serde_json::json;

use crate::real::{Project, server};
use crate::support::Bench;

async fn play(test: &str, id: &str) {
    let Some(config) = server(test, id).await else { return };
    let project = Project::of("python");
    let marked = project.root().join("marked.py");
    let before = "\u{feff}from shop.order import total\r\ntotal([5])\r\n";
    fs::write(&marked, before).unwrap();
    let line = project.line("shop/order.py", "def total");
    let bench = Bench::real(&project, config);

    let ask = json!({
        "action": "references", "file": "shop/order.py", "line": line, "symbol": "total"
    });
    let (text, details) = bench.ok(ask).await;
    let places = details["locations"].as_array().unwrap();
    let columns: Vec<_> = places
        .iter()
        .filter(|place| place["path"] == "marked.py")
        .map(|place| (place["line"].as_u64().unwrap(), place["column"].as_u64().unwrap()))
        .collect();
    assert_eq!(columns, [(1, 24), (2, 1)], "{id}: {text}");

    // Another file, which the question above has not opened.
    fs::write(project.root().join("second.py"), before).unwrap();
    let rename = json!({
        "file": "shop/order.py", "line": line, "symbol": "total", "new_name": "summe"
    });
    bench.tool("lsp_rename", rename).await;
    for name in ["marked.py", "second.py"] {
        let after = fs::read_to_string(project.root().join(name)).unwrap();
        assert_eq!(after, "\u{feff}from shop.order import summe\r\nsumme([5])\r\n", "{id}: {name}");
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ty_counts_no_mark() {
    play("ty_counts_no_mark", "ty").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pyright_counts_no_mark() {
    play("pyright_counts_no_mark", "pyright").await;
}
