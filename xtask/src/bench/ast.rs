//! `bench ast`: structural search against the peer of the same version, and what only ours can do.

use super::measure::{self, Programs, search};
use super::report::{COLUMNS, Row, median, median_ratio};
use super::sources::{self, Tree};
use crate::{repo, setup, sh};
use anyhow::{Result, bail};
use serde_json::json;

/// Ratios that must not be exceeded.
const COLD_LITERAL: f64 = 0.33;
const COLD_PLAIN: f64 = 1.1;
const WARM: f64 = 0.25;
/// Never worse than cold, within what two equal runs differ by.
const OVER_BUDGET: f64 = 1.05;
const MEMORY: f64 = 1.0;
const EDIT: f64 = 2.5;

/// A pattern that gives no literal to look for, and a second one that differs from it.
const PLAIN: &str = "$F($A)";

/// The name of the tree that is edited.
const EDITS: &str = "edits";

/// All rows, tree by tree; `only` picks some trees (all if empty).
pub(crate) fn run(rounds: usize, only: &[String]) -> Result<Vec<Row>> {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|only| only == name);
    if let Some(unknown) =
        only.iter().find(|only| *only != EDITS && !sources::names().any(|n| n == only.as_str()))
    {
        let names: Vec<&str> = sources::names().chain([EDITS]).collect();
        bail!("no tree {unknown:?}; there are {}", names.join(", "));
    }
    let trees = sources::trees(wanted)?;
    println!("building the release binary");
    if !sh::ok(sh::cargo().args([
        "build",
        "--release",
        "--locked",
        "--quiet",
        "--package",
        "runbound-cli",
    ]))? {
        bail!("the release binary does not build");
    }
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let programs = Programs {
        ours: repo::target()
            .join("release")
            .join(format!("runbound{}", std::env::consts::EXE_SUFFIX)),
        peer: setup::peer()?,
        threads,
        scratch: setup::scratch("bench")?,
    };
    let mut rows = Vec::new();
    for tree in &trees {
        println!("{}: {} files", tree.title(), tree.files);
        if tree.copies > 1 {
            rows.push(over_budget(&programs, tree, rounds)?);
        } else {
            rows.extend(against_peer(&programs, tree, rounds)?);
        }
    }
    if wanted(EDITS) {
        rows.push(edits(&programs, rounds)?);
    }
    setup::clear_scratch()?;
    Ok(rows)
}

/// Cold with a literal, cold without, warm without, and peak memory of both cold searches.
fn against_peer(programs: &Programs, tree: &Tree, rounds: usize) -> Result<Vec<Row>> {
    let second = tree.second;
    let peer = |pattern: &str| programs.peer_search(&tree.folder, tree.language, pattern);
    let ours = |pattern: &str| programs.our_search(&tree.folder, tree.language, pattern);
    let mut times: [(Vec<f64>, Vec<f64>); 3] = Default::default();
    // The first round warms the page cache and is not counted.
    for round in 0..=rounds {
        let mut pairs = Vec::new();
        for pattern in [tree.literal, PLAIN] {
            pairs.push((measure::wall(&mut ours(pattern))?, measure::wall(&mut peer(pattern))?));
        }
        let calls = [search(tree.language, PLAIN), search(tree.language, second)];
        let results = measure::results(&mut programs.our_run(&tree.folder, &calls)?)?;
        pairs.push((measure::seconds(&results[1])?, measure::wall(&mut peer(second))?));
        if round > 0 {
            for (times, (a, b)) in times.iter_mut().zip(pairs) {
                times.0.push(a);
                times.1.push(b);
            }
        }
    }
    let mut rows = Vec::new();
    let [cold_literal, cold, warm, memory_literal, memory] = COLUMNS;
    let kinds = [
        (cold_literal, tree.literal, COLD_LITERAL),
        (cold, PLAIN, COLD_PLAIN),
        (warm, second, WARM),
    ];
    let named = format!("`{}`: {} of {}", tree.literal, tree.files_with_name()?, tree.files);
    for ((what, pattern, gate), (mine, theirs)) in kinds.into_iter().zip(&times) {
        let total = measure::results(&mut ours(pattern))?[0]["details"]["total"].clone();
        let lines = measure::lines(&mut peer(pattern))?;
        let note = match what == cold_literal {
            true => named.clone(),
            false => format!("`{pattern}`"),
        };
        rows.push(Row {
            what: what.to_string(),
            tree: tree.title(),
            ours: format!("{:.2} s, {total} matches", median(mine)),
            peer: format!("{:.2} s, {lines} matches", median(theirs)),
            ratio: median_ratio(mine, theirs),
            gate,
            note,
        });
        println!("  {what}: {:.2}", median_ratio(mine, theirs));
    }
    for (what, pattern) in [(memory_literal, tree.literal), (memory, PLAIN)] {
        let (mine, theirs) =
            (measure::peak_mib(&ours(pattern))?, measure::peak_mib(&peer(pattern))?);
        rows.push(Row {
            what: what.to_string(),
            tree: tree.title(),
            ours: format!("{mine:.0} MiB"),
            peer: format!("{theirs:.0} MiB"),
            ratio: mine / theirs,
            gate: MEMORY,
            note: String::new(),
        });
        println!("  {what}: {:.2}", mine / theirs);
    }
    Ok(rows)
}

/// A tree that is too large to be remembered: the second search against the same search cold.
fn over_budget(programs: &Programs, tree: &Tree, rounds: usize) -> Result<Row> {
    let (mut warm, mut cold) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let calls = [search(tree.language, PLAIN), search(tree.language, tree.second)];
        let both = measure::results(&mut programs.our_run(&tree.folder, &calls)?)?;
        let alone = measure::results(&mut programs.our_run(&tree.folder, &calls[1..])?)?;
        if round > 0 {
            warm.push(measure::seconds(&both[1])?);
            cold.push(measure::seconds(&alone[0])?);
        }
    }
    Ok(Row {
        what: "over the memory budget".to_string(),
        tree: tree.title(),
        ours: format!("{:.2} s", median(&warm)),
        peer: format!("{:.2} s", median(&cold)),
        ratio: median_ratio(&warm, &cold),
        gate: OVER_BUDGET,
        note: format!("`{}`", tree.second),
    })
}

/// Staging 10,000 replacements in 1,000 files against the search for them.
fn edits(programs: &Programs, rounds: usize) -> Result<Row> {
    let folder = sources::edit_tree()?;
    let call = json!({"tool": "ast_edit", "args": {"language": "rust", "pattern": "old_name($A)", "rewrite": "new_name($A)"}});
    let (mut staging, mut searching) = (Vec::new(), Vec::new());
    let mut replaced = json!(null);
    for round in 0..=rounds {
        let staged =
            measure::results(&mut programs.our_run(&folder, std::slice::from_ref(&call))?)?;
        let found =
            measure::results(&mut programs.our_run(&folder, &[search("rust", "old_name($A)")])?)?;
        replaced = staged[0]["details"]["replacements"].clone();
        if round > 0 {
            staging.push(measure::seconds(&staged[0])?);
            searching.push(measure::seconds(&found[0])?);
        }
    }
    Ok(Row {
        what: "staging an edit".to_string(),
        tree: format!("{EDITS}, 1,000 files"),
        ours: format!("{:.2} s", median(&staging)),
        peer: format!("{:.2} s", median(&searching)),
        ratio: median_ratio(&staging, &searching),
        gate: EDIT,
        note: format!("{replaced} replacements"),
    })
}
