//! Every sentence that an agent reads of an answer, and the same facts for a program.

mod lists;
mod places;
mod servers;

pub(crate) use lists::{ActionList, CallList, actions, calls, document_symbols, workspace_symbols};
pub(crate) use places::{Asked, Coverage, Hit, Navigation, hover, navigation};
pub(crate) use servers::servers;
pub(crate) use tool_core::{count, thousands};

/// At most so many characters of one line, with a sign that some are missing.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let text = text.lines().next().unwrap_or_default();
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The number in what a program says of its version: `clangd version 22.1.1 (https://…)`.
pub(crate) fn version_number(said: &str) -> Option<&str> {
    let is_number = |word: &&str| {
        word.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit()) && word.contains('.')
    };
    said.split_whitespace().find(is_number).map(|word| word.trim_end_matches([',', ';']))
}

#[cfg(test)]
mod tests {
    use super::version_number;

    #[test]
    fn versions_are_numbers() {
        for (said, meant) in [
            ("clangd version 22.1.1 (https://github.com/x)", Some("22.1.1")),
            ("rust-analyzer 1.96.0 (abc 2026-05-01)", Some("1.96.0")),
            ("pyright 1.1.414", Some("1.1.414")),
            ("0.5.0", Some("0.5.0")),
            ("v0.5.0-pre, built", Some("v0.5.0-pre")),
            ("golang.org/x/tools/gopls (unknown)", None),
            ("", None),
        ] {
            assert_eq!(version_number(said), meant, "{said}");
        }
    }
}
