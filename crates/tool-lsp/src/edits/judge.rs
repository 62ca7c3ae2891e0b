//! Whether an edit is a rename at all: what it replaces is the name. Pure.
//!
//! Columns that were counted in another way than was agreed, and edits of a text that is no longer there, show here
//! before anything is written.

use tool_workspace::ByteEdit;

use crate::edits::{EditProblem, WireEdit};
use crate::ident;
use crate::position::whole_identifiers;
use crate::text::{Encoding, Text};

/// What is to become of which name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    /// The server does not edit name by name: what it makes of the file is counted instead.
    pub(crate) unaligned: bool,
}

/// What the edits of one file are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Judgement {
    /// Edits that replace the name and nothing else.
    pub(crate) names: usize,
    /// Others: insertions, larger pieces that have the name in them.
    pub(crate) others: usize,
}

enum Kind {
    Name,
    Other,
    Stray,
}

/// Judges the edits of one file.
///
/// # Errors
/// `NotTheName` for the first edit that has nothing to do with the name.
pub(crate) fn judge(
    rel: &str,
    language: &str,
    text: &Text,
    edits: &[ByteEdit],
    wanted: &Wanted<'_>,
) -> Result<Judgement, EditProblem> {
    let mut judgement = Judgement::default();
    for (range, _) in edits {
        match kind(language, &text.src()[range.clone()], wanted) {
            Kind::Name => judgement.names += 1,
            Kind::Other => judgement.others += 1,
            Kind::Stray if wanted.unaligned => judgement.others += 1,
            Kind::Stray => {
                return Err(stray(rel, text, range.start, &text.src()[range.clone()]));
            }
        }
    }
    if wanted.unaligned && judgement.others > 0 {
        counted(rel, language, text, edits, wanted)?;
    }
    Ok(judgement)
}

fn kind(language: &str, replaced: &str, wanted: &Wanted<'_>) -> Kind {
    if ident::is_spelling_of(language, replaced, wanted.old) {
        return Kind::Name;
    }
    let bare = ident::bare(language, wanted.old).to_lowercase();
    // `getName` for `name`, `"path/name"` for a package.
    if replaced.is_empty() || replaced.to_lowercase().contains(&bare) {
        return Kind::Other;
    }
    Kind::Stray
}

fn stray(rel: &str, text: &Text, at: usize, replaced: &str) -> EditProblem {
    let (line, column) = text.human(at);
    let shown: String = replaced.chars().take(60).collect();
    EditProblem::NotTheName { rel: rel.to_owned(), line, column, text: shown }
}

/// Edits that are not aligned to names: the old name must become rarer by as much as the new one becomes more frequent.
fn counted(
    rel: &str,
    language: &str,
    text: &Text,
    edits: &[ByteEdit],
    wanted: &Wanted<'_>,
) -> Result<(), EditProblem> {
    let after = tool_workspace::splice(text.src().as_bytes(), edits.to_vec())
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let (old, new) = (ident::bare(language, wanted.old), ident::bare(language, wanted.new));
    let count = |text: &str, name: &str| whole_identifiers(text, name).count();
    let good = after.is_some_and(|after| {
        let gone = count(text.src(), old).checked_sub(count(&after, old));
        let come = count(&after, new).checked_sub(count(text.src(), new));
        gone.is_some_and(|gone| gone > 0) && gone == come
    });
    match edits.first() {
        Some((range, _)) if !good => Err(stray(rel, text, range.start, &text.src()[range.clone()])),
        _ => Ok(()),
    }
}

/// The encoding in which all edits replace the name, if the claimed one does not: some servers count otherwise than they say.
pub(crate) fn encoding_of(
    documents: &[(&str, Text, &[WireEdit])],
    claimed: Encoding,
    wanted: &Wanted<'_>,
) -> Encoding {
    let all_names = |encoding: Encoding| {
        documents.iter().all(|(language, text, edits)| {
            edits.iter().all(|edit| {
                let replaced = &text.src()[text.range(edit.span, encoding)];
                edit.span.start == edit.span.end
                    || matches!(kind(language, replaced, wanted), Kind::Name)
            })
        })
    };
    if all_names(claimed) {
        return claimed;
    }
    // Code points first: servers that do not count as they say were all seen to count these.
    let others = [Encoding::Utf32, Encoding::Utf16, Encoding::Utf8];
    others.into_iter().find(|other| *other != claimed && all_names(*other)).unwrap_or(claimed)
}

#[cfg(test)]
mod tests {
    use super::{Judgement, Wanted, encoding_of, judge};
    use crate::edits::{EditProblem, WireEdit, to_byte_edits};
    use crate::text::{Encoding, Pos, Span, Text};

    fn text(src: &str) -> Text {
        Text::new(src.as_bytes().to_vec()).expect("it is text")
    }

    fn edit(line: u32, from: u32, to: u32, new: &str) -> WireEdit {
        let span = Span { start: Pos::new(line, from), end: Pos::new(line, to) };
        WireEdit { span, new: new.into() }
    }

    const WANTED: Wanted<'_> = Wanted { old: "größe", new: "size", unaligned: false };

    fn judged(
        src: &str,
        edits: &[WireEdit],
        wanted: &Wanted<'_>,
    ) -> Result<Judgement, EditProblem> {
        let text = text(src);
        let bytes = to_byte_edits("a.rs", &text, Encoding::Utf16, edits)?;
        judge("a.rs", "rust", &text, &bytes, wanted)
    }

    #[test]
    fn edits_that_replace_the_name_are_told_from_others() {
        let src = "let s = S { größe }; get_größe();";
        let edits =
            [edit(0, 12, 17, "size"), edit(0, 12, 12, "größe: "), edit(0, 21, 30, "get_size")];
        let got = judged(src, &edits, &WANTED).unwrap();
        assert_eq!(got, Judgement { names: 1, others: 2 });
        let raw = Wanted { old: "type", new: "kind", unaligned: false };
        assert_eq!(judged("r#type", &[edit(0, 0, 6, "kind")], &raw).unwrap().names, 1);
    }

    /// Failure 47: a range that is off by the difference of two encodings.
    #[test]
    fn an_edit_of_something_else_is_refused_with_its_place() {
        let told = judged("x\nlet 𝒳 = größe;", &[edit(1, 7, 12, "size")], &WANTED).unwrap_err();
        let EditProblem::NotTheName { rel, line, column, text } = told else { panic!("{told:?}") };
        assert_eq!((rel.as_str(), line, column, text.as_str()), ("a.rs", 2, 7, "= grö"));
    }

    #[test]
    fn unaligned_edits_are_counted() {
        let wanted = Wanted { old: "greet", new: "grant", unaligned: true };
        let parts = [edit(0, 2, 4, "an"), edit(0, 9, 11, "an")];
        assert_eq!(judged("greet; greet;", &parts, &wanted).unwrap().others, 2);
        let merged = [edit(0, 0, 12, "grant; grant")];
        assert!(judged("greet; greet;", &merged, &wanted).is_ok());
        let shifted = [edit(0, 3, 5, "an"), edit(0, 10, 12, "an")];
        assert!(judged("greet; greet;", &shifted, &wanted).is_err());
    }

    /// Failures 46 and 47: the server counts otherwise than it says, and all its ranges show it.
    #[test]
    fn the_encoding_that_fits_all_edits_is_found() {
        let src = "𝒳 größe\ngröße";
        let t = text(src);
        for (encoding, from, to) in
            [(Encoding::Utf8, 5, 12), (Encoding::Utf16, 3, 8), (Encoding::Utf32, 2, 7)]
        {
            let width = to - from;
            let edits = [edit(0, from, to, "size"), edit(1, 0, width, "size")];
            let documents = [("rust", t.clone(), &edits[..])];
            for claimed in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                assert_eq!(encoding_of(&documents, claimed, &WANTED), encoding, "{claimed:?}");
            }
        }
        let nowhere = [edit(0, 1, 2, "size")];
        let documents = [("rust", t, &nowhere[..])];
        assert_eq!(encoding_of(&documents, Encoding::Utf8, &WANTED), Encoding::Utf8);
    }
}
