//! Colour for people: a handful of ANSI attributes, or nothing at all.

use std::io::IsTerminal as _;

use crate::args::Color;

/// Paints text, or leaves it alone where colour is not wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    on: bool,
}

impl Style {
    /// For standard output: `auto` colours on a terminal, unless `NO_COLOR` is set to anything.
    pub(crate) fn stdout(when: Color) -> Self {
        Self::decide(
            when,
            std::io::stdout().is_terminal(),
            std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()),
        )
    }

    fn decide(when: Color, terminal: bool, refused: bool) -> Self {
        let on = match when {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !refused,
        };
        Self { on }
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.wrap("31", text)
    }

    pub(crate) fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    /// A unified diff with its added and removed lines coloured; any other text passes unchanged.
    pub(crate) fn diff(self, text: &str) -> String {
        let is_diff = text.lines().any(|line| line.starts_with("@@ "));
        if !self.on || !is_diff {
            return text.to_owned();
        }
        let paint = |line: &str| {
            let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
            let body = if body.starts_with("@@") {
                self.cyan(body)
            } else if body.starts_with('+') {
                self.green(body)
            } else if body.starts_with('-') {
                self.red(body)
            } else {
                body.to_owned()
            };
            body + end
        };
        text.split_inclusive('\n').map(paint).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_needs_a_terminal_and_no_refusal() {
        let on = |when, terminal, refused| Style::decide(when, terminal, refused).on;
        assert!(on(Color::Auto, true, false));
        assert!(!on(Color::Auto, false, false));
        assert!(!on(Color::Auto, true, true));
        assert!(on(Color::Always, false, true));
        assert!(!on(Color::Never, true, false));
    }

    #[test]
    fn a_diff_keeps_its_text() {
        let text = "@@ -1 +1 @@\n-old\n+new\n same\n";
        let painted = Style { on: true }.diff(text);
        assert!(painted.contains("\x1b[31m-old\x1b[0m\n"));
        assert!(painted.contains("\x1b[32m+new\x1b[0m\n"));
        assert_eq!(Style { on: false }.diff(text), text);
        assert_eq!(Style { on: true }.diff("- a list\n"), "- a list\n");
    }
}
