//! The one table of languages: identifiers, extensions and how a placeholder is spelled.

use ast_grep_language::{LanguageExt, SupportLang};

/// What is known about a language without its grammar.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// The Cargo feature that compiles the grammar in.
    pub(super) feature: &'static str,
    /// Without the dot, sorted.
    pub(super) extensions: &'static [&'static str],
    /// Other spellings accepted for the identifier.
    pub(super) aliases: &'static [&'static str],
    /// Stands for `$` inside a pattern: a character that the grammar takes in names.
    pub(super) sigil: &'static str,
    /// `None` when the grammar is not compiled in.
    pub(super) grammar: fn() -> Option<tree_sitter::Language>,
}

macro_rules! grammar {
    ($feature:literal, $variant:ident) => {{
        fn load() -> Option<tree_sitter::Language> {
            if cfg!(feature = $feature) {
                Some(SupportLang::$variant.get_ts_language())
            } else {
                None
            }
        }
        load
    }};
}

/// Sorted by identifier.
pub(super) static ROWS: [Row; 29] = [
    Row {
        id: "bash",
        feature: "lang-bash",
        extensions: &["bash", "bats", "ksh", "sh", "zsh"],
        aliases: &["sh", "shell"],
        sigil: "$",
        grammar: grammar!("lang-bash", Bash),
    },
    Row {
        id: "c",
        feature: "lang-c",
        extensions: &["c", "h"],
        aliases: &[],
        sigil: "\u{10000}",
        grammar: grammar!("lang-c", C),
    },
    Row {
        id: "cpp",
        feature: "lang-cpp",
        extensions: &["cc", "cpp", "cxx", "c++", "cu", "h", "hh", "hpp", "hxx", "ino"],
        aliases: &["c++", "cc", "cxx"],
        sigil: "\u{10000}",
        grammar: grammar!("lang-cpp", Cpp),
    },
    Row {
        id: "csharp",
        feature: "lang-csharp",
        extensions: &["cs"],
        aliases: &["cs", "c#"],
        sigil: "µ",
        grammar: grammar!("lang-csharp", CSharp),
    },
    Row {
        id: "css",
        feature: "lang-css",
        extensions: &["css", "scss"],
        aliases: &["scss"],
        sigil: "z",
        grammar: grammar!("lang-css", Css),
    },
    Row {
        id: "dart",
        feature: "lang-dart",
        extensions: &["dart"],
        aliases: &[],
        sigil: "$",
        grammar: grammar!("lang-dart", Dart),
    },
    Row {
        id: "elixir",
        feature: "lang-elixir",
        extensions: &["ex", "exs"],
        aliases: &["ex"],
        sigil: "µ",
        grammar: grammar!("lang-elixir", Elixir),
    },
    Row {
        id: "go",
        feature: "lang-go",
        extensions: &["go"],
        aliases: &["golang"],
        sigil: "µ",
        grammar: grammar!("lang-go", Go),
    },
    Row {
        id: "haskell",
        feature: "lang-haskell",
        extensions: &["hs"],
        aliases: &["hs"],
        sigil: "µ",
        grammar: grammar!("lang-haskell", Haskell),
    },
    Row {
        id: "hcl",
        feature: "lang-hcl",
        extensions: &["hcl", "nomad", "tf", "tfvars"],
        aliases: &["terraform", "tf"],
        sigil: "µ",
        grammar: grammar!("lang-hcl", Hcl),
    },
    Row {
        id: "html",
        feature: "lang-html",
        extensions: &["htm", "html", "xhtml"],
        aliases: &[],
        sigil: "z",
        grammar: grammar!("lang-html", Html),
    },
    Row {
        id: "java",
        feature: "lang-java",
        extensions: &["java"],
        aliases: &[],
        sigil: "$",
        grammar: grammar!("lang-java", Java),
    },
    Row {
        id: "javascript",
        feature: "lang-javascript",
        extensions: &["cjs", "js", "jsx", "mjs"],
        aliases: &["js", "jsx"],
        sigil: "$",
        grammar: grammar!("lang-javascript", JavaScript),
    },
    Row {
        id: "json",
        feature: "lang-json",
        extensions: &["json"],
        aliases: &[],
        sigil: "$",
        grammar: grammar!("lang-json", Json),
    },
    Row {
        id: "kotlin",
        feature: "lang-kotlin",
        extensions: &["kt", "ktm", "kts"],
        aliases: &["kt"],
        sigil: "µ",
        grammar: grammar!("lang-kotlin", Kotlin),
    },
    Row {
        id: "lua",
        feature: "lang-lua",
        extensions: &["lua"],
        aliases: &[],
        sigil: "$",
        grammar: grammar!("lang-lua", Lua),
    },
    Row {
        id: "markdown",
        feature: "lang-markdown",
        extensions: &["markdown", "md"],
        aliases: &["md"],
        sigil: "$",
        grammar: grammar!("lang-markdown", Markdown),
    },
    Row {
        id: "nix",
        feature: "lang-nix",
        extensions: &["nix"],
        aliases: &[],
        sigil: "_",
        grammar: grammar!("lang-nix", Nix),
    },
    Row {
        id: "php",
        feature: "lang-php",
        extensions: &["php"],
        aliases: &[],
        sigil: "µ",
        grammar: grammar!("lang-php", Php),
    },
    Row {
        id: "python",
        feature: "lang-python",
        extensions: &["bazel", "bzl", "py", "py3", "pyi"],
        aliases: &["py"],
        sigil: "µ",
        grammar: grammar!("lang-python", Python),
    },
    Row {
        id: "ruby",
        feature: "lang-ruby",
        extensions: &["gemspec", "rb", "rbw"],
        aliases: &["rb"],
        sigil: "µ",
        grammar: grammar!("lang-ruby", Ruby),
    },
    Row {
        id: "rust",
        feature: "lang-rust",
        extensions: &["rs"],
        aliases: &["rs"],
        sigil: "µ",
        grammar: grammar!("lang-rust", Rust),
    },
    Row {
        id: "scala",
        feature: "lang-scala",
        extensions: &["sbt", "sc", "scala"],
        aliases: &[],
        sigil: "$",
        grammar: grammar!("lang-scala", Scala),
    },
    Row {
        id: "solidity",
        feature: "lang-solidity",
        extensions: &["sol"],
        aliases: &["sol"],
        sigil: "$",
        grammar: grammar!("lang-solidity", Solidity),
    },
    Row {
        id: "swift",
        feature: "lang-swift",
        extensions: &["swift"],
        aliases: &[],
        sigil: "µ",
        grammar: grammar!("lang-swift", Swift),
    },
    Row {
        id: "tsx",
        feature: "lang-typescript",
        extensions: &["tsx"],
        aliases: &[],
        sigil: "$",
        grammar: grammar!("lang-typescript", Tsx),
    },
    Row {
        id: "typescript",
        feature: "lang-typescript",
        extensions: &["cts", "mts", "ts"],
        aliases: &["ts"],
        sigil: "$",
        grammar: grammar!("lang-typescript", TypeScript),
    },
    Row {
        id: "yaml",
        feature: "lang-yaml",
        extensions: &["yaml", "yml"],
        aliases: &["yml"],
        sigil: "$",
        grammar: grammar!("lang-yaml", Yaml),
    },
    Row {
        id: "zig",
        feature: "lang-zig",
        extensions: &["zig"],
        aliases: &[],
        sigil: "_",
        grammar: grammar!("lang-zig", Zig),
    },
];
