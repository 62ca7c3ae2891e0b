//! Runs our binary and the peer's and takes wall time and peak memory.

use crate::sh;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The two programs.
pub(crate) struct Programs {
    pub(crate) ours: PathBuf,
    pub(crate) peer: PathBuf,
    pub(crate) threads: usize,
    /// A folder for scripts and state.
    pub(crate) scratch: PathBuf,
}

impl Programs {
    /// The peer's search of a tree, all matches as JSON lines.
    pub(crate) fn peer_search(&self, tree: &Path, language: &str, pattern: &str) -> Command {
        let mut command = sh::command(&self.peer);
        command.args(["run", "--json=stream", "--lang", language, "--pattern", pattern]);
        command.args(["--threads", &self.threads.to_string()]).arg(tree);
        command
    }

    /// Our search as one process that remembers nothing, as the peer's.
    pub(crate) fn our_search(&self, tree: &Path, language: &str, pattern: &str) -> Command {
        let args = json!({"language": language, "pattern": pattern}).to_string();
        let mut command = sh::command(&self.ours);
        command.args(["call", "ast_grep", &args, "--json", "--root"]).arg(tree);
        command.arg("--state-dir").arg(self.scratch.join("state"));
        command
    }

    /// Our calls of one tool each, one process, one run.
    pub(crate) fn our_run(&self, tree: &Path, calls: &[Value]) -> Result<Command> {
        let script = self.scratch.join("script.jsonl");
        fs::write(&script, calls.iter().map(|call| format!("{call}\n")).collect::<String>())?;
        let mut command = sh::command(&self.ours);
        command
            .arg("run")
            .arg(script)
            .arg("--root")
            .arg(tree)
            .arg("--state-dir")
            .arg(self.scratch.join("state"));
        Ok(command)
    }
}

/// A search as a call of ours.
pub(crate) fn search(language: &str, pattern: &str) -> Value {
    json!({"tool": "ast_grep", "args": {"language": language, "pattern": pattern}})
}

/// Seconds of wall time of a whole process whose output goes nowhere.
pub(crate) fn wall(command: &mut Command) -> Result<f64> {
    let started = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    // The peer says by its status that nothing was found.
    if status.code().is_none_or(|code| code > 1) {
        bail!("{} ended with {status}", sh::show(command));
    }
    Ok(started.elapsed().as_secs_f64())
}

/// The result objects of a run of ours.
pub(crate) fn results(command: &mut Command) -> Result<Vec<Value>> {
    let text = sh::stdout(command)?;
    let results: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if let Some(bad) = results.iter().find(|result| result["ok"] != true) {
        bail!("a call failed: {}", bad["error"]);
    }
    Ok(results)
}

/// What a call of ours took, in seconds, as its result object says.
pub(crate) fn seconds(result: &Value) -> Result<f64> {
    Ok(result["elapsed_ms"].as_f64().context("a result without elapsed_ms")? / 1000.0)
}

/// How many lines a command prints.
pub(crate) fn lines(command: &mut Command) -> Result<usize> {
    let out = command.stderr(Stdio::null()).output()?;
    Ok(out.stdout.iter().filter(|byte| **byte == b'\n').count())
}

/// Peak resident memory of a command in MiB, as the kernel accounts it to a child that has ended.
/// Python asks for it, since the standard library here cannot; its own few MiB are the least that can be seen.
pub(crate) fn peak_mib(command: &Command) -> Result<f64> {
    const WRAPPER: &str = "import resource,subprocess,sys
subprocess.run(sys.argv[1:],stdin=subprocess.DEVNULL,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
    let mut python = sh::command("python3");
    python.args(["-c", WRAPPER]).arg(command.get_program()).args(command.get_args());
    Ok(sh::stdout(&mut python)?.trim().parse::<f64>()? / 1024.0)
}
