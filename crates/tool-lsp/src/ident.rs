//! What a name may look like in each language. Pure.
//!
//! Many servers take any text for a new name and write it into the project, so a name is judged before they are asked.
//! Only what is certain is refused: a name that no reader of the language could take for one. Whether it is free where
//! it will stand is another question.

use std::fmt;

mod lexicon;

use lexicon::{Letters, Lexicon};

/// Where a name stands that is to get another: what is in front of it on its line, and the text that will be replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The line up to the name.
    pub(crate) before: &'a str,
    /// The name as far as an edit replaces it; its sign (`$`, `#`, `@`, `'`) may be in it or in front of it.
    pub(crate) covered: &'a str,
}

/// Why a text cannot be the new name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NameProblem {
    /// Nothing but blanks.
    Empty,
    /// It is the name already.
    Same,
    /// A character that no name has, or has not there.
    Letter { letter: char, at_start: bool, language: String },
    /// A reserved word; how it could be written all the same.
    Keyword { word: String, language: String, instead: Option<String> },
    /// Its sign makes it another kind of thing.
    Sign { old: String, new: String },
    /// Its first letter makes it another kind of thing.
    Case { upper: bool, language: String },
}

impl fmt::Display for NameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the new name is empty"),
            Self::Same => f.write_str("that is its name already"),
            Self::Letter { letter, at_start: true, language } => {
                write!(f, "no name in {language} begins with {letter:?}")
            }
            Self::Letter { letter, at_start: false, language } => {
                write!(f, "no name in {language} has a {letter:?} there")
            }
            Self::Keyword { word, language, instead } => {
                write!(f, "`{word}` is a reserved word in {language}")?;
                match instead {
                    Some(instead) => write!(f, "; `{instead}` would be a name"),
                    None => Ok(()),
                }
            }
            Self::Sign { old, new } => write!(
                f,
                "a name with {} cannot become one with {}: that is another kind of thing, and no rename",
                sign(old),
                sign(new)
            ),
            Self::Case { upper: true, language } => write!(
                f,
                "in {language} a name of this kind begins with a capital letter, and the new one does not"
            ),
            Self::Case { upper: false, language } => write!(
                f,
                "in {language} a name that begins with a capital letter is of another kind than the old one"
            ),
        }
    }
}

fn sign(sign: &str) -> String {
    if sign.is_empty() { "no sign".to_owned() } else { format!("`{sign}`") }
}

/// A name taken apart: `@count`, `r#type`, `empty?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Parts<'a> {
    sign: &'a str,
    /// Without sign, raw marks and ending.
    body: &'a str,
    raw: bool,
    /// `?` or `!` behind it.
    ending: &'a str,
}

/// The text to write over `place.covered` so that the name becomes `new`, which may be given with its sign or without.
///
/// # Errors
/// [`NameProblem`]: with this name the code would not be what it was.
pub(crate) fn fit(language: &str, place: Place<'_>, new: &str) -> Result<String, NameProblem> {
    let lexicon = lexicon::of(language);
    let new = new.trim();
    if new.is_empty() {
        return Err(NameProblem::Empty);
    }
    let old = take_apart(lexicon, place.covered);
    // A sign in front of the range belongs to the name and stays where it is.
    let in_front = if old.sign.is_empty() { sign_in_front(lexicon, place.before) } else { "" };
    let old_sign = if old.sign.is_empty() { in_front } else { old.sign };
    let wanted = take_apart(lexicon, new);
    if !wanted.sign.is_empty() && wanted.sign != old_sign {
        return Err(NameProblem::Sign { old: old_sign.to_owned(), new: wanted.sign.to_owned() });
    }
    if wanted.body == old.body && wanted.ending == old.ending {
        return Err(NameProblem::Same);
    }
    letters(lexicon, &wanted, language)?;
    if lexicon.case_is_kind && old_sign.is_empty() {
        let upper = |body: &str| body.chars().next().is_some_and(char::is_uppercase);
        if upper(old.body) != upper(wanted.body) {
            return Err(NameProblem::Case { upper: upper(old.body), language: shown(language) });
        }
    }
    // `self.class` is fine where a sign makes the word a name anyway: `$class`, `@end`, `#delete`.
    if old_sign.is_empty() || old_sign == "'" {
        keyword(lexicon, &wanted, old_sign, language)?;
    }
    let rest = &new[wanted.sign.len()..];
    Ok(format!("{}{rest}", old.sign))
}

/// Whether a piece of text is the name: as it stands, with its sign or without, raw or not.
pub(crate) fn is_spelling_of(language: &str, text: &str, name: &str) -> bool {
    if text == name {
        return true;
    }
    let lexicon = lexicon::of(language);
    let (a, b) = (take_apart(lexicon, text), take_apart(lexicon, name));
    a.body == b.body && a.ending == b.ending && !a.body.is_empty()
}

/// The name without sign and raw marks: what a search for it looks for.
pub(crate) fn bare<'a>(language: &str, name: &'a str) -> &'a str {
    let parts = take_apart(lexicon::of(language), name);
    if parts.body.is_empty() { name } else { parts.body }
}

fn take_apart<'a>(lexicon: &Lexicon, name: &'a str) -> Parts<'a> {
    let sign = lexicon
        .signs
        .iter()
        .find(|sign| name.len() > sign.len() && name.starts_with(*sign))
        .map_or("", |sign| &name[..sign.len()]);
    let mut body = &name[sign.len()..];
    let mut raw = false;
    if let Some((open, close)) = lexicon.raw
        && let Some(inner) = body.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
        && !inner.is_empty()
    {
        (body, raw) = (inner, true);
    }
    let mut ending = "";
    if let Some(last) = body.chars().next_back()
        && lexicon.endings.contains(&last)
        && body.len() > last.len_utf8()
    {
        (body, ending) = body.split_at(body.len() - last.len_utf8());
    }
    Parts { sign, body, raw, ending }
}

fn sign_in_front<'a>(lexicon: &Lexicon, before: &'a str) -> &'a str {
    let found = lexicon.signs.iter().find(|sign| before.ends_with(**sign));
    found.map_or("", |sign| &before[before.len() - sign.len()..])
}

fn letters(lexicon: &Lexicon, name: &Parts<'_>, language: &str) -> Result<(), NameProblem> {
    let problem =
        |letter, at_start| Err(NameProblem::Letter { letter, at_start, language: shown(language) });
    // Between the marks of a raw name nearly everything may stand where the marks are brackets of a kind.
    let quoted = name.raw && lexicon.raw.is_some_and(|(_, close)| !close.is_empty());
    for (at, c) in name.body.char_indices() {
        if quoted {
            if c.is_control() || matches!(c, '`' | '"' | '\\') {
                return problem(c, false);
            }
            continue;
        }
        let fits = if at == 0 { start(lexicon.letters, c) } else { part(lexicon.letters, c) };
        if !fits {
            return problem(c, at == 0);
        }
    }
    if lexicon.letters == Letters::Css
        && let Some(second) = name.body.strip_prefix('-').and_then(|rest| rest.chars().next())
        && second.is_ascii_digit()
    {
        return problem(second, false);
    }
    if name.body.is_empty() {
        return Err(NameProblem::Empty);
    }
    Ok(())
}

fn keyword(
    lexicon: &Lexicon,
    name: &Parts<'_>,
    sign: &str,
    language: &str,
) -> Result<(), NameProblem> {
    let same = |word: &str| {
        if lexicon.any_case { word.eq_ignore_ascii_case(name.body) } else { word == name.body }
    };
    if !name.ending.is_empty() {
        return Ok(());
    }
    // `'static` and `'_` are no names of lifetimes, and `'for` is none either.
    let lifetime = sign == "'" && (name.body == "static" || name.body == "_");
    let never = lexicon.never_raw.contains(&name.body);
    if !lifetime && (name.raw && !never || !lexicon.keywords.split(' ').any(same)) {
        return Ok(());
    }
    let instead = lexicon
        .raw
        .filter(|_| !never && !lifetime && sign.is_empty())
        .map(|(open, close)| format!("{open}{}{close}", name.body));
    let word = format!("{sign}{}", name.body);
    Err(NameProblem::Keyword { word, language: shown(language), instead })
}

fn start(letters: Letters, c: char) -> bool {
    match letters {
        Letters::Xid => c == '_' || unicode_ident::is_xid_start(c),
        Letters::XidDollar => c == '_' || c == '$' || unicode_ident::is_xid_start(c),
        Letters::Ascii => c == '_' || c.is_ascii_alphabetic(),
        Letters::AsciiDollar => c == '_' || c == '$' || c.is_ascii_alphabetic(),
        Letters::Bytes => c == '_' || c.is_ascii_alphabetic() || !c.is_ascii(),
        Letters::Css => c == '_' || c == '-' || c.is_ascii_alphabetic() || !c.is_ascii(),
        Letters::Dashed => c == '_' || unicode_ident::is_xid_start(c),
        Letters::Prime => c == '_' || unicode_ident::is_xid_start(c),
        Letters::Key => part(letters, c),
        Letters::Loose => part(letters, c),
    }
}

fn part(letters: Letters, c: char) -> bool {
    match letters {
        Letters::Xid => unicode_ident::is_xid_continue(c),
        Letters::XidDollar => {
            c == '$' || unicode_ident::is_xid_continue(c) || matches!(c, '\u{200c}' | '\u{200d}')
        }
        Letters::Ascii => c == '_' || c.is_ascii_alphanumeric(),
        Letters::AsciiDollar => c == '_' || c == '$' || c.is_ascii_alphanumeric(),
        Letters::Bytes => c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii() && !c.is_control(),
        Letters::Css => {
            matches!(c, '_' | '-') || c.is_ascii_alphanumeric() || !c.is_ascii() && !c.is_control()
        }
        Letters::Dashed => c == '-' || unicode_ident::is_xid_continue(c),
        Letters::Prime => c == '\'' || unicode_ident::is_xid_continue(c),
        Letters::Key => {
            !c.is_whitespace()
                && !c.is_control()
                && !matches!(
                    c,
                    ',' | '[' | ']' | '{' | '}' | '"' | '\'' | '#' | ':' | '=' | '&' | '*'
                )
        }
        Letters::Loose => {
            matches!(c, '$' | '-' | '?' | '!' | '\'' | '.' | ':' | '#' | '@')
                || unicode_ident::is_xid_continue(c)
        }
    }
}

/// The language for people.
fn shown(language: &str) -> String {
    match lexicon::of(language).ids.first() {
        Some(_) => language.to_owned(),
        None => format!("the language \"{language}\""),
    }
}

#[cfg(test)]
mod tests;
