//! Diagnostics on write: what a write has broken is said in its own result.
//!
//! Before the write the baseline is taken; after it the servers are told of all its files at once, and what they say then
//! is compared. The write never fails, changes or waits beyond its budget because of it.

mod after;
mod before;
mod compose;
mod files;
mod late;
mod others;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::task::AbortHandle;
use tool_core::{
    Access, Args, CallCx, Layer, Next, RunScope, Targets, Tier, ToolError, ToolOutput, ToolSpec,
};

use crate::deferred::Deferred;
use crate::ledger::Ledger;
use crate::supervisor::Supervisor;
use before::Before;
use compose::Report;

/// Says in the result of every tool that writes files what the write has broken, whoever owns the tool. Cheap to clone;
/// clones share what the run knows.
///
/// What could not be said in time is said with a later result, whatever its tool, once, and only if the file still has the
/// same content.
#[derive(Clone)]
pub struct DiagnosticsLayer {
    run: Arc<Run>,
}

/// What one run knows.
pub(crate) struct Run {
    sup: Supervisor,
    ledger: Mutex<Ledger>,
    deferred: Mutex<Deferred>,
    /// Verdicts that are still waited for, by file and server: a newer write of the file ends the wait.
    jobs: Mutex<HashMap<(PathBuf, String), AbortHandle>>,
    /// How far what each server said unasked has been looked at, by its generation.
    seen: Mutex<HashMap<u64, u64>>,
    /// Files that are to be looked at again, by generation: a server spoke of them and could not be asked then.
    again: Mutex<HashSet<(u64, PathBuf)>>,
    /// Reasons that were said already: each is said once.
    said: Mutex<HashSet<String>>,
    /// Baselines of writes that a host makes by itself.
    host: Mutex<HashMap<PathBuf, Arc<Before>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DiagnosticsLayer {
    /// Over the servers of a run.
    pub(crate) fn new(sup: Supervisor) -> Self {
        Self {
            run: Arc::new(Run {
                sup,
                ledger: Mutex::default(),
                deferred: Mutex::default(),
                jobs: Mutex::default(),
                seen: Mutex::default(),
                again: Mutex::default(),
                said: Mutex::default(),
                host: Mutex::default(),
            }),
        }
    }

    /// For a host whose write tools are its own: takes the baseline of files that it is about to write. Bounded by a second
    /// or so; paths from the root, or absolute. Why there is none, where no server runs that could say it.
    pub async fn writing(&self, paths: &[String]) -> Option<String> {
        let files = self.located(paths);
        let before = Arc::new(before::take(&self.run, &files).await);
        let known = {
            let ledger = lock(&self.run.ledger);
            files.iter().any(|file| ledger.knows_any(file))
        };
        let mut host = lock(&self.run.host);
        for file in files {
            host.insert(file, Arc::clone(&before));
        }
        (!known).then(|| "no language server can say yet what is wrong before the write".to_owned())
    }

    /// For a host whose write tools are its own: it has written these files. The details that a write tool's result would
    /// have; without [`writing`](Self::writing) before it, the current diagnostics.
    pub async fn written(&self, scope: &Arc<RunScope>, paths: &[String]) -> Map<String, Value> {
        let files = self.located(paths);
        let befores: Vec<Arc<Before>> = {
            let mut host = lock(&self.run.host);
            files.iter().filter_map(|file| host.remove(file)).collect()
        };
        let before = Before::joined(&befores);
        let late = late::due(&self.run).await;
        let report = after::look(&self.run, scope, &before, &files).await;
        let mut details = Map::new();
        compose::details(&self.run, &report, &late, &mut details);
        details
    }

    fn located(&self, paths: &[String]) -> Vec<PathBuf> {
        let root = self.run.sup.root();
        // What lies outside is no matter of the run's servers.
        paths
            .iter()
            .filter_map(|p| root.resolve_new(p).ok())
            .map(|at| at.path().to_owned())
            .collect()
    }
}

impl Run {
    fn display(&self, path: &Path) -> String {
        self.sup.root().relative(path)
    }

    /// True the first time.
    fn say_once(&self, reason: &str) -> bool {
        lock(&self.said).insert(reason.to_owned())
    }
}

/// The file as the disk has it, though it may be gone or not be there yet.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent().and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[async_trait]
impl Layer for DiagnosticsLayer {
    /// All: what comes late is said with whatever result is next.
    fn applies(&self, _spec: &ToolSpec) -> bool {
        self.run.sup.config().diagnostics_on_write
    }

    async fn around(
        &self,
        cx: &CallCx,
        args: &Args,
        next: Next<'_>,
    ) -> Result<ToolOutput, ToolError> {
        let run = &self.run;
        // Of the content before this write: after it that would be outdated.
        let mut late = late::due(run).await;
        let before = match cx.targets(args) {
            Targets::Paths(paths) if cx.spec().tier == Tier::Write => {
                let files: Vec<PathBuf> = paths.iter().map(|path| real(path)).collect();
                // A call that is told to stop meanwhile goes on to its tool, which knows what to do.
                cx.or_cancelled(before::take(run, &files)).await.unwrap_or_default()
            }
            _ => Before::default(),
        };
        let mut output = next.run().await?;
        let mut written = written(cx, &output);
        if written.is_empty() && cx.spec().tier == Tier::Write {
            // A tool that does not say what it wrote: what it said that it would, as far as that has changed.
            written = before.files.iter().map(|old| old.path.clone()).collect();
        }
        let report = if written.is_empty() {
            late.extend(late::due(run).await);
            Report::default()
        } else {
            let look = after::look(run, cx.scope(), &before, &written);
            cx.or_cancelled(look).await.unwrap_or_else(|_| Report::stopped())
        };
        compose::into(run, &report, &late, &mut output);
        Ok(output)
    }
}

/// The files that a result says were written, each once.
fn written(cx: &CallCx, output: &ToolOutput) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for touched in output.touched.iter().filter(|touched| touched.access == Access::Written) {
        let file = real(&cx.workspace().root().join(&touched.path));
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files
}
