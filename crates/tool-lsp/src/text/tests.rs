//! Tables and properties of positions in texts.

use proptest::prelude::*;

use super::{Encoding, NotText, Pos, Span, Text};

const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

fn text(src: &str) -> Text {
    Text::new(src.as_bytes().to_vec()).expect("it is text")
}

#[test]
fn lines_end_where_the_protocol_says() {
    let t = text("a\nb\r\nc\rd\u{2028}e\u{c}f\u{b}g\n");
    let lines: Vec<_> = (0..t.line_count()).map(|n| t.line(n).expect("it is there")).collect();
    assert_eq!(lines, ["a", "b", "c", "d\u{2028}e\u{c}f\u{b}g", ""]);
    assert_eq!(t.line(5), None);
    assert_eq!(text("").line_count(), 1);
    assert_eq!(text("\r").line_count(), 2);
    assert_eq!(text("\n\r\n").line_count(), 3);
}

#[test]
fn columns_are_counted_in_the_units_of_the_server() {
    // ä: 2 bytes, 1 unit, 1 scalar. 𝒙: 4, 2, 1. e + combining acute: 3, 2, 2.
    let t = text("\tä𝒙e\u{301}z");
    let z = t.src().find('z').expect("z");
    for (encoding, column) in [(Encoding::Utf8, 10), (Encoding::Utf16, 6), (Encoding::Utf32, 5)] {
        assert_eq!(t.pos(z, encoding), Pos::new(0, column), "{encoding:?}");
        assert_eq!(t.offset(Pos::new(0, column), encoding), z, "{encoding:?}");
    }
    assert_eq!(t.human(z), (1, 6));
}

#[test]
fn a_position_never_lies_inside_a_character_or_a_line_end() {
    let t = text("x𝒙\r\ny");
    let astral = 1;
    assert_eq!(t.offset(Pos::new(0, 2), Encoding::Utf16), astral, "between the surrogates");
    assert_eq!(t.offset(Pos::new(0, 3), Encoding::Utf8), astral, "between bytes");
    assert_eq!(t.offset(Pos::new(0, 99), Encoding::Utf16), 5, "clamped before the line end");
    assert_eq!(t.offset(Pos::new(9, 0), Encoding::Utf16), t.src().len(), "behind the last line");
    assert_eq!(t.pos(6, Encoding::Utf16), Pos::new(0, 3), "between \\r and \\n");
    assert_eq!(t.pos(3, Encoding::Utf32), Pos::new(0, 1), "inside a character");
    assert_eq!(t.pos(99, Encoding::Utf8), Pos::new(1, 1), "behind the end");
}

#[test]
fn a_byte_order_mark_is_kept_and_is_no_column() {
    let t = text("\u{feff}abc\nd");
    assert_eq!(t.sent(), "abc\nd");
    assert_eq!(t.line(0), Some("abc"));
    for encoding in ALL {
        assert_eq!(t.offset(Pos::new(0, 0), encoding), 3);
        assert_eq!(t.pos(3, encoding), Pos::new(0, 0));
        assert_eq!(t.pos(0, encoding), Pos::new(0, 0));
        assert_eq!(t.offset(Pos::new(0, 1), encoding), 4);
    }
    assert_eq!(t.human(4), (1, 2));
    assert_eq!(t.src().len(), 8);
    assert_eq!(text("\u{feff}").line(0), Some(""));
}

#[test]
fn a_reversed_range_is_put_in_order() {
    let t = text("hello");
    let span = Span { start: Pos::new(0, 4), end: Pos::new(0, 1) };
    assert_eq!(t.range(span, Encoding::Utf16), 1..4);
    assert_eq!(span.ordered(), Span { start: Pos::new(0, 1), end: Pos::new(0, 4) });
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    assert_eq!(Text::new(b"ab\xffc".to_vec()).err(), Some(NotText::NotUtf8 { at: 2 }));
}

#[test]
fn equal_bytes_have_equal_hashes() {
    assert_eq!(text("a\n").hash(), text("a\n").hash());
    assert_ne!(text("a\n").hash(), text("a\r\n").hash());
}

/// Texts of everything that is hard: all line ends, a mark, wide characters, tabs.
fn hard() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\r\n"),
        Just("\r"),
        Just("\t"),
        Just("ä"),
        Just("𝒙"),
        Just("e\u{301}"),
        Just("name"),
        Just(" "),
        Just("\u{2028}"),
        Just("\u{feff}"),
        Just("中"),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn offset_undoes_pos(src in hard()) {
        let t = text(&src);
        for encoding in ALL {
            for line in 0..t.line_count() {
                let range = t.line_range(line).expect("it is there");
                let body = &t.src()[range.clone()];
                for at in body.char_indices().map(|(at, _)| at).chain([body.len()]) {
                    let offset = range.start + at;
                    let pos = t.pos(offset, encoding);
                    prop_assert_eq!(pos.line, line);
                    prop_assert_eq!(t.offset(pos, encoding), offset);
                }
            }
        }
    }

    #[test]
    fn any_position_and_any_byte_is_answered(src in hard(), line in 0u32..12, character in 0u32..30, at in 0usize..200) {
        let t = text(&src);
        for encoding in ALL {
            let offset = t.offset(Pos::new(line, character), encoding);
            prop_assert!(t.src().is_char_boundary(offset));
            let pair = offset > 0 && t.src().as_bytes()[offset - 1] == b'\r' && t.src().as_bytes().get(offset) == Some(&b'\n');
            prop_assert!(!pair, "between \\r and \\n");
            let pos = t.pos(at, encoding);
            prop_assert!(pos.line < t.line_count());
        }
    }

    #[test]
    fn lines_and_their_ends_make_up_the_source(src in hard()) {
        let t = text(&src);
        let sum: usize = (0..t.line_count()).map(|n| t.line(n).expect("there").len()).sum();
        let ends = t.sent().replace("\r\n", "\n").matches(['\n', '\r']).count();
        prop_assert_eq!(t.line_count() as usize, ends + 1);
        prop_assert_eq!(sum, t.sent().chars().filter(|c| !matches!(c, '\n' | '\r')).map(char::len_utf8).sum::<usize>());
    }
}
