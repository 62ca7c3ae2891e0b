//! Deleting: what goes with a match, and what stays.

use super::*;

#[test]
fn a_statement_takes_its_line() {
    table(&[
        ("own line", "javascript", "log($A)", "", "a();\n  log(1);\nb();\n", "a();\nb();\n"),
        (
            "with the terminator typed",
            "javascript",
            "log($A);",
            "",
            "a();\nlog(1);\nb();\n",
            "a();\nb();\n",
        ),
        (
            "several lines",
            "javascript",
            "log($A)",
            "",
            "a();\nlog({\n  x: 1,\n});\nb();\n",
            "a();\nb();\n",
        ),
        (
            "comment behind it stays",
            "javascript",
            "log($A)",
            "",
            "a();\n  log(1); // why\n",
            "a();\n  // why\n",
        ),
        ("between others", "javascript", "log($A)", "", "a(); log(1); b();\n", "a(); b();\n"),
        ("last in a line", "javascript", "log($A)", "", "a(); log(1);\nb();\n", "a();\nb();\n"),
        (
            "two statements of one pattern",
            "javascript",
            "log($A); end();",
            "",
            "a();\n  log(1);\n  end();\nb();\nif (x) { log(2); end(); }\n",
            "a();\nb();\nif (x) { }\n",
        ),
        ("in braces", "javascript", "log($A)", "", "f(() => { log(1); });\n", "f(() => { });\n"),
        (
            "two in one line",
            "javascript",
            "log($A)",
            "",
            "a();\n  log(1); log(2);\nb();\n",
            "a();\nb();\n",
        ),
        ("the whole file", "javascript", "log($A)", "", "log(1);\n", ""),
        ("no last line break", "javascript", "log($A)", "", "a();\nlog(1);", "a();"),
        (
            "byte order mark",
            "javascript",
            "log($A)",
            "",
            "\u{feff}log(1);\nb();\n",
            "\u{feff}b();\n",
        ),
        ("crlf", "javascript", "log($A)", "", "a();\r\nlog(1);\r\nb();\r\n", "a();\r\nb();\r\n"),
        (
            "blank lines around",
            "javascript",
            "log($A)",
            "",
            "a();\n\nlog(1);\n\nb();\n",
            "a();\n\nb();\n",
        ),
        (
            "blank lines above",
            "javascript",
            "log($A)",
            "",
            "a();\n\nlog(1);\nb();\n",
            "a();\n\nb();\n",
        ),
        (
            "two with blank lines",
            "javascript",
            "log($A)",
            "",
            "a();\n\nlog(1);\n\nlog(2);\n\nb();\n",
            "a();\n\nb();\n",
        ),
        ("no semicolons", "javascript", "log($A)", "", "a()\nlog(1)\nb()\n", "a()\nb()\n"),
        (
            "python",
            "python",
            "print($$$A)",
            "",
            "def f():\n    a()\n    print(1)\n    b()\n",
            "def f():\n    a()\n    b()\n",
        ),
        ("python, semicolon", "python", "print($$$A)", "", "print(1); b()\n", "b()\n"),
        (
            "rust",
            "rust",
            "dbg!($A)",
            "",
            "fn f() {\n    dbg!(x);\n    g();\n}\n",
            "fn f() {\n    g();\n}\n",
        ),
        (
            "rust item with attributes",
            "rust",
            "fn $F() { $$$B }",
            "",
            "#[test]\n#[ignore]\nfn f() { a(); }\n\nfn g(x: u8) {}\n",
            "fn g(x: u8) {}\n",
        ),
        (
            "go",
            "go",
            "log.Println($$$A)",
            "",
            "package p\n\nfunc f() {\n\tlog.Println(1)\n\tg()\n}\n",
            "package p\n\nfunc f() {\n\tg()\n}\n",
        ),
        (
            "dart",
            "dart",
            "print($A)",
            "",
            "void f() {\n  print(1);\n  g();\n}\n",
            "void f() {\n  g();\n}\n",
        ),
        (
            "dart import",
            "dart",
            "import 'dart:ui';",
            "",
            "import 'dart:io';\nimport 'dart:ui';\n\nvoid f() {}\n",
            "import 'dart:io';\n\nvoid f() {}\n",
        ),
        (
            "for keeps its semicolons",
            "javascript",
            "log($A)",
            "",
            "for (log(1); a; b) c();\n",
            "for (; a; b) c();\n",
        ),
    ]);
}

#[test]
fn a_bare_body_becomes_an_empty_one() {
    table(&[
        ("if", "javascript", "log($A)", "", "if (x)\n  log(1);\nb();\n", "if (x)\n  {}\nb();\n"),
        (
            "else",
            "javascript",
            "log($A)",
            "",
            "if (x) a(); else log(1);\nb();\n",
            "if (x) a(); else {}\nb();\n",
        ),
        (
            "c",
            "c",
            "log($A)",
            "",
            "void f(void) {\n  while (x)\n    log(1);\n  b();\n}\n",
            "void f(void) {\n  while (x)\n    {}\n  b();\n}\n",
        ),
    ]);
}

#[test]
fn a_list_element_takes_one_separator() {
    table(&[
        ("first", "javascript", "drop($A)", "", "f(drop(1), b);\n", "f(b);\n"),
        ("middle", "javascript", "drop($A)", "", "f(a, drop(1), b);\n", "f(a, b);\n"),
        ("last", "javascript", "drop($A)", "", "f(a, drop(1));\n", "f(a);\n"),
        ("only", "javascript", "drop($A)", "", "f(drop(1));\n", "f();\n"),
        ("trailing comma", "javascript", "drop($A)", "", "f(a, drop(1),);\n", "f(a,);\n"),
        ("all", "javascript", "drop($A)", "", "f(drop(1), drop(2), drop(3));\n", "f();\n"),
        ("the last two", "javascript", "drop($A)", "", "f(a, drop(1), drop(2));\n", "f(a);\n"),
        ("the outer two", "javascript", "drop($A)", "", "f(drop(1), a, drop(2));\n", "f(a);\n"),
        (
            "own line",
            "javascript",
            "drop($A)",
            "",
            "x = [\n  a,\n  drop(1),\n  b,\n];\n",
            "x = [\n  a,\n  b,\n];\n",
        ),
        (
            "own line, last",
            "javascript",
            "drop($A)",
            "",
            "x = [\n  a,\n  drop(1)\n];\n",
            "x = [\n  a\n];\n",
        ),
        ("own line, only", "javascript", "drop($A)", "", "x = [\n  drop(1)\n];\n", "x = [\n];\n"),
        (
            "comment between",
            "javascript",
            "drop($A)",
            "",
            "x = [\n  a, // first\n  drop(1)\n];\n",
            "x = [\n  a // first\n];\n",
        ),
        ("python keyword", "python", "drop($A)", "", "f(a, drop(1), c=1)\n", "f(a, c=1)\n"),
        (
            "rust arm",
            "rust",
            "Old => $E",
            "",
            "fn f() { match x {\n    A => 1,\n    Old => 2,\n    B => 3,\n} }\n",
            "fn f() { match x {\n    A => 1,\n    B => 3,\n} }\n",
        ),
        (
            "csharp argument",
            "csharp",
            "drop($A)",
            "",
            "class C { void M() { f(a, drop(1), b); } }\n",
            "class C { void M() { f(a, b); } }\n",
        ),
    ]);
}

#[test]
fn an_unwrapped_empty_block_is_a_deletion() {
    table(&[
        (
            "unwrap",
            "javascript",
            "if (true) { $$$B }",
            "$$$B",
            "a();\nif (true) {\n  b();\n  c();\n}\nd();\n",
            "a();\nb();\nc();\nd();\n",
        ),
        (
            "empty",
            "javascript",
            "if (true) { $$$B }",
            "$$$B",
            "a();\nif (true) {\n}\nd();\n",
            "a();\nd();\n",
        ),
    ]);
}

#[test]
fn a_body_of_python_is_never_left_empty() {
    table(&[
        ("all of it", "python", "log($A)", "", "def f():\n    log(1)\n", "def f():\n    pass\n"),
        (
            "several",
            "python",
            "log($A)",
            "",
            "def f():\n    # why\n    log(1)\n    log(2)\nx()\n",
            "def f():\n    # why\n    pass\nx()\n",
        ),
        (
            "not all",
            "python",
            "log($A)",
            "",
            "def f():\n    log(1)\n    x()\n",
            "def f():\n    x()\n",
        ),
        (
            "one line",
            "python",
            "log($A)",
            "",
            "if a: log(1)\nelse: log(2)\n",
            "if a: pass\nelse: pass\n",
        ),
        ("the module", "python", "log($A)", "", "log(1)\n", ""),
        (
            "two of one pattern",
            "python",
            "a($X)\nb($X)",
            "",
            "def f():\n    a(1)\n    b(1)\n",
            "def f():\n    pass\n",
        ),
        (
            "a nested body",
            "python",
            "if $A: $$$B",
            "",
            "class C:\n    if x:\n        y()\n",
            "class C:\n    pass\n",
        ),
    ]);
}
