//! Columns to bytes, against the naive definition.

use proptest::prelude::*;
use tool_workspace::splice;

use super::{eol, to_byte_edits};
use crate::edits::{EditProblem, WireEdit};
use crate::text::{Encoding, Pos, Span, Text};

fn text(src: &str) -> Text {
    Text::new(src.as_bytes().to_vec()).expect("it is text")
}

fn edit(line: u32, from: u32, to: u32, new: &str) -> WireEdit {
    let span = Span { start: Pos::new(line, from), end: Pos::new(line, to) };
    WireEdit { span, new: new.into() }
}

fn applied(src: &str, encoding: Encoding, edits: &[WireEdit]) -> Result<String, EditProblem> {
    let text = text(src);
    let bytes = to_byte_edits("a", &text, encoding, edits)?;
    Ok(String::from_utf8(splice(src.as_bytes(), bytes).expect("checked")).expect("still text"))
}

/// Failures 45 and 46: the same columns mean other bytes in each encoding.
#[test]
fn columns_follow_the_encoding() {
    let src = "let größe = \"𝒳\"; größe\n";
    for (encoding, first, second) in [
        (Encoding::Utf8, (4, 11), (22, 29)),
        (Encoding::Utf16, (4, 9), (18, 23)),
        (Encoding::Utf32, (4, 9), (17, 22)),
    ] {
        let edits = [edit(0, first.0, first.1, "size"), edit(0, second.0, second.1, "size")];
        assert_eq!(
            applied(src, encoding, &edits).unwrap(),
            "let size = \"𝒳\"; size\n",
            "{encoding:?}"
        );
    }
}

/// A column inside a character, behind the end of its line, or behind the last line is clamped, never a panic.
#[test]
fn columns_that_are_none_are_clamped() {
    assert_eq!(applied("ö\r\nb", Encoding::Utf8, &[edit(0, 1, 99, "x")]).unwrap(), "x\r\nb");
    assert_eq!(applied("a\r\nb", Encoding::Utf16, &[edit(0, 1, 2, "x")]).unwrap(), "ax\r\nb");
    assert_eq!(applied("a", Encoding::Utf16, &[edit(7, 0, 0, "x")]).unwrap(), "ax");
}

/// Failure 48.
#[test]
fn new_lines_take_the_line_end_of_the_file() {
    let new = [edit(0, 1, 1, "\n b\n")];
    assert_eq!(applied("a\r\nc\r\n", Encoding::Utf16, &new).unwrap(), "a\r\n b\r\n\r\nc\r\n");
    let new = [edit(0, 1, 1, "\r\n b\n")];
    assert_eq!(applied("a\nc\n", Encoding::Utf16, &new).unwrap(), "a\n b\n\nc\n");
    assert_eq!((eol("a\r\nb\r\nc\n"), eol("a\nb\nc\r\n"), eol("a")), ("\r\n", "\n", "\n"));
}

/// Failure 49: other breaks of Unicode are no line ends.
#[test]
fn only_the_line_ends_of_the_protocol_count() {
    let src = "a\u{2028}b\u{c}c\u{b}d\ne\rf";
    assert_eq!(
        applied(src, Encoding::Utf16, &[edit(1, 0, 1, "E")]).unwrap(),
        src.replace('e', "E")
    );
    assert_eq!(
        applied(src, Encoding::Utf16, &[edit(2, 0, 1, "F")]).unwrap(),
        src.replace('f', "F")
    );
}

/// A byte order mark is no column.
#[test]
fn a_byte_order_mark_does_not_shift() {
    assert_eq!(
        applied("\u{feff}foo\n", Encoding::Utf16, &[edit(0, 0, 3, "x")]).unwrap(),
        "\u{feff}x\n"
    );
}

/// Failure 50: several edits on one line, in any order.
#[test]
fn edits_on_one_line_do_not_shift_each_other() {
    let edits = [edit(0, 0, 3, "longer"), edit(0, 6, 9, "x"), edit(0, 3, 4, "")];
    assert_eq!(applied("foo = foo", Encoding::Utf16, &edits).unwrap(), "longer= x");
}

/// Failures 51 and 52.
#[test]
fn insertions_keep_their_order_and_identical_replacements_count_once() {
    let edits = [
        edit(0, 1, 1, "1"),
        edit(0, 1, 1, "2"),
        edit(0, 1, 1, "2"),
        edit(0, 1, 2, "B"),
        edit(0, 1, 2, "B"),
    ];
    assert_eq!(applied("ab", Encoding::Utf16, &edits).unwrap(), "a122B");
}

/// Failure 53.
#[test]
fn overlaps_are_refused_with_their_lines() {
    for edits in [
        vec![edit(1, 0, 3, "x"), edit(1, 2, 4, "y")],
        vec![edit(1, 0, 3, "x"), edit(1, 0, 3, "y")],
        vec![edit(1, 0, 3, "x"), edit(1, 1, 1, "y")],
    ] {
        let told = applied("a\nfoofoo\n", Encoding::Utf16, &edits);
        assert_eq!(told, Err(EditProblem::Overlap { rel: "a".into(), first: 2, second: 2 }));
    }
}

/// The naive definition: sort, then apply from the end to characters of the line, one by one.
fn naive(src: &str, edits: &[WireEdit]) -> String {
    let mut chars: Vec<char> = src.chars().collect();
    let index = |pos: Pos| {
        let (mut line, mut column) = (0, 0);
        let all: Vec<char> = src.chars().collect();
        for (at, c) in all.iter().enumerate() {
            let end = *c == '\n' || *c == '\r' && all.get(at + 1) == Some(&'\n');
            if line == pos.line && (column == pos.character || end) {
                return at;
            }
            match c {
                '\n' => (line, column) = (line + 1, 0),
                _ => column += 1,
            }
        }
        all.len()
    };
    let mut sorted: Vec<(usize, &WireEdit)> = edits.iter().enumerate().collect();
    sorted.sort_by_key(|(at, edit)| (index(edit.span.start), index(edit.span.end), *at));
    for (_, edit) in sorted.into_iter().rev() {
        let (a, b) = (index(edit.span.start), index(edit.span.end));
        chars.splice(a.min(b)..a.max(b), edit.new.chars());
    }
    chars.into_iter().collect()
}

proptest! {
    #[test]
    fn edits_do_what_the_naive_definition_does(
        src in "([a-cäß𝒳 ]{0,6}(\r\n|\n)){0,5}[a-c𝒳]{0,4}",
        cuts in proptest::collection::vec((0u32..6, 0u32..8, 0u32..4, "[xyäö]{0,3}"), 0..6),
    ) {
        let edits: Vec<WireEdit> = cuts
            .iter()
            .map(|(line, from, len, new)| edit(*line, *from, from + len, new))
            .collect();
        // Where overlaps are refused there is nothing to compare; identical ones count once.
        if let Ok(ours) = applied(&src, Encoding::Utf32, &edits) {
            let mut once: Vec<WireEdit> = Vec::new();
            for edit in edits {
                let t = text(&src);
                let same = |other: &WireEdit| {
                    other.new == edit.new
                        && t.range(other.span, Encoding::Utf32) == t.range(edit.span, Encoding::Utf32)
                };
                if t.range(edit.span, Encoding::Utf32).is_empty() || !once.iter().any(same) {
                    once.push(edit);
                }
            }
            prop_assert_eq!(ours, naive(&src, &once));
        }
    }

    #[test]
    fn every_encoding_finds_the_same_bytes(src in "[a-cäß𝒳]{1,10}", at in 0usize..10, len in 0usize..4) {
        let offsets: Vec<usize> = src.char_indices().map(|(at, _)| at).chain([src.len()]).collect();
        let (a, b) = (offsets[at.min(offsets.len() - 1)], offsets[(at + len).min(offsets.len() - 1)]);
        let t = text(&src);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let edits = [WireEdit { span: t.span(&(a..b), encoding), new: "N".into() }];
            let want = format!("{}N{}", &src[..a], &src[b..]);
            prop_assert_eq!(applied(&src, encoding, &edits).unwrap(), want);
        }
    }
}
