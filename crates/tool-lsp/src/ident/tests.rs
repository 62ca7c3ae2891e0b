//! Tables of names, and what must hold for all of them.

use proptest::prelude::*;

use super::{NameProblem, Place, bare, fit, is_spelling_of};

fn at<'a>(before: &'a str, covered: &'a str) -> Place<'a> {
    Place { before, covered }
}

/// The text that is written over a name that stands alone.
fn plain(language: &str, old: &str, new: &str) -> Result<String, NameProblem> {
    fit(language, at("", old), new)
}

#[test]
fn names_that_are_names() {
    for (language, old, new) in [
        ("rust", "foo", "größe"),
        ("rust", "foo", "r#type"),
        ("rust", "foo", "union"),
        ("rust", "foo", "_foo"),
        ("python", "foo", "名前"),
        ("python", "foo", "match"),
        ("python", "foo", "_"),
        ("typescript", "foo", "$foo"),
        ("typescriptreact", "Foo", "Bar"),
        ("javascript", "foo", "of"),
        ("c", "foo", "class"),
        ("cpp", "foo", "größe"),
        ("go", "foo", "Foo"),
        ("dart", "foo", "foo$"),
        ("java", "foo", "record"),
        ("kotlin", "foo", "`is it so`"),
        ("ruby", "foo", "foo?"),
        ("ruby", "Foo", "Bar"),
        ("php", "foo", "größe"),
        ("lua", "foo", "bar"),
        ("shellscript", "foo", "foo-bar"),
        ("css", ".foo", "foo-bar"),
        ("haskell", "foo", "foo'"),
        ("csharp", "foo", "@class"),
        ("zig", "foo", "@\"while\""),
        ("terraform", "foo", "foo-bar"),
        ("yaml", "foo", "foo.bar/baz"),
        ("no-such-language", "foo", "foo-bar?"),
    ] {
        assert!(
            plain(language, old, new).is_ok(),
            "{language}: {new} {:?}",
            plain(language, old, new)
        );
    }
}

#[test]
fn texts_that_are_no_names() {
    for language in [
        "rust",
        "python",
        "typescript",
        "cpp",
        "go",
        "dart",
        "java",
        "ruby",
        "php",
        "lua",
        "css",
        "zig",
        "swift",
        "?",
    ] {
        for new in ["1 bad-name", "a b", "a\nb", "a(b", "", "  ", "a;b", "a,b", "ab\0"] {
            assert!(plain(language, "foo", new).is_err(), "{language}: {new:?}");
        }
    }
    for (language, new) in [
        ("rust", "1a"),
        ("rust", "foo-bar"),
        ("rust", "foo$"),
        ("python", "foo$"),
        ("python", "foo?"),
        ("typescript", "foo-bar"),
        ("go", "foo'"),
        ("lua", "größe"),
        ("dart", "größe"),
        ("css", "1a"),
        ("css", "-1a"),
    ] {
        let told = plain(language, "foo", new).expect_err(new);
        assert!(matches!(told, NameProblem::Letter { .. }), "{language} {new}: {told:?}");
        assert!(told.to_string().contains(language), "{told}");
    }
}

#[test]
fn reserved_words_are_refused_and_raw_names_proposed() {
    for (language, word, instead) in [
        ("rust", "match", Some("r#match")),
        ("rust", "self", None),
        ("rust", "r#self", None),
        ("rust", "_", None),
        ("python", "class", None),
        ("typescript", "delete", None),
        ("go", "type", None),
        ("kotlin", "fun", Some("`fun`")),
        ("csharp", "class", Some("@class")),
        ("swift", "func", Some("`func`")),
        ("zig", "fn", Some("@\"fn\"")),
        ("php", "Function", None),
        ("ruby", "end", None),
        ("cpp", "new", None),
    ] {
        let told = plain(language, "foo", word).expect_err(word);
        let NameProblem::Keyword { instead: got, .. } = &told else {
            panic!("{language} {told:?}")
        };
        assert_eq!(got.as_deref(), instead, "{language} {word}");
        assert!(told.to_string().contains("reserved word"), "{told}");
    }
    assert_eq!(
        plain("rust", "'a", "'static").map_err(|e| e.to_string()).unwrap_err(),
        "`'static` is a reserved word in rust"
    );
}

#[test]
fn a_sign_stays_where_it_is() {
    // Old text in the range, what stands before it, new name, what is written.
    for (language, before, covered, new, written) in [
        ("javascript", "  this.", "#count", "total", "#total"),
        ("javascript", "  this.", "#count", "#total", "#total"),
        ("javascript", "  this.#", "count", "total", "total"),
        ("javascript", "  this.#", "count", "#total", "total"),
        ("php", "echo $", "name", "$title", "title"),
        ("php", "echo ", "$name", "title", "$title"),
        ("php", "$", "name", "class", "class"),
        ("ruby", "", "@count", "total", "@total"),
        ("ruby", "@@", "count", "@@total", "total"),
        ("ruby", "@", "count", "end", "end"),
        ("rust", "fn f<", "'a", "b", "'b"),
        ("rust", "fn f<'", "a", "'b", "b"),
        ("rust", "let ", "r#type", "kind", "kind"),
        ("rust", "let ", "kind", "r#type", "r#type"),
        ("css", "", ".foo", ".bar", ".bar"),
        ("css", ".", "foo", "bar", "bar"),
        ("shellscript", "echo $", "name", "title", "title"),
        ("cpp", "~", "Foo", "Bar", "Bar"),
    ] {
        assert_eq!(
            fit(language, at(before, covered), new).as_deref(),
            Ok(written),
            "{language} {covered} {new}"
        );
    }
}

#[test]
fn another_sign_is_another_kind_of_thing() {
    for (language, before, covered, new) in [
        ("javascript", "this.", "count", "#count2"),
        ("ruby", "", "@count", "$count"),
        ("ruby", "", "count", "@count"),
        ("rust", "", "a", "'b"),
        ("css", "", ".foo", "#foo"),
    ] {
        let told = fit(language, at(before, covered), new).expect_err(new);
        assert!(matches!(told, NameProblem::Sign { .. }), "{language} {told:?}");
        assert!(told.to_string().contains("another kind"), "{told}");
    }
    for (language, old, new) in
        [("ruby", "Foo", "foo"), ("ruby", "foo", "Foo"), ("haskell", "Foo", "foo")]
    {
        let told = plain(language, old, new).expect_err(new);
        assert!(matches!(told, NameProblem::Case { .. }), "{told:?}");
    }
}

#[test]
fn the_same_name_is_no_rename() {
    for (language, old, new) in [
        ("rust", "foo", "foo"),
        ("rust", "r#foo", "foo"),
        ("javascript", "#a", "a"),
        ("php", "$a", "a"),
        ("go", "a", " a "),
    ] {
        assert_eq!(plain(language, old, new), Err(NameProblem::Same), "{language} {old} {new}");
    }
    assert!(plain("ruby", "empty", "empty?").is_ok(), "the ending is a part of the name");
}

#[test]
fn spellings_of_one_name() {
    assert!(is_spelling_of("rust", "r#type", "type"));
    assert!(is_spelling_of("rust", "'a", "a"));
    assert!(is_spelling_of("php", "$a", "a"));
    assert!(!is_spelling_of("rust", "ab", "a"));
    assert!(!is_spelling_of("rust", "", "a"));
    assert!(!is_spelling_of("ruby", "a?", "a"));
    assert_eq!(bare("ruby", "@@count"), "count");
    assert_eq!(bare("kotlin", "`is`"), "is");
    assert_eq!(bare("rust", "foo"), "foo");
}

proptest! {
    #[test]
    fn what_is_written_is_a_spelling_of_what_was_asked(
        language in proptest::sample::select(vec!["rust", "python", "typescript", "ruby", "php", "css", "kotlin", "?"]),
        before in "[$#@.'a ]{0,2}",
        old in "[$#@']?[a-zA-Zäß_]{1,6}",
        new in "[$#@'`]{0,2}[a-zA-Zäß_0-9 -]{0,6}[?!`]?",
    ) {
        let place = Place { before: &before, covered: &old };
        if let Ok(written) = fit(language, place, &new) {
            prop_assert!(is_spelling_of(language, &written, new.trim()), "{written} for {new}");
            prop_assert!(!written.contains(' ') || new.contains('`'), "{written}");
            // Where the range has no sign, none is written into it.
            if old.starts_with(char::is_alphabetic) && !new.starts_with(['$', '#', '@', '\'', '`']) {
                prop_assert_eq!(written, new.trim());
            }
        }
    }
}
