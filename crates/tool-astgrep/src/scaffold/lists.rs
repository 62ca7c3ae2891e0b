//! Spellings for holes in lists where a bare name may not stand.

use crate::language::Language;
use crate::pattern::Hole;

/// What else a hole can be spelled as, given that `plain` is a name.
pub(super) fn spellings(
    language: Language,
    pattern: &str,
    hole: &Hole,
    plain: &str,
) -> Option<String> {
    let before = pattern[..hole.at.start].trim_end();
    let after = pattern[hole.at.end..].trim_start();
    let listed = before.ends_with(['(', '{']) && after.starts_with([')', '}']);
    match language.id() {
        // A type instead of an expression.
        "c" | "cpp" if before.ends_with("sizeof(") && after.starts_with(')') => Some("int".into()),
        // The initializers of a constructor.
        "cpp" if hole.run && before.ends_with(':') && after.starts_with('{') => {
            Some(format!("{plain}(0)"))
        }
        "dart" if hole.run && before.ends_with(':') && after.starts_with(['{', ';']) => {
            Some(format!("{plain} = 0"))
        }
        // Type parameters.
        "go" if hole.run && before.ends_with('[') => Some(format!("{plain} any")),
        // The generators of a `for`.
        "scala" if hole.run && listed && before.contains("for") => {
            let head = before.trim_end_matches(['(', '{']).trim_end();
            head.ends_with("for").then(|| format!("{plain} <- 0"))
        }
        // The branches of a `case`.
        "ruby" if hole.run && pattern.starts_with("case") && after.starts_with("e") => {
            Some(format!("when {plain}"))
        }
        "bash" if hole.run && pattern.starts_with("case") && after.starts_with("esac") => {
            Some(format!("{plain}) ;;"))
        }
        // Bindings.
        "nix" if hole.run && before.ends_with("let") => Some(format!("{plain} = 0;")),
        "haskell" if hole.run && before.ends_with("let") => Some(format!("{plain} = 0")),
        _ => None,
    }
}
