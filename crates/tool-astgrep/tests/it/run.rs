//! What a run remembers, how many threads it takes, and stopping it.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tool_astgrep::AstGrepConfig;
use tool_core::CallRequest;

use crate::support::{Bench, Result_};

fn config(threads: usize, memory: usize) -> AstGrepConfig {
    let mut config = AstGrepConfig::default();
    config.threads = threads;
    config.memory_budget = memory;
    config
}

/// Answers without what may differ: nothing but the time, which is not in here.
fn facts(result: &Result_) -> Value {
    json!({ "text": result.text, "details": result.details() })
}

fn tree(bench: &Bench) {
    for n in 0..60 {
        let mut source = String::new();
        for line in 0..(n * 7 % 40) {
            let _ = writeln!(source, "x{line} = f(g({n}), {line})");
        }
        bench.write(&format!("p{}/m{n:02}.py", n % 7), source);
    }
}

const QUERIES: [&str; 5] = ["f($A, $B)", "$F($A)", "x3 = $V", "g(59)", "nothing($X)"];

#[tokio::test]
async fn the_answer_does_not_depend_on_threads_or_memory() {
    let bench = Bench::with(&config(1, 0));
    tree(&bench);
    for query in QUERIES {
        let args = json!({ "pattern": query, "language": "python", "max_results": 7 });
        let alone = facts(&bench.grep(args.clone()).await);
        for (threads, memory) in [(2, 0), (5, 1 << 30), (8, 40_000), (3, 1)] {
            let other = bench.another_run(&config(threads, memory));
            for round in 0..3 {
                let again = facts(&other.grep(args.clone()).await);
                assert_eq!(
                    again, alone,
                    "{query}: {threads} threads, {memory} bytes, round {round}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_changed_file_is_never_answered_from_memory() {
    let bench = Bench::new();
    bench.write("a.py", "f(1)\n").write("b.py", "f(2)\n").write("c.py", "f(3)\n");
    let texts = async || {
        let found = bench.grep(json!({ "pattern": "f($A)", "language": "python" })).await;
        let text =
            |m: &Value| format!("{} {}", m["path"].as_str().unwrap(), m["text"].as_str().unwrap());
        found.matches().iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(texts().await, ["a.py f(1)", "b.py f(2)", "c.py f(3)"]);
    // Same length, and the times of the old file.
    let before = std::fs::metadata(bench.path("a.py")).unwrap();
    bench.write("a.py", "f(9)\n");
    let file = std::fs::File::options().write(true).open(bench.path("a.py")).unwrap();
    file.set_modified(before.modified().unwrap()).unwrap();
    assert_eq!(texts().await, ["a.py f(9)", "b.py f(2)", "c.py f(3)"]);
    // Replaced by another file, touched, deleted, made anew.
    bench.write("new.tmp", "g(0)\nf(8)\n");
    std::fs::rename(bench.path("new.tmp"), bench.path("a.py")).unwrap();
    bench.write("b.py", "f(2)\n");
    std::fs::remove_file(bench.path("c.py")).unwrap();
    assert_eq!(texts().await, ["a.py f(8)", "b.py f(2)"]);
    bench.write("c.py", "f(7)\n");
    assert_eq!(texts().await, ["a.py f(8)", "b.py f(2)", "c.py f(7)"]);
    // Changed through the tools themselves.
    let id = bench.stage(json!({ "pattern": "f(7)", "rewrite": "f(70)", "path": "c.py" })).await;
    assert!(bench.resolve(&id, "accept").await.is_ok());
    assert_eq!(texts().await, ["a.py f(8)", "b.py f(2)", "c.py f(70)"]);
}

#[tokio::test]
async fn one_file_in_two_languages_is_remembered_as_both() {
    let bench = Bench::new();
    bench.write("x.h", "int f(int a) { return g(a); }\n");
    for _ in 0..2 {
        for language in ["c", "cpp"] {
            let args = json!({ "pattern": "g($A)", "language": language });
            let found = bench.grep(args).await;
            assert_eq!((found.total(), &found.details()["language"]), (1, &json!(language)));
        }
    }
}

#[tokio::test]
async fn a_cancelled_search_ends_and_the_next_one_is_whole() {
    let bench = Bench::with(&config(2, 1 << 28));
    for n in 0..40 {
        bench.write(&format!("{n}.py"), "x = f(g(1), [2, 3, (4, h(5))])\n".repeat(4000));
    }
    let args = json!({ "pattern": "$F($A)", "language": "python" });
    let token = tokio_util::sync::CancellationToken::new();
    let request = CallRequest::new("ast_grep", args.clone()).cancel(token.clone());
    let call = tokio::spawn({
        let view = bench.view.clone();
        async move { view.invoke(request).await }
    });
    // Observed, not slept for: the search reports that it is under way.
    let mut events = bench.view.scope().events();
    while let Some(event) = events.recv().await {
        if matches!(event, tool_core::CallEvent::Progress { .. }) {
            break;
        }
        if matches!(event, tool_core::CallEvent::Finished(_)) {
            panic!("it ended before it reported");
        }
    }
    token.cancel();
    let outcome = call.await.unwrap();
    assert_eq!(outcome.result.unwrap_err().kind().as_str(), "cancelled");
    let whole = bench.grep(args).await;
    assert_eq!(whole.total(), 2 * 40 * 4000, "{}", whole.text);
}
