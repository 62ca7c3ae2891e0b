//! Contexts for Haskell and Elixir.

use super::Rung;

pub(super) const HASKELL: &[Rung] = &[
    Rung::new("decl", "", ""),
    Rung::new("expr", "x = ", ""),
    Rung::new("type", "x :: ", ""),
    Rung::new("do-stmt", "x = do\n  ", ""),
    Rung::new("alt", "x = case y of\n  ", ""),
];

pub(super) const ELIXIR: &[Rung] = &[
    Rung::new("file", "", ""),
    Rung::new("case-clause", "case x do\n  ", "\nend"),
    Rung::new("keyword", "f(", ")"),
];
