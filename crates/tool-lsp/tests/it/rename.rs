//! Renames by real servers: across files, line ends, scripts and paths; and those that must not happen.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::{Value, json};
use tool_core::{
    CallOutcome, CallRequest, CloseWhy, ConversationId, RegistryBuilder, RunScope, Tier, ToolView,
};
use tool_lsp::{LspConfig, LspPack};
use tool_workspace::Root;

use crate::real::{Project, server};

/// A sample project with the tools over it, and where its things are.
struct Shop {
    view: ToolView,
    project: Project,
    /// Where `total` is declared, and a line that has it.
    order: &'static str,
    declaration: &'static str,
    /// Another file that uses it, and a piece of a line that does.
    user: (&'static str, &'static str),
    /// The file whose lines end as on Windows.
    report: &'static str,
    /// The file with characters beyond ASCII, in its name too, and its function there.
    size: (&'static str, &'static str),
    /// The name of `total` here, and two others for it.
    total: &'static str,
    others: [&'static str; 2],
    /// The name of `größe` here, and another.
    länge: [&'static str; 2],
    /// Edits by file for `total`.
    edits: &'static [(&'static str, u64)],
    /// How often the text has the name, and how often it still has it afterwards.
    hits: (u64, u64),
    /// A name that is taken where `total` is declared.
    taken: &'static str,
    keyword: &'static str,
}

impl Shop {
    async fn call(&self, file: &str, line: u32, symbol: &str, new_name: &str) -> CallOutcome {
        let args = json!({ "file": file, "line": line, "symbol": symbol, "new_name": new_name });
        self.view.invoke(CallRequest::new("lsp_rename", args)).await
    }

    async fn rename(&self, file: &str, text: &str, symbol: &str, new: &str) -> (String, Value) {
        let line = self.project.line(file, text);
        let outcome = self.call(file, line, symbol, new).await;
        let output =
            outcome.result.unwrap_or_else(|error| panic!("{error}: {:?}", error.detail_map()));
        println!("{}\n{:?}", output.render_text(), output.details);
        assert!(!output.touched.is_empty());
        (output.render_text(), Value::Object(output.details))
    }

    /// Kind and reason of the refusal; nothing of the project has changed.
    async fn refused(&self, file: &str, text: &str, symbol: &str, new: &str) -> (String, String) {
        let line = self.project.line(file, text);
        let before = self.texts();
        let outcome = self.call(file, line, symbol, new).await;
        let error = outcome.result.err().unwrap_or_else(|| panic!("{symbol} became {new}"));
        println!("{error}");
        assert_eq!(self.texts(), before, "a refused rename changes nothing");
        let reason = error.detail_map().get("reason").cloned().unwrap_or_default();
        (error.kind().as_str().to_owned(), reason.as_str().unwrap_or_default().to_owned())
    }

    /// The text of every file.
    fn texts(&self) -> Vec<(String, String)> {
        let names = self.project.listing().into_iter();
        let names = names.filter(|name| !name.starts_with("node_modules"));
        names
            .filter(|name| self.project.root().join(name).is_file())
            .map(|name| {
                let text = self.project.read(&name);
                (name, text)
            })
            .collect()
    }

    async fn everything(self) {
        self.across_files().await;
        self.beyond_ascii().await;
        self.refusals().await;
        self.read_only().await;
        let report = self.view.scope().close(CloseWhy::Finished, Duration::from_secs(30)).await;
        assert!(report.is_clean(), "{report:?}");
    }

    /// From a use in another file (an import site where there is one), every file follows; and back from the declaration.
    async fn across_files(&self) {
        let before = self.texts();
        let (file, text) = self.user;
        let (said, details) = self.rename(file, text, self.total, self.others[0]).await;
        let mut edits: Vec<(String, u64)> = details["files"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|f| {
                (f["path"].as_str().expect("a path").to_owned(), f["edits"].as_u64().expect("n"))
            })
            .collect();
        edits.sort();
        let wanted: Vec<(String, u64)> =
            self.edits.iter().map(|(path, n)| ((*path).to_owned(), *n)).collect();
        assert_eq!(edits, wanted, "{said}");
        assert_eq!(details["hits"].as_u64(), Some(self.hits.0), "{said}");
        assert_eq!(details["left_total"].as_u64(), Some(self.hits.1), "{said}");
        // Name for name, and nothing else: lines still end as they did, other text is as it was.
        for ((name, old), (_, new)) in before.iter().zip(self.texts()) {
            let count = self.edits.iter().find(|(path, _)| path == name).map_or(0, |(_, n)| *n);
            assert_eq!(new.matches(self.others[0]).count() as u64, count, "{name}");
            assert_eq!(&new.replace(self.others[0], self.total), old, "{name}");
        }
        assert!(self.project.read(self.report).contains("\r\n"));
        let declaration = self.declaration.replace(self.total, self.others[0]);
        self.rename(self.order, &declaration, self.others[0], self.total).await;
        assert_eq!(self.texts(), before);
    }

    /// An identifier and a file beyond ASCII, with a character outside of the basic plane on the line.
    async fn beyond_ascii(&self) {
        let before = self.texts();
        let (file, text) = self.size;
        let [size, length] = self.länge;
        let (said, details) = self.rename(file, text, size, length).await;
        assert!(details["edits"].as_u64().is_some_and(|n| n >= 2), "{said}");
        assert!(self.project.read(file).contains(&format!("{length}(")), "{said}");
        self.rename(file, &text.replace(size, length), length, size).await;
        assert_eq!(self.texts(), before);
        // The name stands behind the astral character.
        let other = self.others[1];
        let (said, _) = self.rename(file, "🦀", self.total, other).await;
        assert!(self.project.read(file).contains(&format!("{other}(")), "{said}");
        let declaration = self.declaration.replace(self.total, other);
        self.rename(self.order, &declaration, other, self.total).await;
        assert_eq!(self.texts(), before);
    }

    async fn refusals(&self) {
        let bad =
            [("1 bad-name", "new_name"), (self.keyword, "new_name"), (self.total, "new_name")];
        for (new, reason) in bad {
            let got = self.refused(self.order, self.declaration, self.total, new).await;
            assert_eq!(got, ("invalid_args".into(), reason.to_owned()), "{new}");
        }
        let got = self.refused(self.order, self.declaration, self.total, self.taken).await;
        // gopls looks for itself.
        let own = got.1 == "server_error" && self.order.ends_with(".go");
        assert!(own || got == ("conflict".into(), "collision".into()), "{got:?}");
        let (kind, _) = self.refused(self.order, self.declaration, "nowhere", "x").await;
        assert_eq!(kind, "invalid_args");
    }

    /// One file of several cannot be written: none is.
    async fn read_only(&self) {
        let path = self.project.root().join(self.report);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("made read-only");
        let got = self.refused(self.order, self.declaration, self.total, self.others[1]).await;
        assert_eq!(got, ("failed".into(), "not_writable".into()));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("made writable");
    }
}

fn tools(project: &Project, config: LspConfig) -> ToolView {
    let root = Root::open(&project.root()).expect("opened");
    let scope = RunScope::builder(ConversationId::from("test"))
        .workspace(root.path())
        .cap(Tier::Exec)
        .build();
    RegistryBuilder::new()
        .pack(LspPack::new(root, project.state(), config, true))
        .build(scope)
        .expect("built")
}

async fn python(test: &str, id: &str) -> Option<Shop> {
    let mut config = server(test, id).await?;
    config.diagnostics_on_write = false;
    let project = Project::of("python");
    Some(Shop {
        view: tools(&project, config),
        project,
        order: "shop/order.py",
        declaration: "def total(",
        user: ("main.py", "import Book, total"),
        report: "shop/report.py",
        size: ("shop/größe.py", "def größe("),
        total: "total",
        others: ["grandTotal", "sum_up"],
        länge: ["größe", "länge"],
        edits: &[("main.py", 2), ("shop/größe.py", 2), ("shop/order.py", 1), ("shop/report.py", 2)],
        hits: (9, 2),
        taken: "Book",
        keyword: "class",
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn ty_renames() {
    if let Some(shop) = python("ty_renames", "ty").await {
        shop.everything().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pyright_renames() {
    if let Some(shop) = python("pyright_renames", "pyright").await {
        shop.everything().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rust_analyzer_renames() {
    let Some(mut config) = server("rust_analyzer_renames", "rust-analyzer").await else { return };
    config.diagnostics_on_write = false;
    let project = Project::of("rust");
    let shop = Shop {
        view: tools(&project, config),
        project,
        order: "shop/src/order.rs",
        declaration: "pub fn total(",
        user: ("cli/src/main.rs", "use shop::order"),
        report: "shop/src/report.rs",
        size: ("shop/src/größe.rs", "pub fn größe("),
        total: "total",
        others: ["grandTotal", "sum_up"],
        länge: ["größe", "länge"],
        edits: &[
            ("cli/src/main.rs", 2),
            ("shop/src/größe.rs", 2),
            ("shop/src/order.rs", 1),
            ("shop/src/report.rs", 2),
        ],
        hits: (9, 2),
        taken: "Book",
        keyword: "match",
    };
    shop.everything().await;
}

async fn typescript(test: &str, id: &str, major: u32) {
    let Some(mut config) = server(test, id).await else { return };
    config.diagnostics_on_write = false;
    let project = Project::typescript(major);
    let shop = Shop {
        view: tools(&project, config),
        project,
        order: "src/order.ts",
        declaration: "export function total(",
        user: ("src/main.ts", "import { Book, total }"),
        report: "src/report.ts",
        size: ("src/größe.ts", "export function größe("),
        total: "total",
        others: ["grandTotal", "sum_up"],
        länge: ["größe", "länge"],
        edits: &[
            ("src/größe.ts", 2),
            ("src/main.ts", 2),
            ("src/order.ts", 1),
            ("src/report.ts", 2),
        ],
        hits: (9, 2),
        taken: "Book",
        keyword: "delete",
    };
    shop.everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_7_renames() {
    typescript("typescript_7_renames", "typescript-native", 7).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_5_renames() {
    typescript("typescript_5_renames", "typescript", 5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clangd_renames() {
    let Some(mut config) = server("clangd_renames", "clangd").await else { return };
    config.diagnostics_on_write = false;
    let project = Project::of("c");
    let shop = Shop {
        view: tools(&project, config),
        project,
        order: "src/order.c",
        declaration: "total(const",
        user: ("src/main.c", "total("),
        report: "src/report.c",
        size: ("src/größe.c", "größe("),
        total: "total",
        others: ["grandTotal", "sum_up"],
        länge: ["größe", "länge"],
        edits: &[
            ("src/größe.c", 1),
            ("src/main.c", 1),
            ("src/order.c", 1),
            ("src/order.h", 1),
            ("src/report.c", 1),
        ],
        hits: (7, 2),
        taken: "line",
        keyword: "switch",
    };
    shop.everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gopls_renames() {
    let Some(mut config) = server("gopls_renames", "gopls").await else { return };
    config.diagnostics_on_write = false;
    let project = Project::of("go");
    let shop = Shop {
        view: tools(&project, config),
        project,
        order: "order/order.go",
        declaration: "func Total(",
        user: ("main.go", "order.Total("),
        report: "report/report.go",
        size: ("size/größe.go", "func Größe("),
        total: "Total",
        others: ["GrandTotal", "SumUp"],
        länge: ["Größe", "Länge"],
        edits: &[
            ("main.go", 1),
            ("order/order.go", 2),
            ("report/report.go", 1),
            ("size/größe.go", 1),
        ],
        hits: (7, 2),
        taken: "Book",
        keyword: "func",
    };
    shop.everything().await;
}
