//! What each grammar may not do worse than: a ratchet, only ever to be tightened.
//!
//! Most grammars miss nothing over thousands of patterns; what is left are readings that a
//! grammar itself gives differently from place to place (a nullable function type in Dart, table
//! cells in Markdown), or where a comment or pragma ends a node. The seed is another on each
//! run, so there is some room. Without a bound on refusals, refusing everything would pass.

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
    limit("bash", 7, 12),
    limit("c", 7, 12),
    limit("cpp", 7, 12),
    limit("csharp", 7, 40),
    limit("css", 7, 12),
    limit("dart", 7, 25),
    limit("elixir", 7, 12),
    limit("go", 7, 12),
    limit("haskell", 12, 60),
    limit("hcl", 12, 12),
    limit("html", 8, 12),
    limit("java", 8, 12),
    limit("javascript", 7, 12),
    limit("json", 15, 12),
    limit("kotlin", 7, 25),
    limit("lua", 12, 12),
    limit("markdown", 50, 60),
    limit("nix", 12, 25),
    limit("php", 10, 12),
    limit("python", 7, 25),
    limit("ruby", 7, 35),
    limit("rust", 7, 12),
    limit("scala", 7, 35),
    limit("solidity", 7, 12),
    limit("swift", 10, 12),
    limit("tsx", 7, 12),
    limit("typescript", 7, 12),
    limit("yaml", 15, 30),
    limit("zig", 7, 12),
];

pub(super) fn of(id: &str) -> &'static Limits {
    LIMITS.iter().find(|limits| limits.id == id).expect("every grammar has limits")
}
