//! What processes do to the supervisor, by a fake server that is one. Nothing of it outlives a test.

mod live;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_core::{CloseWhy, Closed, Resource as _};
use tool_testkit::{LeakGuard, Script, Verb, eventually, install};
use tool_workspace::Root;

use super::{ServerStatus, Supervisor, Want};
use crate::client::{Client, Kind};
use crate::config::{LspConfig, Servers};
use crate::error::{LspError, Reason};
use crate::spec::{CommandSpec, Readiness, Role, ServerSpec};

/// A run over a checkout of two projects, `one` and `two`, each with a marker and a document.
struct Run {
    sup: Supervisor,
    guard: LeakGuard,
    root: PathBuf,
    folders: [TempDir; 3],
}

impl Run {
    fn new(script: Script) -> Self {
        Self::of(script, |_, _| ())
    }

    fn of(script: Script, change: impl FnOnce(&mut ServerSpec, &mut LspConfig)) -> Self {
        let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
        let [root, state, bin] = &folders;
        for project in ["one", "two"] {
            fs::create_dir(root.path().join(project)).expect("a folder");
            fs::write(root.path().join(project).join("x.toml"), "").expect("written");
            fs::write(root.path().join(project).join("a.x"), "text\n").expect("written");
        }
        fs::write(root.path().join("lone.x"), "").expect("written");
        install(bin.path(), "fake-server", &script).expect("installed");
        let guard = LeakGuard::new();
        let (name, value) = guard.variable();
        let mut spec = ServerSpec::new("fake", Role::Types);
        let mut command = CommandSpec::new("fake-server", &[]);
        command.probe.clear();
        spec.commands = vec![command];
        spec.markers = vec!["x.toml".into()];
        spec.documents = vec![("x".into(), "x".into())];
        spec.readiness = Readiness::Blocks;
        spec.env.push((name.into(), value.into()));
        let mut config = LspConfig { servers: Servers::none(), ..LspConfig::default() };
        let path = [bin.path().to_path_buf(), "/usr/bin".into(), "/bin".into()];
        config.path = Some(std::env::join_paths(path).expect("a path"));
        change(&mut spec, &mut config);
        config.servers.add(spec);
        let workspace = Root::open(root.path()).expect("a root");
        let root = workspace.path().to_path_buf();
        let sup = Supervisor::new(workspace, config, true, state.path().to_path_buf());
        Self { sup, guard, root, folders }
    }

    async fn clients(&self, file: &str) -> Result<Vec<Arc<Client>>, LspError> {
        self.sup.clients_for(&self.root.join(file), Want::All).await
    }

    async fn client(&self, file: &str) -> Arc<Client> {
        let clients = self.clients(file).await;
        clients.unwrap_or_else(|error| panic!("{error:?}")).remove(0)
    }

    async fn reason(&self, file: &str) -> Reason {
        match self.clients(file).await {
            Err(LspError::NoServer { mut reasons, .. }) => reasons.remove(0),
            other => panic!("{other:?}"),
        }
    }

    async fn status(&self, root: &str) -> ServerStatus {
        let all = self.sup.status().await;
        let of = all.iter().find(|status| status.root == root);
        of.unwrap_or_else(|| panic!("{root}: {all:#?}")).clone()
    }

    async fn close(self) {
        let closed = self.sup.close(CloseWhy::Finished, Duration::from_secs(20)).await;
        assert_eq!(closed, Closed::Clean);
        assert_eq!(self.guard.alive(), Vec::<String>::new());
        drop(self.folders);
    }
}

fn greets(script: Script) -> Script {
    script.on("initialize", [Verb::Reply(json!({"capabilities": {}}))])
}

async fn ask(client: &Client, method: &str) -> Result<Value, LspError> {
    client.request(method, method, Value::Null, Kind::Once, Duration::from_secs(60)).await
}

/// Failures 30 and 92: one process a root, however many ask at once; another root has its own.
#[tokio::test]
async fn a_root_has_one_process() {
    let run = Run::new(greets(Script::new()));
    let (a, b) = tokio::join!(run.client("one/a.x"), run.client("one/a.x"));
    assert!(Arc::ptr_eq(&a, &b));
    let other = run.client("two/a.x").await;
    assert_ne!(a.pid(), other.pid());
    assert_eq!(
        (a.root(), other.root()),
        (run.root.join("one").as_path(), run.root.join("two").as_path())
    );
    assert_eq!(run.sup.running().len(), 2);
    let status = run.status("one").await;
    assert_eq!((status.state, status.pid, status.starts), ("ready", Some(a.pid()), 1));
    if cfg!(target_os = "linux") {
        assert!(status.memory.is_some_and(|bytes| bytes > 1 << 20), "{status:?}");
    }
    drop((a, b, other));
    run.close().await;
}

/// Failure 94: each thing that is missing has a code of its own.
#[tokio::test]
async fn what_is_missing_is_named() {
    let run = Run::new(Script::new());
    assert_eq!(run.reason("lone.x").await.code, "no_marker");
    let run =
        Run::of(Script::new(), |spec, _| spec.commands[0].names = vec!["no-such-server".into()]);
    let reason = run.reason("one/a.x").await;
    assert_eq!(reason.code, "no_binary");
    assert!(reason.says.contains("no-such-server"), "{}", reason.says);
    assert_eq!(run.status("one").await.state, "no_binary");
}

/// Failures 87 and 89: a server that dies while it starts is told with its last words; after a second time it is left
/// alone for a while, and `reload` asks it at once.
#[tokio::test]
async fn a_server_that_cannot_start_is_left_alone() {
    let dies = [Verb::Complain("no such toolchain".into()), Verb::Exit(3)];
    let run = Run::new(Script::new().on("initialize", dies));
    for _ in 0..2 {
        let reason = run.reason("one/a.x").await;
        assert_eq!(reason.code, "failed");
        assert!(
            reason.says.contains("exit code 3") && reason.says.contains("no such toolchain"),
            "{}",
            reason.says
        );
    }
    let reason = run.reason("one/a.x").await;
    assert!(reason.says.contains("started again in"), "{}", reason.says);
    let status = run.status("one").await;
    assert_eq!((status.state, status.starts), ("failed", 2));
    let error = run.sup.reload(None).await.expect_err("it still dies");
    assert_eq!(error.reason(), "failed");
    assert_eq!(run.status("one").await.starts, 3);
    run.close().await;
}

/// Failure 89: three crashes in a short time are a loop.
#[tokio::test]
async fn a_crash_loop_is_stopped() {
    let run = Run::new(greets(Script::new()).on("x/die", [Verb::Exit(5)]));
    for round in 0..3 {
        let slot = run.sup.shared.all().into_iter().next();
        if let (2, Some(slot)) = (round, slot) {
            // Not to wait for the backoff itself: it has its own tests.
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(11)).await;
            tokio::time::resume();
            assert!(slot.may_start().is_ok());
        }
        let client = run.client("one/a.x").await;
        let error = ask(&client, "x/die").await.expect_err("it dies");
        assert!(error.to_string().contains("exit code 5"), "{error}");
        client.gone().await;
        eventually("the crash is noticed", || run.sup.running().is_empty()).await;
    }
    let reason = run.reason("one/a.x").await;
    assert_eq!(reason.code, "stopped");
    assert!(
        reason.says.contains("3 times") && reason.says.contains("exit code 5"),
        "{}",
        reason.says
    );
    assert_eq!(run.status("one").await.state, "stopped");
    let reloaded = run.sup.reload(Some(&run.root.join("one/a.x"))).await.expect("it starts");
    assert_eq!(ask(&reloaded[0], "x/live").await.expect("an answer"), Value::Null);
    drop(reloaded);
    run.close().await;
}

/// Failure 90: the next process opens the documents of the last, and is another generation.
#[tokio::test]
async fn documents_outlive_a_crash() {
    let run = Run::new(greets(Script::new()).on("x/die", [Verb::Exit(5)]));
    let client = run.client("one/a.x").await;
    client.sync(&run.root.join("one/a.x")).await.expect("told");
    let _ = ask(&client, "x/die").await;
    client.gone().await;
    let next = run.client("one/a.x").await;
    assert!(next.generation() > client.generation());
    assert_eq!(next.open_documents(), [run.root.join("one/a.x")]);
    drop((client, next));
    run.close().await;
}

/// Failures 86 and 88: a server that obeys nothing is killed, with what it has started.
#[tokio::test]
async fn a_server_that_does_not_go_is_killed() {
    let stubborn =
        [Verb::IgnoreTerm, Verb::IgnoreEof, Verb::Grandchild, Verb::GrandchildInItsOwnGroup];
    let script = greets(Script::new().start(stubborn)).on("shutdown", [Verb::Hold]).on("exit", []);
    let run = Run::new(script);
    run.client("one/a.x").await;
    assert!(run.guard.alive().len() >= 3, "{:?}", run.guard.alive());
    let closed = run.sup.close(CloseWhy::Finished, Duration::from_secs(4)).await;
    assert_eq!(closed, Closed::Clean);
    assert!(matches!(run.clients("one/a.x").await, Err(LspError::NoServer { .. })));
}

/// Failure 10: nobody waits for a start who does not want to; closing ends it.
#[tokio::test]
async fn a_start_goes_on_without_those_who_asked() {
    let run = Run::new(Script::new().on("initialize", [Verb::Hold]));
    let file = run.root.join("one/a.x");
    assert_eq!(run.sup.clients_now(&file, Want::All).await.len(), 0);
    let short = Duration::from_millis(50);
    assert!(tokio::time::timeout(short, run.clients("one/a.x")).await.is_err());
    eventually("it is there", || !run.guard.alive().is_empty()).await;
    let status = run.status("one").await;
    assert_eq!((status.state, status.starts), ("starting", 1));
    run.close().await;
}

/// Failure 92: no more servers than allowed; the one unused for longest makes room, unless it is at work (91).
#[tokio::test]
async fn few_servers_run_at_once() {
    let script = greets(Script::new()).on("x/hold", [Verb::Hold]);
    let run = Run::of(script, |_, config| config.max_servers = 1);
    let one = run.client("one/a.x").await;
    let two = run.client("two/a.x").await;
    assert!(two.is_alive());
    one.gone().await;
    assert_eq!(run.status("one").await.state, "idle");
    let busy = tokio::spawn({
        let two = two.clone();
        async move { ask(&two, "x/hold").await }
    });
    eventually("it is at work", || two.is_busy()).await;
    assert_eq!(run.reason("one/a.x").await.code, "limit");
    assert!(two.is_alive());
    busy.abort();
    drop((one, two));
    run.close().await;
}

/// A server that takes too much memory is ended, and says so.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn memory_has_a_limit() {
    let run = Run::of(greets(Script::new()), |_, config| config.max_memory = Some(1));
    let client = run.client("one/a.x").await;
    client.gone().await;
    eventually("it is noticed", || run.sup.running().is_empty()).await;
    let status = run.status("one").await;
    assert_eq!(status.state, "memory");
    assert!(status.says.contains("the limit of 0 MiB"), "{}", status.says);
    drop(client);
    run.close().await;
}

/// Dropping the last handle leaves nothing behind.
#[tokio::test]
async fn nothing_outlives_the_supervisor() {
    let run = Run::new(greets(Script::new().start([Verb::Grandchild])));
    drop(run.client("one/a.x").await);
    assert!(!run.guard.alive().is_empty());
    let Run { sup, guard, .. } = run;
    drop(sup);
    eventually("all is gone", || guard.alive().is_empty()).await;
}
