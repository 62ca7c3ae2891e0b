//! What holds for every rewrite: on bundled sources of each grammar, and on random text.

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::matches::find;

/// The bundled sources of a language that is compiled in.
fn sources(language: &str) -> Vec<(Language, String)> {
    let Ok(language) = Language::by_id(language) else {
        return Vec::new();
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sources");
    let mut files: Vec<_> = std::fs::read_dir(folder.join(language.id()))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|path| (language, std::fs::read_to_string(path).unwrap())).collect()
}

/// The text of a node as a pattern: some children become metavariables, and the lines after the
/// first lose the indentation of the line on which it starts.
fn mined(tree: &Tree, src: &str, node: NodeId, pick: u32) -> Option<String> {
    let range = tree.range(node);
    let text = src.get(range.clone())?;
    let frozen = frozen_in(tree, node..node + tree.size(node));
    let holds = |(at, _): (usize, &str)| frozen.holds(range.start + at + 1);
    if text.len() > 400 || text.trim() != text || text.match_indices('\n').any(holds) {
        return None;
    }
    let mut pattern = String::new();
    let mut at = range.start;
    for (number, child) in tree.children(node).enumerate() {
        if tree.is_named(child) && pick >> number & 1 == 1 && !tree.class(child).is_comment() {
            pattern.push_str(src.get(at..tree.start(child))?);
            pattern = format!("{pattern}$V{number}");
            at = tree.start(child) + tree.text(child, src).trim_end().len();
        }
    }
    pattern.push_str(src.get(at..range.end)?);
    let base = text::indent_at(src, range.start);
    Some(pattern.replace(&format!("\n{base}"), "\n"))
}

#[test]
fn the_own_text_of_a_match_is_no_edit() {
    let mut tried = 0;
    for language in ["rust", "python", "javascript", "go", "dart", "java", "c", "csharp"] {
        for (language, src) in sources(language) {
            let tree = Tree::parse(language, &src, &|| false).unwrap();
            for node in (1..tree.len()).step_by(11) {
                if !tree.is_named(node) || tree.size(node) < 4 {
                    continue;
                }
                let Some(pattern) = mined(&tree, &src, node, node.wrapping_mul(0x9E37_79B9)) else {
                    continue;
                };
                let Ok(compiled) = compile(language, &pattern, None) else { continue };
                let template = Template::parse(&pattern, &compiled).unwrap();
                let found: Vec<Match> = compiled
                    .in_family()
                    .flat_map(|reading| find(reading, &tree, &src, Some(&[tree.start(node)])))
                    .filter(|found| found.range == tree.range(node) && !found.touches_error)
                    .collect();
                if found.is_empty() {
                    continue;
                }
                tried += 1;
                let plan = plan(&template, &src, &tree, &found[..1]);
                assert_eq!(plan.edits, [], "{language}: {pattern}");
            }
        }
    }
    let any = Language::compiled().next().is_some();
    assert!(tried > 50 || !any, "only {tried} patterns were tried");
}

#[test]
fn well_formed_templates_leave_no_new_syntax_error() {
    let rows = [
        ("javascript", "$F($$$A)", "wrap(() => {\n  return $F($$$A);\n})"),
        ("javascript", "if ($C) { $$$B }", "if ($C) { trace(); $$$B }"),
        ("python", "$F($$$A)", "wrap(\n    $F,\n    $$$A\n)"),
        ("python", "if $C: $$$B", "while $C: $$$B"),
        ("python", "def $F($$$P): $$$B", "def $F($$$P):\n    trace()\n    $$$B"),
        ("rust", "$F($$$A)", "wrap({\n    $F($$$A)\n})"),
        ("rust", "if $C { $$$B }", "if $C { trace(); $$$B }"),
        ("go", "$F($$$A)", "wrap(func() {\n\t$F($$$A)\n})"),
        ("go", "if $C { $$$B }", "if $C { trace(); $$$B }"),
        ("java", "$F($$$A)", "wrap($$$A)"),
        ("c", "if ($C) { $$$B }", "if ($C) { trace(); $$$B }"),
        ("dart", "if ($C) { $$$B }", "if ($C) { trace(); $$$B }"),
        ("csharp", "if ($C) { $$$B }", "if ($C) { trace(); $$$B }"),
    ];
    for (language, pattern, template) in rows {
        for (language, src) in sources(language) {
            let before = Tree::parse(language, &src, &|| false).unwrap().error_count();
            let outcome = rewrite(language.id(), pattern, template, &src).unwrap().unwrap();
            let tree = Tree::parse(language, &outcome.text, &|| false).unwrap();
            let check = after_check(before, &outcome.plan.edits, &outcome.text, &tree);
            assert_eq!(check, AfterCheck::Fine, "{language} {template}:\n{}", outcome.text);
        }
    }
}

const WORDS: &[&str] = &[
    "f(", ")", "{", "}", "\n", "\r\n", "  ", "\t", ",", ";", "a", "b1", "'s'", "\"", "`", "// c\n",
    "/* x */", "if ", "else ", "return ", "def ", ":", "=", "é", "\u{feff}", "[", "]", "1", "fn ",
    "match ", "=>", "#", "\\", "$A",
];

const PATTERNS: &[(&str, &str)] = &[
    ("javascript", "f($$$A)"),
    ("javascript", "if ($C) { $$$B }"),
    ("javascript", "$A = $B"),
    ("python", "f($$$A)"),
    ("python", "if $X: $$$B"),
    ("rust", "f($A, $$$B)"),
    ("rust", "match $X { $$$B }"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_panics_and_edits_never_overlap(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..60),
        which in 0..PATTERNS.len(),
        form in 0..5_usize,
    ) {
        let (language, pattern) = PATTERNS[which];
        let src = words.concat();
        let template = match form {
            0 => String::new(),
            1 => pattern.to_owned(),
            2 => format!("g({pattern})"),
            3 => format!("if x {{\n  {pattern}\n\n}}"),
            _ => "\"x\ny\"".to_owned(),
        };
        // `rewrite` splices, counts and asserts.
        let outcome = rewrite(language, pattern, &template, &src);
        if form == 1 && let Some(Ok(outcome)) = outcome {
            prop_assert!(!outcome.text.contains("mm"), "{}", outcome.text);
        }
    }
}
