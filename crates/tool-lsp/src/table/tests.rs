use super::*;
use crate::roots::servers_for;
use crate::spec::{Condition, Role};
use std::collections::BTreeSet;
use std::path::Path;

/// Every kind of server that an agent may expect, by a file of its language.
const EXPECTED: &[(&str, &str)] = &[
    ("a.rs", "rust-analyzer"),
    ("a.py", "pyright"),
    ("a.py", "basedpyright"),
    ("a.py", "ty"),
    ("a.py", "pyrefly"),
    ("a.py", "ruff"),
    ("a.ts", "typescript"),
    ("a.ts", "typescript-native"),
    ("a.tsx", "vtsls"),
    ("a.js", "biome"),
    ("a.js", "eslint"),
    ("a.c", "clangd"),
    ("a.go", "gopls"),
    ("a.dart", "dart"),
    ("A.java", "jdtls"),
    ("A.kt", "kotlin"),
    ("a.rb", "ruby-lsp"),
    ("a.php", "intelephense"),
    ("a.lua", "lua-language-server"),
    ("a.lua", "emmylua"),
    ("a.sh", "bash"),
    ("a.yaml", "yaml"),
    ("a.json", "json"),
    ("a.css", "css"),
    ("a.html", "html"),
    ("a.toml", "taplo"),
    ("a.toml", "tombi"),
    ("a.zig", "zls"),
    ("a.ex", "expert"),
    ("a.ex", "elixir-ls"),
    ("A.hs", "haskell-language-server"),
    ("A.scala", "metals"),
    ("A.cs", "csharp"),
    ("a.swift", "sourcekit-lsp"),
    ("a.tf", "terraform"),
];

#[test]
fn each_language_has_its_servers() {
    let servers = crate::config::Servers::builtin();
    for (file, id) in EXPECTED {
        let ids: Vec<&str> =
            servers_for(&servers, Path::new(file)).iter().map(|spec| spec.id.as_str()).collect();
        assert!(ids.contains(id), "{file}: {ids:?} lacks {id}");
    }
}

#[test]
fn every_entry_is_whole_and_no_id_comes_twice() {
    let mut ids = BTreeSet::new();
    for spec in all() {
        let id = spec.id.clone();
        assert!(ids.insert(id.clone()), "{id} twice");
        assert!(!spec.commands.is_empty() && !spec.documents.is_empty(), "{id}");
        assert!(!spec.install.is_empty(), "{id} cannot be installed");
        assert!(!spec.diagnostics.is_empty(), "{id} has no channel");
        for command in &spec.commands {
            assert!(command.path || !command.local.is_empty(), "{id} is found nowhere");
            assert!(command.names.iter().all(|name| !name.contains(['/', ' '])), "{id}");
        }
        let documents: BTreeSet<&String> = spec.documents.iter().map(|(what, _)| what).collect();
        assert_eq!(documents.len(), spec.documents.len(), "{id} has a document twice");
        for value in
            [&spec.settings, &spec.init_options, &spec.scratch.settings, &spec.untrusted.settings]
        {
            assert!(value.is_null() || value.is_object(), "{id}: {value}");
        }
        assert!(spec.start_budget >= secs(30) && spec.ready_budget >= spec.start_budget, "{id}");
        let limit = spec.quirks.encoding.as_deref();
        assert!(matches!(limit, None | Some("utf-8" | "utf-16" | "utf-32")), "{id}");
    }
}

#[test]
fn a_name_in_braces_is_one_that_has_a_meaning() {
    for spec in all() {
        let text = format!("{spec:?}");
        for piece in text.split('{').skip(1) {
            let Some((name, _)) = piece.split_once('}') else { continue };
            let word =
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            let known = ["root", "scratch", "python", "system_python", "tsserver"].contains(&name);
            assert!(!word || known, "{} uses {{{name}}}", spec.id);
        }
    }
}

/// A server that takes its program from the checkout, or is told of its interpreter, runs it in a trusted run
/// only; one that is run by Node or Python otherwise must not be refused for nothing.
#[test]
fn what_runs_code_of_the_project_is_refused_or_changed_in_an_untrusted_run() {
    let refused: BTreeSet<String> =
        all().into_iter().filter(|s| s.untrusted.refused.is_some()).map(|s| s.id).collect();
    for id in [
        "eslint",
        "jdtls",
        "kotlin",
        "metals",
        "csharp",
        "sourcekit-lsp",
        "ruby-lsp",
        "expert",
        "elixir-ls",
        "haskell-language-server",
        "zls",
        "terraform",
        "jedi",
        "pylsp",
        "pyrefly",
    ] {
        assert!(refused.contains(id), "{id} runs code of the project");
    }
    for id in [
        "rust-analyzer",
        "clangd",
        "gopls",
        "pyright",
        "basedpyright",
        "ty",
        "ruff",
        "typescript",
        "typescript-native",
        "bash",
        "yaml",
        "json",
    ] {
        assert!(!refused.contains(id), "{id} can be used without running the project");
    }
    let rust = all().into_iter().find(|spec| spec.id == "rust-analyzer").unwrap();
    let off = &rust.untrusted.init_options;
    assert_eq!(off["cargo"]["buildScripts"]["enable"], false);
    assert_eq!(off["procMacro"]["enable"], false);
    assert_eq!(off["checkOnSave"], false);
    assert_eq!(rust.untrusted.settings["rust-analyzer"], *off);
    assert!(!rust.untrusted.cost.is_empty());
}

#[test]
fn native_typescript_comes_first_and_takes_seven_only() {
    let list = all();
    let place = |id: &str| list.iter().position(|spec| spec.id == id).unwrap();
    assert!(place("typescript-native") < place("typescript"));
    let native = &list[place("typescript-native")];
    for command in &native.commands {
        let condition = command.only_if.as_ref().unwrap();
        assert!(matches!(condition, Condition::Package { from: 7, .. } | Condition::Both(..)));
    }
}

#[test]
fn only_linters_are_linters() {
    let linters: Vec<String> =
        all().into_iter().filter(|s| s.role == Role::Linter).map(|s| s.id).collect();
    assert_eq!(linters, ["ruff", "biome", "eslint"]);
}

#[test]
fn document_lists_are_read_as_written() {
    let pairs = documents("c=c h,cpp=cpp");
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(pairs, [("c", "c"), ("h", "cpp"), ("cpp", "cpp")]);
}
