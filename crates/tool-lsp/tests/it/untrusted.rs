//! A checkout that nobody trusts: whatever of it could be run leaves a mark when it is, and none is left.

use crate::real::{Project, path, server};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;
use tool_core::{CallRequest, CloseWhy, ConversationId, RegistryBuilder, RunScope, Tier, ToolView};
use tool_lsp::{LspConfig, LspPack, Servers};
use tool_workspace::Root;

/// Programs of a project that a careless host would start.
const PROGRAMS: &[&str] = &[
    "node_modules/.bin/tsc",
    "node_modules/.bin/tsgo",
    "node_modules/.bin/typescript-language-server",
    "node_modules/.bin/vtsls",
    "node_modules/.bin/pyright-langserver",
    "node_modules/.bin/pyright",
    "node_modules/.bin/biome",
    "node_modules/.bin/vscode-eslint-language-server",
    ".venv/bin/python",
    ".venv/bin/python3",
    ".venv/bin/ty",
    ".venv/bin/pyright-langserver",
    ".venv/bin/pyright",
    ".venv/bin/ruff",
    ".venv/bin/basedpyright-langserver",
    ".venv/bin/basedpyright",
    "venv/bin/python",
    "venv/bin/ty",
    "tools/rustc",
    "tools/wrapper",
];

struct Trap {
    project: Project,
}

impl Trap {
    fn of(language: &str) -> Self {
        let trap = Self { project: Project::of(language) };
        for program in PROGRAMS {
            trap.project.write(program, &trap.script(program));
            let path = trap.project.root().join(program);
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for folder in [".venv", "venv"] {
            trap.project
                .write(&format!("{folder}/pyvenv.cfg"), "home = /usr/bin\nversion = 3.11.2\n");
        }
        let package = "{\"name\": \"typescript\", \"version\": \"5.9.3\"}";
        trap.project.write("node_modules/typescript/package.json", package);
        let mark = trap.marks().join("tsserver");
        let text = format!("require('fs').writeFileSync({mark:?}, '');\n");
        trap.project.write("node_modules/typescript/lib/tsserver.js", &text);
        trap.project.write("node_modules/evil/index.js", &text.replace("tsserver", "plugin"));
        trap.project.write("eslint.config.js", &text.replace("tsserver", "eslint"));
        fs::create_dir_all(trap.marks()).unwrap();
        trap
    }

    /// Leaves a mark, then does what is expected of it.
    fn script(&self, program: &str) -> String {
        let name = program.rsplit('/').next().unwrap();
        let mark = self.marks().join(program.replace('/', "_"));
        let rest = match name {
            "wrapper" => "exec \"$@\"".to_string(),
            "rustc" => "exec rustc \"$@\"".to_string(),
            "python" | "python3" => "exec /usr/bin/python3 \"$@\"".to_string(),
            _ => "echo 99.0.0".to_string(),
        };
        format!("#!/bin/sh\n: > '{}'\n{rest}\n", mark.display())
    }

    fn marks(&self) -> PathBuf {
        self.project.state().join("marks")
    }

    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.marks()).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_str().unwrap().to_string()).collect();
        names.sort();
        names
    }

    /// All servers, and a `PATH` as after `activate` and `npm run`.
    fn config(&self) -> LspConfig {
        let own = ["node_modules/.bin", ".venv/bin"].map(|folder| self.project.root().join(folder));
        let rest = path();
        let folders = own.into_iter().chain(std::env::split_paths(&rest));
        let mut config = LspConfig {
            path: Some(std::env::join_paths(folders).unwrap()),
            ..LspConfig::default()
        };
        config.servers = Servers::builtin();
        config
    }

    fn view(&self, config: LspConfig, trusted: bool) -> ToolView {
        let root = Root::open(&self.project.root()).unwrap();
        let scope = RunScope::builder(ConversationId::from("test"))
            .workspace(root.path())
            .cap(Tier::Exec)
            .trust(Some(trusted))
            .build();
        let state = self.project.state().join("servers");
        let pack = LspPack::new(root, state, config, trusted);
        RegistryBuilder::new().pack(pack).build(scope).unwrap()
    }

    /// Asks for everything that starts something.
    async fn ask(&self, view: &ToolView, file: &str, symbol: &str) -> (Option<u64>, String) {
        let mut total = None;
        let mut said = String::new();
        let line = self.project.line(file, symbol);
        for args in [
            json!({"action": "status"}),
            json!({"action": "references", "file": file, "line": line, "symbol": "total"}),
            json!({"action": "diagnostics", "file": file}),
            json!({"action": "code_actions", "file": file, "line": line, "symbol": "total"}),
            json!({"action": "status"}),
        ] {
            let references = args["action"] == "references";
            match view.invoke(CallRequest::new("lsp", args)).await.result {
                Ok(output) => {
                    if references {
                        total = output.details.get("total").and_then(Value::as_u64);
                    }
                    said.push_str(&output.render_text());
                }
                Err(error) => said.push_str(&error.to_string()),
            }
            said.push('\n');
        }
        (total, said)
    }
}

async fn close(view: ToolView) {
    let report = view.scope().close(CloseWhy::Finished, Duration::from_secs(30)).await;
    assert!(report.is_clean(), "{report:?}");
}

#[tokio::test]
async fn python_is_answered_for_without_running_its_environment() {
    for id in ["pyright", "basedpyright", "ty"] {
        let Some(only) = server("python_is_answered_for_without_running_its_environment", id).await
        else {
            continue;
        };
        let trap = Trap::of("python");
        let mut config = trap.config();
        config.servers = only.servers;
        let view = trap.view(config.clone(), false);
        let (total, said) = trap.ask(&view, "shop/order.py", "def total").await;
        close(view).await;
        assert_eq!(trap.left(), Vec::<String>::new(), "{id}: {said}");
        assert_eq!(total, Some(7), "{id}: {said}");
        let view = trap.view(config, true);
        trap.ask(&view, "shop/order.py", "def total").await;
        close(view).await;
        assert!(!trap.left().is_empty(), "{id}: a trusted run would have left a mark");
    }
}

#[tokio::test]
async fn rust_is_answered_for_without_building_it() {
    let test = "rust_is_answered_for_without_building_it";
    let Some(only) = server(test, "rust-analyzer").await else { return };
    let trap = Trap::of("rust");
    let mark = trap.marks().join("build");
    let build = format!("fn main() {{ std::fs::write({mark:?}, \"\").unwrap(); }}\n");
    trap.project.write("shop/build.rs", &build);
    let wrappers = "[build]\nrustc-wrapper = \"tools/wrapper\"\nrustc = \"tools/rustc\"\n";
    trap.project.write(".cargo/config.toml", wrappers);
    let before = trap.project.listing();
    let mut config = trap.config();
    config.servers = only.servers;
    let view = trap.view(config.clone(), false);
    let (total, said) = trap.ask(&view, "shop/src/order.rs", "pub fn total").await;
    close(view).await;
    assert_eq!(trap.left(), Vec::<String>::new(), "{said}");
    assert_eq!(total, Some(7), "{said}");
    assert!(said.contains("build scripts"), "what it costs is said: {said}");
    assert_eq!(trap.project.listing(), before, "nothing is written into the checkout");
    // A library that would be loaded into every compiler that cargo starts.
    trap.project.write(".cargo/config.toml", "[env]\nLD_PRELOAD = \"tools/evil.so\"\n");
    let view = trap.view(config.clone(), false);
    let (total, said) = trap.ask(&view, "shop/src/order.rs", "pub fn total").await;
    close(view).await;
    assert_eq!(total, None, "{said}");
    assert!(said.contains(".cargo/config.toml"), "{said}");
    trap.project.write(".cargo/config.toml", wrappers);
    let view = trap.view(config, true);
    trap.ask(&view, "shop/src/order.rs", "pub fn total").await;
    close(view).await;
    assert!(trap.left().contains(&"build".to_string()), "a trusted run builds: {:?}", trap.left());
}

#[tokio::test]
async fn typescript_is_answered_for_without_the_project_s_compiler() {
    let test = "typescript_is_answered_for_without_the_project_s_compiler";
    for (id, version) in [("typescript", "5.9.3"), ("typescript-native", "7.0.2")] {
        let Some(only) = server(test, id).await else { continue };
        let trap = Trap::of("typescript");
        let package = format!("{{\"name\": \"typescript\", \"version\": \"{version}\"}}");
        trap.project.write("node_modules/typescript/package.json", &package);
        let config = trap.project.read("tsconfig.json");
        let plugins = "\"compilerOptions\": {\n    \"plugins\": [{\"name\": \"evil\"}],";
        trap.project.write("tsconfig.json", &config.replace("\"compilerOptions\": {", plugins));
        let mut config = trap.config();
        let eslint = config.servers.get("eslint").unwrap().clone();
        config.servers = only.servers;
        config.servers.add(eslint);
        let view = trap.view(config, false);
        let (total, said) = trap.ask(&view, "src/order.ts", "export function total").await;
        close(view).await;
        assert_eq!(trap.left(), Vec::<String>::new(), "{id}: {said}");
        assert_eq!(total, Some(7), "{id}: {said}");
    }
}

#[tokio::test]
async fn c_and_go_are_answered_for_and_write_nothing_into_the_checkout() {
    let test = "c_and_go_are_answered_for_and_write_nothing_into_the_checkout";
    for (id, language, file, symbol, references) in [
        ("clangd", "c", "src/order.c", "unsigned total", 5),
        ("gopls", "go", "order/order.go", "func Total", 4),
    ] {
        let Some(only) = server(test, id).await else { continue };
        let trap = Trap::of(language);
        let before = trap.project.listing();
        let mut config = trap.config();
        config.servers = only.servers;
        for trusted in [false, true] {
            let view = trap.view(config.clone(), trusted);
            let symbol_on_line = if id == "gopls" { "Total" } else { "total" };
            let line = trap.project.line(file, symbol);
            let args = json!({"action": "references", "file": file, "line": line, "symbol": symbol_on_line});
            let outcome = view.invoke(CallRequest::new("lsp", args)).await;
            close(view).await;
            let output = outcome.result.unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(
                output.details.get("total").and_then(Value::as_u64),
                Some(references),
                "{id}"
            );
            assert_eq!(trap.left(), Vec::<String>::new(), "{id}");
            assert_eq!(trap.project.listing(), before, "{id}: trusted {trusted}");
        }
    }
}
