//! Clauses after a body: a run of statements does not take them.

use super::*;

/// Language, pattern, source, how many match.
const CLAUSES: &[(&str, &str, &str, usize)] = &[
    ("ruby", "def $F\n  $$$B\nend", "def f\n  a\nrescue E => e\n  b\nensure\n  d\nend\n", 0),
    ("ruby", "def $F\n  $$$B\nend", "def f\n  a\n  b\nend\n", 1),
    ("ruby", "begin\n  $$$B\nend", "begin\n  a\nrescue E => e\n  b\nend\n", 0),
    (
        "ruby",
        "begin\n  $$$B\nrescue E => $E\n  $$$C\nend",
        "begin\n  a\nrescue E => e\n  b\nend\n",
        1,
    ),
    ("ruby", "z do |$I|\n  $$$B\nend", "z do |i|\n  a\nrescue E => e\n  b\nend\n", 0),
    ("ruby", "z do |$I|\n  $$$B\nend", "z do |i|\n  a\n  b\nend\n", 1),
    ("elixir", "if $A do $$$B end", "if a do\n  b\nelse\n  c\nend\n", 0),
    ("elixir", "if $A do $$$B end", "if a do\n  b\n  c\nend\n", 1),
    ("elixir", "if $A do $$$B else $$$C end", "if a do\n  b\nelse\n  c\nend\n", 1),
    ("elixir", "try do $$$A end", "try do\n  b\nafter\n  c\nend\n", 0),
    ("elixir", "def f($X) do $$$B end", "def f(x) do\n  y\nrescue\n  e -> z\nend\n", 0),
];

#[test]
fn a_run_stops_before_the_clauses_of_its_body() {
    let mut wrong = Vec::new();
    for (language, pattern, src, count) in CLAUSES {
        if Language::by_id(language).is_err() {
            continue;
        }
        let found = texts(language, pattern, src);
        if found.len() != *count {
            wrong.push(format!("{language} `{pattern}` {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_near_miss_names_the_clause() {
    for (language, pattern, src, says) in [
        ("ruby", "def $F\n  $$$B\nend", "def f\n  a\nensure\n  d\nend\n", "a finally clause"),
        ("ruby", "begin\n  $$$B\nend", "begin\n  a\nrescue E => e\n  b\nend\n", "a catch clause"),
        ("elixir", "if $A do $$$B end", "if a do\n  b\nelse\n  c\nend\n", "an else branch"),
    ] {
        let Ok(language) = Language::by_id(language) else { continue };
        let compiled = compile(language, pattern, None).unwrap();
        let tree = Tree::parse(language, src, &|| false).unwrap();
        let near = crate::near::NearMisses::default();
        near.look(0, &compiled, &tree, src);
        let lines = near.report(false, &|| false).lines().join("; ");
        assert!(lines.contains(says), "{language} {pattern}: {lines}");
    }
}
