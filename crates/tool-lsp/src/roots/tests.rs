use super::manifest::{major, npm_major};
use super::*;
use std::fs;

/// A folder with these files; the text of a file follows a `:`.
fn tree(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let (path, text) = file.split_once(':').unwrap_or((file, ""));
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn root(server: &str, tree: &tempfile::TempDir, file: &str) -> Option<String> {
    let servers = Servers::builtin();
    let spec = servers.get(server).unwrap();
    let root = root_for(spec, &tree.path().join(file), tree.path())?;
    Some(root.strip_prefix(tree.path()).unwrap().to_str().unwrap().to_string())
}

#[test]
fn the_nearest_marker_from_the_file_wins_and_never_one_above_the_run() {
    let outer =
        tree(&["Cargo.toml:[package]", "in/a/pyproject.toml", "in/b/x.py", "in/a/deep/er/x.py"]);
    assert_eq!(root("ty", &outer, "in/a/deep/er/x.py").as_deref(), Some("in/a"));
    assert_eq!(root("ty", &outer, "in/b/x.py"), None);
    let servers = Servers::builtin();
    let rust = servers.get("rust-analyzer").unwrap();
    let inner = outer.path().join("in");
    assert_eq!(root_for(rust, &inner.join("b/x.rs"), &inner), None);
    assert_eq!(root_for(rust, Path::new("/elsewhere/x.rs"), outer.path()), None);
}

#[test]
fn cargo_packages_of_a_workspace_share_its_root() {
    let repo = tree(&[
        "Cargo.toml:[workspace]\nmembers = [\n  \"crates/*\", # all\n  'tool',\n]\nexclude = [\"crates/odd\"]\n[workspace.package]\nedition = \"2024\"\n[dependencies]\nx = { path = \"vendor/x\" }\n",
        "crates/a/Cargo.toml:[package]",
        "crates/a/src/lib.rs",
        "crates/odd/Cargo.toml:[package]",
        "crates/odd/src/lib.rs",
        "vendor/x/Cargo.toml:[package]",
        "vendor/x/src/lib.rs",
        "samples/s/Cargo.toml:[package]",
        "samples/s/src/lib.rs",
        "own/Cargo.toml:[workspace.package]\n",
        "own/m/src/lib.rs",
    ]);
    let of = |file| root("rust-analyzer", &repo, file);
    assert_eq!(of("crates/a/src/lib.rs").as_deref(), Some(""));
    assert_eq!(of("vendor/x/src/lib.rs").as_deref(), Some(""));
    assert_eq!(of("crates/odd/src/lib.rs").as_deref(), Some("crates/odd"));
    assert_eq!(of("samples/s/src/lib.rs").as_deref(), Some("samples/s"));
    assert_eq!(of("own/m/src/lib.rs").as_deref(), Some("own"));
}

#[test]
fn go_modules_that_a_workspace_uses_share_its_root() {
    let repo = tree(&[
        "go.work:go 1.22\n\nuse (\n\t./api // first\n\t\"./tools/gen\"\n)\nuse ./one\n",
        "api/go.mod",
        "tools/gen/go.mod",
        "one/go.mod",
        "alone/go.mod",
    ]);
    let of = |file| root("gopls", &repo, file).unwrap();
    assert_eq!([of("api/x/a.go"), of("tools/gen/a.go"), of("one/a.go")], ["", "", ""]);
    assert_eq!(of("alone/a.go"), "alone");
}

#[test]
fn typescript_goes_by_tsconfig_and_by_workspaces() {
    let repo = tree(&[
        "app/package.json",
        "app/tsconfig.json:{}",
        "app/lib/package.json",
        "app/lib/x.ts",
        "mono/package.json:{\"workspaces\": [\"packages/*\"]}",
        "mono/packages/a/package.json",
        "mono/packages/a/tsconfig.json",
        "mono/other/package.json",
        "pnpm/pnpm-workspace.yaml:packages:\n  - 'libs/*'\n",
        "pnpm/libs/b/package.json",
        "solution/tsconfig.json:{ \"references\": [] }",
        "solution/core/tsconfig.json",
    ]);
    let of = |file| root("typescript", &repo, file).unwrap();
    assert_eq!(of("app/lib/x.ts"), "app");
    assert_eq!(of("mono/packages/a/x.ts"), "mono");
    assert_eq!(of("mono/other/x.ts"), "mono/other");
    assert_eq!(of("pnpm/libs/b/x.ts"), "pnpm");
    assert_eq!(of("solution/core/x.ts"), "solution");
}

#[test]
fn other_kinds_of_markers() {
    let repo = tree(&[
        "c/build/compile_commands.json",
        "c/src/CMakeLists.txt",
        "c/src/a.c",
        "j/pom.xml",
        "j/modules/a/pom.xml",
        "h/x.cabal",
        "h/src/A.hs",
        "scripts/a.sh",
        "l/a.lua",
    ]);
    assert_eq!(root("clangd", &repo, "c/src/a.c").as_deref(), Some("c"));
    assert_eq!(root("jdtls", &repo, "j/modules/a/A.java").as_deref(), Some("j"));
    assert_eq!(root("haskell-language-server", &repo, "h/src/A.hs").as_deref(), Some("h"));
    assert_eq!(root("bash", &repo, "scripts/a.sh").as_deref(), Some(""));
    assert_eq!(root("emmylua", &repo, "l/a.lua").as_deref(), Some(""));
}

#[test]
fn types_come_before_linters_and_whole_names_before_extensions() {
    let servers = Servers::builtin();
    let ids = |file: &str| -> Vec<&str> {
        servers_for(&servers, Path::new(file)).into_iter().map(|spec| spec.id.as_str()).collect()
    };
    let python = ids("/p/a.py");
    assert_eq!(python.first(), Some(&"pyright"));
    assert_eq!(python.last(), Some(&"ruff"));
    assert!(ids("/p/a.unknown").is_empty());
    let spec = servers.get("gopls").unwrap();
    assert_eq!(spec.language_id(Path::new("/p/go.mod")), Some("go.mod"));
    let spec = servers.get("typescript").unwrap();
    assert_eq!(spec.language_id(Path::new("/p/A.TSX")), Some("typescriptreact"));
}

#[test]
fn a_package_s_major_version_is_the_installed_one_else_the_asked_one() {
    let repo = tree(&[
        "package.json:{\"devDependencies\": {\"typescript\": \"^5.4.2\"}}",
        "a/node_modules/typescript/package.json:{\"version\": \"7.0.2\"}",
        "a/package.json:{}",
    ]);
    let inner = repo.path().join("a");
    assert_eq!(npm_major("typescript", &[&inner, repo.path()]), Some(7));
    assert_eq!(npm_major("typescript", &[repo.path()]), Some(5));
    assert_eq!(npm_major("left-pad", &[repo.path()]), None);
    assert_eq!(
        [major("Version 7.0.2"), major("~5"), major("workspace:*")],
        [Some(7), Some(5), None]
    );
}
