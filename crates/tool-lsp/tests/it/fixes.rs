//! What real servers offer to mend: fixes hang on diagnostics that are sent back.

use serde_json::json;

use crate::real::{Project, server};
use crate::support::Bench;

/// Breaks a file and asks for what is offered at a name on its broken line; one title must have each of some words.
async fn offered(
    test: &str,
    id: &str,
    project: Project,
    file: &str,
    text: &str,
    at: (u32, &str),
    words: &[&str],
) {
    let Some(config) = server(test, id).await else { return };
    project.write(file, text);
    let bench = Bench::real(&project, config);
    let ask = json!({ "action": "code_actions", "file": file, "line": at.0, "symbol": at.1 });
    let (text, details) = bench.ok(ask).await;
    let actions = details["actions"].as_array().unwrap();
    let fits = |title: &str| words.iter().all(|word| title.contains(word));
    let one = actions.iter().find(|a| fits(a["title"].as_str().unwrap()));
    let one = one.unwrap_or_else(|| panic!("{text}"));
    assert!(one["kind"].as_str().unwrap().starts_with("quickfix"), "{one}");
    assert_eq!(project.read(file), project_text(&bench, file), "nothing was written");
    bench.close().await;
}

fn project_text(bench: &Bench, file: &str) -> String {
    std::fs::read_to_string(bench.path(file)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_5_offers_an_import() {
    let text = "export const all = total([1]);\n";
    let project = Project::typescript(5);
    offered(
        "typescript_5_offers_an_import",
        "typescript",
        project,
        "src/new.ts",
        text,
        (1, "total"),
        &["import", "./order"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_7_offers_an_import() {
    let text = "export const all = total([1]);\n";
    let project = Project::typescript(7);
    offered(
        "typescript_7_offers_an_import",
        "typescript-native",
        project,
        "src/new.ts",
        text,
        (1, "total"),
        &["import", "./order"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rust_analyzer_offers_an_import() {
    let project = Project::of("rust");
    let text = "fn main() {\n    println!(\"{}\", total(&[1]));\n}\n";
    offered(
        "rust_analyzer_offers_an_import",
        "rust-analyzer",
        project,
        "cli/src/main.rs",
        text,
        (2, "total"),
        &["mport", "shop::order::total"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clangd_offers_its_fix() {
    let project = Project::of("c");
    let text = "#include \"order.h\"\n\nint main(void) {\n    unsigned sum;\n    if (sum = total(0, 0)) return 1;\n    return 0;\n}\n";
    offered(
        "clangd_offers_its_fix",
        "clangd",
        project,
        "src/main.c",
        text,
        (5, "total"),
        &["parentheses"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ruff_offers_to_remove_an_import() {
    let project = Project::of("python");
    offered(
        "ruff_offers_to_remove_an_import",
        "ruff",
        project,
        "new.py",
        "import os\n",
        (1, "os"),
        &["Remove unused import"],
    )
    .await;
}
