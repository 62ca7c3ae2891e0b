//! Which context comes first.

use super::Accepted;
use crate::ladders::Rung;
use crate::language::Language;

/// The rungs to try for `pattern`: those of its first word before the general ones.
pub(super) fn before(language: Language, pattern: &str, ladder: &[Rung]) -> Vec<Rung> {
    let word = first_word(pattern);
    let fits = |rung: &&Rung| rung.keywords.is_empty() || rung.keywords.contains(&word);
    let mut rungs: Vec<Rung> = ladder.iter().filter(fits).copied().collect();
    let first = match language.id() {
        "zig" if matches!(word, "pub" | "fn" | "const" | "var" | "test" | "extern" | "export") => {
            &["file"][..]
        }
        "dart" if word == "const" && pattern.ends_with(");") => &["member-terminated"],
        "html" if looks_like_attribute(pattern) => &["attr"],
        "csharp" | "php" if pattern.starts_with('[') || pattern.starts_with("#[") => &["attr"],
        // A directive, unless it says what is used how.
        "csharp" if word == "using" && !pattern.contains(['=', '(']) => &["decl", "member"],
        "cpp" if pattern.starts_with("[[") => &["attr"],
        _ if pattern.starts_with('@') => &["annotation", "annot", "decorator", "attr"],
        _ => &[],
    };
    rungs.sort_by_key(|rung| (rung.rare, rung.keywords.is_empty(), !first.contains(&rung.name)));
    rungs
}

fn first_word(pattern: &str) -> &str {
    let end = pattern.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(pattern.len());
    &pattern[..end]
}

/// `name=value` or `name="value"`.
fn looks_like_attribute(pattern: &str) -> bool {
    !pattern.starts_with('<')
        && pattern
            .split_once('=')
            .is_some_and(|(name, _)| !name.is_empty() && !name.contains(char::is_whitespace))
}

/// Puts readings last that are hardly ever meant.
pub(super) fn after(language: Language, pattern: &str, accepted: &mut [Accepted]) {
    accepted.sort_by_key(|reading| is_last(language, pattern, reading));
}

fn is_last(language: Language, pattern: &str, reading: &Accepted) -> bool {
    let root = language.kind_name(reading.shape.root_kind());
    let labelled = root.starts_with("labeled") || root.starts_with("labelled");
    let last = reading.shape.nodes.last();
    let body = reading.shape.nodes.iter().filter(|node| {
        let kind = language.kind_name(node.kind);
        kind.contains("for_")
            || kind.contains("while_")
            || kind.contains("block")
            || kind.contains("do_")
    });
    if labelled {
        return body.count() == 0 && last.is_some();
    }
    // `a * b` is a multiplication unless a `;` says that it is a declaration.
    matches!(language.id(), "c" | "cpp") && root == "declaration" && !pattern.ends_with(';')
}
