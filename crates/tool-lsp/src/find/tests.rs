use super::*;
use crate::config::Servers;
use crate::spec::Role;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A checkout and a folder of installed programs beside it.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["checkout", "bin"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("checkout")
    }

    /// A program that leaves a mark when it is run, and answers.
    fn program(&self, path: &str, body: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mark = self.folder.path().join("mark");
        let text = format!("#!/bin/sh\necho \"$0\" >> {}\n{body}\n", mark.display());
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn marks(&self) -> String {
        fs::read_to_string(self.folder.path().join("mark")).unwrap_or_default()
    }

    async fn find(&self, spec: &ServerSpec, trusted: bool) -> Result<Binary, Unusable> {
        let list = [self.folder.path().join("bin"), self.root().join(".venv/bin")];
        let config =
            LspConfig { path: Some(std::env::join_paths(list).unwrap()), ..LspConfig::default() };
        let finder = Finder::with_path(&search_path(&config, &self.root(), trusted));
        find(&finder, spec, &self.root(), &self.root(), trusted).await
    }
}

fn spec(local: &[&str]) -> ServerSpec {
    let mut command = CommandSpec::new("tool", &["serve"]);
    command.local = local.iter().map(ToString::to_string).collect();
    let mut spec = ServerSpec::new("tool", Role::Types);
    spec.commands = vec![command];
    spec.install = "get tool".into();
    spec
}

#[tokio::test]
async fn the_project_s_own_program_comes_first_where_it_may_run() {
    let world = World::new();
    world.program("checkout/node_modules/.bin/tool", "echo tool 2");
    world.program("bin/tool", "echo tool 1");
    let found = world.find(&spec(&["node_modules/.bin"]), true).await.unwrap();
    assert!(found.project_local);
    assert_eq!((found.version.as_str(), found.args.len()), ("tool 2", 1));
}

#[tokio::test]
async fn an_untrusted_run_starts_nothing_from_the_checkout() {
    let world = World::new();
    world.program("checkout/node_modules/.bin/tool", "echo evil");
    world.program("checkout/.venv/bin/tool", "echo evil");
    let tool = spec(&["node_modules/.bin", ".venv/bin"]);
    let why = world.find(&tool, false).await.unwrap_err();
    assert_eq!(why.code(), "untrusted");
    assert!(why.to_string().contains("node_modules/.bin/tool"), "{why}");
    world.program("bin/tool", "echo tool 1");
    let found = world.find(&tool, false).await.unwrap();
    assert_eq!((found.version.as_str(), found.project_local), ("tool 1", false));
    // A link on PATH that leads into the checkout.
    fs::remove_file(world.folder.path().join("bin/tool")).unwrap();
    let target = world.root().join(".venv/bin/tool");
    std::os::unix::fs::symlink(target, world.folder.path().join("bin/tool")).unwrap();
    assert_eq!(world.find(&tool, false).await.unwrap_err().code(), "untrusted");
    assert!(!world.marks().contains("checkout"), "{}", world.marks());
}

#[tokio::test]
async fn what_is_there_and_does_not_run_is_told_from_what_is_not_there() {
    let world = World::new();
    let why = world.find(&spec(&[]), true).await.unwrap_err();
    assert_eq!(why.to_string(), "tool is not on PATH; to install: get tool");
    world.program(
        "bin/tool",
        "echo \"error: Unknown binary 'tool' in official toolchain 'x'\" >&2; exit 1",
    );
    let why = world.find(&spec(&[]), true).await.unwrap_err();
    assert_eq!(why.code(), "broken_binary");
    assert!(why.to_string().contains("Unknown binary"), "{why}");
    assert!(why.to_string().contains("stand-in of rustup"), "{why}");
    // Repaired: a failure was not remembered.
    world.program("bin/tool", "echo tool 3");
    assert_eq!(world.find(&spec(&[]), true).await.unwrap().version, "tool 3");
}

#[tokio::test]
async fn what_a_server_needs_beside_itself_is_named() {
    let world = World::new();
    world.program("bin/tool", "echo tool 1");
    let mut tool = spec(&[]);
    tool.needs = vec!["engine".into()];
    let why = world.find(&tool, true).await.unwrap_err();
    assert_eq!(
        (why.code(), why.to_string().as_str()),
        ("unsupported", "tool needs engine, which is not on PATH")
    );
    world.program("bin/engine", "");
    assert!(world.find(&tool, true).await.is_ok());
}

#[tokio::test]
async fn the_project_s_typescript_decides_which_server_is_its_own() {
    let servers = Servers::builtin();
    let native = servers.get("typescript-native").unwrap();
    let wrapper = servers.get("typescript").unwrap();
    let world = World::new();
    world.program("bin/node", "");
    world.program("bin/tsc", "echo Version 7.0.2");
    world.program("bin/typescript-language-server", "echo 5.3.0");
    let five = "{\"version\": \"5.9.3\"}";
    world.file("node_modules/typescript/package.json", five);
    world.program("checkout/node_modules/.bin/tsc", "echo Version 5.9.3");
    assert_eq!(world.find(native, true).await.unwrap_err().code(), "unsupported");
    assert_eq!(world.find(wrapper, true).await.unwrap().version, "5.3.0");
    world.file("node_modules/typescript/package.json", "{\"version\": \"7.0.2\"}");
    world.program("checkout/node_modules/.bin/tsc", "echo Version 7.0.2");
    assert!(world.find(native, true).await.unwrap().project_local);
    assert!(!world.find(native, false).await.unwrap().project_local);
    assert_eq!(world.find(wrapper, true).await.unwrap_err().code(), "unsupported");
    // Nothing said: the one that is installed, if it is new enough.
    fs::remove_dir_all(world.root().join("node_modules")).unwrap();
    assert!(world.find(native, true).await.is_ok());
    world.program("bin/tsc", "echo Version 5.9.3");
    let why = world.find(native, true).await.unwrap_err();
    assert!(why.to_string().contains("version 7 or later is needed"), "{why}");
    assert!(world.find(wrapper, true).await.is_ok());
}

#[tokio::test]
async fn a_neighbour_speaks_for_a_server_that_cannot() {
    let world = World::new();
    world.program("bin/tool", "sleep 600");
    let mut tool = spec(&[]);
    tool.commands[0].probe_as = Some("tool-cli".into());
    assert_eq!(world.find(&tool, true).await.unwrap().version, "");
    world.program("bin/tool-cli", "echo 1.2.3");
    assert_eq!(world.find(&tool, true).await.unwrap().version, "1.2.3");
    world.program("bin/tool-cli", "echo no runtime >&2; exit 1");
    assert_eq!(world.find(&tool, true).await.unwrap_err().code(), "broken_binary");
    // A whole path, as a configuration may give it.
    tool.commands[0].names = vec![world.folder.path().join("bin/tool").to_str().unwrap().into()];
    tool.commands[0].probe_as = None;
    tool.commands[0].probe.clear();
    assert_eq!(
        world.find(&tool, true).await.unwrap().program,
        world.folder.path().join("bin/tool")
    );
}
