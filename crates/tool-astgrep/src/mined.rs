//! Mined patterns: what hand-written cases miss.
//!
//! From real sources of each grammar take random nodes, replace random children by `$A` and
//! bodies by `$$$B`, and search that very file with the result. The search must find that very
//! node or answer "not parsable". A pattern that compiles and never matches is a silent hole.
//!
//! `RUNBOUND_MINED` sets how many patterns a grammar (2,000), `RUNBOUND_SEED` repeats a run,
//! `RUNBOUND_CORPUS` names a folder with a folder of sources a language; else the bundled
//! sources are mined.

mod filter;
mod judge;
mod limits;
mod mine;
mod report;
mod rng;
mod sense;
mod slots;
mod sources;

use crate::language::Language;
use crate::tree::Tree;
use judge::judge;
use mine::Quarry;
use report::Report;
use rng::Rng;
use sense::Sense;

const PATTERNS: usize = 2_000;
/// The same patterns on every machine, so that a red run means a change; others by `RUNBOUND_SEED`.
const SEED: u64 = 12;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.trim().parse().ok()
}

fn mine_language(id: &str) {
    let Ok(language) = Language::by_id(id) else {
        report::say(&format!("SKIP mined::{id}: the grammar is not compiled in"));
        return;
    };
    let seed = number("RUNBOUND_SEED").unwrap_or(SEED);
    let wanted = number("RUNBOUND_MINED").map_or(PATTERNS, |count| count as usize);
    let files = sources::of(id);
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(language.grammar().unwrap()).unwrap();
    let raw: Vec<_> = files.iter().map(|file| parser.parse(&file.text, None).unwrap()).collect();
    let quarries: Vec<_> = files
        .iter()
        .zip(&raw)
        .map(|(file, tree)| {
            let tree_of_file = Tree::parse(language, &file.text, &|| false).unwrap();
            (file, tree_of_file, Quarry::new(tree, &file.text))
        })
        .filter(|(_, _, quarry)| !quarry.is_empty())
        .collect();
    assert!(!quarries.is_empty(), "no sources for {id}");
    let mut sense = Sense { parser, language: language.id() };
    let mut rng = Rng::new(seed, id);
    let mut report = Report::new(id, seed);
    for _ in 0..wanted * 20 {
        if report.total() >= wanted {
            break;
        }
        let Some((file, tree, quarry)) = rng.pick(&quarries) else { break };
        if let Some(mined) = quarry.mine(&file.text, &mut sense, &mut rng) {
            let verdict = judge(language, &mined, tree, &file.text);
            report.add(&file.name, language.kind_name(mined.kind), &mined, verdict);
        }
    }
    report.finish(wanted);
}

macro_rules! grammars {
    ($($test:ident = $id:literal),+ $(,)?) => {
        $(
            #[test]
            fn $test() {
                mine_language($id);
            }
        )+

        #[test]
        fn every_language_is_mined() {
            let ids: Vec<_> = Language::all().map(Language::id).collect();
            assert_eq!(ids, [$($id),+]);
        }
    };
}

grammars! {
    bash = "bash", c = "c", cpp = "cpp", csharp = "csharp", css = "css", dart = "dart",
    elixir = "elixir", go = "go", haskell = "haskell", hcl = "hcl", html = "html", java = "java",
    javascript = "javascript", json = "json", kotlin = "kotlin", lua = "lua",
    markdown = "markdown", nix = "nix", php = "php", python = "python", ruby = "ruby",
    rust = "rust", scala = "scala", solidity = "solidity", swift = "swift", tsx = "tsx",
    typescript = "typescript", yaml = "yaml", zig = "zig",
}
