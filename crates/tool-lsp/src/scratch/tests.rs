use super::*;
use crate::config::Servers;
use serde_json::json;

struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("checkout")).unwrap();
        Self { folder }
    }

    fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn launch(&self, id: &str, trusted: bool) -> Result<Launch, String> {
        let servers = Servers::builtin();
        let spec = servers.get(id).unwrap();
        let binary = Binary {
            program: self.folder.path().join("lib/node_modules/wrapper/cli.js"),
            args: spec.commands[0].args.clone(),
            version: String::new(),
            project_local: false,
        };
        let (root, scratch) =
            (self.folder.path().join("checkout"), self.folder.path().join("scratch"));
        let at = Place {
            root: &root,
            run_root: &root,
            scratch: &scratch,
            path: OsStr::new("/bin"),
            trusted,
        };
        launch(spec, &binary, at)
    }
}

#[test]
fn writes_go_to_the_scratch_folder_of_the_server_and_root() {
    let world = World::new();
    let rust = world.launch("rust-analyzer", true).unwrap();
    let target = rust.init_options["cargo"]["targetDir"].as_str().unwrap();
    assert!(Path::new(target).starts_with(world.folder.path().join("scratch")), "{target}");
    assert_eq!(rust.settings["rust-analyzer"]["cargo"]["targetDir"], target);
    assert!(rust.notes.iter().any(|note| note.contains("Cargo.lock")), "{:?}", rust.notes);
    let java = world.launch("jdtls", true).unwrap();
    let data = java.args.iter().skip_while(|arg| *arg != "-data").nth(1).unwrap();
    assert!(Path::new(data).starts_with(world.folder.path().join("scratch")));
    assert_ne!(Path::new(data).parent(), Path::new(target).parent());
    assert_eq!(rust, world.launch("rust-analyzer", true).unwrap(), "the same folder next time");
}

#[test]
fn an_untrusted_run_switches_off_what_runs_the_project_and_says_what_it_costs() {
    let world = World::new();
    let rust = world.launch("rust-analyzer", false).unwrap();
    assert_eq!(rust.init_options["procMacro"]["enable"], false);
    assert!(rust.init_options["cargo"]["targetDir"].is_string(), "laid over, not replaced");
    assert!(rust.env.contains(&("RUSTC_WRAPPER".into(), String::new())));
    assert!(rust.notes[0].starts_with("not trusted: build scripts"), "{:?}", rust.notes);
    let go = world.launch("gopls", false).unwrap();
    assert!(!go.pass_env.contains(&"GOTOOLCHAIN".to_string()));
    assert!(go.env.contains(&("GOTOOLCHAIN".into(), "local".into())));
    assert!(world.launch("gopls", true).unwrap().pass_env.contains(&"GOTOOLCHAIN".to_string()));
}

#[test]
fn the_project_s_interpreter_is_named_in_a_trusted_run_only() {
    let world = World::new();
    assert_eq!(
        world.launch("pyright", true).unwrap().settings["python"]["pythonPath"],
        json!(null)
    );
    let python = world.file("checkout/.venv/bin/python", "");
    let path = |trusted| {
        world.launch("pyright", trusted).unwrap().settings["python"]["pythonPath"].clone()
    };
    assert_eq!(path(true), json!(python));
    let other = path(false);
    let other = Path::new(other.as_str().unwrap());
    assert!(
        other.is_absolute() && !other.starts_with(world.folder.path().join("checkout")),
        "{other:?}"
    );
}

#[test]
fn the_project_s_tsserver_is_used_in_a_trusted_run_only() {
    let world = World::new();
    world.file("lib/node_modules/wrapper/cli.js", "");
    let why = world.launch("typescript", true).unwrap_err();
    assert!(why.contains("needs a TypeScript up to 6"), "{why}");
    let own = world.file("checkout/node_modules/typescript/lib/tsserver.js", "");
    let path = |trusted| {
        world.launch("typescript", trusted).map(|l| l.init_options["tsserver"]["path"].clone())
    };
    assert_eq!(path(true).unwrap(), json!(own.parent().unwrap()));
    assert!(path(false).is_err());
    let beside = world.file("lib/node_modules/typescript/lib/tsserver.js", "");
    assert_eq!(path(false).unwrap(), json!(beside.parent().unwrap().canonicalize().unwrap()));
}

#[cfg(unix)]
#[test]
fn clangd_is_given_a_link_to_the_database_where_that_means_the_same() {
    let world = World::new();
    let dir = |launch: &Launch| {
        launch
            .args
            .iter()
            .find_map(|arg| arg.strip_prefix("--compile-commands-dir=").map(PathBuf::from))
    };
    let none = world.launch("clangd", true).unwrap();
    assert_eq!((dir(&none), none.notes.len()), (None, 0));
    let database =
        world.file("checkout/build/compile_commands.json", "[{\"directory\": \"/src\"}]");
    let linked = dir(&world.launch("clangd", true).unwrap()).unwrap();
    assert_eq!(fs::read_link(linked.join("compile_commands.json")).unwrap(), database);
    world.file("checkout/build/compile_commands.json", "[{\"directory\": \".\"}]");
    let left = world.launch("clangd", true).unwrap();
    assert_eq!(dir(&left), None);
    assert!(left.notes[0].contains(".cache/clangd"), "{:?}", left.notes);
}
