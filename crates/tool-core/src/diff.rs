//! A unified diff of one hunk, so that a changed file can be shown as text.

/// The lines that differ, with three lines around them, under the usual header.
///
/// One hunk from the first to the last changed line: never wrong, though not always the shortest.
pub(crate) fn unified(path: &str, old: Option<&str>, new: &str) -> String {
    const CONTEXT: usize = 3;
    let before: Vec<&str> = old.unwrap_or("").lines().collect();
    let after: Vec<&str> = new.lines().collect();
    let shortest = before.len().min(after.len());
    let head = (0..shortest).take_while(|&i| before.get(i) == after.get(i)).count();
    let tail = (0..shortest - head)
        .take_while(|i| before.get(before.len() - 1 - i) == after.get(after.len() - 1 - i))
        .count();
    let from = head.saturating_sub(CONTEXT);
    let before_end = (before.len() - tail + CONTEXT).min(before.len());
    let after_end = (after.len() - tail + CONTEXT).min(after.len());

    let name = if old.is_some() { path } else { "/dev/null" };
    let start = |len: usize| if len == 0 { 0 } else { from + 1 };
    let (removed, added) = (before_end - from, after_end - from);
    let mut lines = vec![
        format!("--- {name}"),
        format!("+++ {path}"),
        format!("@@ -{},{removed} +{},{added} @@", start(removed), start(added)),
    ];
    let part = |sign: char, lines: &[&str]| -> Vec<String> {
        lines.iter().map(|line| format!("{sign}{line}")).collect()
    };
    lines.extend(part(' ', &before[from..head]));
    lines.extend(part('-', &before[head..before.len() - tail]));
    lines.extend(part('+', &after[head..after.len() - tail]));
    lines.extend(part(' ', &before[before.len() - tail..before_end]));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::unified;

    #[test]
    fn one_changed_line_keeps_three_around_it() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = old.replace('5', "five");
        assert_eq!(
            unified("a.txt", Some(old), &new),
            "--- a.txt\n+++ a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8"
        );
    }

    #[test]
    fn new_emptied_and_equal_files() {
        assert_eq!(unified("a", None, "x\n"), "--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+x");
        assert_eq!(unified("a", Some("x\n"), ""), "--- a\n+++ a\n@@ -1,1 +0,0 @@\n-x");
        assert!(unified("a", Some("x"), "x").ends_with("@@ -1,1 +1,1 @@\n x"));
        // A repeated line must not be counted by both ends.
        assert!(unified("a", Some("x\nx"), "x").contains("-x"));
    }

    /// The new lines, from the old ones and the hunk.
    fn applied(old: &str, diff: &str) -> Vec<String> {
        let old: Vec<&str> = old.lines().collect();
        let mut lines = diff.lines().skip(2);
        let header = lines.next().expect("a header");
        let from: usize =
            header[4..].split(',').next().and_then(|n| n.parse().ok()).expect("a number");
        let mut at = from.saturating_sub(1);
        let mut out: Vec<String> = old[..at].iter().map(ToString::to_string).collect();
        for line in lines {
            let (sign, text) = line.split_at(1);
            if sign != "+" {
                assert_eq!(old[at], text, "{diff}");
                at += 1;
            }
            if sign != "-" {
                out.push(text.to_owned());
            }
        }
        out.extend(old[at..].iter().map(ToString::to_string));
        out
    }

    proptest! {
        #[test]
        fn the_hunk_makes_the_new_of_the_old(old in "([ab]\n){0,12}", new in "([ab]\n){0,12}") {
            let diff = unified("f", Some(&old), &new);
            prop_assert_eq!(applied(&old, &diff), new.lines().collect::<Vec<_>>());
        }
    }
}
