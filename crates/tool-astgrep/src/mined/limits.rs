//! What each grammar may not do worse than.

/// Limits of one grammar.
pub(super) struct Limits {
    pub(super) id: &'static str,
    /// Percent of the patterns that may be answered with "not parsable".
    pub(super) refused: usize,
    /// In a thousand: patterns that may miss their node.
    pub(super) missed: usize,
}

const fn limit(id: &'static str, refused: usize, missed: usize) -> Limits {
    Limits { id, refused, missed }
}

const LIMITS: [Limits; 29] = [
    limit("bash", 100, 1000),
    limit("c", 100, 1000),
    limit("cpp", 100, 1000),
    limit("csharp", 100, 1000),
    limit("css", 100, 1000),
    limit("dart", 100, 1000),
    limit("elixir", 100, 1000),
    limit("go", 100, 1000),
    limit("haskell", 100, 1000),
    limit("hcl", 100, 1000),
    limit("html", 100, 1000),
    limit("java", 100, 1000),
    limit("javascript", 100, 1000),
    limit("json", 100, 1000),
    limit("kotlin", 100, 1000),
    limit("lua", 100, 1000),
    limit("markdown", 100, 1000),
    limit("nix", 100, 1000),
    limit("php", 100, 1000),
    limit("python", 100, 1000),
    limit("ruby", 100, 1000),
    limit("rust", 100, 1000),
    limit("scala", 100, 1000),
    limit("solidity", 100, 1000),
    limit("swift", 100, 1000),
    limit("tsx", 100, 1000),
    limit("typescript", 100, 1000),
    limit("yaml", 100, 1000),
    limit("zig", 100, 1000),
];

pub(super) fn of(id: &str) -> &'static Limits {
    LIMITS.iter().find(|limits| limits.id == id).expect("every grammar has limits")
}
