//! `bench`: ratios against the peer, in interleaved rounds on this machine. Never part of continuous integration.

mod ast;
mod lsp;
mod measure;
mod report;
mod sources;

use crate::{repo, setup, sh};
use anyhow::{Context, Result, bail};
use report::Row;
use std::fs;

/// `bench ast|core|lsp [--rounds N] [--only TREE,TREE] [--write]`.
pub(crate) fn run(args: &[String]) -> Result<bool> {
    let options = Options::read(args)?;
    let rows = match options.what.as_str() {
        "ast" => ast::run(options.rounds, &options.only)?,
        "lsp" => lsp::run(options.rounds, &options.only)?,
        _ => core()?,
    };
    println!("{}", report::table(&rows));
    if options.write {
        let page = repo::root().join("docs").join("performance.md");
        let old = fs::read_to_string(&page).with_context(|| format!("{}", page.display()))?;
        let text = match options.what.as_str() {
            "ast" => report::page(report::marked(&old, "ast"), &rows, &setting(options.rounds)),
            "lsp" => lsp::page(&rows, options.rounds),
            _ => core_sentence(&rows[0]),
        };
        fs::write(&page, report::between_markers(&old, &options.what, &text)?)?;
    }
    Ok(rows.iter().all(Row::passes))
}

#[derive(Debug)]
struct Options {
    what: String,
    rounds: usize,
    /// Trees, all if empty.
    only: Vec<String>,
    write: bool,
}

impl Options {
    fn read(args: &[String]) -> Result<Self> {
        let mut options =
            Options { what: String::new(), rounds: 5, only: Vec::new(), write: false };
        let mut words = args.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "ast" | "core" | "lsp" if options.what.is_empty() => options.what = word.clone(),
                "--write" => options.write = true,
                "--rounds" => {
                    options.rounds = words.next().context("--rounds needs a number")?.parse()?;
                }
                "--only" => {
                    let names = words.next().context("--only needs trees")?;
                    options.only = names.split(',').map(str::to_string).collect();
                }
                other => bail!(
                    "bench: what is {other:?}? (ast|core|lsp [--rounds N] [--only TREE,TREE] [--write])"
                ),
            }
        }
        if options.what.is_empty() || options.rounds == 0 {
            bail!("bench ast|core|lsp [--rounds N] [--only TREE,TREE] [--write]");
        }
        Ok(options)
    }
}

/// The machine and the method, in one line.
fn setting(rounds: usize) -> String {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let toolchain = sh::stdout(sh::command("rustc").arg("--version")).unwrap_or_default();
    let toolchain = toolchain.split(" (").next().unwrap_or_default().trim();
    let peer = format!("{} {}", setup::catalog::PEER.name, setup::catalog::PEER.version);
    format!(
        "{cores} cores, {toolchain}, medians of {rounds} interleaved rounds, peer {peer}, ratio ours / peer"
    )
}

/// The core's figure as the page says it.
fn core_sentence(row: &Row) -> String {
    format!(
        "Median {} µs a call in release (limit {} µs), by the example `pipeline_cost` of tool-core.",
        row.ours, row.gate
    )
}

/// The cost of a no-op tool through the whole pipeline, as the core's own example measures it.
fn core() -> Result<Vec<Row>> {
    let text = sh::stdout(sh::cargo().args([
        "run",
        "--release",
        "--quiet",
        "--locked",
        "--package",
        "tool-core",
        "--example",
        "pipeline_cost",
    ]))?;
    let nanoseconds =
        report::median_nanoseconds(&text).with_context(|| format!("no median in {text:?}"))?;
    Ok(vec![Row {
        what: "a no-op tool through the pipeline, µs".to_string(),
        tree: String::new(),
        ours: format!("{:.2}", nanoseconds / 1000.0),
        peer: String::new(),
        ratio: nanoseconds / 1000.0,
        gate: 5.0,
        note: String::new(),
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_options() {
        let read = |text: &str| {
            Options::read(&text.split_whitespace().map(str::to_string).collect::<Vec<_>>())
        };
        let options = read("ast --rounds 3 --only rust,edits --write").unwrap();
        assert_eq!((options.rounds, options.write), (3, true));
        assert_eq!(options.only, ["rust", "edits"]);
        for bad in ["", "ast core", "ast --rounds", "ast --rounds 0", "asd"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
