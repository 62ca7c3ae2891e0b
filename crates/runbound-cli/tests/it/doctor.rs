//! `doctor`: what this checkout can use.

use serde_json::{Value, json};

use crate::support::Project;

#[test]
fn grammars_files_tools_and_what_is_missing() {
    let project = Project::new(&[
        ("a.py", ""),
        ("b/c.py", ""),
        ("d.rs", ""),
        ("e.unknown", ""),
        (".ignore", "skipped.py\n"),
        ("skipped.py", ""),
    ]);
    let ran = project.run(&["doctor", "--json"]);
    assert_eq!(ran.code, Some(0));
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["files"]["by_language"], json!({"python": 2, "rust": 1}));
    assert_eq!(report["files"]["other"], 1);
    let compiled = report["grammars"]["compiled"].as_array().unwrap();
    assert!(compiled.len() >= 28 && compiled.contains(&json!("dart")), "{compiled:?}");
    assert_eq!(report["state_dir"]["writable"], true);
    let tools = report["tools"].as_array().unwrap();
    assert!(tools.contains(&json!({"name": "ast_grep", "tier": "read"})), "{tools:?}");
    let listed = project.run(&["tools", "--json"]);
    let listed: Vec<Value> = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(tools.len(), listed.len());
    assert!(report["not_built"].as_array().unwrap().contains(&json!("eval")));

    let text = project.run(&["doctor"]).out;
    assert!(text.contains("python 2, rust 1, other 1"), "{text}");
    assert!(text.contains("not built") && text.contains("ask_user"), "{text}");
}

#[test]
fn a_state_folder_that_cannot_be_is_told() {
    let project = Project::new(&[]);
    // A file stands where the folder should be.
    std::fs::write(project.state(), "").unwrap();
    let ran = project.run(&["doctor", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["state_dir"]["writable"], false);
    assert!(report["state_dir"]["reason"].as_str().unwrap().contains("state"));
}

#[test]
fn servers_are_listed_with_what_is_missing() {
    let project = Project::new(&[
        ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n"),
        ("src/lib.rs", ""),
        ("lone.swift", ""),
    ]);
    let ran = project.run(&["doctor", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let servers = report["servers"].as_array().unwrap();
    let get =
        |id: &str| servers.iter().find(|s| s["id"] == id).unwrap_or_else(|| panic!("{ran:?}"));
    let rust = get("rust-analyzer");
    assert_eq!((&rust["root"], &rust["files"]), (&json!("."), &json!(1)));
    assert_eq!(rust["usable"] == json!(true), rust["program"].is_string());
    assert_eq!(rust["code"] == json!(""), rust["usable"] == json!(true));
    let swift = get("sourcekit-lsp");
    assert_eq!((&swift["usable"], &swift["code"]), (&json!(false), &json!("no_marker")));
    assert!(!servers.iter().any(|s| s["id"] == "gopls"), "there is no Go here");

    let text = project.run(&["doctor"]).out;
    assert!(
        text.contains("sourcekit-lsp (no root, 1 file): no root: none of Package.swift"),
        "{text}"
    );
}

#[test]
fn the_file_of_servers_is_heeded() {
    let project = Project::new(&[("a.mine", ""), ("a.py", "")]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("servers.json");
    let text =
        r#"{"servers": {"mine": {"command": ["no-such-mine-ls"], "documents": {"mine": "mine"}}}}"#;
    std::fs::write(&file, text).unwrap();
    let out = project.run(&["doctor", "--servers", file.to_str().unwrap()]).out;
    assert!(out.contains("mine (., 1 file): no-such-mine-ls is not on PATH"), "{out}");
    std::fs::write(&file, "{").unwrap();
    let out = project.run(&["doctor", "--servers", file.to_str().unwrap()]).out;
    assert!(out.contains("--servers: ") && out.contains("servers.json"), "{out}");
}
