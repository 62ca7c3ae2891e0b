//! What a checkout could use.

use crate::real::{Project, path};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use tool_lsp::{LspConfig, Surveyed, survey};
use tool_workspace::Root;

async fn of(project: &Project, config: &LspConfig, trusted: bool) -> Vec<Surveyed> {
    survey(&Root::open(&project.root()).unwrap(), config, trusted).await.unwrap()
}

#[tokio::test]
async fn servers_for_what_is_there_with_their_roots_and_reasons() {
    let project = Project::of("python");
    project.write("nested/tool/go.mod", "module x\n");
    project.write("nested/tool/main.go", "package main\n");
    project.write("lone.rs", "fn main() {}\n");
    let bin = tempfile::tempdir().unwrap();
    let program = bin.path().join("ty");
    fs::write(&program, "#!/bin/sh\necho ty 1.0\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let folders = [bin.path().to_path_buf(), "/bin".into()];
    let config =
        LspConfig { path: Some(std::env::join_paths(folders).unwrap()), ..LspConfig::default() };
    let list = of(&project, &config, true).await;
    let get = |id: &str, root: &str| {
        list.iter()
            .find(|s| s.id == id && s.root == root)
            .unwrap_or_else(|| panic!("{id} {root}: {list:#?}"))
    };
    let ty = get("ty", ".");
    assert_eq!((ty.usable, ty.says.as_str(), ty.files), (true, "ty 1.0", 5));
    assert_eq!(ty.program.as_deref(), Some(program.as_path()));
    assert!(get("ty", "nested/tool").usable);
    let zuban = get("zuban", ".");
    assert_eq!((zuban.code, zuban.covered_by.as_deref()), ("no_binary", Some("ty")));
    let gopls = get("gopls", "nested/tool");
    assert_eq!((gopls.code, gopls.covered_by.as_deref()), ("no_binary", None));
    assert!(gopls.says.contains("go install"), "{}", gopls.says);
    let rust = get("rust-analyzer", "");
    assert_eq!((rust.code, rust.usable), ("no_marker", false));
    assert!(rust.says.contains("Cargo.toml"), "{}", rust.says);
    assert!(!list.iter().any(|s| s.id == "clangd"), "nothing of C is there");
}

#[tokio::test]
async fn an_untrusted_checkout_is_asked_without_running_it() {
    let project = Project::of("python");
    let mark = project.state();
    let script = format!("#!/bin/sh\necho run >> {}\necho 9.9\n", mark.display());
    for name in ["ty", "pyright", "pyright-langserver", "ruff", "python"] {
        project.write(&format!(".venv/bin/{name}"), &script);
        let program = project.root().join(".venv/bin").join(name);
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    // As after `activate`: the environment comes first on PATH.
    let mut folders = vec![project.root().join(".venv/bin")];
    folders.extend(std::env::split_paths(&path()));
    let config =
        LspConfig { path: Some(std::env::join_paths(folders).unwrap()), ..LspConfig::default() };
    let list = of(&project, &config, false).await;
    assert!(!mark.exists(), "{list:#?}");
    assert!(list.iter().all(|s| s.program.as_ref().is_none_or(|p| !p.starts_with(project.root()))));
    let trusted = of(&project, &config, true).await;
    let ty = trusted.iter().find(|s| s.id == "ty").unwrap();
    assert!(ty.program.as_ref().unwrap().starts_with(project.root()) && mark.exists());
}
