//! Tables of symbols and lines.

use proptest::prelude::*;

use super::{PositionError, Symbol, in_line, meant, occurrences, whole_identifiers};
use crate::text::Text;

fn text(src: &str) -> Text {
    Text::new(src.as_bytes().to_vec()).expect("it is text")
}

/// The columns (bytes, from 0) of what is found on the only line.
fn columns(line: &str, symbol: &str) -> Vec<usize> {
    occurrences(&text(line), 1, symbol).map_or(vec![], |f| f.into_iter().map(|r| r.start).collect())
}

#[test]
fn a_number_picks_an_occurrence() {
    let parse = |s: &str| {
        let symbol = Symbol::parse(s);
        (symbol.text, symbol.nth)
    };
    assert_eq!(parse("name#2"), ("name".into(), Some(2)));
    assert_eq!(parse("#priv#2"), ("#priv".into(), Some(2)));
    assert_eq!(parse("#priv"), ("#priv".into(), None));
    assert_eq!(parse("#2"), ("#2".into(), None));
    assert_eq!(parse("a#b"), ("a#b".into(), None));
    assert_eq!(parse("a#"), ("a#".into(), None));
    assert_eq!(parse("a#99999999999999999999999"), ("a#99999999999999999999999".into(), None));
    assert_eq!(columns("this.#priv = that.#priv", "#priv#2"), [19], "the sign is no letter");
    assert_eq!(columns("a + a", "a#2"), [4]);
    assert_eq!(columns("a + a", "a"), [0, 4]);
}

#[test]
fn a_whole_identifier_wins_over_a_part() {
    assert_eq!(columns("let foobar = foo(foo_bar, foo);", "foo"), [13, 26]);
    assert_eq!(columns("let foobar = 1;", "foo"), [4], "a part is better than nothing");
    assert_eq!(columns("größe = größer + größe", "größe"), [0, 21]);
    assert_eq!(columns("gr\u{f6}\u{df}e = e", "e"), [10], "letters beyond ASCII are letters");
    assert_eq!(columns("变量x = 变量", "变量"), [10]);
    assert_eq!(columns("a\u{301}b a", "a"), [5], "a combining mark belongs to its letter");
}

#[test]
fn the_dollar_sign_is_a_letter_where_that_helps() {
    assert_eq!(columns("foo($foo)", "foo"), [0]);
    assert_eq!(columns("$foo = bar($foo);", "foo"), [1, 12], "PHP");
    assert_eq!(columns("$foo = foo($foo);", "$foo"), [0, 11]);
    assert_eq!(columns("\"$name and $names\"", "name"), [2]);
}

#[test]
fn operators_and_pieces_of_several_tokens() {
    assert_eq!(columns("a += b + c", "+="), [2]);
    assert_eq!(columns("let x = Foo::bar(1);", "Foo::bar"), [13], "the name it ends in");
    assert_eq!(columns("let x = Foo::bar(1);", "Foo::bar("), [13]);
    assert_eq!(columns("    pub fn main() {", "fn main"), [11]);
    assert_eq!(columns("x: Vec<u8>", "x: Vec"), [0], "what is declared, not its type");
    assert_eq!(columns("x: Vec<u8>", "Vec<u8>"), [3]);
    assert_eq!(columns("println!(\"{}\", x)", "println!"), [0]);
    assert_eq!(columns("a->b = c;", "a->b"), [3]);
    for (piece, name) in [
        ("self.parent", "parent"),
        ("&mut Foo", "Foo"),
        ("'a", "a"),
        ("@property", "property"),
        ("r#type", "type"),
        ("foo()", "foo"),
        ("[i]", "i"),
        ("==", "=="),
        (" + ", "+"),
        ("obj?.m", "m"),
        ("std::io::Read", "Read"),
    ] {
        assert_eq!(&piece[meant(piece)], name, "{piece}");
    }
}

#[test]
fn blanks_around_a_symbol_do_no_harm() {
    assert_eq!(columns("let x = y;", " y "), [8]);
    assert_eq!(columns("let x = y;", " = "), [6]);
}

#[test]
fn tabs_crlf_and_marks_do_not_shift() {
    let t = text("\u{feff}\tone\r\n\ttwo\r\n");
    let found = |line, symbol| occurrences(&t, line, symbol).expect("it is there")[0].clone();
    assert_eq!(&t.src()[found(1, "one")], "one");
    assert_eq!(t.human(found(1, "one").start), (1, 2));
    assert_eq!(&t.src()[found(2, "two")], "two");
}

#[test]
fn an_absent_symbol_names_the_nearest_lines() {
    let t = text("foo()\n\nbar\nfoo(1)\nfoobar\nx\nfoo(2)\nfoo(3)\nfoo(4)\nfoo(5)\n");
    let error = occurrences(&t, 3, "foo").expect_err("it is not there");
    let PositionError::NotOnLine { nearest, total, .. } = &error else { panic!("{error:?}") };
    assert_eq!(
        nearest.iter().map(|n| n.line).collect::<Vec<_>>(),
        [4, 1, 7, 8, 9],
        "not the part in line 5"
    );
    assert_eq!(*total, 6);
    let told = error.to_string();
    assert!(told.contains("`foo` is not on line 3, which is `bar`"), "{told}");
    assert!(told.contains("nearest lines that have it (5 of 6):\n  4: foo(1)"), "{told}");

    let told = occurrences(&t, 99, "bar").expect_err("no such line").to_string();
    assert!(told.contains("there is no line 99: the file has 11"), "{told}");
    assert!(told.contains("3: bar"), "{told}");
    let told = occurrences(&t, 0, "bar").expect_err("no such line").to_string();
    assert!(told.contains("no line 0"), "{told}");
    let told = occurrences(&t, 1, "nothing#2").expect_err("nowhere").to_string();
    assert!(told.contains("`nothing` is nowhere in the file"), "{told}");
}

#[test]
fn too_high_a_number_says_how_many_there_are() {
    let told = occurrences(&text("a = a + b"), 1, "a#3").expect_err("two").to_string();
    assert!(told.contains("`a` stands 2 times on line 1 and not 3"), "{told}");
    assert!(occurrences(&text("a"), 1, "a#0").is_err());
    assert!(occurrences(&text("a"), 1, "").is_err());
    assert!(occurrences(&text("a\nb"), 1, "a\nb").is_err());
}

#[test]
fn whole_identifiers_are_counted_for_cross_checks() {
    let all: Vec<_> =
        whole_identifiers("foo $foo foo_ foo\nfoo.foo", "foo").map(|r| r.start).collect();
    assert_eq!(all, [0, 14, 18, 22]);
}

proptest! {
    #[test]
    fn whatever_is_asked_is_answered_inside_the_line(
        line in "[a-c$_ä中\t .:(#0-2\u{301}]{0,24}", symbol in "[a-c$_ä中 .:(#0-2\u{301}]{0,6}"
    ) {
        let t = text(&line);
        if let Ok(found) = occurrences(&t, 1, &symbol) {
            prop_assert!(!found.is_empty());
            for range in found {
                prop_assert!(line.get(range).is_some());
            }
        }
        for range in in_line(&line, &symbol) {
            prop_assert!(line.get(range).is_some());
        }
    }
}
