//! `bench lsp`: what our client adds to a request, and how soon a verdict after a write is there, against a bare client
//! that sends the same requests to the same server.

mod bare;
mod cases;
mod ours;

use super::report::{Row, median};
use crate::{repo, setup, sh};
use anyhow::{Result, bail};
use bare::Bare;
use cases::{CASES, Case};
use ours::Ours;
use std::path::{Path, PathBuf};

/// What our client may add to a request, in milliseconds.
const OVERHEAD: f64 = 2.0;
/// How much later than with the bare client a verdict may be there: the larger of the two.
const LATER: f64 = 1.1;
const LATER_MS: f64 = 10.0;

/// Pairs of processes, ours and the bare client's.
const SESSIONS: usize = 3;
/// Rounds that are not measured.
const WARM: usize = 5;

/// All rows, server by server; `only` picks some (all if empty).
pub(crate) fn run(rounds: usize, only: &[String]) -> Result<Vec<Row>> {
    if let Some(unknown) = only.iter().find(|only| !CASES.iter().any(|c| c.server == **only)) {
        let names: Vec<&str> = CASES.iter().map(|case| case.server).collect();
        bail!("no server {unknown:?}; there are {}", names.join(", "));
    }
    println!("building the release example");
    let build = "build --release --locked --quiet --package tool-lsp --example lsp_calls";
    if !sh::ok(sh::cargo().args(build.split(' ')))? {
        bail!("the example does not build");
    }
    let program = repo::target().join("release/examples/lsp_calls");
    let mut rows = Vec::new();
    for case in CASES.iter().filter(|c| only.is_empty() || only.iter().any(|o| o == c.server)) {
        if !toolbox().join("bin").join(case.program[0]).exists() && !on_path(case.program[0]) {
            println!("{}: not installed, left out", case.server);
            continue;
        }
        println!("{}", case.server);
        rows.extend(one(case, &program, rounds)?);
    }
    Ok(rows)
}

fn toolbox() -> PathBuf {
    std::env::var_os("RUNBOUND_TOOLBOX")
        .map_or_else(|| repo::target().join("toolbox"), PathBuf::from)
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).exists())
}

/// What one pair of processes took, in milliseconds a round.
#[derive(Default)]
struct Times {
    their_hovers: Vec<f64>,
    our_hovers: Vec<f64>,
    their_verdicts: Vec<f64>,
    our_verdicts: Vec<f64>,
}

fn session(case: &Case, program: &Path, rounds: usize, times: &mut Times) -> Result<()> {
    let scratch = setup::scratch("bench-lsp")?;
    let mut bare = Bare::start(case, &case.project(&scratch.join("bare"))?)?;
    let root = case.project(&scratch.join("ours"))?;
    let mut ours = Ours::start(case, program, &root, &scratch.join("state"))?;
    bare.until_right()?;
    ours.until_ready()?;
    // Servers on a virtual machine run faster after a while: not measured.
    for _ in 0..WARM {
        bare.hover()?;
        ours.hover()?;
        bare.broken()?;
        ours.broken()?;
    }
    // In turn, so that both see the same machine.
    for _ in 0..rounds {
        times.their_hovers.push(bare.hover()?);
        times.our_hovers.push(ours.hover()?);
        times.their_verdicts.push(bare.broken()?);
        times.our_verdicts.push(ours.broken()?);
    }
    Ok(())
}

fn one(case: &Case, program: &Path, rounds: usize) -> Result<Vec<Row>> {
    let mut times = Times::default();
    // Two processes of one server differ by more than two rounds of one process do.
    for _ in 0..SESSIONS {
        session(case, program, rounds, &mut times)?;
    }
    let (their_hover, my_hover) = (median(&times.their_hovers), median(&times.our_hovers));
    let (their_verdict, my_verdict) = (median(&times.their_verdicts), median(&times.our_verdicts));
    let allowed = (their_verdict * LATER).max(their_verdict + LATER_MS);
    let ms = |value: f64| format!("{value:.1} ms");
    Ok(vec![
        Row {
            what: "added to a request".into(),
            tree: case.server.into(),
            ours: ms(my_hover),
            peer: ms(their_hover),
            ratio: my_hover - their_hover,
            gate: OVERHEAD,
            note: "difference in ms".into(),
        },
        Row {
            what: "verdict after a write".into(),
            tree: case.server.into(),
            ours: ms(my_verdict),
            peer: ms(their_verdict),
            ratio: my_verdict / their_verdict.max(0.001),
            gate: (allowed / their_verdict.max(0.001) * 100.0).round() / 100.0,
            note: "gate: 1.1 or 10 ms more".into(),
        },
    ])
}

/// The rows as the page shows them.
pub(crate) fn page(rows: &[Row], rounds: usize) -> String {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let mut lines = vec![
        format!(
            "{cores} cores, medians of {rounds} interleaved rounds in each of {SESSIONS} pairs of processes. Bold figures miss their gate."
        ),
        String::new(),
        "| server | hover: bare | ours | added (≤ 2 ms) | verdict: bare | ours | ratio | gate |"
            .into(),
        "| --- | --- | --- | --- | --- | --- | --- | --- |".into(),
    ];
    for pair in rows.chunks(2) {
        let [hover, verdict] = pair else { continue };
        let mark =
            |row: &Row, text: String| if row.passes() { text } else { format!("**{text}**") };
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            hover.tree,
            hover.peer,
            hover.ours,
            mark(hover, format!("{:.1} ms", hover.ratio)),
            verdict.peer,
            verdict.ours,
            mark(verdict, format!("{:.2}", verdict.ratio)),
            verdict.gate,
        ));
    }
    lines.join("\n")
}
