//! Whether several occurrences on a line mean the same. Pure.

use std::path::{Path, PathBuf};

use crate::text::{Pos, Span};

/// One occurrence and where it is declared.
#[derive(Clone, Debug)]
pub(crate) struct Meaning {
    /// The occurrence itself.
    pub(crate) at: Span,
    /// The starts of its declarations; empty where the server knows none (a comment, a string, a keyword).
    pub(crate) declared: Vec<(PathBuf, Pos)>,
}

/// Groups occurrences (by index) that mean the same, in order. Two mean the same when they share a declaration, or one
/// is declared at the other. Those without a declaration are left out unless none has one: then they are one group.
pub(crate) fn groups(file: &Path, all: &[Meaning]) -> Vec<Vec<usize>> {
    let known: Vec<usize> = (0..all.len()).filter(|i| !all[*i].declared.is_empty()).collect();
    if known.is_empty() {
        return vec![(0..all.len()).collect()];
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for i in known {
        let (same, mut others): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|group| group.iter().any(|j| alike(file, &all[i], &all[*j])));
        let mut joined: Vec<usize> = same.into_iter().flatten().chain([i]).collect();
        joined.sort_unstable();
        others.push(joined);
        groups = others;
    }
    groups.sort();
    groups
}

fn alike(file: &Path, a: &Meaning, b: &Meaning) -> bool {
    let at = |m: &Meaning, other: &Meaning| {
        m.declared
            .iter()
            .any(|(path, pos)| path == file && *pos >= other.at.start && *pos < other.at.end)
    };
    a.declared.iter().any(|one| b.declared.contains(one)) || at(a, b) || at(b, a)
}

#[cfg(test)]
mod tests {
    use super::{Meaning, groups};
    use crate::text::{Pos, Span};
    use std::path::{Path, PathBuf};

    fn at(column: u32, declared: &[(&str, u32, u32)]) -> Meaning {
        Meaning {
            at: Span { start: Pos::new(4, column), end: Pos::new(4, column + 1) },
            declared: declared
                .iter()
                .map(|(p, l, c)| (PathBuf::from(p), Pos::new(*l, *c)))
                .collect(),
        }
    }

    #[test]
    fn the_same_declaration_is_the_same_meaning() {
        let file = Path::new("/f");
        let of = |all: &[Meaning]| groups(file, all);
        let here = [("/f", 0, 0)];
        let there = [("/g", 0, 0)];
        assert_eq!(of(&[at(0, &here), at(4, &here)]), [vec![0, 1]]);
        assert_eq!(of(&[at(0, &here), at(4, &there)]), [vec![0], vec![1]]);
        assert_eq!(of(&[at(0, &here), at(4, &there), at(8, &here)]), [vec![0, 2], vec![1]]);
        // The third joins the first two.
        let both = [("/f", 0, 0), ("/g", 0, 0)];
        assert_eq!(of(&[at(0, &here), at(4, &there), at(8, &both)]), [vec![0, 1, 2]]);
    }

    #[test]
    fn one_that_is_declared_at_the_other_is_the_same() {
        // A definition whose own "definition" is its declaration elsewhere, and a use of it on the same line.
        let all = [at(0, &[("/header", 1, 0)]), at(4, &[("/f", 4, 0)])];
        assert_eq!(groups(Path::new("/f"), &all), [vec![0, 1]]);
        // Shadowing: `let x = x` declares a new one; the old one is another.
        let all = [at(0, &[("/f", 4, 0)]), at(4, &[("/f", 2, 0)])];
        assert_eq!(groups(Path::new("/f"), &all), [vec![0], vec![1]]);
    }

    #[test]
    fn what_has_no_declaration_counts_only_where_nothing_has() {
        let file = Path::new("/f");
        assert_eq!(groups(file, &[at(0, &[]), at(4, &[("/f", 0, 0)])]), [vec![1]]);
        assert_eq!(groups(file, &[at(0, &[]), at(4, &[])]), [vec![0, 1]]);
    }
}
