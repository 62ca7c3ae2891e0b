//! Every sentence that an agent reads of an answer, and the same facts for a program.

mod lists;
mod places;
mod servers;

pub(crate) use lists::{ActionList, CallList, actions, calls, document_symbols, workspace_symbols};
pub(crate) use places::{Asked, Coverage, Hit, Navigation, hover, navigation};
pub(crate) use servers::servers;

/// `1 file`, `2 files`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(n), if n == 1 { one } else { many })
}

/// `12,345`.
pub(crate) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// At most so many characters of one line, with a sign that some are missing.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let text = text.lines().next().unwrap_or_default();
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
