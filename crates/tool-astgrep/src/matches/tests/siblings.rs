//! Patterns of several siblings.

use super::*;

#[test]
fn two_statements_match_anywhere_in_a_list() {
    let cases: &[(&str, &str, &str, &[&str])] = &[
        (
            "go",
            "foo($A)\nbar($B)",
            "package p\nfunc f() {\n\tx()\n\tfoo(1)\n\tbar(2)\n\ty()\n}\n",
            &["foo(1)\n\tbar(2)"],
        ),
        (
            "python",
            "$A = $B\nreturn $A",
            "def f():\n    y()\n    x = 1\n    # why\n    return x\n\nif a:\n    z = 2\n    return y\n",
            &["x = 1\n    # why\n    return x"],
        ),
        (
            "javascript",
            "foo($A); bar($B);",
            "foo(1); bar(2); foo(3); bar(4);\nfunction f() { x(); foo(5)\nbar(6) }\nfoo(7); x(); bar(8)\n",
            &["foo(1); bar(2);", "foo(3); bar(4);", "foo(5)\nbar(6)"],
        ),
        (
            "rust",
            "#[test]\nfn $F() { $$$B }",
            "#[test]\nfn a() {}\n#[test]\n#[ignore]\nfn b() {}\nmod m { #[test] fn c() { x() } }",
            &["#[test]\nfn a() {}", "#[test] fn c() { x() }"],
        ),
        (
            "c",
            "free($X); $X = NULL;",
            "void f() { free(a); a = NULL; free(b); c = NULL; }",
            &["free(a); a = NULL;"],
        ),
        (
            "ruby",
            "foo $A\nbar $B",
            "def f\n  x\n  foo 1\n  bar 2\nend\nf { foo 3\n bar 4\n y }\n",
            &["foo 1\n  bar 2", "foo 3\n bar 4"],
        ),
        (
            "java",
            "int $A = 1; return $A;",
            "class C { int f() { g(); int q = 1; return q; } }",
            &["int q = 1; return q;"],
        ),
        (
            "kotlin",
            "val $A = 1\nreturn $A",
            "fun f(): Int {\n  g()\n  val q = 1\n  return q\n}",
            &["val q = 1\n  return q"],
        ),
    ];
    check_all(cases);
}

#[test]
fn they_do_not_overlap_and_a_run_at_an_end_reaches_that_end() {
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("javascript", "$A; b();", "a(); b(); b();", &["a(); b();"]),
        ("javascript", "a(); a();", "a(); a(); a(); a(); a();", &["a(); a();", "a(); a();"]),
        ("javascript", "f(); $$$B", "{ x(); f(); y(); z(); }", &["f(); y(); z();"]),
        ("javascript", "$$$B\nf();", "{ x(); y(); f(); z(); f(); }", &["x(); y(); f();"]),
        // Arguments, attributes and the like are no statements.
        ("javascript", "f(1, $A)", "f(1, 2); g(f(1, 3), 4)", &["f(1, 2)", "f(1, 3)"]),
    ];
    check_all(cases);
    for (language, pattern) in [("javascript", "$A, $B"), ("html", "a b"), ("rust", "$A $B")] {
        let Ok(language) = Language::by_id(language) else { continue };
        let several = compile(language, pattern, None)
            .is_ok_and(|compiled| compiled.readings[0].shape.sequence.is_some());
        assert!(!several, "{language} {pattern}");
    }
}

#[test]
fn looking_only_where_a_word_occurs_finds_the_same() {
    let Ok(language) = Language::by_id("javascript") else { return };
    let src = "x(); f(1); g(2); { $a(); needle(); } f(needle); g(needle); f(3); g(needle)";
    let tree = Tree::parse(language, src, &|| false).unwrap();
    for pattern in ["f($A); g(needle);", "$A; needle();"] {
        let compiled = compile(language, pattern, None).unwrap();
        let hits: Vec<usize> = memchr::memmem::find_iter(src.as_bytes(), b"needle").collect();
        let reading = &compiled.readings[0];
        let all = find(reading, &tree, src, None);
        assert!(!all.is_empty(), "{pattern}");
        assert_eq!(find(reading, &tree, src, Some(&hits)), all, "{pattern}");
    }
}

fn check_all(cases: &[(&str, &str, &str, &[&str])]) {
    for (language, pattern, src, want) in cases {
        if Language::by_id(language).is_ok() {
            assert_eq!(texts(language, pattern, src), *want, "{language} `{pattern}`");
        }
    }
}
