//! A client that does no more than it must: sends, and reads until what it waits for is there.

use super::cases::{Case, Way};
use super::toolbox;
use crate::sh;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Nothing takes longer.
const LIMIT: Duration = Duration::from_secs(120);
/// A server that has said nothing for so long after a save is told of it again: some checks are lost when saves follow
/// each other quickly.
const AGAIN: Duration = Duration::from_secs(15);

pub(super) struct Bare<'a> {
    case: &'a Case,
    file: PathBuf,
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next: u64,
    version: u64,
    text: String,
    /// The last that was said unasked, by address.
    pushed: HashMap<String, Value>,
}

impl<'a> Bare<'a> {
    pub(super) fn start(case: &'a Case, root: &Path) -> Result<Self> {
        let program = toolbox().join("bin").join(case.program[0]);
        let program = if program.exists() { program } else { PathBuf::from(case.program[0]) };
        let mut child = sh::command(program)
            .args(&case.program[1..])
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().context("piped")?;
        let output = child.stdout.take().context("piped")?;
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(message)) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let file = root.join(case.file);
        let text = fs::read_to_string(&file)?;
        let mut bare = Self {
            case,
            file,
            child,
            input,
            messages,
            next: 0,
            version: 1,
            text,
            pushed: HashMap::new(),
        };
        bare.greet(root)?;
        Ok(bare)
    }

    fn greet(&mut self, root: &Path) -> Result<()> {
        let uri = address(root);
        self.ask("initialize", &json!({
            "processId": std::process::id(), "rootUri": uri,
            "workspaceFolders": [{ "uri": uri, "name": "project" }],
            "initializationOptions": {},
            "capabilities": {
                "workspace": { "configuration": true, "didChangeWatchedFiles": { "dynamicRegistration": true } },
                "textDocument": {
                    "hover": { "contentFormat": ["markdown"] },
                    "synchronization": { "didSave": true },
                    "publishDiagnostics": { "versionSupport": true },
                    "diagnostic": { "dynamicRegistration": true },
                },
                "window": { "workDoneProgress": true },
            },
        }))?;
        self.tell("initialized", &json!({}))?;
        let item = json!({ "uri": self.uri(), "languageId": self.case.language, "version": 1, "text": self.text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": item }))
    }

    fn uri(&self) -> String {
        address(&self.file)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        Ok(self.input.flush()?)
    }

    fn tell(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        loop {
            self.next += 1;
            let id = self.next;
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
            let answer = self.until(|message, _| {
                (message.get("method").is_none() && message["id"] == id).then(|| message.clone())
            })?;
            match answer["error"]["code"].as_i64() {
                None => return Ok(answer["result"].clone()),
                Some(-32801 | -32802) => {}
                Some(_) => bail!("{method}: {}", answer["error"]),
            }
        }
    }

    /// Takes messages, answers what is asked of us, until `found` is.
    fn until<T>(
        &mut self,
        found: impl Fn(&Value, &HashMap<String, Value>) -> Option<T>,
    ) -> Result<T> {
        self.within(LIMIT, found)
    }

    fn within<T>(
        &mut self,
        limit: Duration,
        found: impl Fn(&Value, &HashMap<String, Value>) -> Option<T>,
    ) -> Result<T> {
        let until = Instant::now() + limit;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).context("the server says nothing")?;
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().unwrap_or_default().to_string();
                self.pushed.insert(uri, message["params"]["diagnostics"].clone());
            } else if message.get("method").is_some() && message.get("id").is_some() {
                let result = match message["method"].as_str() {
                    Some("workspace/configuration") => {
                        let items = message["params"]["items"].as_array().map_or(0, Vec::len);
                        Value::Array(vec![Value::Null; items])
                    }
                    _ => Value::Null,
                };
                self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }))?;
            }
            if let Some(found) = found(&message, &self.pushed) {
                return Ok(found);
            }
        }
    }

    /// Tells the server of a text, as a client does that has written the file.
    fn change(&mut self, text: &str) -> Result<()> {
        fs::write(&self.file, text)?;
        self.text = text.to_string();
        self.version += 1;
        let uri = self.uri();
        let document = json!({ "uri": uri, "version": self.version });
        let changes = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.tell("textDocument/didChange", &changes)?;
        self.tell("textDocument/didSave", &json!({ "textDocument": { "uri": uri } }))
    }

    /// Waits until the diagnostics are there that name the broken line, or none does.
    fn until_said(&mut self, broken: bool) -> Result<()> {
        let says = self.case.says;
        let right = move |list: &Value| list.to_string().contains(says) == broken;
        let uri = self.uri();
        let until = Instant::now() + LIMIT;
        loop {
            let list = match self.case.way {
                Way::Push => {
                    if self.pushed.get(&uri).is_some_and(right) {
                        return Ok(());
                    }
                    let said = |_: &Value, pushed: &HashMap<String, Value>| {
                        pushed.iter().any(|(of, list)| same(of, &uri) && right(list)).then_some(())
                    };
                    match self.within(AGAIN, said) {
                        Err(error) if Instant::now() > until => return Err(error),
                        Err(_) => {
                            let saved = json!({ "textDocument": { "uri": uri } });
                            self.tell("textDocument/didSave", &saved)?;
                            continue;
                        }
                        Ok(()) => return Ok(()),
                    }
                }
                Way::Pull => {
                    self.ask("textDocument/diagnostic", &json!({ "textDocument": { "uri": uri } }))?
                }
                Way::Tsserver => self.ask(
                    "workspace/executeCommand",
                    &json!({
                        "command": "typescript.tsserverRequest",
                        "arguments": ["semanticDiagnosticsSync", { "file": self.file },
                            { "isAsync": false, "expectsResult": true }],
                    }),
                )?,
            };
            if right(&list) {
                return Ok(());
            }
            if Instant::now() > until {
                bail!("{}: {says:?} was never said", self.case.server);
            }
        }
    }

    /// Breaks and mends once, without looking at the time.
    pub(super) fn until_right(&mut self) -> Result<()> {
        self.broken().map(drop)
    }

    /// Milliseconds from `didChange` to the diagnostics that name the broken line. It is mended afterwards.
    pub(super) fn broken(&mut self) -> Result<f64> {
        let good = self.text.clone();
        let bad =
            good.replace(self.case.anchor, &format!("{}{}", self.case.broken, self.case.anchor));
        let begun = Instant::now();
        self.change(&bad)?;
        self.until_said(true)?;
        let took = begun.elapsed().as_secs_f64() * 1000.0;
        self.change(&good)?;
        self.until_said(false)?;
        Ok(took)
    }

    /// Milliseconds of a hover.
    pub(super) fn hover(&mut self) -> Result<f64> {
        let (line, character) = self.case.place(&self.text)?;
        let place = json!({ "line": line - 1, "character": character });
        let params = json!({ "textDocument": { "uri": self.uri() }, "position": place });
        let begun = Instant::now();
        self.ask("textDocument/hover", &params)?;
        Ok(begun.elapsed().as_secs_f64() * 1000.0)
    }
}

impl Drop for Bare<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The paths of the samples that are measured have nothing to escape.
fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn same(a: &str, b: &str) -> bool {
    a.replace("%20", " ") == b.replace("%20", " ")
}

fn read(output: &mut impl BufRead) -> Result<Option<Value>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() && length > 0 {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length:") {
            length = number.trim().parse()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)?))
}
