//! Runs and metavariables where a grammar has no free place for a name.

use super::*;

/// Language, pattern, source, what is found.
const PLACES: &[(&str, &str, &str, &[&str])] = &[
    (
        "c",
        "sizeof($T)",
        "void f() { g(sizeof(struct n)); g(sizeof(int)); g(sizeof(x)); }",
        &["sizeof(struct n)", "sizeof(int)", "sizeof(x)"],
    ),
    (
        "cpp",
        "malloc(sizeof($T) * $N)",
        "void f() { malloc(sizeof(struct n) * n); malloc(sizeof(x) * n); }",
        &["malloc(sizeof(struct n) * n)", "malloc(sizeof(x) * n)"],
    ),
    (
        "cpp",
        "C($$$P) : $$$I {}",
        "struct C { C(int a) : x(a), y(1) {} };",
        &["C(int a) : x(a), y(1) {}"],
    ),
    (
        "go",
        "func $F[$$$T]($$$P) { $$$B }",
        "package p\nfunc f[T any](x T) { a() }\n",
        &["func f[T any](x T) { a() }"],
    ),
    (
        "scala",
        "for ($$$E) yield $Y",
        "val x = for (a <- b; c <- d) yield a",
        &["for (a <- b; c <- d) yield a"],
    ),
    (
        "scala",
        "for { $$$A } { $$$B }",
        "object A { for { a <- b } { c } }",
        &["for { a <- b } { c }"],
    ),
    (
        "ruby",
        "case $X\n$$$W\nend",
        "case x\nwhen 1\n a\nwhen 2\n b\nelse\n c\nend\n",
        &["case x\nwhen 1\n a\nwhen 2\n b\nelse\n c\nend"],
    ),
    (
        "bash",
        "case x in\n a) b ;;\n $$$R\nesac",
        "case x in\n a) b ;;\n c) d ;;\nesac\n",
        &["case x in\n a) b ;;\n c) d ;;\nesac"],
    ),
    ("yaml", "K: \"$V\"", "K: \"x y\"\n", &["K: \"x y\""]),
    ("csharp", "@\"$X\"", "class A { string x = @\"a\"; }", &["@\"a\""]),
    (
        "kotlin",
        "companion object { const val K = 1 }",
        "class A {\n companion object {\n const val K = 1\n }\n}",
        &["companion object {\n const val K = 1\n }"],
    ),
    (
        "kotlin",
        "companion object { fun x() {} }",
        "class A {\n companion object {\n fun x() {}\n }\n}",
        &["companion object {\n fun x() {}\n }"],
    ),
    (
        "kotlin",
        "object $M { val $X = $V }",
        "object M {\n val x = 1\n}",
        &["object M {\n val x = 1\n}"],
    ),
    ("nix", "let $$$B in $E", "let a = 1; b = 2; in a", &["let a = 1; b = 2; in a"]),
    ("haskell", "let $$$B in $E", "x = let a = 1 in a\n", &["let a = 1 in a"]),
];

#[test]
fn runs_are_found_in_every_list() {
    let mut wrong = Vec::new();
    for (language, pattern, src, expected) in PLACES {
        let Ok(known) = Language::by_id(language) else { continue };
        if let Err(error) = compile(known, pattern, None) {
            wrong.push(format!("{language} `{pattern}` {}", error.message));
            continue;
        }
        let found = texts(language, pattern, src);
        if found != *expected {
            wrong.push(format!("{language} `{pattern}` {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_can_never_match_is_refused() {
    for (language, pattern, says) in [
        ("java", "$X.stream().$$$M", "$X.stream().$M($$$ARGS)"),
        ("cpp", "public:", "not parsable"),
    ] {
        let Ok(known) = Language::by_id(language) else { continue };
        let error = compile(known, pattern, None).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_run_holds_broken_source_too() {
    for (language, pattern, src, capture) in [
        ("kotlin", "class $C { $$$B }", "class N { val x = 1 }", "val x = 1"),
        ("javascript", "f($$$A)", "f(1 2);", "1 2"),
    ] {
        let Ok(known) = Language::by_id(language) else { continue };
        let compiled = compile(known, pattern, None).unwrap();
        let tree = Tree::parse(known, src, &|| false).unwrap();
        let found = search(&compiled, &tree, src);
        assert_eq!(found.len(), 1, "{pattern}");
        assert!(found[0].touches_error);
        let last = found[0].captures.last().unwrap();
        assert_eq!(&src[last.range.clone()], capture, "{pattern}");
    }
}
