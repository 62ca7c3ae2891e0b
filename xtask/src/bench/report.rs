//! The table of a bench, and its place in the page. No IO.

use anyhow::{Context, Result};

/// One measured ratio and what it may be.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// What was measured.
    pub(crate) what: String,
    pub(crate) tree: String,
    /// Our figure and the peer's (or our other one), with units.
    pub(crate) ours: String,
    pub(crate) peer: String,
    pub(crate) ratio: f64,
    /// The ratio that must not be exceeded.
    pub(crate) gate: f64,
    pub(crate) note: String,
}

impl Row {
    pub(crate) fn passes(&self) -> bool {
        self.ratio <= self.gate
    }
}

/// The rows as a table, with the setting above it.
pub(crate) fn markdown(rows: &[Row], setting: &str) -> String {
    let mut lines = vec![
        format!("{setting}."),
        String::new(),
        "| what | tree | ours | against | ratio | gate | | |".to_string(),
        "| --- | --- | --- | --- | --- | --- | --- | --- |".to_string(),
    ];
    for row in rows {
        let Row { what, tree, ours, peer, ratio, gate, note } = row;
        let verdict = if row.passes() { "pass" } else { "FAIL" };
        lines.push(format!(
            "| {what} | {tree} | {ours} | {peer} | **{ratio:.2}** | {gate} | {verdict} | {note} |"
        ));
    }
    lines.join("\n")
}

/// The page with its part between `<!-- bench WHAT -->` and `<!-- end of bench WHAT -->` replaced.
pub(crate) fn between_markers(page: &str, what: &str, text: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- bench {what} -->"), format!("<!-- end of bench {what} -->"));
    let start = page.find(&begin).with_context(|| format!("the page lacks {begin}"))? + begin.len();
    let length = page[start..].find(&end).with_context(|| format!("the page lacks {end}"))?;
    Ok(format!("{}\n{text}\n{}", &page[..start], &page[start + length..]))
}

/// The middle of some figures; of an even number the lower middle.
pub(crate) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

/// The median of the ratios of figures that were taken side by side.
pub(crate) fn median_ratio(ours: &[f64], theirs: &[f64]) -> f64 {
    median(&ours.iter().zip(theirs).map(|(a, b)| a / b).collect::<Vec<_>>())
}

/// The figure behind the word `median` in an example's output, in nanoseconds.
pub(crate) fn median_nanoseconds(text: &str) -> Option<f64> {
    let spaced = text
        .replace(['=', ':', ',', ';', '(', ')'], " ")
        .replace("µs", " µs")
        .replace("us", " us")
        .replace("ns", " ns");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("median"))?;
    let (n, figure) =
        (at + 1..words.len()).find_map(|n| Some((n, words[n].parse::<f64>().ok()?)))?;
    match words.get(n + 1).copied().unwrap_or_default() {
        "ns" => Some(figure),
        "µs" | "us" => Some(figure * 1000.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_what_lies_between_the_markers() {
        let page = "a\n<!-- bench ast -->\nold\n<!-- end of bench ast -->\nz\n";
        let new = between_markers(page, "ast", "new").unwrap();
        assert_eq!(new, "a\n<!-- bench ast -->\nnew\n<!-- end of bench ast -->\nz\n");
        assert_eq!(between_markers(&new, "ast", "new").unwrap(), new);
        assert!(between_markers(page, "core", "new").is_err());
    }

    #[test]
    fn takes_medians() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median_ratio(&[1.0, 2.0, 9.0], &[2.0, 4.0, 3.0]) - 0.5).abs() < 1e-9);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn finds_the_median_of_an_example() {
        assert_eq!(
            median_nanoseconds("runs: 10\nmedian: 1.5 µs, p99 3 µs").map(f64::round),
            Some(1500.0)
        );
        assert_eq!(median_nanoseconds("median 800ns").map(f64::round), Some(800.0));
        assert_eq!(median_nanoseconds("nothing"), None);
    }

    #[test]
    fn a_row_fails_above_its_gate_or_without_a_figure() {
        let row = |ratio| Row {
            what: "w".into(),
            tree: "t".into(),
            ours: "1".into(),
            peer: "2".into(),
            ratio,
            gate: 1.1,
            note: String::new(),
        };
        assert!(row(1.1).passes() && !row(1.2).passes() && !row(f64::NAN).passes());
        assert!(markdown(&[row(1.2)], "two cores").contains("| **1.20** | 1.1 | FAIL |"));
    }
}
