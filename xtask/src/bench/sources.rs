//! The trees that `bench ast` searches: public sources of fixed versions, over 100 MB together.

use crate::repo;
use crate::setup::catalog::{Package, Registry, package};
use crate::setup::fetch;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

use Registry::{Cargo, Go, Npm, PipWheel};

/// A tree, where it comes from and what is searched in it.
struct Recipe {
    name: &'static str,
    language: &'static str,
    endings: &'static [&'static str],
    packages: &'static [Package],
    /// How often the sources are put side by side; more than once is said in the report.
    copies: usize,
    /// A pattern with a name that few files have.
    literal: &'static str,
    /// The name; the report counts the files that have it.
    name_in_literal: &'static str,
    /// A second pattern without a literal.
    second: &'static str,
}

/// A tree on this machine.
pub(crate) struct Tree {
    pub(crate) name: &'static str,
    pub(crate) language: &'static str,
    pub(crate) folder: PathBuf,
    pub(crate) files: usize,
    bytes: u64,
    pub(crate) copies: usize,
    pub(crate) literal: &'static str,
    pub(crate) second: &'static str,
    name_in_literal: &'static str,
    repeated: usize,
}

impl Tree {
    /// Its name and size, and what a reader must know of how it was made.
    pub(crate) fn title(&self) -> String {
        let repeated = match self.repeated {
            1 => String::new(),
            times => format!(" (the same sources {times} times)"),
        };
        format!("{}, {:.1} MB{repeated}", self.name, self.bytes as f64 / 1e6)
    }

    /// Files that have the name of the literal pattern, wherever it stands in them. Blocks: reads all.
    pub(crate) fn files_with_name(&self) -> Result<usize> {
        fn count(folder: &Path, name: &[u8]) -> Result<usize> {
            let mut having = 0;
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    having += count(&entry.path(), name)?;
                } else {
                    let bytes = fs::read(entry.path())?;
                    having += usize::from(bytes.windows(name.len()).any(|window| window == name));
                }
            }
            Ok(having)
        }
        count(&self.folder, self.name_in_literal.as_bytes())
    }
}

#[rustfmt::skip]
const RUST: &[Package] = &[
    package(Cargo, "ra_ap_hir_ty", "0.0.349", "eeabc1ab561ed900f1d33d26114ab3e1709aaf2cdcee23c7f79ae89b23868d12"),
    package(Cargo, "ra_ap_hir_def", "0.0.349", "5efb9d3c6ebe9f97a4cbc87b411d47d65156e94eee8954883277fdda007ee6d3"),
    package(Cargo, "ra_ap_ide", "0.0.349", "b5b7d68cdeff22d9773563a3625231302f0f2dd7ec47656596857097dea8ce99"),
    package(Cargo, "ra_ap_ide_assists", "0.0.349", "ae07bfe0b271461ad35d7957dcd456feadae7bc813bba561d094e63a32b6b9ad"),
    package(Cargo, "ra_ap_ide_completion", "0.0.349", "aa408fd8774b025ae4341035ee94829777423afaa4257f400a2ac618a50da61a"),
    package(Cargo, "ra_ap_syntax", "0.0.349", "a59dd095cfb96a92a7ec17e15f8bbaebade7dec496e1e39a25692a4a10c34314"),
    package(Cargo, "ra_ap_ide_db", "0.0.349", "c7f7525f13cd1aa89b9413f8b8d57df01985ffd8f82558b612791b2c8fc271ce"),
    package(Cargo, "ra_ap_hir", "0.0.349", "64e13a3dabefc4018d7f3814879da78faec64e610576d9ece7bf5bf77e98f1af"),
    package(Cargo, "ra_ap_rust-analyzer", "0.0.349", "bf0a082810e0cc7a7d312bf7a0dbdd3f4e6ae4e786b49861d3daa59afe235ca5"),
    package(Cargo, "cranelift-codegen", "0.135.8", "6a7b9f73f97da69d6edc9adbfeec068cdb2649f0221be41abd3909267cb1cd53"),
    package(Cargo, "wasmtime", "48.0.8", "a2afcadb2e7d0417cb8f3f322c66eff49338b288f22290c0ca0bd3e9570732aa"),
    package(Cargo, "naga", "30.0.2", "fd0dd362bf26c0ffdd143df6da66a25d287e196eff482f117771010b207ad163"),
];

#[rustfmt::skip]
const PYTHON: &[Package] = &[
    package(PipWheel, "django", "5.2", "91ceed4e3a6db5aedced65e3c8f963118ea9ba753fc620831c77074e620e7d83"),
    package(PipWheel, "sympy", "1.13.3", "54612cf55a62755ee71824ce692986f23c88ffa77207b30c1368eda4a7060f73"),
];

#[rustfmt::skip]
const TYPESCRIPT: &[Package] = &[
    package(Npm, "effect", "3.12.0", "ce032d0785e27a0ee32dbf75561da4cc1b946c65c79cb4ca0b9c00ef093ec1cb"),
    package(Npm, "ethers", "6.13.4", "32aad3770eafe954d29bbb9fb44d16bddf1bb2c2d5c3b575a3ec5ca5b4fd8a1a"),
    package(Npm, "thirdweb", "5.80.0", "1fec1b17cc60a0409721a46521bc687113da11cf955e35dde7a0a7a26af9decf"),
    package(Npm, "tldraw", "3.6.0", "3169cdf97485de3670d79e55e8524ab4f5bec4f02e07ac3432a86ee680e0c251"),
    package(Npm, "@tldraw/editor", "3.6.0", "3c735860a06bd38df8782fd4ced6996d0bdb71a6085a936c7d519d6a7b6da7df"),
    package(Npm, "viem", "2.21.0", "50a3357fbd7ef9221fd3ccdf2a0ae30b88c32ebd8bc6dacd9f16893ed148d7d3"),
];

#[rustfmt::skip]
const C: &[Package] = &[
    package(Cargo, "openssl-src", "400.0.2+4.0.3", "d2093956673b8dbda85c87fa4fb78e70698ce6c5978a2837d1613f661d3bef76"),
    package(Cargo, "libgit2-sys", "0.18.8+1.9.7", "7f7c568b25d7489bc3fb2988ed69ab111d2944d2f5fec3d5c987fe545ea97b50"),
];

#[rustfmt::skip]
const GO: &[Package] = &[
    package(Go, "k8s.io/client-go", "v0.31.0", "e77649a58501ca45f662bb8dad543241bf8e7bc6087469a74c9d541d99a4c267"),
    package(Go, "github.com/prometheus/prometheus", "v0.55.0", "46b2008839c7b9f1b8163f09c993c21512f436f9da0c5afd0e7d6b70fa46a7fe"),
];

#[rustfmt::skip]
const DART: &[Package] = &[
    package(PipWheel, "flet-audio", "1.0.5", "1cfc51b29a58847049d6d239b1595c475654bf11164a5fafae67ddceee431b4b"),
    package(PipWheel, "flet-camera", "1.0.5", "c7758768a3319786526b297ce0a44d2d6e08c7196ee75a4d2510af5e22035d25"),
    package(PipWheel, "flet-charts", "1.0.5", "b222e2992b5be47f25155968d8241dc3f5ab7434e0153fb6dcd4df7b9f6eaf7b"),
    package(PipWheel, "flet-code-editor", "1.0.5", "ea79e1802d55021209f00a9882fb39deb05f4dffb9891b91bd50adfce4e018f5"),
    package(PipWheel, "flet-datatable2", "1.0.5", "e8933d18ed53746236fca850857b4d555e39b4a74069bce07c5f9f2457f4db8d"),
    package(PipWheel, "flet-geolocator", "1.0.5", "a9ca9a546368ddd311a86180b7b62d1e4c88cbc11de52b24cbeb97b1a97c5be2"),
    package(PipWheel, "flet-map", "1.0.5", "3301415f5ef208136520730e2f3614285bc9a7754f7a19af197159aa55fbe1e2"),
    package(PipWheel, "flet-video", "1.0.5", "901b434e21be025960f72f9d514cdee2ef4118702127de95cf1170c31c1ff6cf"),
    package(PipWheel, "flet-webview", "1.0.5", "b71d3cf2ab293fb8120e6ba82293c4bd81b827828fa94d1487fcd703211f2dc8"),
    package(Cargo, "flutter_rust_bridge_codegen", "2.11.1", "8196d44913683419189948ec655f23f6d6166883ec0e5081ba443c62e5570260"),
];

#[rustfmt::skip]
const RECIPES: &[Recipe] = &[
    Recipe { name: "rust", language: "rust", endings: &["rs"], packages: RUST, copies: 1, literal: "$X.unwrap_or_default()", name_in_literal: "unwrap_or_default", second: "$A == $B" },
    Recipe { name: "python", language: "python", endings: &["py"], packages: PYTHON, copies: 1, literal: "getattr($O, $N, None)", name_in_literal: "getattr", second: "$A == $B" },
    Recipe { name: "typescript", language: "typescript", endings: &["ts"], packages: TYPESCRIPT, copies: 1, literal: "console.warn($$$A)", name_in_literal: "console.warn", second: "$A === $B" },
    Recipe { name: "c", language: "c", endings: &["c", "h"], packages: C, copies: 1, literal: "OPENSSL_cleanse($A, $B)", name_in_literal: "OPENSSL_cleanse", second: "$A == $B" },
    Recipe { name: "go", language: "go", endings: &["go"], packages: GO, copies: 1, literal: "context.WithTimeout($A, $B)", name_in_literal: "WithTimeout", second: "$A == $B" },
    // No registry here has much Dart: what there is, side by side.
    Recipe { name: "dart", language: "dart", endings: &["dart"], packages: DART, copies: 1, literal: "setState($A)", name_in_literal: "setState", second: "$A == $B" },
    Recipe { name: "rust-large", language: "rust", endings: &["rs"], packages: RUST, copies: 4, literal: "$X.unwrap_or_default()", name_in_literal: "unwrap_or_default", second: "$A == $B" },
];

/// Dart sources are put side by side until there are this many bytes.
const DART_BYTES: u64 = 12_000_000;

/// The names of all trees.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    RECIPES.iter().map(|recipe| recipe.name)
}

/// Trees of the wanted names, fetched and laid out where they are not yet.
pub(crate) fn trees(wanted: impl Fn(&str) -> bool) -> Result<Vec<Tree>> {
    RECIPES.iter().filter(|recipe| wanted(recipe.name)).map(tree).collect()
}

fn tree(recipe: &Recipe) -> Result<Tree> {
    let folder = repo::toolbox().join("bench").join(recipe.name);
    let stamp = folder.join(".complete");
    let mut repeated = recipe.copies;
    if !stamp.is_file() {
        let packages = recipe.packages.iter().map(fetched).collect::<Result<Vec<_>>>()?;
        fetch::remove(&folder)?;
        let lay = |copy: usize| -> Result<u64> {
            let target = folder.join(format!("{copy}"));
            packages
                .iter()
                .map(|package| {
                    copy_sources(
                        package,
                        &target.join(package.file_name().unwrap_or_default()),
                        recipe.endings,
                    )
                })
                .sum()
        };
        let bytes = lay(0)?;
        if bytes == 0 {
            bail!("{}: no sources in its packages", recipe.name);
        }
        if recipe.language == "dart" {
            repeated = usize::try_from(DART_BYTES.div_ceil(bytes))?;
        }
        for copy in 1..repeated {
            lay(copy)?;
        }
        fs::write(&stamp, repeated.to_string())?;
    }
    repeated = fs::read_to_string(&stamp)?.trim().parse().context("the stamp of a tree")?;
    let (files, bytes) = measure(&folder)?;
    let Recipe { name, language, copies, literal, name_in_literal, second, .. } = *recipe;
    Ok(Tree {
        name,
        language,
        folder,
        files,
        bytes,
        copies,
        literal,
        name_in_literal,
        second,
        repeated,
    })
}

fn fetched(package: &Package) -> Result<PathBuf> {
    fetch::package(package, &repo::toolbox())
        .map_err(|trouble| anyhow::anyhow!("{}: {trouble:?}", package.name))
}

/// Copies the files with one of the endings, less declarations without code; the bytes copied.
fn copy_sources(from: &Path, to: &Path, endings: &[&str]) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            bytes += copy_sources(&path, &to.join(&name), endings)?;
        } else if kind.is_file()
            && path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending))
            && !name.to_string_lossy().ends_with(".d.ts")
        {
            fs::create_dir_all(to)?;
            bytes += fs::copy(&path, to.join(&name))?;
        }
    }
    Ok(bytes)
}

/// Files and bytes of a tree.
fn measure(folder: &Path) -> Result<(usize, u64)> {
    let mut sum = (0, 0);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let inner = measure(&entry.path())?;
            sum = (sum.0 + inner.0, sum.1 + inner.1);
        } else if entry.file_name() != ".complete" {
            sum = (sum.0 + 1, sum.1 + entry.metadata()?.len());
        }
    }
    Ok(sum)
}

/// 1,000 Rust files of ordinary size, each with ten calls to rename at its end.
pub(crate) fn edit_tree() -> Result<PathBuf> {
    const FILES: usize = 1000;
    let folder = repo::toolbox().join("bench").join("edits");
    if folder.join(".complete").is_file() {
        return Ok(folder);
    }
    let rust = trees(|name| name == "rust")?.pop().context("no rust tree")?;
    fetch::remove(&folder)?;
    fs::create_dir_all(&folder)?;
    let mut sources = Vec::new();
    list(&rust.folder, &mut sources)?;
    sources.sort();
    let calls: String = (0..10).map(|n| format!("    old_name({n});\n")).collect();
    let ordinary = sources
        .into_iter()
        .filter(|path| fs::metadata(path).is_ok_and(|m| (1_000..60_000).contains(&m.len())));
    let mut written = 0;
    for (n, path) in ordinary.take(FILES).enumerate() {
        let text = fs::read_to_string(&path)?;
        fs::write(
            folder.join(format!("f{n:04}.rs")),
            format!("{text}\nfn calls_old_name() {{\n{calls}}}\n"),
        )?;
        written += 1;
    }
    if written < FILES {
        bail!("only {written} files of ordinary size");
    }
    fs::write(folder.join(".complete"), "")?;
    Ok(folder)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_copied_without_declarations() {
        let folder = std::env::temp_dir().join(format!("xtask-bench-{}", std::process::id()));
        fs::create_dir_all(folder.join("a/inner")).unwrap();
        for name in ["a/x.ts", "a/y.d.ts", "a/z.js", "a/inner/w.ts"] {
            fs::write(folder.join(name), "12345").unwrap();
        }
        let bytes = copy_sources(&folder.join("a"), &folder.join("b"), &["ts"]).unwrap();
        let measured = measure(&folder.join("b")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(bytes, 10);
        assert_eq!(measured, (2, 10));
    }
}
