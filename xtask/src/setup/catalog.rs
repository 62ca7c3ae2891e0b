//! What set-up fetches: packages with their pinned hashes, and the languages whose sources are taken from them.

/// Whose client gets a package. The client knows its registry, or the mirror that this machine uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Registry {
    /// `pip`: a wheel.
    PipWheel,
    /// `pip`: a source distribution.
    PipSource,
    /// `npm pack`.
    Npm,
    /// `cargo info`, which puts the crate into cargo's cache.
    Cargo,
    /// `go mod download`.
    Go,
}

/// One package of one version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Package {
    pub(crate) registry: Registry,
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// SHA-256 of the archive as the registry serves it.
    pub(crate) sha256: &'static str,
}

/// A row of a table of packages.
pub(crate) const fn package(
    registry: Registry,
    name: &'static str,
    version: &'static str,
    sha256: &'static str,
) -> Package {
    Package { registry, name, version, sha256 }
}

/// The peer of the benches, of the version whose grammars and rules ours are compared with.
pub(crate) const PEER: Package = package(
    Registry::PipWheel,
    "ast-grep-cli",
    "0.51.1",
    "f924a19765482f2ec8ce5450b053510b8fb609da4b57d19e332ad7b02584587b",
);

use Registry::{Cargo, Go, Npm, PipSource, PipWheel};

/// Public sources for the mined patterns: small packages that together hold every language.
#[rustfmt::skip]
pub(crate) const SOURCES: &[Package] = &[
    package(Cargo, "alejandra", "3.1.0", "2bc05c61ca4cc9ccd139efa86d1e8414e2e0f2dc6584edc3de33f04eebfa1dee"),
    package(Cargo, "bat", "0.25.0", "2ab792c2ad113a666f08856c88cdec0a62d732559b1f3982eedf0142571e669a"),
    package(Cargo, "flutter_rust_bridge_codegen", "2.11.1", "8196d44913683419189948ec655f23f6d6166883ec0e5081ba443c62e5570260"),
    package(Cargo, "luajit-src", "210.7.4+c6ffc14", "1db548b001f0b7da416daf0ffae963912bae6cad1799fa9f4eaba09da6dba837"),
    package(Npm, "@openzeppelin/contracts", "5.1.0", "fcddd83ee65457e2dd40d207010c885b45cdf6ea2360ca8c9d4cf2cca5e2b3b2"),
    package(Npm, "@wordpress/block-library", "9.14.0", "7c1c8e8dcfb146acca09dc3c85ac10c866f8d23f350733a0e4063ce789a26e2c"),
    package(Npm, "bats", "1.11.1", "1d8a88fc70bc5a518c7cf17e5201b80b24e9475be95abe6508b3197a64b73365"),
    package(Npm, "bulma", "1.0.2", "3c14c39cb7d8b0f92f1fe8979f58d7d6425006f1000e70a61743fdadd419a5dd"),
    package(Npm, "expo-camera", "16.0.10", "a818ecd8ef8f90ecedebc0c02ec6ec481e63b05912cac1e7e2e46b7bf9472480"),
    package(Npm, "expo-modules-core", "2.1.1", "fec6f1a71824417d7c1ca3f0a34176b8024f50270885c6ecfb454457011f3324"),
    package(Npm, "html5-boilerplate", "9.0.1", "19baebf4f0d07007453a12cdd4a34a71af53311953ce05a608843c4c2d02c70d"),
    package(Npm, "lodash", "4.17.21", "6a087ac9e5702a0c9d60fbcd48696012646ec8df1491dea472b150e79fcaf804"),
    package(Npm, "node-gyp", "11.0.0", "7f83a67583063a9bbe34f89c6fa34e55f1d92896edfb7667a3be4443ddab8583"),
    package(Npm, "react-native-paper", "5.12.5", "328bbae8a42e6c2477bac218c6a63f8130d6f8f746a0a99a175deac2ab243626"),
    package(Npm, "react-native-screens", "4.4.0", "7fcf52b3f7e950730a4cf019b5a28412ab323f134b9ea5af06079f5fb4579db8"),
    package(Npm, "rxjs", "7.8.2", "2312f8ffd9726ffd7bd53ea12c5f13663d09a3dc3326f448c70b88f5ef6fac82"),
    package(Npm, "zigar-compiler", "0.15.2", "d3e3045a761a83f019182c5b6214c9fac4953f27ed46a08fbae7d41a86f15d91"),
    package(PipWheel, "flet-charts", "1.0.5", "b222e2992b5be47f25155968d8241dc3f5ab7434e0153fb6dcd4df7b9f6eaf7b"),
    package(PipWheel, "flet-map", "1.0.5", "3301415f5ef208136520730e2f3614285bc9a7754f7a19af197159aa55fbe1e2"),
    package(PipSource, "pygments", "2.19.2", "636cb2477cec7f8952536970bc533bc43743542f70392ae026374600add5b887"),
    package(PipSource, "pythonnet", "3.2.1", "c86e8dd31268f6e0c48fcc4d6030041316d49ed2764a1cb6ea8c37876e07c572"),
    package(PipSource, "ragleap-terraform", "0.1.1", "6e5a9243555dfc5c391c31fa0da3d80af5c5058ffb668f0932d6209a68352b16"),
    package(Go, "github.com/spf13/cobra", "v1.8.1", "bf27a276f87257c93bc057309df30265a19beefc3d5fc887cbd8fc99ad35466a"),
];

/// A language by its id and the endings of its files that belong to no other language.
pub(crate) const LANGUAGES: &[(&str, &[&str])] = &[
    ("bash", &["sh", "bash", "bats"]),
    ("c", &["c"]),
    ("cpp", &["cpp", "cc", "hpp"]),
    ("csharp", &["cs"]),
    ("css", &["css"]),
    ("dart", &["dart"]),
    ("elixir", &["ex", "exs"]),
    ("go", &["go"]),
    ("haskell", &["hs"]),
    ("hcl", &["tf", "hcl"]),
    ("html", &["html", "xhtml"]),
    ("java", &["java"]),
    ("javascript", &["js", "mjs", "cjs"]),
    ("json", &["json"]),
    ("kotlin", &["kt", "kts"]),
    ("lua", &["lua"]),
    ("markdown", &["md"]),
    ("nix", &["nix"]),
    ("php", &["php"]),
    ("python", &["py"]),
    ("ruby", &["rb"]),
    ("rust", &["rs"]),
    ("scala", &["scala"]),
    ("solidity", &["sol"]),
    ("swift", &["swift"]),
    ("tsx", &["tsx"]),
    ("typescript", &["ts"]),
    ("yaml", &["yaml", "yml"]),
    ("zig", &["zig"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_package_is_pinned_once() {
        let mut seen = BTreeSet::new();
        for package in SOURCES.iter().chain([&PEER]) {
            assert!(seen.insert((package.registry, package.name)), "{} twice", package.name);
            assert!(
                package.sha256.len() == 64 && package.sha256.bytes().all(|b| b.is_ascii_hexdigit()),
                "{}",
                package.name
            );
        }
    }

    #[test]
    fn an_ending_belongs_to_one_language() {
        let endings: Vec<&str> =
            LANGUAGES.iter().flat_map(|(_, endings)| endings.iter().copied()).collect();
        assert_eq!(endings.iter().collect::<BTreeSet<_>>().len(), endings.len());
        assert_eq!(LANGUAGES.len(), 29);
    }
}
