//! Named cases: the whole file after a rewrite.

use super::*;

#[test]
fn rewritten_as_the_shared_cases_say() {
    table(&[
        (
            "dart-null-aware-rewrite",
            "dart",
            "if ($X != null) $X.dispose()",
            "$X?.dispose()",
            "class W {\n  final FocusNode? node;\n  void close(Object o) {}\n  void dispose() {\n    if (node != null) node.dispose();\n    timer.dispose();\n    if (a != null) b.dispose();\n    dispose(x);\n  }\n}\n",
            "class W {\n  final FocusNode? node;\n  void close(Object o) {}\n  void dispose() {\n    node?.dispose();\n    timer.dispose();\n    if (a != null) b.dispose();\n    dispose(x);\n  }\n}\n",
        ),
        (
            "tabs-indent",
            "go",
            "run($X)",
            "if ok {\n\trun($X)\n}",
            "package p\nfunc f() {\n\trun(1)\n}\n",
            "package p\nfunc f() {\n\tif ok {\n\t\trun(1)\n\t}\n}\n",
        ),
        (
            "rust-swap-args-rewrite",
            "rust",
            "assert_same($A, $B)",
            "assert_same($B, $A)",
            "fn t() { assert_same(a + 1, g(b)); }\n",
            "fn t() { assert_same(g(b), a + 1); }\n",
        ),
        (
            "py-none",
            "python",
            "$X == None",
            "$X is None",
            "a = b == None\nc = d is None\n",
            "a = b is None\nc = d is None\n",
        ),
        (
            "py-if-else-not-corrupted",
            "python",
            "if $X: $$$B",
            "while $X: $$$B",
            "if x:\n    a()\nelse:\n    b()\nif y:\n    c()\n",
            "if x:\n    a()\nelse:\n    b()\nwhile y: c()\n",
        ),
        (
            "py-indent-rewrite",
            "python",
            "guard($X)",
            "if not $X:\n    raise E($X)",
            "def f():\n    if a:\n        guard(b)\n",
            "def f():\n    if a:\n        if not b:\n            raise E(b)\n",
        ),
        (
            "dollar-literal-rewrite",
            "javascript",
            "price($A)",
            "`$5 ${$A} $lower`",
            "price(5);\n",
            "`$5 ${5} $lower`;\n",
        ),
        ("bom", "javascript", "log($A)", "out($A)", "\u{feff}log(1);\n", "\u{feff}out(1);\n"),
        (
            "js-async-not-dropped",
            "javascript",
            "function $F() { $$$B }",
            "const $F = () => { $$$B }",
            "async function f() { await g(); }\nfunction h() { k(); }\n",
            "async function f() { await g(); }\nconst h = () => { k(); }\n",
        ),
        (
            "multi-empty-rewrite",
            "javascript",
            "f($$$A)",
            "g(ctx, $$$A)",
            "f(); f(1, 2);\n",
            "g(ctx); g(ctx, 1, 2);\n",
        ),
        ("idempotent", "javascript", "f($A)", "f($A)", "f(x);\n", "f(x);\n"),
        (
            "csharp-binary",
            "csharp",
            "$A + $B",
            "add($A, $B)",
            "class C { int M(int a, int b) { return a + b; } }\n",
            "class C { int M(int a, int b) { return add(a, b); } }\n",
        ),
    ]);
}

#[test]
fn an_identity_rewrite_is_no_edit() {
    let Some(outcome) = rewrite("javascript", "f($A)", "f($A)", "f(x);\nf( y );\n") else {
        return;
    };
    let plan = outcome.unwrap().plan;
    assert_eq!((plan.unchanged, plan.replacements), (2, 0));
}

#[test]
fn an_unknown_metavariable_is_named() {
    let Some(outcome) = rewrite("javascript", "f($A)", "g($B)", "f(1);\n") else {
        return;
    };
    assert_eq!(
        outcome.unwrap_err(),
        "rewrite uses $B, which the pattern does not capture; it captures $A"
    );
}

#[test]
fn nested_and_broken_matches_are_left_and_counted() {
    let src = "f(f(f(1)));\nlet a = (;\nf(2);\n";
    let Some(outcome) = rewrite("javascript", "f($A)", "g($A)", src) else {
        return;
    };
    let outcome = outcome.unwrap();
    assert_eq!(outcome.plan.nested, 2);
    assert!(outcome.text.starts_with("g(f(f(1)));\n"), "{}", outcome.text);
}

#[test]
fn dropped_comments_are_counted() {
    for (template, want) in [("g($A)", 2), ("g($A, $B)", 1), ("", 2)] {
        let src = "f(a, /* one */ (b /* two */));\n";
        let Some(outcome) = rewrite("javascript", "f($A, $B)", template, src) else {
            return;
        };
        let dropped = outcome.unwrap().plan.comments_dropped;
        assert_eq!(dropped, want, "{template}");
    }
}

#[test]
fn strings_and_comments_of_captures_keep_their_lines() {
    table(&[
        (
            "python docstring",
            "python",
            "def $F(): $$$B",
            "class C:\n    def $F(self):\n        $$$B",
            "def f():\n    \"\"\"One.\n\n    Two.\n    \"\"\"\n    return 1\n",
            "class C:\n    def f(self):\n        \"\"\"One.\n\n    Two.\n    \"\"\"\n        return 1\n",
        ),
        (
            "raw string",
            "rust",
            "f($A)",
            "if x {\n    f($A)\n}",
            "fn g() {\n    f(h(r\"\n a\n\", {\n        1\n    }));\n}\n",
            "fn g() {\n    if x {\n        f(h(r\"\n a\n\", {\n            1\n        }))\n    };\n}\n",
        ),
        (
            "template string in the template",
            "javascript",
            "log($A)",
            "log(`\n a ${$A}\n`,\n  b)",
            "{\n    log(1);\n}\n",
            "{\n    log(`\n a ${1}\n`,\n      b);\n}\n",
        ),
        (
            "ruby heredoc",
            "ruby",
            "foo($A) { $$$B }",
            "if x\n  foo($A) { $$$B }\nend",
            "foo(1) {\n  a <<~E\n    text\n  E\n  b\n}\n",
            "if x\n  foo(1) {\n    a <<~E\n    text\n  E\n    b\n  }\nend\n",
        ),
        (
            "crlf",
            "javascript",
            "if (a) { $$$B }",
            "if (b) {\n  $$$B\n}",
            "{\r\n  if (a) {\r\n    x();\r\n    y();\r\n  }\r\n}\r\n",
            "{\r\n  if (b) {\r\n    x();\r\n    y();\r\n  }\r\n}\r\n",
        ),
        (
            "a body of several lines behind a colon",
            "python",
            "if $X: $$$B",
            "while $X: $$$B",
            "def f():\n    if y:\n        c()\n        d()\n    e()\n",
            "def f():\n    while y:\n        c()\n        d()\n    e()\n",
        ),
    ]);
}
