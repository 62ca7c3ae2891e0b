//! What makes two diagnostics the same, wherever they stand.

use super::{Diagnostic, Severity};

/// Severity, code and message. The place is no part: a diagnostic that slid down four lines is not new.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(crate) struct Key {
    severity: Severity,
    code: Option<String>,
    message: String,
}

impl Key {
    pub(super) fn of(diagnostic: &Diagnostic) -> Self {
        Self {
            severity: diagnostic.severity,
            code: diagnostic.code.clone(),
            message: normalised(&diagnostic.message),
        }
    }
}

/// Runs of blanks as one, and no line numbers: messages name the lines of other places, which slide too.
fn normalised(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    for word in message.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        let place = ["line ", "lines ", "Line "].iter().any(|name| out.ends_with(name));
        out.push_str(&if place { without_digits(word) } else { without_place(word) });
    }
    out
}

fn without_digits(word: &str) -> String {
    let mut out = String::new();
    for c in word.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}

/// `a.py:12:3` is `a.py:#:#`.
fn without_place(word: &str) -> String {
    let Some(colon) = word.find(':') else { return word.to_owned() };
    let (name, rest) = word.split_at(colon);
    let digit_follows = rest[1..].starts_with(|c: char| c.is_ascii_digit());
    let is_file = name.contains('.') || name.contains('/');
    if digit_follows && is_file {
        format!("{name}{}", without_digits(rest))
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{normalised, without_place};
    use proptest::prelude::*;

    #[test]
    fn what_moves_is_no_part_of_a_message() {
        for (message, normal) in [
            ("cannot  find\n\t`x`", "cannot find `x`"),
            ("redefined, first at line 12", "redefined, first at line #"),
            ("see a/b.c:12:3, please", "see a/b.c:#:#, please"),
            ("expected 2 arguments, found 3", "expected 2 arguments, found 3"),
            ("key:1 is not `T:2`", "key:1 is not `T:2`"),
            ("", ""),
        ] {
            assert_eq!(normalised(message), normal);
        }
        assert_eq!(without_place("std::io::Error"), "std::io::Error");
    }

    proptest! {
        #[test]
        fn normal_is_normal_again(message in ".{0,60}") {
            let once = normalised(&message);
            prop_assert_eq!(normalised(&once), once);
        }
    }
}
