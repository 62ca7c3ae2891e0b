//! What each grammar may not do worse than: a ratchet, only ever to be tightened.
//!
//! Most grammars miss nothing over thousands of patterns; what is left are readings that a
//! grammar itself gives differently from place to place (accessors of C# that are all left open,
//! members after a comparison in Solidity), or where a comment or pragma ends a node. Other seeds
//! give other patterns, so there is some room. Without a bound on refusals, refusing everything
//! would pass.

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
    limit("c", 7, 8),
    limit("cpp", 7, 12),
    limit("csharp", 7, 20),
    limit("css", 7, 12),
    limit("dart", 7, 10),
    limit("elixir", 7, 12),
    limit("go", 7, 12),
    limit("haskell", 6, 25),
    limit("hcl", 7, 12),
    limit("html", 8, 12),
    limit("java", 8, 12),
    limit("javascript", 7, 12),
    limit("json", 10, 12),
    limit("kotlin", 7, 12),
    limit("lua", 7, 12),
    limit("markdown", 8, 6),
    limit("nix", 5, 8),
    limit("php", 10, 12),
    limit("python", 7, 12),
    limit("ruby", 7, 12),
    limit("rust", 7, 12),
    limit("scala", 7, 12),
    limit("solidity", 7, 12),
    limit("swift", 10, 12),
    limit("tsx", 7, 12),
    limit("typescript", 7, 12),
    limit("yaml", 8, 10),
    limit("zig", 7, 12),
];

pub(super) fn of(id: &str) -> &'static Limits {
    LIMITS.iter().find(|limits| limits.id == id).expect("every grammar has limits")
}
