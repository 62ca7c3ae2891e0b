//! A project to work in, the binary as a child, and a host that speaks to `serve`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Nothing in these tests takes longer; a test that waits this long has failed.
pub(crate) const LONG: Duration = Duration::from_secs(30);

/// A folder with files, and a state folder beside it.
pub(crate) struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(project.root()).unwrap();
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.dir.path().join("state")
    }

    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap()
    }

    /// The binary, in this project.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = bare(words);
        command.arg("--root").arg(self.root()).arg("--state-dir").arg(self.state());
        command
    }

    /// Runs the binary to its end.
    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        Ran::of(self.command(words).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs the binary with something on its standard input.
    pub(crate) fn run_with(&self, words: &[&str], input: &str) -> Ran {
        let mut command = self.command(words);
        let mut child = piped(&mut command);
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // A thread, so that neither side waits for the other's pipe.
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(input.as_bytes());
        });
        let ran = Ran::of(child.wait_with_output().unwrap());
        writer.join().unwrap();
        ran
    }

    /// Makes one call; gives its result object.
    pub(crate) fn call(&self, tool: &str, args: &Value) -> Value {
        let ran = self.run(&["call", tool, &args.to_string(), "--json"]);
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    }
}

/// A project that keeps a search busy for longer than any signal or cancel takes.
pub(crate) fn endless() -> Project {
    let line = "value = first(second(third(fourth(a, b), c), d), e)\n";
    let project = Project::new(&[("f0.py", &line.repeat(20_000))]);
    // One file under many names: 120 MB to search, 1 MB on the disk.
    for n in 1..120 {
        std::fs::hard_link(project.root().join("f0.py"), project.root().join(format!("f{n}.py")))
            .unwrap();
    }
    project
}

/// The binary without a project.
pub(crate) fn bare(words: &[&str]) -> Command {
    #[expect(clippy::disallowed_methods, reason = "these tests drive the real binary")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_runbound"));
    command.args(words).env_remove("NO_COLOR");
    command
}

/// Starts it with all three streams piped.
pub(crate) fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What came of a run of the binary.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The lines of the output as JSON.
    pub(crate) fn objects(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Waits for a process, but not for ever.
pub(crate) fn wait(mut child: Child, within: Duration) -> ExitStatus {
    let (done, ended) = channel();
    let id = child.id();
    std::thread::spawn(move || done.send(child.wait()));
    match ended.recv_timeout(within) {
        Ok(status) => status.unwrap(),
        Err(_) => {
            signal(id, "KILL");
            panic!("the process has not ended within {within:?}");
        }
    }
}

/// Sends a signal to one process.
pub(crate) fn signal(id: u32, name: &str) {
    #[expect(clippy::disallowed_methods, reason = "these tests drive real processes")]
    let status = Command::new("kill").arg(format!("-{name}")).arg(id.to_string()).status().unwrap();
    assert!(status.success());
}

/// A host: `serve` with its pipes in our hands.
pub(crate) struct Host {
    child: Option<Child>,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    /// Messages that were read while another one was looked for.
    passed: Vec<Value>,
}

impl Host {
    pub(crate) fn start(project: &Project, flags: &[&str]) -> Self {
        let mut words = vec!["serve"];
        words.extend(flags);
        let mut child = piped(&mut project.command(&words));
        let stdin = child.stdin.take();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let (sender, errors) = channel();
        let mut stderr = child.stderr.take().unwrap();
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            let _ = sender.send(text);
        });
        Self { child: Some(child), stdin, lines, errors, passed: Vec::new() }
    }

    /// Starts and initializes; `more` goes into the parameters.
    pub(crate) fn ready(project: &Project, more: Value) -> Self {
        let mut host = Self::start(project, &[]);
        let mut params = json!({"protocol_version": 1, "root": project.root(), "conversation_id": "c1", "tier": "exec"});
        for (key, value) in more.as_object().unwrap() {
            params[key] = value.clone();
        }
        let reply = host.request(json!(0), "initialize", params);
        assert!(reply.get("result").is_some(), "{reply}");
        host
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a request and does not wait.
    pub(crate) fn ask(&mut self, id: Value, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and waits for its reply.
    pub(crate) fn request(&mut self, id: Value, method: &str, params: Value) -> Value {
        self.ask(id.clone(), method, params);
        self.reply(&id)
    }

    /// Starts a call.
    pub(crate) fn start_call(&mut self, id: Value, name: &str, arguments: Value) {
        self.ask(id, "tools/call", json!({"name": name, "arguments": arguments}));
    }

    /// Makes a call; gives its result object.
    pub(crate) fn call(&mut self, id: Value, name: &str, arguments: Value) -> Value {
        let mut reply =
            self.request(id, "tools/call", json!({"name": name, "arguments": arguments}));
        assert!(reply.get("result").is_some(), "{reply}");
        reply["result"].take()
    }

    /// Waits for the reply with this id.
    pub(crate) fn reply(&mut self, id: &Value) -> Value {
        self.find(|message| message.get("method").is_none() && message["id"] == *id)
    }

    /// Waits for a request or notification of the other side.
    pub(crate) fn asked(&mut self, method: &str) -> Value {
        self.find(|message| message["method"] == method)
    }

    /// The first message, read or yet to come, that fits; others are kept.
    pub(crate) fn find(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.passed.iter().position(&fits) {
            return self.passed.remove(at);
        }
        loop {
            let message = self
                .next()
                .unwrap_or_else(|| panic!("the output ended; before: {:?}", self.passed));
            if fits(&message) {
                return message;
            }
            self.passed.push(message);
        }
    }

    /// The next message; `None` at the end of the output.
    pub(crate) fn next(&mut self) -> Option<Value> {
        match self.lines.recv_timeout(LONG) {
            Ok(line) => {
                Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing came; before: {:?}", self.passed),
        }
    }

    /// Everything that is still to come, to the end of the output.
    pub(crate) fn rest(&mut self) -> Vec<Value> {
        let mut rest = std::mem::take(&mut self.passed);
        rest.extend(std::iter::from_fn(|| self.next()));
        rest
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// Waits for the end of the process; gives its exit code and what it logged.
    pub(crate) fn end(mut self, within: Duration) -> (Option<i32>, String) {
        let status = wait(self.child.take().unwrap(), within);
        (status.code(), self.errors.recv_timeout(LONG).unwrap_or_default())
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
