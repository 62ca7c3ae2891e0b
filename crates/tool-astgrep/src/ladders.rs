//! Ladders: the contexts in which a fragment of each language is tried, in order.

mod apps;
mod braces;
mod data;
mod functional;
mod scripts;
mod systems;
mod web;

use crate::language::Language;

/// A context: text before and after a fragment that makes a whole file of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rung {
    /// What it is called in answers and in the `context` argument.
    pub(crate) name: &'static str,
    pub(crate) prefix: &'static str,
    pub(crate) suffix: &'static str,
    /// The start of `suffix` that a node may include: a `;` that the fragment lacks.
    pub(crate) terminator: &'static str,
    /// First words that it is for; empty for any.
    pub(crate) keywords: &'static [&'static str],
    /// For fragments that are hardly ever searched for on their own.
    pub(crate) rare: bool,
}

impl Rung {
    const fn new(name: &'static str, prefix: &'static str, suffix: &'static str) -> Self {
        Self { name, prefix, suffix, terminator: "", keywords: &[], rare: false }
    }

    /// Comes after all others: a part that is hardly ever searched for on its own.
    const fn rare(mut self) -> Self {
        self.rare = true;
        self
    }

    /// Only for fragments that start with one of `keywords`.
    const fn after(mut self, keywords: &'static [&'static str]) -> Self {
        self.keywords = keywords;
        self
    }

    /// The suffix starts with a terminator that nodes may include.
    const fn ends(mut self, terminator: &'static str) -> Self {
        self.terminator = terminator;
        self
    }
}

/// The ladder of a language.
pub(crate) fn of(language: Language) -> &'static [Rung] {
    match language.id() {
        "bash" => scripts::BASH,
        "c" => braces::C,
        "cpp" => braces::CPP,
        "csharp" => braces::CSHARP,
        "css" => data::CSS,
        "dart" => apps::DART,
        "elixir" => functional::ELIXIR,
        "go" => systems::GO,
        "haskell" => functional::HASKELL,
        "hcl" => data::HCL,
        "html" => data::HTML,
        "java" => braces::JAVA,
        "javascript" => web::JAVASCRIPT,
        "json" => data::JSON,
        "kotlin" => apps::KOTLIN,
        "lua" => scripts::LUA,
        "markdown" => data::MARKDOWN,
        "nix" => data::NIX,
        "php" => web::PHP,
        "python" => scripts::PYTHON,
        "ruby" => scripts::RUBY,
        "rust" => systems::RUST,
        "scala" => apps::SCALA,
        "solidity" => braces::SOLIDITY,
        "swift" => apps::SWIFT,
        "tsx" => web::TSX,
        "typescript" => web::TYPESCRIPT,
        "yaml" => data::YAML,
        "zig" => braces::ZIG,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_ladder_with_distinct_names() {
        for language in Language::all() {
            let ladder = of(language);
            assert!(!ladder.is_empty(), "{language}");
            for rung in ladder {
                assert!(rung.suffix.starts_with(rung.terminator), "{language} {}", rung.name);
                let same = ladder.iter().filter(|other| other.name == rung.name);
                let apart = same.filter(|other| other.keywords == rung.keywords);
                assert_eq!(apart.count(), 1, "{language} {}", rung.name);
            }
        }
    }

    #[test]
    fn tsx_has_what_typescript_has_and_one_more() {
        let (Ok(tsx), Ok(ts)) = (Language::by_id("tsx"), Language::by_id("typescript")) else {
            return;
        };
        let more: Vec<_> = of(tsx).iter().filter(|rung| !of(ts).contains(rung)).collect();
        assert_eq!(more.len(), 1);
        assert_eq!(of(tsx).len(), of(ts).len() + 1);
        let place = of(tsx).iter().position(|rung| rung == more[0]).unwrap();
        assert!(!of(tsx)[place - 1].rare && of(tsx)[place + 1].rare);
    }
}
