//! A call as a person sees it: a head with the tool and how it went, then the answer.

use std::time::Duration;

use crate::style::Style;

/// What a card shows.
pub(crate) struct Card<'a> {
    pub(crate) tool: &'a str,
    /// `None` for a tool that is not there.
    pub(crate) tier: Option<&'a str>,
    /// The word of the error's kind; `None` when it went well.
    pub(crate) error: Option<&'a str>,
    pub(crate) elapsed: Duration,
    pub(crate) text: &'a str,
}

impl Card<'_> {
    /// The card, without a final line feed.
    pub(crate) fn draw(&self, style: Style) -> String {
        let state = match self.error {
            None => style.green("ok"),
            Some(kind) => style.red(kind),
        };
        let mut head = vec![style.bold(&clip(self.tool))];
        head.extend(self.tier.map(|tier| style.cyan(tier)));
        head.push(state);
        head.push(style.dim(&elapsed(self.elapsed)));
        let edge = style.dim("│");
        let mut card = format!("{} {}", style.dim("┌"), head.join(" · "));
        for line in style.diff(self.text).lines() {
            card.push('\n');
            card.push_str(&edge);
            if !line.is_empty() {
                card.push(' ');
                card.push_str(line);
            }
        }
        card + "\n" + &style.dim("└")
    }
}

/// A name that may be no name at all, short enough for a head.
fn clip(name: &str) -> String {
    const LONGEST: usize = 64;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// A time in the unit a person would choose.
fn elapsed(time: Duration) -> String {
    match time.as_millis() {
        0 => format!("{} µs", time.as_micros()),
        ms @ 1..1_000 => format!("{ms} ms"),
        ms => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Color;

    #[test]
    fn a_card_says_who_how_and_what() {
        let card = Card {
            tool: "read",
            tier: Some("read"),
            error: None,
            elapsed: Duration::from_millis(12),
            text: "one\n\ntwo",
        };
        let plain = card.draw(Style::stdout(Color::Never));
        assert_eq!(plain, "┌ read · read · ok · 12 ms\n│ one\n│\n│ two\n└");
        let failed = Card { error: Some("unknown_tool"), tier: None, tool: "red", ..card };
        let long = "n".repeat(9_000);
        let endless = Card { tool: &long, ..failed };
        assert!(endless.draw(Style::stdout(Color::Never)).len() < 200);
        assert!(failed.draw(Style::stdout(Color::Never)).starts_with("┌ red · unknown_tool · "));
    }

    #[test]
    fn times_have_a_fitting_unit() {
        assert_eq!(elapsed(Duration::from_micros(7)), "7 µs");
        assert_eq!(elapsed(Duration::from_millis(999)), "999 ms");
        assert_eq!(elapsed(Duration::from_millis(61_250)), "61.2 s");
    }
}
