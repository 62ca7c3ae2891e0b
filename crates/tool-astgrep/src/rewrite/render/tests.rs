//! Tables for indentation, empty runs and line breaks, without a grammar.

use super::*;

/// Renders `template` in place of the text between `«` and `»`; captures are given by their text,
/// of which the first occurrence inside the match counts.
fn put(src: &str, template: &str, captures: &[(&str, &str)], frozen: &[&str]) -> String {
    let start = src.find('«').expect("start");
    let end = src.find('»').expect("end") - '«'.len_utf8();
    let src = src.replace(['«', '»'], "");
    let known: Vec<String> = captures.iter().map(|(key, _)| (*key).to_owned()).collect();
    let template = Template::read(template, "", &known).unwrap();
    let mut spans = Frozen::default();
    for text in frozen {
        let at = src.find(text).expect("frozen text");
        spans.add("string", at..at + text.len());
    }
    let place = Place {
        src: &src,
        start,
        frozen: &spans,
        heredocs: &Heredocs::default(),
        newline: Newline::of(&src),
        layout: Layout::Free,
    };
    let rendered = render(&template, place, |key| {
        let (_, text) = captures.iter().find(|(known, _)| *known == key)?;
        let at = start + src[start..end].find(text).expect("capture");
        Some(at..at + text.len())
    });
    for put in &rendered.puts {
        assert!(rendered.text.get(put.to.clone()).is_some(), "{put:?}");
    }
    format!("{}{}{}", &src[..start], rendered.text, &src[end..])
}

#[test]
fn further_template_lines_follow_the_match() {
    assert_eq!(
        put("\tif a {\n\t\t«run(1)»\n\t}", "if ok {\n\trun($X)\n\n}", &[("X", "1")], &[]),
        "\tif a {\n\t\tif ok {\n\t\t\trun(1)\n\n\t\t}\n\t}"
    );
    assert_eq!(put("  a = «f(1)»;", "g(\n  $X\n)", &[("X", "1")], &[]), "  a = g(\n    1\n  );");
}

#[test]
fn multi_line_captures_follow_their_placeholder() {
    let body = "() => {\n        a();\n\n      }";
    assert_eq!(
        put(&format!("      «f({body})»;\n"), "if (ok) {\n  g($X);\n}", &[("X", body)], &[]),
        "      if (ok) {\n        g(() => {\n          a();\n\n        });\n      };\n"
    );
    // Less indented than its first line: only the blanks in common go.
    assert_eq!(put("    «f(a,\n  b)»", "g($$$X)", &[("$$$X", "a,\n  b")], &[]), "    g(a,\n    b)");
    // Blank lines get no blanks, and lose those they had.
    assert_eq!(
        put("  «f {\n    a\n    \n    b\n  }»", "$$$X", &[("$$$X", "a\n    \n    b")], &[]),
        "  a\n\n  b"
    );
}

#[test]
fn strings_keep_their_lines() {
    let body = "x(`\n   raw\n`,\n    y)";
    assert_eq!(
        put(&format!("    «f({body})»"), "if a {\n  $X\n}", &[("X", body)], &["`\n   raw\n`"]),
        "    if a {\n      x(`\n   raw\n`,\n      y)\n    }"
    );
}

#[test]
fn a_run_with_lines_of_its_own_keeps_them() {
    let body = "c()\n    d()";
    assert_eq!(
        put(
            &format!("«if y:\n    {body}»\n"),
            "while $X: $$$B",
            &[("X", "y"), ("$$$B", body)],
            &[]
        ),
        "while y:\n    c()\n    d()\n"
    );
    let body = "c();\n\t\td();";
    assert_eq!(
        put(
            &format!("\t«if (y) {{\n\t\t{body}\n\t}}»\n"),
            "while ($X) { $$$B }",
            &[("X", "y"), ("$$$B", body)],
            &[]
        ),
        "\twhile (y) {\n\t\tc();\n\t\td();\n\t}\n"
    );
    let args = "a,\n    b";
    assert_eq!(
        put(&format!("«f(\n    {args},\n)»"), "g(ctx, $$$A)", &[("$$$A", args)], &[]),
        "g(ctx,\n    a,\n    b\n)"
    );
    // One line stays in the line, and so does what began behind other text.
    assert_eq!(
        put("«if y:\n    c()»", "while $X: $$$B", &[("X", "y"), ("$$$B", "c()")], &[]),
        "while y: c()"
    );
    assert_eq!(put("«f(a,\n  b)»", "g($$$A)", &[("$$$A", "a,\n  b")], &[]), "g(a,\n  b)");
}

#[test]
fn an_empty_run_takes_one_separator() {
    for (template, want) in [
        ("g(ctx, $$$A)", "g(ctx)"),
        ("g($$$A, ctx)", "g(ctx)"),
        ("g($$$A , ctx)", "g(ctx)"),
        ("g(a, $$$A, b)", "g(a, b)"),
        ("g($$$A)", "g()"),
        ("[$$$A, $$$A]", "[]"),
        ("[$$$A, $X, $$$A]", "[q]"),
        ("[$X, $$$A]", "[q]"),
        ("[$$$A, $X]", "[q]"),
        ("{ $$$A }", "{ }"),
        ("{ $$$A; x() }", "{ x() }"),
        ("{ x(); $$$A }", "{ x(); }"),
        ("for ($$$A; i; j) {}", "for (; i; j) {}"),
        ("return $$$A", "return"),
        ("return $$$A;", "return;"),
        ("{\n  $$$A\n}", "{\n}"),
        ("f(\n  a,\n  $$$A\n)", "f(\n  a\n)"),
        ("f(\n  $$$A,\n  a\n)", "f(\n  a\n)"),
        ("f(\n  a,\n  $$$A,\n  b,\n)", "f(\n  a,\n  b,\n)"),
        ("$$$A", ""),
        ("$$$A\nx", "x"),
    ] {
        assert_eq!(put("«f(q)»", template, &[("$$$A", ""), ("X", "q")], &[]), want, "{template}");
    }
}

#[test]
fn inserted_line_breaks_are_the_files() {
    assert_eq!(
        put("  «f(1)»\r\nb\r\n", "if a {\n  f($X)\n}", &[("X", "1")], &[]),
        "  if a {\r\n    f(1)\r\n  }\r\nb\r\n"
    );
    let body = "a\r\n    b";
    assert_eq!(
        put(&format!("«f {{\r\n    {body}\r\n}}»\r\n"), "$$$B", &[("$$$B", body)], &[]),
        "a\r\nb\r\n"
    );
}
