//! Diagnostics on write against real servers: what a write breaks is said in its own result, and nothing else is.

use std::time::{Duration, Instant};

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
    /// A file, a text of it, and what to put there: it uses `extra`, which is not there.
    early: (&'static str, &'static str, &'static str),
    /// That file.
    extra: (&'static str, &'static str),
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
    let args = json!({ "path": main, "old": one, "new": format!("{comment}{one}") });
    let (said, details) = shop.call("edit", args).await;
    // The compiler may need longer than a baseline may take; then that is said.
    if !said.contains("what was there before this write is not known") {
        nothing_new(&details);
    }
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

    // Something is used that is not there, and then it is created.
    let (user, place, using) = case.early;
    let details = shop.edit(user, place, using).await;
    assert_eq!(errors(&details), 1, "{details:?}");
    let details = shop.write(case.extra.0, case.extra.1).await;
    assert_eq!(errors(&details), 0, "{details:?}");
    // gopls 0.23 answers a moment from before it has looked at the new folder.
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let said = shop.diagnostics(user).await;
        let clean = said["diagnostics"].as_array().unwrap().iter().all(not_an_error);
        if clean {
            break;
        }
        assert!(Instant::now() < until, "{said:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // And goes away again. A server that only speaks unasked may take its time: then it comes with a later result.
    let patch = removal(case.extra.0, case.extra.1);
    let (mut text, _) = shop.call("apply_patch", json!({ "patch": patch })).await;
    let until = Instant::now() + Duration::from_secs(60);
    while !text.contains(": error: ") && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(50)).await;
        text = shop.call("read", json!({ "path": user })).await.0;
    }
    assert!(text.contains(&format!("{user}:")) && text.contains(": error: "), "{text}");

    // Both in one patch: nothing is wrong at any time.
    let details = shop.edit(user, using, place).await;
    assert_eq!(errors(&details), 0, "{details:?}");
    let patch = format!(
        "{}{}",
        replacement(user, place, using, &shop.project.read(user)),
        creation(case.extra.0, case.extra.1)
    );
    let details = shop.call("apply_patch", json!({ "patch": patch })).await.1;
    assert_eq!(errors(&details), 0, "{details:?}");
    shop.close().await;
}

/// How many of them are errors.
fn errors(details: &Map<String, Value>) -> usize {
    let items = details.get("diagnostics").and_then(Value::as_array);
    let items = items.unwrap_or_else(|| panic!("no verdict: {details:?}"));
    items.iter().filter(|d| !not_an_error(d)).count()
}

fn not_an_error(d: &Value) -> bool {
    d["severity"] != "error"
}

fn removal(path: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("-{line}\n")).collect();
    format!("--- a/{path}\n+++ /dev/null\n@@ -1,{} +0,0 @@\n{lines}", text.lines().count())
}

fn creation(path: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
    format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{} @@\n{lines}", text.lines().count())
}

/// The first line that holds `old` is replaced.
fn replacement(path: &str, old: &str, new: &str, text: &str) -> String {
    let old_line = text.lines().find(|line| line.contains(old.trim_end())).unwrap();
    let at = text.lines().position(|line| line == old_line).unwrap() + 1;
    let new_text = format!("{old_line}\n").replace(old, new);
    let lines: String = new_text.lines().map(|line| format!("+{line}\n")).collect();
    format!(
        "--- a/{path}\n+++ b/{path}\n@@ -{at} +{at},{} @@\n-{old_line}\n{lines}",
        new_text.lines().count()
    )
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
    early: (
        "main.py",
        "from shop.report import line\n",
        "from shop.extra import extra\nfrom shop.report import line\n",
    ),
    extra: ("shop/extra.py", "def extra() -> int:\n    return 1\n"),
};

const TYPESCRIPT: Case = Case {
    server: "typescript-native",
    project: || Project::typescript(7),
    main: "src/main.ts",
    callee: "src/order.ts",
    head: ("total(prices: number[]): number {", "total(prices: number[], rate: number): number {"),
    breaks: &["src/main.ts", "src/report.ts", "src/größe.ts"],
    anchor: "export const all",
    error: "noSuchName();\n",
    comment: "// nothing\n",
    early: (
        "src/main.ts",
        "import { line }",
        "import { extra } from \"./extra\";\nexport const more = extra();\nimport { line }",
    ),
    extra: ("src/extra.ts", "export function extra(): number {\n  return 1;\n}\n"),
};

const C: Case = Case {
    server: "clangd",
    project: || Project::of("c"),
    main: "src/main.c",
    callee: "src/order.h",
    head: (
        "total(const unsigned *prices, size_t count);",
        "total(const unsigned *prices, size_t count, int rate);",
    ),
    breaks: &["src/main.c", "src/report.c", "src/größe.c"],
    anchor: "    const char *size",
    error: "    no_such_name = 1;\n",
    comment: "    // nothing\n",
    early: (
        "src/main.c",
        "#include \"report.h\"\n",
        "#include \"report.h\"\n#include \"extra.h\"\n",
    ),
    extra: ("src/extra.h", "enum extra { EXTRA };\n"),
};

const GO: Case = Case {
    server: "gopls",
    project: || Project::of("go"),
    main: "main.go",
    callee: "order/order.go",
    head: ("func Total(prices []int) int {", "func Total(prices []int, rate int) int {"),
    breaks: &["main.go", "report/report.go", "size/größe.go"],
    anchor: "\tbooks :=",
    error: "\tnoSuchName()\n",
    comment: "\t// nothing\n",
    early: ("main.go", "\t\"fmt\"\n", "\t\"fmt\"\n\n\t_ \"example.com/shop/extra\"\n"),
    extra: ("extra/extra.go", "// Package extra is small.\npackage extra\n"),
};

const RUST: Case = Case {
    server: "rust-analyzer",
    project: || Project::of("rust"),
    main: "cli/src/main.rs",
    callee: "shop/src/order.rs",
    head: (
        "pub fn total(prices: &[u32]) -> u32 {",
        "pub fn total(prices: &[u32], _rate: u32) -> u32 {",
    ),
    breaks: &["cli/src/main.rs", "shop/src/report.rs", "shop/src/größe.rs"],
    anchor: "    println!(",
    error: "    no_such_name();\n",
    comment: "    // nothing\n",
    early: ("shop/src/lib.rs", "pub mod report;\n", "pub mod report;\npub mod extra;\n"),
    extra: ("shop/src/extra.rs", "//! Small.\n"),
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn native_typescript_says_what_a_write_breaks() {
    breaks_and_mends("native_typescript_says_what_a_write_breaks", &TYPESCRIPT).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tsserver_says_what_a_write_breaks() {
    let case = Case { server: "typescript", project: || Project::typescript(5), ..TYPESCRIPT };
    breaks_and_mends("tsserver_says_what_a_write_breaks", &case).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clangd_says_what_a_write_breaks() {
    breaks_and_mends("clangd_says_what_a_write_breaks", &C).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gopls_says_what_a_write_breaks() {
    breaks_and_mends("gopls_says_what_a_write_breaks", &GO).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rust_analyzer_says_what_a_write_breaks() {
    breaks_and_mends("rust_analyzer_says_what_a_write_breaks", &RUST).await;
}

/// The first call of a run that is not trusted: the server starts because of it, and what the write breaks is said, if not in
/// this result, then in a later one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cold_server_of_an_untrusted_run_tells_in_the_end() {
    let test = "a_cold_server_of_an_untrusted_run_tells_in_the_end";
    for id in ["ty", "pyright"] {
        let Some(shop) = Shop::cold(test, id, || Project::of("python"), false).await else {
            return;
        };
        let broken = "from shop.order import total\n\ntotal(no_such_name)\n";
        let args = json!({ "path": "new.py", "content": broken });
        let (mut text, details) = shop.call("write", args).await;
        assert_eq!(details["written"], true);
        assert!(!text.contains("No new problems"), "{text}");
        let until = Instant::now() + Duration::from_secs(120);
        while !text.contains("new.py:3: error: ") && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(50)).await;
            text = shop.call("read", json!({ "path": "main.py" })).await.0;
        }
        assert!(text.contains("no_such_name"), "{id}: {text}");
        shop.close().await;
    }
}
