//! Wording shared by every message: counts and nearest names.

/// `1 file`, `2 files`.
#[must_use]
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(n), if n == 1 { one } else { many })
}

/// `12,345`.
#[must_use]
pub fn thousands(n: usize) -> String {
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

/// `n of m`, or just `m` when nothing is left out.
#[must_use]
pub fn n_of_m(shown: usize, total: usize) -> String {
    if shown == total { total.to_string() } else { format!("{shown} of {total}") }
}

/// Bytes of the longest name that a tool or an argument may have.
const MAX_NAME: usize = 64;

/// The candidate that a misspelt name most likely meant: at most a third of it wrong.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // No name is that long, so nothing near it is meant.
    if name.len() > MAX_NAME * 2 {
        return None;
    }
    let wanted = crate::spec::fold_name(name);
    let limit = wanted.chars().count().div_ceil(3).max(1);
    candidates
        .into_iter()
        .map(|c| (distance(&wanted, &crate::spec::fold_name(c)), c))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Edit distance with transpositions of neighbours counted once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let swap = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + swap);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

/// Names for a sentence: `a, b and c`.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The last character border at or before `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{distance, listed, n_of_m, nearest};

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("ast-grep", ["ast_edit", "ast_grep"]), Some("ast_grep"));
        assert_eq!(nearest("patern", ["path", "pattern"]), Some("pattern"));
        assert_eq!(nearest("zzz", ["path", "pattern"]), None);
        assert_eq!(nearest(&"a".repeat(9_000), ["apply_patch"]), None);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn counts_and_lists() {
        assert_eq!(n_of_m(2, 5), "2 of 5");
        assert_eq!(n_of_m(5, 5), "5");
        assert_eq!(listed([]), "none");
        assert_eq!(listed(["a", "b", "c"]), "a, b and c");
    }
}
