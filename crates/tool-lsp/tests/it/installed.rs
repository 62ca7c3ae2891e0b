//! The servers that the rest is tested with are there, and the sample projects are what their table says.

use crate::real::{Project, server};
use tool_lsp::Servers;

/// A red run without these would prove little.
#[tokio::test]
async fn the_required_servers_are_installed() {
    for id in
        ["rust-analyzer", "clangd", "ty", "pyright", "typescript-native", "typescript", "gopls"]
    {
        if let Some(config) = server("the_required_servers_are_installed", id).await {
            assert_eq!(
                config.servers.iter().map(|spec| spec.id.as_str()).collect::<Vec<_>>(),
                [id]
            );
        }
    }
}

#[test]
fn the_sample_projects_hold_what_tests_count_on() {
    for (language, report, definition, hits) in [
        ("rust", "shop/src/report.rs", "shop/src/order.rs", 9),
        ("python", "shop/report.py", "shop/order.py", 9),
        ("typescript", "src/report.ts", "src/order.ts", 9),
        ("c", "src/report.c", "src/order.c", 7),
        ("go", "report/report.go", "order/order.go", 7),
    ] {
        let project = Project::of(language);
        let text = project.read(report);
        assert!(text.contains("\r\n") && !text.replace("\r\n", "").contains('\n'), "{report}");
        assert!(project.line(definition, if language == "go" { "Total(" } else { "total(" }) > 1);
        let sources = project.listing().into_iter().filter(|path| {
            path.rsplit_once('.')
                .is_some_and(|(_, end)| ["rs", "py", "ts", "c", "h", "go"].contains(&end))
        });
        let words = |text: String| {
            let words =
                text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_lowercase);
            words.filter(|word| word == "total").count()
        };
        let sum: usize = sources.map(|path| words(project.read(&path))).sum();
        assert_eq!(sum, hits, "{language}");
    }
}

#[test]
fn a_harness_adds_changes_and_removes_servers() {
    let mut servers = Servers::builtin();
    assert!(servers.change("ty", |spec| spec.install = "pipx install ty".into()));
    assert_eq!(servers.get("ty").unwrap().install, "pipx install ty");
    assert!(servers.remove("pyright") && !servers.remove("pyright"));
    let mut mine = tool_lsp::ServerSpec::new("mine", tool_lsp::Role::Types);
    mine.documents.push(("py".into(), "python".into()));
    servers.add(mine);
    assert_eq!(servers.iter().next().unwrap().id, "mine");
}
