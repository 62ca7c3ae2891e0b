//! The project's own checks by the real tools, on the sample projects broken in one place.

use serde_json::{Value, json};
use tool_core::{CallRequest, CloseWhy, ConversationId, RegistryBuilder, RunScope, Tier};
use tool_lsp::{LspConfig, LspPack, Servers};
use tool_wire::{Finder, Query};
use tool_workspace::Root;

use crate::real::{Project, path};

/// Whether a program of the toolbox or the system is there; if not, the named test is skipped.
async fn there(test: &str, program: &str) -> bool {
    let query =
        Query { names: vec![program.to_owned()], folders: Vec::new(), path: true, probe: None };
    let found = Finder::with_path(&path()).find(&query).await.is_ok();
    if !found {
        // Where there is no Go, nobody expects its checks.
        println!(
            "{} {test}: {program} is not installed",
            if program == "go" { "without" } else { "SKIP" }
        );
    }
    found
}

/// The facts of `diagnostics` for `"*"`, or the error's.
async fn check(project: &Project, trusted: bool) -> Value {
    let root = Root::open(&project.root()).unwrap();
    let scope = RunScope::builder(ConversationId::from("test"))
        .workspace(root.path())
        .cap(Tier::Read)
        .trust(Some(trusted))
        .build();
    let mut config = LspConfig { path: Some(path()), ..LspConfig::default() };
    config.servers = Servers::none();
    let view = RegistryBuilder::new()
        .pack(LspPack::new(root, project.state(), config, trusted))
        .build(scope)
        .unwrap();
    let args = json!({ "action": "diagnostics", "file": "*" });
    let result = view.invoke(CallRequest::new("lsp", args)).await.result;
    let report = view.scope().close(CloseWhy::Finished, std::time::Duration::from_secs(30)).await;
    assert!(report.is_clean(), "{report:?}");
    match result {
        Ok(output) => {
            println!("{}", output.render_text());
            Value::Object(output.details)
        }
        Err(error) => {
            println!("{error}");
            Value::Object(error.detail_map().clone())
        }
    }
}

/// Id, folder and verdict of each check, in the order of ids.
fn verdicts(details: &Value) -> Vec<(&str, &str, &str)> {
    let list = details["checks"].as_array().expect("a list").iter();
    let mut list: Vec<_> = list
        .map(|c| {
            let text = |key: &str| c[key].as_str().unwrap_or_default();
            (text("id"), text("root"), text("verdict"))
        })
        .collect();
    list.sort_unstable();
    list
}

/// `path:line code` of each diagnostic.
fn found(details: &Value) -> Vec<String> {
    let list = details["diagnostics"].as_array().expect("a list").iter();
    list.map(|d| {
        format!(
            "{}:{} {}",
            d["path"].as_str().unwrap(),
            d["line"],
            d["code"].as_str().unwrap_or("-")
        )
    })
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn cargo_checks_every_workspace() {
    let project = Project::of("rust");
    let before = project.listing();
    let clean = check(&project, true).await;
    assert_eq!(
        verdicts(&clean),
        [("cargo check", ".", "clean"), ("cargo check", "nested/tool", "clean")],
        "{clean}"
    );
    let report = project.read("shop/src/report.rs");
    project.write("shop/src/report.rs", &report.replace("total(prices)", "totals(prices)"));
    let broken = check(&project, true).await;
    assert_eq!(verdicts(&broken)[0], ("cargo check", ".", "found"));
    // In `cli`, too, it is told that `shop` does not compile by its own errors alone.
    assert!(found(&broken).contains(&"shop/src/report.rs:7 E0425".to_owned()), "{broken}");
    assert_eq!(project.listing(), before, "nothing is written into the checkout");
    let untrusted = check(&project, false).await;
    assert_eq!(untrusted["reason"], "untrusted", "{untrusted}");
    assert_eq!(verdicts(&untrusted)[0], ("cargo check", ".", "skipped"));
}

#[tokio::test(flavor = "multi_thread")]
async fn python_is_checked_by_what_it_configures() {
    const TEST: &str = "python_is_checked_by_what_it_configures";
    if !there(TEST, "ty").await || !there(TEST, "pyright").await {
        return;
    }
    let project = Project::of("python");
    for (config, id, code) in [
        ("[tool.ty]\n", "ty check", "unresolved-reference"),
        ("[tool.pyright]\n", "pyright", "reportUndefinedVariable"),
    ] {
        let base = project.read("pyproject.toml");
        project.write("pyproject.toml", &format!("{base}\n{config}"));
        let report = project.read("shop/report.py");
        let clean = check(&project, false).await;
        assert_eq!(verdicts(&clean), [(id, ".", "clean")], "{clean}");
        project.write("shop/report.py", &report.replace("total(prices)", "totals(prices)"));
        let broken = check(&project, false).await;
        assert_eq!(verdicts(&broken), [(id, ".", "found")]);
        assert_eq!(found(&broken)[0], format!("shop/report.py:8 {code}"), "{broken}");
        project.write("pyproject.toml", &base);
        project.write("shop/report.py", &report);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_is_checked_of_each_age() {
    const TEST: &str = "typescript_is_checked_of_each_age";
    if !there(TEST, "tsc").await || !there(TEST, "node").await {
        return;
    }
    for major in [5, 7] {
        let project = Project::typescript(major);
        let before = project.listing();
        let clean = check(&project, true).await;
        assert_eq!(
            verdicts(&clean),
            [("tsc", ".", "clean"), ("tsc", "nested/tool", "clean")],
            "{clean}"
        );
        let report = project.read("src/report.ts");
        project.write("src/report.ts", &report.replace("total(prices)", "total(\"\")"));
        let broken = check(&project, true).await;
        assert_eq!(found(&broken), ["src/report.ts:7 TS2345"], "{broken}");
        // Projects that refer to each other, the broken one below: both are checked, and nothing is written.
        let composite = r#"{ "compilerOptions": { "composite": true, "strict": true }, "include": ["src"], "references": [{ "path": "../.." }] }"#;
        project.write("nested/tool/tsconfig.json", composite);
        let own = project.read("tsconfig.json").replace("\"noEmit\": true", "\"composite\": true");
        project.write("tsconfig.json", &own);
        project.write("nested/tool/src/more.ts", "const a: string = 1;\nexport { a };\n");
        let both = check(&project, true).await;
        let told = found(&both);
        assert!(told.contains(&"nested/tool/src/more.ts:1 TS2322".to_owned()), "{both}");
        assert!(told.contains(&"src/report.ts:7 TS2345".to_owned()), "{both}");
        let mut after = project.listing();
        after.retain(|name| name != "nested/tool/src/more.ts");
        assert_eq!(after, before, "nothing is written into the checkout");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn go_is_built_and_vetted() {
    if !there("go_is_built_and_vetted", "go").await {
        return;
    }
    let project = Project::of("go");
    let clean = check(&project, true).await;
    let id = "go build, go vet";
    assert_eq!(verdicts(&clean), [(id, ".", "clean"), (id, "nested/tool", "clean")], "{clean}");
    let main = project.read("main.go");
    project.write("main.go", &main.replace("order.Total([]", "order.Totals([]"));
    project.write("order/order_test.go", "package order\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Errorf(\"%d\", \"x\") }\n");
    let broken = check(&project, true).await;
    let line = project.line("main.go", "order.Totals(");
    assert_eq!(
        found(&broken),
        [format!("main.go:{line} -"), "order/order_test.go:5 -".into()],
        "{broken}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn c_is_checked_by_its_compile_database() {
    if !there("c_is_checked_by_its_compile_database", "clangd").await {
        return;
    }
    let project = Project::of("c");
    let before = project.listing();
    let clean = check(&project, false).await;
    assert_eq!(verdicts(&clean), [("clangd --check", ".", "clean")], "{clean}");
    let report = project.read("src/report.c");
    project
        .write("src/report.c", &report.replace("total(prices, count)", "total(prices, count, )"));
    let broken = check(&project, false).await;
    assert_eq!(found(&broken)[0].split(' ').next(), Some("src/report.c:7"), "{broken}");
    assert_eq!(project.listing(), before, "nothing is written into the checkout");
}
