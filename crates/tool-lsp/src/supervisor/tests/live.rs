//! Real servers, through the handle that everything else uses.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tool_core::{CloseWhy, Closed, Resource as _};
use tool_testkit::LeakGuard;
use tool_workspace::Root;

use super::super::{Supervisor, Want};
use crate::client::{Client, Kind};
use crate::decode::locations;
use crate::real::{Project, server};

/// A run over a sample project with one real server; nothing of it may outlive the test.
struct Run {
    guard: LeakGuard,
    project: Project,
    sup: Supervisor,
}

impl Run {
    async fn new(test: &str, id: &str, project: Project) -> Option<Self> {
        let guard = LeakGuard::new();
        let mut config = server(test, id).await?;
        let (name, value) = guard.variable();
        config.servers.change(id, |spec| spec.env.push((name.into(), value.into())));
        let root = Root::open(&project.root()).expect("a root");
        let sup = Supervisor::new(root, config, true, project.state());
        Some(Self { guard, project, sup })
    }

    fn path(&self, file: &str) -> PathBuf {
        self.project.root().join(file)
    }

    async fn client(&self, file: &str) -> Arc<Client> {
        let clients = self.sup.clients_for(&self.path(file), Want::Types).await;
        clients.unwrap_or_else(|error| panic!("{error:?}")).remove(0)
    }

    /// The params of a question about the first `word` on the first line that holds `line`.
    async fn at(&self, client: &Client, file: &str, line: &str, word: &str) -> Value {
        let synced = client.sync(&self.path(file)).await.unwrap_or_else(|error| panic!("{error}"));
        let from = synced.text.src().find(line).expect("the line");
        let offset = from + synced.text.src()[from..].find(word).expect("the word");
        let pos = synced.text.pos(offset, client.encoding());
        json!({
            "textDocument": {"uri": synced.uri},
            "position": {"line": pos.line, "character": pos.character},
        })
    }

    async fn ask(&self, client: &Client, method: &str, params: Value) -> Value {
        client.sync_world().await.unwrap_or_else(|error| panic!("{error}"));
        let quiet = |_: String| ();
        let answer = client.ask(method, method, params, Kind::Read, &quiet).await;
        answer.unwrap_or_else(|error| panic!("{error} {:?}", client.notes()))
    }

    /// Where the first `word` on the line is defined, as a path of the project.
    async fn definition(&self, client: &Client, file: &str, line: &str, word: &str) -> Vec<String> {
        let params = self.at(client, file, line, word).await;
        let answer = self.ask(client, "textDocument/definition", params).await;
        let root = self.project.root();
        let short = |path: PathBuf| path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        locations(&answer).into_iter().map(|loc| short(loc.path)).collect()
    }

    async fn references(&self, client: &Client, file: &str, line: &str, word: &str) -> usize {
        let mut params = self.at(client, file, line, word).await;
        params["context"] = json!({"includeDeclaration": true});
        locations(&self.ask(client, "textDocument/references", params).await).len()
    }

    async fn end(self) {
        let closed = self.sup.close(CloseWhy::Finished, Duration::from_secs(20)).await;
        assert_eq!(closed, Closed::Clean);
        assert_eq!(self.guard.alive(), Vec::<String>::new());
    }
}

/// What is asked of each server: the first answer is the whole one, a killed server is found out and comes back with its
/// documents, and what other programs write is seen.
struct Story {
    id: &'static str,
    project: fn() -> Project,
    /// A file that uses what another defines: file, part of its line, word, defining file, references in all.
    asks: (&'static str, &'static str, &'static str, &'static str, usize),
    /// A file that is not open, a part of it, and that part with one more reference in it, as another program writes it.
    edit: (&'static str, &'static str, &'static str),
    /// A new file with two more references, written by another program.
    more: Option<(&'static str, &'static str)>,
}

async fn play(test: &str, story: &Story) {
    let Some(run) = Run::new(test, story.id, (story.project)()).await else { return };
    let (file, line, word, defines, total) = story.asks;
    let client = run.client(file).await;
    assert_eq!(run.references(&client, file, line, word).await, total, "{}", story.id);
    assert_eq!(run.definition(&client, file, line, word).await, [defines], "{}", story.id);

    // Killed from outside: the next question starts another one, and its documents are there.
    let (pid, generation) = (client.pid(), client.generation());
    assert_eq!(
        run.sup.status().await.iter().filter(|s| s.pid == Some(pid) && s.state == "ready").count(),
        1
    );
    assert!(kill(pid));
    client.gone().await;
    let again = run.client(file).await;
    assert!(again.generation() > generation && again.pid() != pid);
    assert!(again.open_documents().contains(&run.path(file)), "{:?}", again.open_documents());
    assert_eq!(run.definition(&again, file, line, word).await, [defines], "{}", story.id);

    if let Some((name, text)) = story.more {
        run.project.write(name, text);
        assert_eq!(
            run.references(&again, file, line, word).await,
            total + 2,
            "{} {name}",
            story.id
        );
        std::fs::remove_file(run.path(name)).expect("removed");
        assert_eq!(
            run.references(&again, file, line, word).await,
            total,
            "{} without {name}",
            story.id
        );
    }

    let (name, old, new) = story.edit;
    let text = run.project.read(name);
    assert!(text.contains(old), "{name}");
    run.project.write(name, &text.replace(old, new));
    assert_eq!(run.references(&again, file, line, word).await, total + 1, "{} {name}", story.id);

    let reloaded = run.sup.reload(None).await.unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(reloaded.len(), 1);
    assert!(reloaded[0].generation() > again.generation());
    assert_eq!(run.definition(&reloaded[0], file, line, word).await, [defines], "{}", story.id);
    drop((client, again, reloaded));
    run.end().await;
}

#[expect(clippy::disallowed_methods, reason = "what a person or the system does to a server")]
fn kill(pid: u32) -> bool {
    let mut command = std::process::Command::new("kill");
    command.args(["-KILL", &pid.to_string()]).status().is_ok_and(|status| status.success())
}

#[tokio::test]
async fn ty() {
    let more = "from shop.order import total\n\nprint(total([5]))\n";
    let asks = ("shop/report.py", "total(prices)", "total", "shop/order.py", 7);
    let (edit, more) =
        (("main.py", "total([3, 4])", "total([3, total([4])])"), Some(("späti.py", more)));
    play("ty", &Story { id: "ty", project: || Project::of("python"), asks, edit, more }).await;
}

#[tokio::test]
async fn pyright() {
    let more = "from shop.order import total\n\nprint(total([5]))\n";
    let asks = ("shop/report.py", "total(prices)", "total", "shop/order.py", 7);
    let (edit, more) =
        (("main.py", "total([3, 4])", "total([3, total([4])])"), Some(("späti.py", more)));
    play("pyright", &Story { id: "pyright", project: || Project::of("python"), asks, edit, more })
        .await;
}

#[tokio::test]
async fn clangd() {
    let asks = ("src/report.c", "total(prices", "total", "src/order.c", 5);
    let edit = ("src/main.c", "total(prices, 2)", "total(prices, total(prices, 1))");
    play("clangd", &Story { id: "clangd", project: || Project::of("c"), asks, edit, more: None })
        .await;
}

#[tokio::test]
async fn rust_analyzer() {
    let asks = ("shop/src/report.rs", "total(prices)", "total", "shop/src/order.rs", 7);
    let edit = ("cli/src/main.rs", "total(&[3, 4])", "total(&[3, total(&[4])])");
    let project = || Project::of("rust");
    play("rust_analyzer", &Story { id: "rust-analyzer", project, asks, edit, more: None }).await;
}

#[tokio::test]
async fn typescript_native() {
    let more = "import { total } from \"./order\";\n\ntotal([5]);\n";
    let asks = ("src/report.ts", "total(prices)", "total", "src/order.ts", 7);
    let (edit, more) =
        (("src/main.ts", "total([3, 4])", "total([3, total([4])])"), Some(("src/späti.ts", more)));
    let project = || Project::typescript(7);
    play("typescript_native", &Story { id: "typescript-native", project, asks, edit, more }).await;
}

#[tokio::test]
async fn tsserver() {
    let more = "import { total } from \"./order\";\n\ntotal([5]);\n";
    let asks = ("src/report.ts", "total(prices)", "total", "src/order.ts", 7);
    let (edit, more) =
        (("src/main.ts", "total([3, 4])", "total([3, total([4])])"), Some(("src/späti.ts", more)));
    let project = || Project::typescript(5);
    play("tsserver", &Story { id: "typescript", project, asks, edit, more }).await;
}

#[tokio::test]
async fn gopls() {
    let asks = ("report/report.go", "order.Total(", "Total", "order/order.go", 4);
    let edit =
        ("main.go", "order.Total([]int{3, 4})", "order.Total([]int{3, order.Total([]int{4})})");
    play("gopls", &Story { id: "gopls", project: || Project::of("go"), asks, edit, more: None })
        .await;
}
