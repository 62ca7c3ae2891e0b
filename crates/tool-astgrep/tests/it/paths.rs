//! Paths and languages: what is searched, what is asked for, what is refused.

use serde_json::json;

use crate::support::Bench;

#[tokio::test]
async fn a_folder_without_a_language_says_what_is_there() {
    let bench = Bench::new();
    for n in 0..3 {
        bench.write(&format!("src/{n}.py"), "f(1)\n");
    }
    bench.write("web/a.ts", "f(1)\n").write("web/b.tsx", "f(1)\n").write("README", "f(1)\n");
    for tool in ["ast_grep", "ast_edit"] {
        let mut args = json!({ "pattern": "f($A)" });
        if tool == "ast_edit" {
            args["rewrite"] = json!("g($A)");
        }
        let result = bench.call(tool, args).await;
        assert_eq!(result.kind(), "invalid_args");
        assert!(result.text.contains("python 3, typescript 2"), "{}", result.text);
        assert_eq!(result.details()["languages"], json!({ "python": 3, "typescript": 2 }));
    }
    let empty = bench.grep(json!({ "pattern": "f($A)", "path": "" })).await;
    assert_eq!(empty.kind(), "invalid_args", "an empty path is the workspace");
}

#[tokio::test]
async fn a_file_tells_its_language_and_an_explicit_one_wins() {
    let bench = Bench::new();
    bench.write("a.py", "f(1)\n").write("script", "f(1)\n").write("b.txt", "f(1)\n");
    let told = bench.grep(json!({ "pattern": "f($A)", "path": "a.py" })).await;
    assert_eq!(told.details()["language"], "python");
    assert_eq!(told.total(), 1);
    let untold = bench.grep(json!({ "pattern": "f($A)", "path": "b.txt" })).await;
    assert_eq!(untold.kind(), "invalid_args");
    let named =
        bench.grep(json!({ "pattern": "f($A)", "path": "script", "language": "python" })).await;
    assert_eq!(named.total(), 1);
    let other = bench.grep(json!({ "pattern": "f($A)", "path": "a.py", "language": "rust" })).await;
    assert_eq!(other.details()["language"], "rust");
}

#[tokio::test]
async fn groups_of_languages_are_searched_together() {
    let bench = Bench::new();
    bench
        .write("a.ts", "f(1)\n")
        .write("b.tsx", "const x = <p>{f(2)}</p>;\n")
        .write("c.js", "f(3)\n");
    bench.write("d.jsx", "f(4)\n").write("e.h", "int x = f(5);\n").write("e.c", "int y = f(6);\n");
    bench.write("f.cpp", "int z = f(7);\n");
    let places = async |language: &str| {
        bench.grep(json!({ "pattern": "f($A)", "language": language })).await.places()
    };
    assert_eq!(places("typescript").await, ["a.ts:1", "b.tsx:1"]);
    assert_eq!(places("tsx").await, ["b.tsx:1"]);
    assert_eq!(places("javascript").await, ["c.js:1", "d.jsx:1"]);
    assert_eq!(places("c").await, ["e.c:1", "e.h:1"]);
    assert_eq!(places("cpp").await, ["e.h:1", "f.cpp:1"]);
}

#[tokio::test]
async fn a_header_is_read_as_what_it_parses_as() {
    let bench = Bench::new();
    bench.write("c.h", "int f(int a) { return g(a); }\n");
    bench.write(
        "cpp.h",
        "namespace n { class K { public: int f() { return g(std::move(x)); } }; }\n",
    );
    for (file, pattern) in [("c.h", "g($A)"), ("cpp.h", "g($A)"), ("cpp.h", "std::move($A)")] {
        let found = bench.grep(json!({ "pattern": pattern, "path": file })).await;
        assert!(found.is_ok() && found.total() == 1, "{file} {pattern}: {}", found.text);
    }
}

#[tokio::test]
async fn unknown_languages_name_those_there_are() {
    let bench = Bench::new();
    let result = bench.grep(json!({ "pattern": "f", "language": "cobol" })).await;
    assert_eq!(result.kind(), "invalid_args");
    assert!(result.text.contains("python") && result.text.contains("zig"), "{}", result.text);
}

#[tokio::test]
async fn what_lies_outside_is_refused_and_what_is_missing_failed() {
    let bench = Bench::new();
    bench.write("a.py", "f(1)\n");
    std::os::unix::fs::symlink("/etc", bench.path("etc")).unwrap();
    let kind = async |path: &str| {
        let result =
            bench.grep(json!({ "pattern": "f($A)", "language": "python", "path": path })).await;
        result.kind().to_owned()
    };
    for outside in ["..", "../x.py", "/etc/passwd", "etc/passwd", "a/../../b"] {
        assert!(matches!(kind(outside).await.as_str(), "refused" | "failed"), "{outside}");
    }
    assert_eq!(kind("/etc/passwd").await, "refused");
    assert_eq!(kind("..").await, "refused");
    assert_eq!(kind("etc/passwd").await, "refused");
    assert_eq!(kind("nothing.py").await, "failed");
    assert_eq!(kind("a.py/b").await, "failed");
}

#[tokio::test]
async fn limits_and_blank_patterns_are_invalid() {
    let bench = Bench::new();
    bench.write("a.py", "f(1)\n");
    for bad in [json!(0), json!(-1), json!(1001), json!(2.5)] {
        let result =
            bench.grep(json!({ "pattern": "f($A)", "path": "a.py", "max_results": bad })).await;
        assert_eq!(result.kind(), "invalid_args", "{bad}");
    }
    for bad in ["", "   ", "$A", "$$$A", "def $F($$$P)"] {
        let result = bench.grep(json!({ "pattern": bad, "path": "a.py" })).await;
        assert_eq!(result.kind(), "invalid_args", "{bad:?}: {}", result.text);
    }
    assert_eq!(bench.grep(json!({ "path": "a.py" })).await.kind(), "invalid_args");
    assert_eq!(
        bench.grep(json!({ "pattern": "f", "path": "a.py", "no": 1 })).await.kind(),
        "invalid_args"
    );
}
