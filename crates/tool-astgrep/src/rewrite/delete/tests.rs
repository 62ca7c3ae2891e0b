//! Lines and blanks around a deleted range, without a grammar.

use super::*;

#[test]
fn whole_lines_take_one_of_two_groups_of_blank_lines() {
    for (src, want) in [
        ("a\nX\nb\n", "a\nb\n"),
        ("a\n\nX\n\nb\n", "a\n\nb\n"),
        ("a\n\n\nX\n\nb\n", "a\n\n\nb\n"),
        ("a\n\nX\n\n\nb\n", "a\n\n\nb\n"),
        ("X\n\nb\n", "b\n"),
        ("a\nX", "a"),
        ("a\r\nX", "a"),
        ("X", ""),
        ("a\n  X\n", "a\n"),
        ("a\n\nX\n", "a\n\n"),
        ("a X b", "a b"),
    ] {
        let at = src.find('X').expect("X");
        let range = with_surroundings(src, at..at + 1);
        let text = format!("{}{}", &src[..range.start], &src[range.end..]);
        assert_eq!(text, want, "{src:?}");
    }
}
