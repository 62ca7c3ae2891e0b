//! Fragments that are no whole of anything are refused, never taken for free text.

use super::compile;
use crate::language::Language;

/// What somebody types who stops too early, or mistypes.
const BROKEN: &[&str] = &[
    "f(",
    "foo(a,",
    "class {",
    "if (x",
    "x = = y",
    "\"abc",
    "}{",
    "let x = ;",
    "$A)",
    "if $X {",
    "foo($A, $B",
];

/// Whether a fragment is a whole there: what stands between tags, in prose and after a key is
/// whatever one writes.
fn is_plain_text(language: Language, kind: &str) -> bool {
    match language.id() {
        "html" => matches!(kind, "text" | "attribute_name"),
        "markdown" => kind == "inline",
        "yaml" => kind == "string_scalar",
        // Any words are a command, and what ends in `)` a branch of a `case`.
        "bash" => matches!(kind, "command" | "concatenation" | "case_item"),
        _ => false,
    }
}

#[test]
fn broken_fragments_are_not_parsable() {
    let mut wrong = Vec::new();
    for language in Language::compiled() {
        for pattern in BROKEN {
            if let Ok(compiled) = compile(language, pattern, None)
                && !is_plain_text(language, language.kind_name(compiled.readings[0].root_kind))
            {
                let read = compiled
                    .readings
                    .iter()
                    .map(|r| format!("{}:{}", r.context, language.kind_name(r.root_kind)));
                wrong.push(format!("{language} `{pattern}` {:?}", read.collect::<Vec<_>>()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_missing_comma_beside_a_run_is_named() {
    let patterns = [
        ("f($$$A $X)", "f($$$A, $X)"),
        ("f($X $$$A)", "f($X, $$$A)"),
        ("f(1 $$$A)", "f(1, $$$A)"),
        ("g.f($$$A 3 $$$B)", "g.f($$$A, 3, $$$B)"),
    ];
    for language in [
        "java",
        "dart",
        "rust",
        "go",
        "c",
        "cpp",
        "csharp",
        "php",
        "ruby",
        "kotlin",
        "swift",
        "scala",
        "javascript",
        "typescript",
        "python",
        "lua",
        "zig",
        "solidity",
    ] {
        let Ok(language) = Language::by_id(language) else { continue };
        for (pattern, right) in patterns {
            let error = compile(language, pattern, None).unwrap_err().to_string();
            assert!(error.contains("comma"), "{language} {pattern}: {error}");
            if pattern.starts_with("f(") || language.id() != "php" {
                assert!(error.contains(&format!("`{right}`")), "{language} {pattern}: {error}");
            }
        }
    }
    for (language, pattern) in [
        ("java", "void $F($$$M $T $N) { $$$B }"),
        ("c", "int f($$$T $N);"),
        ("haskell", "f ($X $$$A)"),
        ("ruby", "f $X, $$$A"),
        ("python", "f($X for $X in $Y)"),
    ] {
        let Ok(language) = Language::by_id(language) else { continue };
        let said = compile(language, pattern, None).map(|_| ()).map_err(|e| e.to_string());
        assert!(
            !said.as_ref().is_err_and(|said| said.contains("comma")),
            "{language} {pattern} {said:?}"
        );
    }
}
