//! Which reading of a pattern counts, and what an answer says when there is nothing.

use serde_json::json;

use crate::support::Bench;

const PAIRS: &str = "d = {k: v, 'a': 1}\nf(x=1)\n";

#[tokio::test]
async fn other_readings_are_searched_only_when_the_first_has_nothing() {
    let bench = Bench::new();
    bench.write("a.py", PAIRS);
    let fell = bench.grep(json!({ "pattern": "$K: $V", "language": "python" })).await;
    assert_eq!(fell.total(), 2, "{}", fell.text);
    assert_eq!(fell.details()["fell_through"], true);
    assert!(fell.text.contains("none as"), "{}", fell.text);
    let context = fell.matches()[0]["context"].as_str().unwrap().to_owned();
    assert!(fell.text.contains(&format!("({context})")), "{}", fell.text);
    assert_eq!(fell.details()["other_contexts"][0]["context"], context.as_str());

    let picked =
        bench.grep(json!({ "pattern": "$K: $V", "language": "python", "context": context })).await;
    assert_eq!(picked.total(), 2, "{}", picked.text);
    assert_eq!(picked.details()["fell_through"], false);

    // One annotation anywhere, and the pairs are only counted.
    bench.write("b.py", "n: int = 1\nm: str\n");
    let first = bench.grep(json!({ "pattern": "$K: $V", "language": "python" })).await;
    assert_eq!(first.details()["fell_through"], false, "{}", first.text);
    assert!(first.places().iter().all(|p| p.starts_with("b.py")), "{}", first.text);
    assert_eq!(first.details()["other_contexts"][0]["count"], 2, "{}", first.text);
}

#[tokio::test]
async fn an_edit_never_falls_through_and_names_the_contexts() {
    let bench = Bench::new();
    bench.write("a.py", PAIRS);
    let args = json!({ "pattern": "$K: $V", "rewrite": "$V: $K", "language": "python" });
    let edited = bench.edit(args.clone()).await;
    assert!(edited.is_ok());
    assert_eq!(edited.details()["replacements"], 0);
    assert_eq!(edited.details()["edit_id"], json!(null));
    assert_eq!(edited.details()["other_contexts"][0]["count"], 2);
    let context = edited.details()["other_contexts"][0]["context"].as_str().unwrap();
    assert!(edited.text.contains(context) && edited.text.contains("`context`"), "{}", edited.text);
    let mut picked = args;
    picked["context"] = json!(context);
    let id = bench.stage(picked).await;
    assert!(bench.resolve(&id, "accept").await.is_ok());
    assert_eq!(bench.read("a.py"), "d = {v: k, 1: 'a'}\nf(x=1)\n");
}

#[tokio::test]
async fn no_match_never_stands_alone() {
    let bench = Bench::new();
    bench.write("a.py", "foo(1)\n").write("b.py", "bar(2)\n");
    let absent = bench.grep(json!({ "pattern": "foo(missing_name)", "language": "python" })).await;
    assert!(absent.is_ok());
    assert_eq!(absent.total(), 0);
    assert_eq!(absent.details()["absent"], json!(["missing_name"]));
    assert!(absent.text.contains("`missing_name`"), "{}", absent.text);
    assert!(absent.text.contains("2 python files"), "{}", absent.text);
}

#[tokio::test]
async fn a_pattern_that_no_context_accepts_is_no_search() {
    let bench = Bench::new();
    bench.write("a.py", "foo(1)\n");
    let result = bench.grep(json!({ "pattern": "def $F(", "language": "python" })).await;
    assert_eq!(result.kind(), "invalid_args");
    let rungs = result.details()["rungs"].as_array().unwrap();
    assert!(!rungs.is_empty() && rungs.iter().all(|r| r["context"].is_string()), "{rungs:?}");
    let unknown = bench
        .grep(json!({ "pattern": "foo($A)", "language": "python", "context": "no such rung" }))
        .await;
    assert_eq!(unknown.kind(), "invalid_args", "{}", unknown.text);
}

#[tokio::test]
async fn nested_matches_are_all_found_in_order() {
    let bench = Bench::new();
    bench.write("a.py", "f(1, f(2, f(3)))\nf(4)\n");
    let found = bench.grep(json!({ "pattern": "f($$$A)", "path": "a.py" })).await;
    let texts: Vec<_> = found.matches().iter().map(|m| m["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["f(1, f(2, f(3)))", "f(2, f(3))", "f(3)", "f(4)"]);
    assert_eq!(found.matches()[1]["captures"], json!({ "$$$A": "2, f(3)" }));
}

#[tokio::test]
async fn the_answer_is_grouped_capped_and_says_n_of_m() {
    let bench = Bench::new();
    for n in 0..30 {
        bench.write(&format!("d/{n:02}.py"), "f(1)\nf(2)\n");
    }
    let found =
        bench.grep(json!({ "pattern": "f($A)", "language": "python", "max_results": 5 })).await;
    assert_eq!(found.total(), 60);
    assert_eq!(found.details()["shown"], 5);
    assert_eq!(found.places(), ["d/00.py:1", "d/00.py:2", "d/01.py:1", "d/01.py:2", "d/02.py:1"]);
    assert!(found.text.contains("the first 5 of 60"), "{}", found.text);
    assert!(found.text.contains("d/00.py\n  1: f(1)  [$A = 1]\n  2: f(2)"), "{}", found.text);
}
