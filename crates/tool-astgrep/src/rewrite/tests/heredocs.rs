//! Here-documents and their texts, block values, and bodies of several lines: what belongs together stays so.

use super::*;

#[test]
fn a_heredoc_goes_with_its_text() {
    table(&[
        (
            "last in a body",
            "ruby",
            "foo($A) { $$$B }",
            "bar($A) { $$$B }",
            "foo(1) {\n  b <<~T\n    text\n  T\n}\n",
            "bar(1) {\n  b <<~T\n    text\n  T\n}\n",
        ),
        (
            "last in a body that moves",
            "ruby",
            "foo($A) { $$$B }",
            "if x\n  foo($A) { $$$B }\nend",
            "foo(1) {\n  a\n  b <<~T, <<~U\n    text\n  T\n    more\n  U\n}\n",
            "if x\n  foo(1) {\n    a\n    b <<~T, <<~U\n    text\n  T\n    more\n  U\n  }\nend\n",
        ),
        (
            "method",
            "ruby",
            "def $M\n  $$$B\nend",
            "def $M\n  log\n  $$$B\nend",
            "def m\n  bar <<~T\n    q #{1}\n  T\nend\n",
            "def m\n  log\n  bar <<~T\n    q #{1}\n  T\nend\n",
        ),
        (
            "the text stays below the line",
            "ruby",
            "foo($A)",
            "bar($A, 1)",
            "foo(<<~T)\n  text\nT\nx\n",
            "bar(<<~T, 1)\n  text\nT\nx\n",
        ),
        (
            "opened by what is dropped",
            "ruby",
            "foo($A, $B)",
            "foo($B)",
            "foo(<<~T, <<~U)\n  text\nT\n  more\nU\nx\n",
            "foo(<<~U)\n  more\nU\nx\n",
        ),
        (
            "inside the text",
            "ruby",
            "foo($A)",
            "bar($A)",
            "x <<~T\n  #{foo(1)}\nT\n",
            "x <<~T\n  #{bar(1)}\nT\n",
        ),
        (
            "bash body",
            "bash",
            "if $A; then\n  $$$B\nfi",
            "if ! $A; then\n  $$$B\nfi",
            "if x; then\n  a\n  cat <<E\ntext\nE\nfi\n",
            "if ! x; then\n  a\n  cat <<E\ntext\nE\nfi\n",
        ),
        (
            "php",
            "php",
            "foo($A);",
            "bar($A, 1);",
            "<?php\nfoo(<<<T\n text\n T);\nb();\n",
            "<?php\nbar(<<<T\n text\n T, 1);\nb();\n",
        ),
    ]);
}

#[test]
fn a_deleted_heredoc_takes_its_text() {
    table(&[
        ("call", "ruby", "foo($A)", "", "a\nfoo(<<~T)\n  text\nT\nb\n", "a\nb\n"),
        ("two", "ruby", "foo($$$A)", "", "foo(<<~T, <<~U)\n  t\nT\n  u\nU\nb\n", "b\n"),
        (
            "indented",
            "ruby",
            "foo($A)",
            "",
            "def m\n  foo(<<~T)\n    t\n  T\n  b\nend\n",
            "def m\n  b\nend\n",
        ),
        ("with a comment", "ruby", "foo($A)", "", "foo(<<~T) # why\n  t\nT\nb\n", "# why\nb\n"),
        ("no last line break", "bash", "foo $A", "", "a\nfoo b <<E\nt\nE", "a"),
        (
            "the other one stays",
            "ruby",
            "foo($A)",
            "",
            "foo(<<~T); g(<<~U)\n  t\nT\n  u\nU\n",
            "g(<<~U)\n  u\nU\n",
        ),
        ("bash", "bash", "foo $A", "", "a\nfoo b <<E\ntext\nE\nc\n", "a\nc\n"),
        ("bash, to a file", "bash", "foo $A", "", "a\nfoo b >x\nc\n", "a\nc\n"),
        (
            "php",
            "php",
            "foo($A);",
            "",
            "<?php\na();\nfoo(<<<T\n text\n T);\nb();\n",
            "<?php\na();\nb();\n",
        ),
    ]);
}

#[test]
fn a_heredoc_that_would_lose_its_text_is_left_and_counted() {
    for (language, pattern, template, src) in [
        ("ruby", "foo($A)", "if x\n  foo($A)\nend", "foo(<<~T)\n  text\nT\n"),
        ("ruby", "foo($A, $B)", "foo($B, $A)", "foo(<<~T, <<~U)\n  text\nT\n  more\nU\n"),
        ("ruby", "foo($A)", "foo($A, $A)", "foo(<<~T)\n  text\nT\n"),
        ("bash", "if $A; then $$$B; fi", "{ $$$B; } || c", "if x; then a; cat <<E\ntext\nE\nfi\n"),
    ] {
        let Some(outcome) = rewrite(language, pattern, template, src) else { continue };
        let outcome = outcome.unwrap();
        assert_eq!(outcome.text, src, "{template}");
        assert_eq!((outcome.plan.heredocs, outcome.plan.replacements), (1, 0), "{template}");
    }
}

#[test]
fn a_block_behind_a_colon_keeps_its_lines() {
    table(&[
        (
            "yaml list",
            "yaml",
            "steps: $S",
            "stages: $S",
            "a: 1\nsteps:\n  - x: 1\n  - y: 2\nb: 1\n",
            "a: 1\nstages:\n  - x: 1\n  - y: 2\nb: 1\n",
        ),
        (
            "yaml list of one line",
            "yaml",
            "steps: $S",
            "stages: $S",
            "steps:\n- x: 1\n",
            "stages:\n- x: 1\n",
        ),
        (
            "yaml map, deeper",
            "yaml",
            "steps: $S",
            "all:\n  stages: $S",
            "job:\n  steps:\n    x: 1\n    y:\n      z: 2\n",
            "job:\n  all:\n    stages:\n      x: 1\n      y:\n        z: 2\n",
        ),
        ("yaml scalar", "yaml", "steps: $S", "stages: $S", "steps: 1\n", "stages: 1\n"),
        (
            "python",
            "python",
            "if $X: $$$B\nelse: $E",
            "if not $X: $E\nelse: $$$B",
            "if a:\n    b()\n    c()\nelse:\n    d()\n    e()\n",
            "if not a:\n    d()\n    e()\nelse:\n    b()\n    c()\n",
        ),
    ]);
}

#[test]
fn the_pattern_itself_changes_nothing_whatever_the_layout() {
    for (language, pattern, src) in [
        ("javascript", "if ($C) { $$$B }", "if ( a )\n{\n\tb()\n\n\tc() }\nif (x) {}\n"),
        ("python", "if $C: $$$B", "if a:\n    b()\n    c()\nif x: y\n"),
        ("ruby", "foo($A) { $$$B }", "foo(1) {\n b <<~T\n  t\n T\n}\nfoo 2 do\nend\n"),
        ("yaml", "a: $S", "a:\n- 1\nb: 2\n"),
    ] {
        let Some(outcome) = rewrite(language, pattern, &format!("\n  {pattern}\n"), src) else {
            continue;
        };
        let plan = outcome.unwrap().plan;
        assert_eq!(plan.edits, [], "{pattern}");
        assert!(plan.unchanged > 0, "{pattern}");
    }
}

#[test]
fn an_emptied_python_body_is_a_new_error() {
    for (src, want) in [
        ("def f():\n    g(1)\n", AfterCheck::NewlyBroken { line: 1 }),
        ("x = 1\nif x:\n    g(1)\nelse:\n    h()\n", AfterCheck::NewlyBroken { line: 2 }),
        ("def e():\ndef f():\n    g(1)\n", AfterCheck::MoreErrors { before: 1, after: 2, line: 2 }),
        ("def f():\n    g(1)\n    h()\n", AfterCheck::Fine),
    ] {
        let Some(outcome) = rewrite("python", "g($A)", "# gone", src) else { return };
        let outcome = outcome.unwrap();
        let python = Language::by_id("python").unwrap();
        let before = faults(&Tree::parse(python, src, &|| false).unwrap());
        let after = Tree::parse(python, &outcome.text, &|| false).unwrap();
        let check = after_check(before, &outcome.plan.edits, &outcome.text, &after);
        assert_eq!(check, want, "{src}");
    }
}

#[test]
fn the_last_member_of_a_class_keeps_its_semicolon() {
    let class = "class A {\n  x = 1;\n  y = 2;\n}\n";
    table(&[
        (
            "class",
            "typescript",
            "class $C { $$$B }",
            "class $C {\n  $$$B\n  z = 3;\n}",
            class,
            "class A {\n  x = 1;\n  y = 2;\n  z = 3;\n}\n",
        ),
        (
            "interface",
            "typescript",
            "interface $C { $$$B }",
            "interface $C { $$$B c: T }",
            "interface A { a: X; b: Y; }\n",
            "interface A { a: X; b: Y; c: T }\n",
        ),
        (
            "javascript",
            "javascript",
            "class $C { $$$B }",
            "class $C {\n  $$$B\n  z = 3;\n}",
            class,
            "class A {\n  x = 1;\n  y = 2;\n  z = 3;\n}\n",
        ),
        (
            "for",
            "javascript",
            "for ($$$A; $B; $C) $D",
            "while ($B) { $$$A }",
            "for (a(); b; c) d();\n",
            "while (b) { a() }\n",
        ),
    ]);
}
