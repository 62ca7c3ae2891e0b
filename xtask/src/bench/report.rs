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

    /// The ratio as the page shows it.
    fn shown(&self) -> String {
        if self.passes() { format!("{:.2}", self.ratio) } else { format!("**{:.2}**", self.ratio) }
    }
}

/// What the trees are compared by, in the page's order; rows of other kinds have a table of their own.
pub(crate) const COLUMNS: [&str; 5] = [
    "cold, literal",
    "cold, no literal",
    "warm, no literal",
    "peak memory, literal",
    "peak memory, no literal",
];

/// The rows as one table with all figures, for the terminal.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut lines = vec![
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

/// The rows as the page shows them: ratios only, a line for each tree. Lines of `old`, the part of the page that is
/// to be replaced, stay where this run did not measure the tree.
pub(crate) fn page(old: &str, rows: &[Row], setting: &str) -> String {
    let mut trees = Lines::of(old, "| tree |");
    let mut others = Lines::of(old, "| what |");
    let mut measured: Vec<&str> = rows.iter().map(|row| row.tree.as_str()).collect();
    measured.dedup();
    for tree in measured {
        let of_tree: Vec<&Row> = rows.iter().filter(|row| row.tree == tree).collect();
        let cells: Vec<String> = COLUMNS
            .iter()
            .filter_map(|column| of_tree.iter().find(|row| row.what == *column))
            .map(|row| row.shown())
            .collect();
        if cells.len() == COLUMNS.len() {
            let note = &of_tree[0].note;
            trees.put(tree, format!("| {tree} | {note} | {} |", cells.join(" | ")));
        }
        for row in of_tree.iter().filter(|row| !COLUMNS.contains(&row.what.as_str())) {
            let line = format!(
                "| {} | {tree} | {} | {} | {} |",
                row.what,
                row.note,
                row.shown(),
                row.gate
            );
            others.put(&row.what, line);
        }
    }
    let gates: Vec<String> = COLUMNS
        .iter()
        .map(|column| match rows.iter().find(|row| row.what == *column) {
            Some(row) => format!("{column} (≤ {})", row.gate),
            None => (*column).to_string(),
        })
        .collect();
    let header = trees.header.take().filter(|_| rows.iter().all(|row| row.what != COLUMNS[0]));
    let header =
        header.unwrap_or_else(|| format!("| tree | files with the name | {} |", gates.join(" | ")));
    let rule = |columns: usize| format!("|{}", " --- |".repeat(columns));
    let mut lines = vec![format!("{setting}. Bold figures miss their gate."), String::new()];
    if !trees.lines.is_empty() {
        lines.extend([header, rule(COLUMNS.len() + 2)]);
        lines.extend(trees.lines.into_iter().map(|(_, line)| line));
        lines.push(String::new());
    }
    if !others.lines.is_empty() {
        lines.extend(["| what | tree | | ratio | gate |".to_string(), rule(5)]);
        lines.extend(others.lines.into_iter().map(|(_, line)| line));
    }
    lines.join("\n").trim_end().to_string()
}

/// The lines of a table by what their first cell is about.
struct Lines {
    header: Option<String>,
    lines: Vec<(String, String)>,
}

impl Lines {
    /// The table in `page` whose header begins with `header`.
    fn of(page: &str, header: &str) -> Self {
        let mut table = page.lines().skip_while(|line| !line.starts_with(header));
        let header = table.next().map(str::to_string);
        let lines = table
            .skip(1)
            .take_while(|line| line.starts_with("| "))
            .map(|line| (Self::key(line[2..].split(" |").next().unwrap_or("")), line.to_string()))
            .collect();
        Self { header, lines }
    }

    /// The name without the size that may follow it.
    fn key(cell: &str) -> String {
        cell.split(" MB")
            .next()
            .unwrap_or("")
            .rsplit_once(", ")
            .map_or(
                cell,
                |(name, size)| {
                    if size.starts_with(|c: char| c.is_ascii_digit()) { name } else { cell }
                },
            )
            .to_string()
    }

    fn put(&mut self, cell: &str, line: String) {
        let key = Self::key(cell);
        match self.lines.iter_mut().find(|(known, _)| *known == key) {
            Some(entry) => entry.1 = line,
            None => self.lines.push((key, line)),
        }
    }
}

/// The part of the page between the markers that [`between_markers`] replaces; empty where there are none.
pub(crate) fn marked<'p>(page: &'p str, what: &str) -> &'p str {
    let (begin, end) = (format!("<!-- bench {what} -->"), format!("<!-- end of bench {what} -->"));
    let inner = page.split_once(&begin).and_then(|(_, rest)| rest.split_once(&end));
    inner.map_or("", |(inner, _)| inner)
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
        assert!(table(&[row(1.2)]).contains("| **1.20** | 1.1 | FAIL |"));
    }

    #[test]
    fn a_part_of_the_trees_leaves_the_others_on_the_page() {
        let row = |what: &str, tree: &str, ratio| Row {
            what: what.into(),
            tree: tree.into(),
            ours: String::new(),
            peer: String::new(),
            ratio,
            gate: 1.0,
            note: "`name` in 3 of 4".into(),
        };
        let all = |tree: &str, ratio| COLUMNS.map(|column| row(column, tree, ratio)).to_vec();
        let first = page("", &[all("rust, 2.0 MB", 0.5), all("c, 3.0 MB", 0.5)].concat(), "s");
        assert!(first.contains("| tree | files with the name | cold, literal (≤ 1) |"), "{first}");
        let staging = row("staging, an edit", "edits", 2.0);
        let second = page(&first, &[all("rust, 2.1 MB", 1.5), vec![staging]].concat(), "s");
        assert!(second.contains("| rust, 2.1 MB | `name` in 3 of 4 | **1.50** |"), "{second}");
        assert!(second.contains("| c, 3.0 MB | `name` in 3 of 4 | 0.50 |"), "{second}");
        assert!(!second.contains("2.0 MB"), "{second}");
        let third = page(&second, &[row("staging, an edit", "edits", 0.9)], "s");
        assert_eq!(third.matches("staging, an edit").count(), 1, "{third}");
        assert_eq!(third.lines().filter(|line| line.starts_with("| tree |")).count(), 1);
        assert!(third.contains("(≤ 1)") && third.contains("| 0.90 | 1 |"), "{third}");
    }
}
