//! Diagnostics on write against real servers: what a write breaks is said in its own result, and nothing else is.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tool_core::{CallRequest, CloseWhy, ConversationId, RegistryBuilder, RunScope, Tier, ToolView};
use tool_files::FilesPack;
use tool_lsp::{LspConfig, LspPack};
use tool_workspace::{Journals, Root};

use crate::real::{Project, server};

/// A project with `write`, `edit`, `apply_patch` and `lsp` over it.
struct Shop {
    view: ToolView,
    project: Project,
}

impl Shop {
    /// The project with a server of this id, ready; `None` where it is not installed.
    async fn open(test: &str, id: &str, project: fn() -> Project, main: &str) -> Option<Self> {
        let shop = Self::cold(test, id, project, true).await?;
        // The explicit question waits until the server knows the project.
        shop.diagnostics(main).await;
        Some(shop)
    }

    async fn cold(test: &str, id: &str, project: fn() -> Project, trusted: bool) -> Option<Self> {
        let mut config = server(test, id).await?;
        config.write_wait = Duration::from_secs(30);
        let project = project();
        Some(Self { view: tools(&project, config, trusted), project })
    }

    async fn call(&self, tool: &str, args: Value) -> (String, Map<String, Value>) {
        let outcome = self.view.invoke(CallRequest::new(tool, args)).await;
        let output = outcome.result.unwrap_or_else(|error| panic!("{tool}: {error}"));
        println!("{tool}: {}\n{:?}", output.render_text(), output.details);
        (output.render_text(), output.details)
    }

    async fn diagnostics(&self, file: &str) -> Map<String, Value> {
        self.call("lsp", json!({ "action": "diagnostics", "file": file })).await.1
    }

    async fn write(&self, file: &str, text: &str) -> Map<String, Value> {
        self.call("write", json!({ "path": file, "content": text })).await.1
    }

    async fn edit(&self, file: &str, old: &str, new: &str) -> Map<String, Value> {
        self.call("edit", json!({ "path": file, "old": old, "new": new })).await.1
    }

    async fn close(self) {
        let report = self.view.scope().close(CloseWhy::Finished, Duration::from_secs(30)).await;
        assert!(report.is_clean(), "{report:?}");
    }
}

fn tools(project: &Project, config: LspConfig, trusted: bool) -> ToolView {
    let root = Root::open(&project.root()).unwrap();
    let scope = RunScope::builder(ConversationId::from("test"))
        .workspace(root.path())
        .cap(Tier::Exec)
        .build();
    let journals = Journals::open(&project.state(), &root);
    RegistryBuilder::new()
        .pack(FilesPack::new(root.clone(), journals))
        .pack(LspPack::new(root, project.state(), config, trusted))
        .build(scope)
        .unwrap()
}

/// Where new diagnostics are, as `path:line`, sorted.
fn places(details: &Map<String, Value>) -> Vec<String> {
    let items = details.get("diagnostics").and_then(Value::as_array);
    let mut places: Vec<String> = items
        .unwrap_or_else(|| panic!("no verdict: {details:?}"))
        .iter()
        .map(|d| format!("{}:{}", d["path"].as_str().unwrap(), d["line"]))
        .collect();
    places.sort();
    places
}

#[track_caller]
fn nothing_new(details: &Map<String, Value>) {
    assert_eq!(places(details), Vec::<String>::new());
    assert_eq!(details["new"], 0);
}

/// One language: how to break what.
struct Case {
    server: &'static str,
    project: fn() -> Project,
    main: &'static str,
    /// A file with a function, its head, and a head that no caller fits.
    callee: &'static str,
    head: (&'static str, &'static str),
    /// Files in which something breaks then, of which none is open but `main`.
    breaks: &'static [&'static str],
    /// A text of `main` before which a line with an error can stand, and two such lines whose errors read the same.
    anchor: &'static str,
    error: &'static str,
    /// A line that says nothing wrong.
    comment: &'static str,
}

async fn breaks_and_mends(test: &str, case: &Case) {
    let Some(shop) = Shop::open(test, case.server, case.project, case.main).await else { return };
    let Case { main, anchor, error, comment, .. } = case;

    // Clean and clean again.
    nothing_new(&shop.edit(main, anchor, &format!("{comment}{anchor}")).await);
    nothing_new(&shop.edit(main, anchor, &format!("{comment}{anchor}")).await);

    // An error, once.
    let one = format!("{error}{anchor}");
    let broken = shop.edit(main, anchor, &one).await;
    assert_eq!(broken["new"], 1, "{broken:?}");

    // It slides down four lines: not new.
    let slid = format!("{comment}{comment}{comment}{comment}{one}");
    let details = shop.edit(main, &one, &slid).await;
    nothing_new(&details);

    // A second one with the same words is new, and only it.
    let two = format!("{error}{one}");
    let details = shop.edit(main, &one, &two).await;
    assert_eq!(details["new"], 1, "{details:?}");

    // Fixed, and back: new again.
    let details = shop.edit(main, &two, anchor).await;
    nothing_new(&details);
    assert_eq!(details["fixed"], 2, "{details:?}");
    let details = shop.edit(main, anchor, &one).await;
    assert_eq!(details["new"], 1, "{details:?}");
    nothing_new(&shop.edit(main, &one, anchor).await);

    // Somebody else breaks the file; our write is not blamed.
    let text = shop.project.read(main);
    shop.project.write(main, &text.replace(anchor, &one));
    let details = shop.edit(main, &one, &format!("{comment}{one}")).await;
    nothing_new(&details);
    nothing_new(&shop.write(main, &text).await);

    // A head that no caller fits any more.
    let details = shop.edit(case.callee, case.head.0, case.head.1).await;
    let broken: Vec<String> =
        places(&details).iter().map(|p| p.split(':').next().unwrap().to_owned()).collect();
    for file in case.breaks {
        assert!(broken.iter().any(|path| path == file), "{file} breaks, too: {broken:?}");
    }
    let details = shop.edit(case.callee, case.head.1, case.head.0).await;
    nothing_new(&details);
    assert_eq!(details["fixed"], broken.len(), "{details:?}");
    shop.close().await;
}

const PYTHON: Case = Case {
    server: "ty",
    project: || Project::of("python"),
    main: "main.py",
    callee: "shop/order.py",
    head: (
        "def total(prices: list[int]) -> int:",
        "def total(prices: list[int], rate: int) -> int:",
    ),
    breaks: &["main.py", "shop/report.py", "shop/größe.py"],
    anchor: "    print(line([1, 2])",
    error: "    no_such_name()\n",
    comment: "    # nothing\n",
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ty_says_what_a_write_breaks() {
    breaks_and_mends("ty_says_what_a_write_breaks", &PYTHON).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pyright_says_what_a_write_breaks() {
    let case = Case { server: "pyright", ..PYTHON };
    breaks_and_mends("pyright_says_what_a_write_breaks", &case).await;
}
