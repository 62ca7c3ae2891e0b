//! Every action, asked of real servers about the same little shop: lines that end as on Windows, characters outside the
//! basic plane, a nested root.

use serde_json::{Value, json};

use crate::real::{Project, server};
use crate::support::Bench;

/// What is true of one language's shop, and what its server offers.
struct Shop {
    server: &'static str,
    project: fn() -> Project,
    order: &'static str,
    report: &'static str,
    size: &'static str,
    main: &'static str,
    /// The function that is used most, and how a use looks.
    total: &'static str,
    size_of: &'static str,
    references: u64,
    files: u64,
    hits: u64,
    /// The interface and the classes that implement it.
    implementations: Option<(&'static str, &'static [&'static str])>,
    /// A name in `main` and the type it is of.
    type_of: Option<(&'static str, &'static str)>,
    /// Functions that call `total`.
    callers: Option<&'static [&'static str]>,
    outgoing: bool,
    workspace: bool,
    /// The file of the nested root that calls `twice`, the one that has it, and how many references there are.
    nested: (&'static str, &'static str, u64),
}

const RUST: Shop = Shop {
    server: "rust-analyzer",
    project: || Project::of("rust"),
    order: "shop/src/order.rs",
    report: "shop/src/report.rs",
    size: "shop/src/größe.rs",
    main: "cli/src/main.rs",
    total: "total",
    size_of: "größe",
    references: 7,
    files: 4,
    hits: 9,
    implementations: Some(("Priced", &["impl Priced for Book", "impl Priced for Ticket"])),
    type_of: Some(("books", "struct Book")),
    callers: Some(&["line", "main", "größe"]),
    outgoing: true,
    workspace: true,
    nested: ("nested/tool/src/main.rs", "nested/tool/src/count.rs", 2),
};

const PYTHON: Shop = Shop {
    server: "ty",
    project: || Project::of("python"),
    order: "shop/order.py",
    report: "shop/report.py",
    size: "shop/größe.py",
    main: "main.py",
    total: "total",
    size_of: "größe",
    references: 7,
    files: 4,
    hits: 9,
    implementations: None,
    type_of: None,
    callers: None,
    outgoing: false,
    workspace: true,
    nested: ("nested/tool/app.py", "nested/tool/count.py", 3),
};

const TYPESCRIPT: Shop = Shop {
    server: "typescript-native",
    project: || Project::typescript(7),
    order: "src/order.ts",
    report: "src/report.ts",
    size: "src/größe.ts",
    main: "src/main.ts",
    total: "total",
    size_of: "größe",
    references: 7,
    files: 4,
    hits: 9,
    implementations: Some(("Priced", &["class Book", "class Ticket"])),
    type_of: Some(("books", "class Book")),
    callers: Some(&["line", "größe"]),
    outgoing: true,
    workspace: true,
    nested: ("nested/tool/src/main.ts", "nested/tool/src/count.ts", 3),
};

const C: Shop = Shop {
    server: "clangd",
    project: || Project::of("c"),
    order: "src/order.c",
    report: "src/report.c",
    size: "src/größe.c",
    main: "src/main.c",
    total: "total",
    size_of: "größe",
    references: 5,
    files: 5,
    hits: 7,
    implementations: None,
    type_of: Some(("book.cents", "unsigned cents")),
    callers: Some(&["line", "main", "größe"]),
    outgoing: false,
    workspace: true,
    nested: ("nested/tool/main.c", "nested/tool/count.c", 3),
};

const GO: Shop = Shop {
    server: "gopls",
    project: || Project::of("go"),
    order: "order/order.go",
    report: "report/report.go",
    size: "size/größe.go",
    main: "main.go",
    total: "Total",
    size_of: "Größe",
    references: 4,
    files: 4,
    hits: 7,
    implementations: Some(("Priced", &["type Book struct", "type Ticket struct"])),
    type_of: None,
    callers: Some(&["Line", "main", "Größe"]),
    outgoing: true,
    workspace: true,
    nested: ("nested/tool/main.go", "nested/tool/count.go", 2),
};

#[tokio::test(flavor = "multi_thread")]
async fn rust_analyzer_is_asked_everything() {
    ask_everything("rust_analyzer_is_asked_everything", &RUST).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ty_is_asked_everything() {
    ask_everything("ty_is_asked_everything", &PYTHON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pyright_is_asked_everything() {
    let callers: Option<&'static [&'static str]> = Some(&["line", "main", "größe"]);
    let shop = Shop { server: "pyright", callers, outgoing: true, ..PYTHON };
    ask_everything("pyright_is_asked_everything", &shop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_7_is_asked_everything() {
    ask_everything("typescript_7_is_asked_everything", &TYPESCRIPT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_5_is_asked_everything() {
    let shop = Shop { server: "typescript", project: || Project::typescript(5), ..TYPESCRIPT };
    ask_everything("typescript_5_is_asked_everything", &shop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clangd_is_asked_everything() {
    ask_everything("clangd_is_asked_everything", &C).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gopls_is_asked_everything() {
    ask_everything("gopls_is_asked_everything", &GO).await;
}

async fn ask_everything(test: &str, shop: &Shop) {
    let Some(config) = server(test, shop.server).await else { return };
    let project = (shop.project)();
    let before = project.listing();
    let bench = Bench::real(&project, config);
    let asker = Asker { bench: &bench, project: &project, shop };
    asker.definition_and_hover().await;
    asker.references().await;
    asker.symbols().await;
    asker.relations().await;
    asker.calls().await;
    asker.actions_and_status().await;
    asker.nested().await;
    bench.close().await;
    assert_eq!(project.listing(), before, "questions leave nothing in the checkout");
}

struct Asker<'a> {
    bench: &'a Bench,
    project: &'a Project,
    shop: &'a Shop,
}

impl Asker<'_> {
    /// Asks about a name on the first line of a file that has `text`.
    fn at(&self, action: &str, file: &str, text: &str, symbol: &str) -> Value {
        let line = self.project.line(file, text);
        json!({ "action": action, "file": file, "line": line, "symbol": symbol })
    }

    async fn definition_and_hover(&self) {
        let shop = self.shop;
        // Behind a character of two units, in a file whose path is not ASCII.
        let (text, details) =
            self.bench.ok(self.at("definition", shop.size, "🦀", shop.total)).await;
        let places = details["locations"].as_array().unwrap();
        let order = places.iter().find(|place| place["path"] == shop.order);
        let order = order.unwrap_or_else(|| panic!("{text}"));
        let declared = self.project.line(shop.order, &format!("{}(", shop.total));
        assert_eq!(order["line"], declared, "{text}");
        let line =
            self.project.read(shop.order).lines().nth(declared as usize - 1).unwrap().to_owned();
        let column = line.split(shop.total).next().unwrap().chars().count() + 1;
        assert_eq!(order["column"], column, "{text}");
        assert!(text.contains(line.trim()), "{text}");
        assert_eq!(details["server"], shop.server);

        // On a line that begins with a tab, in a file with CR LF.
        let (text, details) = self
            .bench
            .ok(self.at("hover", shop.report, "of it all", &format!("{}(", shop.total)))
            .await;
        assert!(
            text.contains("Adds up the prices of an order")
                || text.contains("adds up the prices of an order"),
            "{text}"
        );
        assert_eq!(details["path"], shop.report);
    }

    async fn references(&self) {
        let shop = self.shop;
        let ask = self.at("references", shop.main, &format!("{}(", shop.total), shop.total);
        let (text, details) = self.bench.ok(ask).await;
        assert_eq!(details["total"], shop.references, "{text}");
        assert_eq!(details["files"], shop.files, "{text}");
        assert_eq!(details["complete"], true, "{text}");
        assert_eq!(details["text_search"]["hits"], shop.hits, "{text}");
        assert_eq!(details["text_search"]["known"], shop.references, "{text}");
        assert_eq!(
            details["locations"][0]["path"], shop.main,
            "the file that was asked about comes first: {text}"
        );
        for place in details["locations"].as_array().unwrap() {
            assert!(place["text"].as_str().unwrap().contains(shop.total), "{text}");
        }
        let ask = self.at("references", shop.main, &format!("{}(", shop.size_of), shop.size_of);
        let (text, details) = self.bench.ok(ask).await;
        let known = details["total"].as_u64().unwrap();
        assert!((2..=3).contains(&known), "{text}");
        assert_eq!(details["text_search"]["known"], known, "{text}");
    }

    async fn symbols(&self) {
        let shop = self.shop;
        let (text, details) =
            self.bench.ok(json!({ "action": "symbols", "file": shop.order })).await;
        let all = details["symbols"].as_array().unwrap();
        let total = all.iter().find(|s| s["name"].as_str().unwrap().starts_with(shop.total));
        let declared = self.project.line(shop.order, &format!("{}(", shop.total));
        assert_eq!(total.map(|s| &s["line"]), Some(&json!(declared)), "{text}");
        assert_eq!(details["total"], all.len());
        if shop.workspace {
            let (text, details) =
                self.bench.ok(json!({ "action": "symbols", "query": shop.total })).await;
            let first = &details["symbols"][0];
            assert!(first["name"].as_str().unwrap().contains(shop.total), "{text}");
            let own = details["symbols"].as_array().unwrap().iter();
            assert!(
                own.into_iter().any(|s| s["path"] == shop.order && s["line"] == declared),
                "{text}"
            );
        }
    }

    async fn relations(&self) {
        let shop = self.shop;
        match shop.implementations {
            Some((interface, classes)) => {
                let file = shop.order;
                let line = self.line_of_declaration(file, interface);
                let ask = json!({ "action": "implementation", "file": file, "line": line, "symbol": interface });
                let (text, details) = self.bench.ok(ask).await;
                for class in classes {
                    assert!(text.contains(class), "{class}: {text}");
                }
                assert!(details["total"].as_u64().unwrap() >= 2, "{text}");
            }
            None => {
                let ask =
                    self.at("implementation", shop.main, &format!("{}(", shop.total), shop.total);
                if let Err(error) = self.bench.call(ask).await.result {
                    assert!(
                        error.to_string().contains("does not offer implementations"),
                        "{error}"
                    );
                }
            }
        }
        if let Some((name, kind)) = shop.type_of {
            let (text, _) = self.bench.ok(self.at("type_definition", shop.main, name, name)).await;
            assert!(text.contains(kind) || name.contains('.'), "{text}");
        }
    }

    fn line_of_declaration(&self, file: &str, name: &str) -> u32 {
        let text = self.project.read(file);
        let is = |line: &&str| {
            line.contains(name)
                && ["trait", "interface", "class"].iter().any(|word| line.contains(word))
        };
        let at = text.lines().position(|line| is(&line)).unwrap();
        u32::try_from(at).unwrap() + 1
    }

    async fn calls(&self) {
        let shop = self.shop;
        let ask = self.at("incoming_calls", shop.main, &format!("{}(", shop.total), shop.total);
        match shop.callers {
            Some(callers) => {
                let (text, details) = self.bench.ok(ask).await;
                for caller in callers {
                    let known = details["calls"].as_array().unwrap().iter();
                    let one =
                        known.into_iter().find(|c| c["name"].as_str().unwrap().contains(caller));
                    let one = one.unwrap_or_else(|| panic!("{caller}: {text}"));
                    assert!(!one["from_lines"].as_array().unwrap().is_empty(), "{text}");
                }
            }
            None => {
                if let Err(error) = self.bench.call(ask).await.result {
                    assert!(
                        error.to_string().contains("does not offer call hierarchies"),
                        "{error}"
                    );
                }
            }
        }
        if shop.outgoing {
            let ask =
                self.at("outgoing_calls", shop.main, &format!("{}(", shop.size_of), shop.size_of);
            let (text, _) = self.bench.ok(ask).await;
            assert!(text.contains(shop.total), "{text}");
        }
    }

    async fn actions_and_status(&self) {
        let shop = self.shop;
        let ask = self.at("code_actions", shop.main, &format!("{}(", shop.total), shop.total);
        match self.bench.call(ask).await.result {
            Ok(output) => assert!(output.details["actions"].is_array()),
            Err(error) => {
                assert!(error.to_string().contains("does not offer code actions"), "{error}");
            }
        }
        let (text, details) = self.bench.ok(json!({ "action": "status" })).await;
        let running =
            details["servers"].as_array().unwrap().iter().filter(|s| s["state"] == "running");
        assert!(running.clone().any(|s| s["id"] == shop.server && s["pid"].is_u64()), "{text}");
    }

    async fn nested(&self) {
        let (app, count, references) = self.shop.nested;
        let (text, details) = self.bench.ok(self.at("references", app, "twice(", "twice")).await;
        if self.shop.server == "clangd" {
            // The compile database is that of the outer project.
            assert_eq!(details["complete"], false, "{text}");
            assert!(text.contains("is not in the compile database"), "{text}");
        } else {
            assert_eq!(details["total"], references, "{text}");
            assert!(text.contains(count), "{text}");
        }
    }
}
