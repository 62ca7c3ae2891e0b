//! The filter loses nothing: what a search finds by reading bytes first, parsing what is left and walking only
//! where the rarest word occurs, is what looking at every node of every file finds.

use std::collections::BTreeSet;
use std::path::Path;

use tool_workspace::Root;

use super::mine::Quarry;
use super::rng::Rng;
use super::sense::Sense;
use super::sources;
use crate::language::Language;
use crate::matches::find;
use crate::pattern::compile;
use crate::schedule::Control;
use crate::search::{Query, search};
use crate::tree::Tree;
use crate::workshop::{AstGrepConfig, Workshop};

/// Patterns of each language.
const PATTERNS: usize = 12;
/// Lines of each file.
const LINES: usize = 40;

/// Where a pattern matches: the file, the line and the text.
type Places = BTreeSet<(String, usize, String)>;

/// The bundled sources of a language in small files, cut wherever the lines are up.
fn small_files(language: Language) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for source in sources::of(language.id()) {
        let lines: Vec<&str> = source.text.split_inclusive('\n').collect();
        for part in lines.chunks(LINES) {
            let extension = language.extensions()[0].trim_start_matches('.');
            files.push((format!("f{:03}.{extension}", files.len()), part.concat()));
        }
    }
    files
}

fn patterns(language: Language, seed: u64) -> Vec<String> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(language.grammar().unwrap()).unwrap();
    let files = sources::of(language.id());
    let raw: Vec<_> = files.iter().map(|file| parser.parse(&file.text, None).unwrap()).collect();
    let quarries: Vec<_> =
        files.iter().zip(&raw).map(|(file, tree)| (file, Quarry::new(tree, &file.text))).collect();
    let mut sense = Sense { parser, language: language.id() };
    let mut rng = Rng::new(seed, language.id());
    let mut patterns = Vec::new();
    for _ in 0..PATTERNS * 20 {
        let Some((file, quarry)) = rng.pick(&quarries) else { break };
        if let Some(mined) = quarry.mine(&file.text, &mut sense, &mut rng)
            && compile(language, &mined.pattern, None).is_ok()
        {
            patterns.push(mined.pattern);
        }
        if patterns.len() == PATTERNS {
            break;
        }
    }
    patterns
}

/// Every node of every file, without the filter and without pruning.
fn everywhere(language: Language, pattern: &str, files: &[(String, String)]) -> Places {
    let compiled = compile(language, pattern, None).unwrap();
    let places = |in_family: bool| -> Places {
        let mut places = Places::new();
        for (name, text) in files {
            let tree = Tree::parse(language, text, &|| false).unwrap();
            for reading in compiled.readings.iter().filter(|r| r.in_family == in_family) {
                for found in find(reading, &tree, text, None) {
                    places.insert((name.clone(), found.range.start, text[found.range].to_owned()));
                }
            }
        }
        places
    };
    let family = places(true);
    if family.is_empty() { places(false) } else { family }
}

/// What `ast_grep` answers: how many, and where.
fn searched(
    shop: &Workshop,
    language: Language,
    pattern: &str,
) -> (usize, BTreeSet<(String, usize)>) {
    let query = Query {
        pattern,
        path: None,
        language: Some(language.id()),
        context: None,
        max_results: 100_000,
    };
    let control = Control { stop: &|| false, progress: &|_, _| {} };
    let answer =
        search(shop, &query, control).unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
    let found = answer.files.iter();
    let places = found.flat_map(|(file, found)| found.iter().map(|f| (file.clone(), f.start.line)));
    (answer.total, places.collect())
}

#[test]
fn the_filter_loses_nothing_whatever_the_threads_and_the_memory() {
    let seed = super::number("RUNBOUND_SEED").unwrap_or(7);
    for language in Language::compiled() {
        let (tree, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = small_files(language);
        for (name, text) in &files {
            std::fs::write(tree.path().join(name), text).unwrap();
        }
        let shop = |threads: usize, memory_budget: usize| {
            let root = Root::open(tree.path()).unwrap();
            let config = AstGrepConfig { threads, memory_budget, ..AstGrepConfig::default() };
            Workshop::new(root, Path::new(state.path()).to_owned(), &config)
        };
        let shops = [shop(1, 0), shop(3, 0), shop(1, 64 << 20), shop(4, 64 << 20), shop(2, 20_000)];
        let mut matched = 0;
        for pattern in patterns(language, seed) {
            let want = everywhere(language, &pattern, &files);
            let line = |(file, at, _): &(String, usize, String)| {
                let (_, text) = files.iter().find(|(name, _)| name == file).unwrap();
                (file.clone(), text[..*at].matches('\n').count() + 1)
            };
            let want = (want.len(), want.iter().map(line).collect::<BTreeSet<_>>());
            matched += usize::from(want.0 > 0);
            for (at, shop) in shops.iter().enumerate() {
                let got = searched(shop, language, &pattern);
                assert_eq!(got, want, "{language}, shop {at}, seed {seed}: {pattern}");
            }
        }
        assert!(matched * 2 > PATTERNS, "{language}, seed {seed}: only {matched} patterns match");
    }
}
