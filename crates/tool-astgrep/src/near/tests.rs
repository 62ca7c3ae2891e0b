//! Near misses through real grammars.

use super::*;
use crate::language::Language;
use crate::pattern::compile;

/// The lines of the report; `None` when the grammar is not compiled in.
fn near(language: &str, pattern: &str, src: &str) -> Option<Vec<String>> {
    let language = Language::by_id(language).ok()?;
    let compiled = compile(language, pattern, None).unwrap_or_else(|e| panic!("{pattern}: {e}"));
    let tree = Tree::parse(language, src, &|| false).ok()?;
    let near = NearMisses::default();
    near.look(0, &compiled, &tree, src);
    let mut report = near.report(false, &|| false);
    report.hidden = NotVisible::default();
    Some(report.lines())
}

#[test]
fn each_cause_comes_with_a_pattern_that_takes_it() {
    let rows: &[(&str, &str, &str, &[&str])] = &[
        (
            "typescript",
            "function $F($$$P) { $$$B }",
            "function a(x: number): string { return '' }\nfunction b(): void {}\n",
            &["2 nearly match but have a return type: try `function $F($$$P): $R { $$$B }`"],
        ),
        (
            "python",
            "def $F($$$P): $$$B",
            "def a(x) -> int:\n    return 1\n",
            &["1 nearly matches but has a return type: try `def $F($$$P) -> $R: $$$B`"],
        ),
        (
            "rust",
            "fn $F($$$P) { $$$B }",
            "pub fn a() {}\nfn b<T>() {}\nasync fn c() {}\n",
            &[
                "1 nearly matches but has `async`: try `async fn $F($$$P) { $$$B }`",
                "1 nearly matches but has `pub`: try `pub fn $F($$$P) { $$$B }`",
                "1 nearly matches but has type parameters: try `fn $F<$$$T>($$$P) { $$$B }`",
            ],
        ),
        (
            "javascript",
            "if ($C) { $$$B }",
            "if (a) { b(); } else { c(); }\n",
            &["1 nearly matches but has an else branch: try `if ($C) { $$$B } else $E`"],
        ),
        (
            "python",
            "if $X: $$$B",
            "if a:\n    b()\nelse:\n    c()\n",
            &["1 nearly matches but has an else branch: try `if $X: $$$B\nelse: $E`"],
        ),
        (
            "javascript",
            "f($A)",
            "f(); f(1, 2); f(1, 2, 3); g(1, 2);\n",
            &[
                "2 nearly match but have more arguments: try `f($A, $$$ARGS)`",
                "1 nearly matches but has fewer arguments: try `f($$$ARGS)`",
            ],
        ),
        (
            "javascript",
            "f('x')",
            "f(\"x\"); f(\"y\"); f(1);\n",
            &[
                "2 nearly match but have another value in place of a literal: try `f($V)`",
                "1 nearly matches but has other quotes: try `f(\"x\")`",
            ],
        ),
        (
            "javascript",
            "setstate($A)",
            "setState(1); set_state(2); other(3);\n",
            &[
                "1 nearly matches but has the name `setState`: try `setState($A)`",
                "1 nearly matches but has the name `set_state`: try `set_state($A)`",
            ],
        ),
        (
            "javascript",
            "swap($X, $X)",
            "swap(a, b);\n",
            &["1 nearly matches but has different texts where $X is repeated: try `swap($X, $X2)`"],
        ),
        (
            "javascript",
            "async function $F() { $$$B }",
            "function f() { a(); }\n",
            &["1 nearly matches but has no `async`: try `function $F() { $$$B }`"],
        ),
        (
            "java",
            "void run() { $$$B }",
            "class A { public void run() { a(); } void run() throws E { } }\n",
            &[
                "1 nearly matches but has `public`: try `public void run() { $$$B }`",
                "1 nearly matches but has a throws clause: try `void run() throws $X { $$$B }`",
            ],
        ),
        (
            "java",
            "class $C { $$$B }",
            "public class A extends B { }\n",
            &[
                "1 nearly matches but has `public` and a superclass or interfaces: try `public class $C extends $X { $$$B }`",
            ],
        ),
        (
            "dart",
            "class $C { $$$B }",
            "class A extends B { }\n",
            &[
                "1 nearly matches but has a superclass or interfaces: try `class $C extends $X { $$$B }`",
            ],
        ),
        (
            "go",
            "func $F($$$P) { $$$B }",
            "package p\nfunc a() error { return nil }\n",
            &["1 nearly matches but has a return type: try `func $F($$$P) $R { $$$B }`"],
        ),
        ("javascript", "$A == $B", "a != b; a === b;\n", &[]),
        (
            "javascript",
            "try { $$$B } catch ($E) { $$$C }",
            "try { a(); } catch (e) { b(); } finally { c(); }\n",
            &[
                "1 nearly matches but has a finally clause: try `try { $$$B } catch ($E) { $$$C } finally { $$$F }`",
            ],
        ),
        (
            "kotlin",
            "fun $F($$$P) { $$$B }",
            "fun a(): Int { return 1 }\n",
            &["1 nearly matches but has a return type: try `fun $F($$$P): $T { $$$B }`"],
        ),
        (
            "ruby",
            "foo($A)",
            "foo(1, 2)\nfoo 1, 2\n",
            &["1 nearly matches but has more arguments: try `foo($A, $$$ARGS)`"],
        ),
        (
            "php",
            "foo($A);",
            "<?php foo(1, 2);\n",
            &["1 nearly matches but has more arguments: try `foo($A, $$$ARGS);`"],
        ),
        (
            "csharp",
            "void M() { $$$B }",
            "class C { public void M() { } void M(int x) { } }\n",
            &[
                "1 nearly matches but has `public`: try `public void M() { $$$B }`",
                "1 nearly matches but has more parameters: try `void M($$$ARGS) { $$$B }`",
            ],
        ),
        (
            "c",
            "int $F($$$P) { $$$B }",
            "static int f(void) { return 1; }\n",
            &["1 nearly matches but has `static`: try `static int $F($$$P) { $$$B }`"],
        ),
        (
            "dart",
            "void $F($$$P) { $$$B }",
            "class C { void f() async { } static void g() { } }\n",
            &[
                "1 nearly matches but has `async`: try `void $F($$$P) async { $$$B }`",
                "1 nearly matches but has `static`: try `static void $F($$$P) { $$$B }`",
            ],
        ),
        (
            "tsx",
            "const $X = useState($A)",
            "const x: T = useState(1);\nconst y = useState<T>(1);\n",
            &[
                "1 nearly matches but has a type annotation: try `const $X: $R = useState($A)`",
                "1 nearly matches but has type arguments: try `const $X = useState<$$$T>($A)`",
            ],
        ),
        (
            "typescript",
            "import { $$$A } from '$M'",
            "import { a } from \"./m\"\n",
            &["1 nearly matches but has other quotes: try `import { $$$A } from \"$M\"`"],
        ),
        (
            "javascript",
            "require('$M')",
            "require(\"./m\")\n",
            &["1 nearly matches but has other quotes: try `require(\"$M\")`"],
        ),
        (
            "ruby",
            "$X.map { $$$B }",
            "a.map { |x| b }\n",
            &["1 nearly matches but has block parameters: try `$X.map { |$P| $$$B }`"],
        ),
        (
            "python",
            "raise $X",
            "raise\n",
            &["1 nearly matches but has nothing for $X: try `raise`"],
        ),
        (
            "java",
            "void run() { $$$B }",
            "interface A { void run(); }\n",
            &["1 nearly matches but has no body: try `void run()`"],
        ),
        (
            "java",
            "public class $C { $$$B }",
            "class A { }\n",
            &["1 nearly matches but has no modifiers: try `class $C { $$$B }`"],
        ),
    ];
    let mut wrong = Vec::new();
    for (language, pattern, src, want) in rows {
        let Some(lines) = near(language, pattern, src) else { continue };
        if lines != *want {
            wrong.push(format!("{language} {pattern}: {lines:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reports_of_several_files_are_added_up() {
    let Ok(language) = Language::by_id("javascript") else {
        return;
    };
    let compiled = compile(language, "f($A)", None).unwrap();
    let near = NearMisses::default();
    for (index, src) in ["f(1, 2, 3);", "f(1, 2); f(); F(1);", "g(1);"].iter().enumerate().rev() {
        let tree = Tree::parse(language, src, &|| false).unwrap();
        near.look(index, &compiled, &tree, src);
    }
    let report = near.report(false, &|| false);
    assert_eq!(
        report.lines(),
        [
            "2 nearly match but have more arguments: try `f($A, $$$ARGS)`",
            "1 nearly matches but has fewer arguments: try `f($$$ARGS)`",
            "1 nearly matches but has the name `F`: try `F($A)`",
        ]
    );
    assert_eq!(report.details()["causes"][0]["count"], 2);
}

#[test]
fn what_is_not_code_to_the_grammar_is_counted() {
    let rows = [
        (
            "rust",
            "dispose($X)",
            "// dispose(a)\nfn f() { m!(dispose(b)); n!(x, [dispose(c)]); let s = \"dispose(d)\"; disposed(); }\n",
            "`dispose` also occurs where code is not visible: 2 in macro arguments, 1 in strings, 1 in comments",
        ),
        (
            "c",
            "dispose($X)",
            "#define D(x) dispose(x)\nint y = 1;\n",
            "`dispose` also occurs where code is not visible: 1 in macro bodies",
        ),
        (
            "javascript",
            "dispose($X)",
            "let a = [dispose(1;\n",
            "`dispose` also occurs where code is not visible: 1 in source with syntax errors",
        ),
    ];
    for (language, pattern, src, want) in rows {
        let Ok(language) = Language::by_id(language) else {
            continue;
        };
        let compiled = compile(language, pattern, None).unwrap();
        let tree = Tree::parse(language, src, &|| false).unwrap();
        let mut counts = not_visible(&compiled, &tree, src);
        assert_eq!(counts.sentence().as_deref(), Some(want));
        assert_eq!(counts.first, Some((0, 1)));
        counts.merge(1, &counts.clone());
        assert!(counts.sentence().is_some_and(|text| text != want));
    }
}

#[test]
fn what_a_file_may_cost_does_not_hang_on_the_order() {
    let Ok(language) = Language::by_id("javascript") else {
        return;
    };
    let compiled = compile(language, "f($A, g($B), $C)", None).unwrap();
    let large = "f(1, h(2), 3, 4);\n".repeat(4_000);
    let files = [large.as_str(), "f(1, g(2), 3, 4);\n", "f(1, g(2));\n", large.as_str()];
    let report = |order: &[usize]| {
        // As if there were far more files: the large ones are cut short.
        let near = NearMisses::over(1 << 40, &[], &|| false);
        for index in order {
            let tree = Tree::parse(language, files[*index], &|| false).unwrap();
            near.look(*index, &compiled, &tree, files[*index]);
        }
        near.report(false, &|| false)
    };
    let first = report(&[0, 1, 2, 3]);
    assert!(first.cut_short && first.lines()[0].starts_with("at least "), "{:?}", first.lines());
    for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        assert_eq!(report(&order), first, "{order:?}");
    }
}

/// The lines of a search for `pattern`, which may have matches.
fn beside(language: &str, pattern: &str, src: &str) -> Option<Vec<String>> {
    let language = Language::by_id(language).ok()?;
    let compiled = compile(language, pattern, None).unwrap_or_else(|e| panic!("{pattern}: {e}"));
    let tree = Tree::parse(language, src, &|| false).ok()?;
    let near = NearMisses::over(0, &[Some(compiled.clone())], &|| false);
    let found: Vec<NodeId> = compiled
        .in_family()
        .flat_map(|reading| crate::matches::find(reading, &tree, src, None))
        .map(|found| found.node)
        .collect();
    near.look_wider(&compiled, &tree, src, found.iter().copied());
    if found.is_empty() {
        near.look(0, &compiled, &tree, src);
    }
    Some(near.report(!found.is_empty(), &|| false).lines())
}

#[test]
fn what_a_longer_pattern_takes_is_told_beside_matches_too() {
    let body = |pattern: &str| format!("1 nearly matches but has a body: try `{pattern}`");
    let rows: &[(&str, &str, &str, String)] = &[
        ("rust", "fn $F($$$A)", "fn a(x: u8) { y() }", body("fn $F($$$A) { $$$BODY }")),
        (
            "rust",
            "fn $F($$$A)",
            "fn a(x: u8) { y() } trait T { fn c(&self); }",
            "1 more nearly matches but has a body: try `fn $F($$$A) { $$$BODY }`".into(),
        ),
        (
            "typescript",
            "function $F($$$A)",
            "function a(x) { y() }",
            body("function $F($$$A) { $$$BODY }"),
        ),
        ("c", "int $F($$$A);", "int a(int x) { y(); }", body("int $F($$$A) { $$$BODY }")),
        ("c", "int $F($$$A)", "int a(int x) { y(); }", body("int $F($$$A) { $$$BODY }")),
        (
            "go",
            "func $F($$$A)",
            "package p\nfunc a(x int) { y() }",
            body("func $F($$$A) { $$$BODY }"),
        ),
        (
            "java",
            "void $F($$$A);",
            "class C { void a(int x) { y(); } }",
            body("void $F($$$A) { $$$BODY }"),
        ),
        ("scala", "def $F($$$A)", "object O { def a(x: Int) = y }", body("def $F($$$A) = $BODY")),
        (
            "python",
            "import $X",
            "import a, b\nimport c\n",
            "1 more nearly matches but has further names: try `import $$$X`".into(),
        ),
        (
            "python",
            "from .a import $X",
            "from .a import (b, c)\n",
            "1 nearly matches but has names in parentheses: try `from .a import ($$$X)`".into(),
        ),
        (
            "rust",
            "assert!($X)",
            "fn f() { assert!(a, \"b\"); }",
            "1 nearly matches but has more macro arguments: try `assert!($$$X)`".into(),
        ),
    ];
    for (language, pattern, src, want) in rows {
        if let Some(lines) = beside(language, pattern, src) {
            assert_eq!(lines, std::slice::from_ref(want), "{language} {pattern}");
        }
    }
    // A call is no function, and what has a body needs no other.
    for (language, pattern, src) in [
        ("javascript", "f($A)", "f(1); class C { f(x) { y() } }"),
        ("rust", "fn $F() { $$$B }", "fn a() {}"),
        ("cpp", "f($A);", "void f(int x) { y(); } void g() { f(1); }"),
    ] {
        assert_eq!(beside(language, pattern, src).unwrap_or_default(), [""; 0], "{pattern}");
    }
}

#[test]
fn a_keyword_is_no_word_to_count_out_of_sight() {
    let Ok(language) = Language::by_id("python") else { return };
    let src = "# import it\n'import'\nx = 'foo'\n";
    let tree = Tree::parse(language, src, &|| false).unwrap();
    let said = |pattern: &str| {
        let compiled = compile(language, pattern, None).unwrap();
        let near = NearMisses::default();
        near.look(0, &compiled, &tree, src);
        near.report(false, &|| false).lines().join("; ")
    };
    assert_eq!(said("import $X"), "");
    assert!(said("import foo").contains("`foo` also occurs"), "{}", said("import foo"));
}
