//! What a template's text means, and what it is refused for.

use super::*;

fn keys(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn flat(text: &str, known: &[&str]) -> String {
    let template = Template::read(text, "", &keys(known)).unwrap();
    let lines: Vec<String> = template
        .lines()
        .iter()
        .map(|line| {
            let body: String = line
                .pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => text.clone(),
                    Piece::Capture(key) => format!("<{key}>"),
                })
                .collect();
            format!("{}{body}", line.indent)
        })
        .collect();
    lines.join("|")
}

#[test]
fn metavariables_are_told_from_literal_dollars() {
    let known = ["A", "B2", "$$$R", "FOO"];
    for (text, want) in [
        ("f($A, $B2)", "f(<A>, <B2>)"),
        ("g(ctx, $$$R)", "g(ctx, <$$$R>)"),
        ("`$5 ${$A} $lower`", "`$5 ${<A>} $lower`"),
        (r"'\$A is $A'", r"'\$A is <A>'"),
        (r"'\$$A'", r"'\$<A>'"),
        (r"'\\$A'", r"'\\<A>'"),
        (r"\$5", r"\$5"),
        ("$As $FOO_bar", "<A>s <FOO>_bar"),
        ("$Foo = $A;", "$Foo = <A>;"),
        ("$", "$"),
        ("a$", "a$"),
        ("$é", "$é"),
        ("$$ $$$$", "$$ $$$$"),
        ("$A$A", "<A><A>"),
    ] {
        assert_eq!(flat(text, &known), want, "{text}");
    }
}

#[test]
fn outer_blank_lines_and_the_first_lines_indentation_go() {
    for (text, want) in [
        ("", ""),
        (" \n\t\n", ""),
        ("\n  if $A:\n    b\n", "if <A>:|  b"),
        ("\tx\r\n\t\ty\r\n", "x|\ty"),
        ("  x\n\n  y", "x||y"),
        ("    x\n  y", "x|y"),
    ] {
        assert_eq!(flat(text, &["A"]), want, "{text:?}");
    }
}

#[test]
fn what_cannot_be_put_in_is_refused_by_name() {
    let known = ["A", "$$$R"];
    for (text, want) in [
        ("g($B)", "rewrite uses $B, which the pattern does not capture; it captures $A, $$$R"),
        ("g($$$A)", "rewrite uses $$$A, but the pattern captures $A"),
        ("g($R)", "rewrite uses $R, but the pattern captures $$$R"),
        ("g($$$)", "name the run"),
        ("g($_)", "rewrite uses $_, which captures nothing"),
        ("g($_X)", "rewrite uses $_X, which captures nothing"),
        ("g($$A)", "$$A, which is no metavariable"),
        ("g($$$$A)", "$$$$A, which is no metavariable"),
        ("g($$$args)", "$$$args, which is no metavariable"),
    ] {
        let error = Template::read(text, "", &keys(&known)).unwrap_err().to_string();
        assert!(error.contains(want), "{text}: {error}");
    }
    let error = Template::read("$A", "", &[]).unwrap_err().to_string();
    assert!(error.ends_with("it has no metavariables"), "{error}");
}

#[test]
fn the_shadow_has_the_same_length_and_no_metavariable() {
    let template =
        Template::read("if $A {\n  x($$$R, '$5')\n}", "", &keys(&["A", "$$$R"])).unwrap();
    assert_eq!(template.shadow(), "if mm {\n  x(mmmm, '$5')\n}");
}

#[test]
fn a_word_that_the_pattern_has_literally_stays() {
    let template = Template::read("g($Foo, $F)", "f($Foo, $F)", &keys(&["F"])).unwrap();
    let text = Piece::Text("g($Foo, ".to_owned());
    assert_eq!(template.lines()[0].pieces[0], text);
}
