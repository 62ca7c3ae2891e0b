//! The project's own checks: cargo, tsc, pyright, go and the like, run as their own processes.

mod detect;
mod parse;
mod plan;
mod report;
mod run;
mod traces;
mod verdict;

use std::path::PathBuf;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tool_core::{CallCx, Progress, ToolError};
use tool_wire::Finder;
use tool_workspace::Root;

use crate::check::plan::{Ground, Plan, Planned};
use crate::check::traces::Traces;
use crate::check::verdict::Verdict;
use crate::config::LspConfig;
use crate::diagnostics::Diagnostic;
use crate::error::LspError;
use crate::find::search_path;
use crate::supervisor::Supervisor;

pub(crate) use report::{Check, CheckReport};

/// How long one check may take.
const LIMIT: Duration = Duration::from_secs(120);
/// How many run at once.
const AT_ONCE: usize = 2;

/// Runs every check that the project asks for, and tells of those that could not be run.
///
/// # Errors
/// The root cannot be walked, or the call was stopped; what was started is killed then.
pub(crate) async fn check_all(sup: &Supervisor, cx: &CallCx) -> Result<CheckReport, LspError> {
    let say = |text: String| cx.progress(Progress::Text(text));
    let scratch = sup.scratch().join("checks");
    let work = all(sup.root(), sup.config(), sup.trusted(), scratch, &say);
    cx.or_cancelled(work).await?
}

async fn all(
    root: &Root,
    config: &LspConfig,
    trusted: bool,
    scratch: PathBuf,
    say: &(dyn Fn(String) + Sync),
) -> Result<CheckReport, LspError> {
    // A walk that nobody waits for any more is told to stop.
    let stop = CancellationToken::new();
    let _stop = stop.clone().drop_guard();
    let walk = {
        let (root, scratch) = (root.clone(), scratch.clone());
        move || {
            let made = std::fs::create_dir_all(&scratch).map_err(|error| {
                let folder = scratch.display();
                ToolError::failed(format!(
                    "{folder}, for what checks write, cannot be made: {error}"
                ))
            });
            made?;
            Ok::<_, LspError>(detect::detect(&root, &|| stop.is_cancelled())?)
        }
    };
    let walk = tokio::task::spawn_blocking(walk).await;
    let jobs = walk.map_err(|error| LspError::from(ToolError::internal(error)))??;
    let path = search_path(config, root.path(), trusted);
    let finder = Finder::with_path(&path);
    let ground = Ground { root: root.path(), trusted, scratch, finder: &finder, path };
    let planned = plan::plans(&jobs, &ground).await;
    let names: Vec<&str> = planned.iter().flatten().map(|plan| plan.id).collect();
    if !names.is_empty() {
        say(format!("running {}", names.join(", ")));
    }
    let checks = stream::iter(planned).map(|planned| one(planned, root)).buffered(AT_ONCE);
    Ok(CheckReport { checks: checks.collect().await })
}

/// Runs one check.
async fn one(planned: Planned, root: &Root) -> Check {
    let plan = match planned {
        Ok(plan) => plan,
        Err(skip) => {
            return Check {
                id: skip.id,
                root: root.relative(&skip.root),
                verdict: Verdict::Skipped { code: skip.code, why: skip.why },
                command: String::new(),
                took: Duration::ZERO,
                diagnostics: Vec::new(),
                notes: Vec::new(),
            };
        }
    };
    let start = Instant::now();
    let _traces = Traces::of(&plan.traces);
    let (mut diagnostics, verdict) = steps(&plan, start + LIMIT).await;
    diagnostics.retain(Diagnostic::counts);
    let mut notes = plan.notes;
    if matches!(&verdict, Verdict::Failed { why } if why.contains("offline")) {
        notes.push("nothing is downloaded here: fetch what it needs first (`cargo fetch`)".into());
    }
    Check {
        id: plan.id,
        root: root.relative(&plan.root),
        verdict,
        command: plan.steps.first().map_or_else(String::new, |(command, _)| command.shown()),
        took: start.elapsed(),
        diagnostics,
        notes,
    }
}

/// Runs the commands of a check until one cannot be believed.
async fn steps(plan: &Plan, until: Instant) -> (Vec<Diagnostic>, Verdict) {
    let mut found = Vec::new();
    for (command, format) in &plan.steps {
        let ran = match run::run(command, until, LIMIT).await {
            Ok(ran) => ran,
            Err(why) => return (found, Verdict::Failed { why }),
        };
        let parsed = parse::parse(format, &ran.stdout, &ran.stderr, &command.dir);
        let doubt = verdict::doubt(&ran, &parsed, plan.fails_on_warnings);
        found.extend(parsed);
        parse::once(&mut found);
        if doubt.is_some() {
            let verdict = verdict::verdict(&found, doubt);
            return (found, verdict);
        }
    }
    let verdict = verdict::verdict(&found, None);
    (found, verdict)
}

#[cfg(test)]
mod tests;
