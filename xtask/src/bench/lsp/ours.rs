//! Our side: an example program of `tool-lsp` that makes calls and times them.

use super::cases::Case;
use super::toolbox;
use crate::sh;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

pub(super) struct Ours<'a> {
    case: &'a Case,
    root: PathBuf,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl<'a> Ours<'a> {
    pub(super) fn start(case: &'a Case, program: &Path, root: &Path, state: &Path) -> Result<Self> {
        let system = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(toolbox().join("bin")).chain(std::env::split_paths(&system));
        let mut child = sh::command(program)
            .arg(root)
            .arg(state)
            .arg(case.server)
            .arg(std::env::join_paths(folders)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().context("piped")?);
        Ok(Self { case, root: root.to_path_buf(), child, input, output })
    }

    fn call(&mut self, tool: &str, args: &Value) -> Result<Value> {
        let input = self.input.as_mut().context("open")?;
        writeln!(input, "{}", json!({ "tool": tool, "args": args }))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let result: Value = serde_json::from_str(&line)?;
        if result["ok"] != true {
            bail!("{tool}: {}", result["text"]);
        }
        Ok(result)
    }

    /// Waits until the server is ready, by a question that waits for that.
    pub(super) fn until_ready(&mut self) -> Result<()> {
        self.call("lsp", &json!({ "action": "diagnostics", "file": self.case.file }))?;
        self.broken().map(drop)
    }

    /// Milliseconds of a hover.
    pub(super) fn hover(&mut self) -> Result<f64> {
        let text = fs::read_to_string(self.root.join(self.case.file))?;
        let (line, _) = self.case.place(&text)?;
        let args = json!({ "action": "hover", "file": self.case.file, "line": line, "symbol": self.case.hover.1 });
        let result = self.call("lsp", &args)?;
        result["elapsed_ms"].as_f64().context("a time")
    }

    /// Milliseconds from telling the server of a broken line to the verdict that names it. It is mended afterwards.
    pub(super) fn broken(&mut self) -> Result<f64> {
        let (anchor, broken) =
            (self.case.anchor, format!("{}{}", self.case.broken, self.case.anchor));
        let edit = |old: &str, new: &str| json!({ "path": self.case.file, "old": old, "new": new });
        let (breaks, mends) = (edit(anchor, &broken), edit(&broken, anchor));
        let result = self.call("edit", &breaks)?;
        if !result["details"]["diagnostics"].to_string().contains(self.case.says) {
            bail!("{}: the verdict lacks what is wrong: {}", self.case.server, result["text"]);
        }
        let took = result["details"]["verdict_ms"].as_f64().context("a time")?;
        self.call("edit", &mends)?;
        Ok(took)
    }
}

impl Drop for Ours<'_> {
    fn drop(&mut self) {
        // The end of its input ends it, and with it its servers.
        self.input = None;
        let _ = self.child.wait();
    }
}
