//! Fault verbs: what a fake other side does when a message arrives. Pure.

use serde_json::{Value, json};

/// One thing that a fake does.
#[derive(Debug, Clone, PartialEq)]
pub enum Verb {
    /// Answers the message.
    Reply(Value),
    /// Answers it with an error.
    Error(i64, String),
    /// Answers it twice.
    Twice(Value),
    /// Answers a request that nobody made.
    UnknownId(Value),
    /// Does not answer until [`Verb::Release`].
    Hold,
    /// Answers what was held, the latest first, each with the name of its method.
    Release,
    /// Sends an event.
    Event(String, Value),
    /// Makes a call, numbered like the message itself.
    Call(String, Value),
    /// Writes text that is no message.
    Noise(String),
    /// Writes the next frame in pieces of so many bytes.
    Split(usize),
    /// Writes the next frame together with the one after it.
    Glue,
    /// Announces the next frame so many bytes longer than it is (shorter, if negative).
    BadLength(i64),
    /// Sends a frame whose body is not UTF-8.
    BadUtf8,
    /// Does nothing for so many milliseconds.
    Wait(u64),
    /// Reads no more, and stays.
    Hang,
    /// Closes its output and stays.
    CloseOutput,
    /// Closes its input and stays. Of a process only.
    CloseInput,
    /// Writes so many bytes to its error stream, without a newline. Of a process only.
    Stderr(usize),
    /// Writes a line to its error stream. Of a process only.
    Complain(String),
    /// Ends with a code. In memory: closes both directions.
    Exit(i64),
    /// Ends with a code in the middle of a frame.
    ExitMidFrame(i64),
    /// Does not end when asked to. Of a process only.
    IgnoreTerm,
    /// Does not end when its input is closed. Of a process only.
    IgnoreEof,
    /// Starts a process that lives long, in the same group. Of a process only.
    Grandchild,
    /// Starts one in a group of its own. Of a process only.
    GrandchildInItsOwnGroup,
    /// Starts one in a session of its own. Of a process only.
    GrandchildInItsOwnSession,
}

/// What a fake does at which message. A message without a step is answered with `null`.
#[derive(Debug, Clone, Default)]
pub struct Script {
    start: Vec<Verb>,
    steps: Vec<(String, Vec<Verb>)>,
}

impl Script {
    /// Answers everything with `null`.
    pub fn new() -> Self {
        Self::default()
    }

    /// What it does before the first message.
    pub fn start(mut self, verbs: impl IntoIterator<Item = Verb>) -> Self {
        self.start.extend(verbs);
        self
    }

    /// What it does at the next message of this method that no earlier step took. Each step is used once.
    pub fn on(mut self, method: &str, verbs: impl IntoIterator<Item = Verb>) -> Self {
        self.steps.push((method.to_string(), verbs.into_iter().collect()));
        self
    }

    pub(crate) fn take_start(&mut self) -> Vec<Verb> {
        std::mem::take(&mut self.start)
    }

    pub(crate) fn take(&mut self, method: &str) -> Option<Vec<Verb>> {
        let at = self.steps.iter().position(|(name, _)| name == method)?;
        Some(self.steps.remove(at).1)
    }

    /// The script as the fake server takes it.
    pub(crate) fn to_json(&self) -> Value {
        let verbs = |verbs: &[Verb]| verbs.iter().map(Verb::to_json).collect::<Vec<_>>();
        let steps: Vec<Value> =
            self.steps.iter().map(|(method, step)| json!([method, verbs(step)])).collect();
        json!({"start": verbs(&self.start), "steps": steps})
    }
}

impl Verb {
    fn to_json(&self) -> Value {
        match self {
            Verb::Reply(value) => json!(["reply", value]),
            Verb::Error(code, message) => json!(["error", code, message]),
            Verb::Twice(value) => json!(["twice", value]),
            Verb::UnknownId(value) => json!(["unknown_id", value]),
            Verb::Hold => json!(["hold"]),
            Verb::Release => json!(["release"]),
            Verb::Event(method, params) => json!(["event", method, params]),
            Verb::Call(method, params) => json!(["call", method, params]),
            Verb::Noise(text) => json!(["noise", text]),
            Verb::Split(bytes) => json!(["split", bytes]),
            Verb::Glue => json!(["glue"]),
            Verb::BadLength(by) => json!(["bad_length", by]),
            Verb::BadUtf8 => json!(["bad_utf8"]),
            Verb::Wait(ms) => json!(["wait", ms]),
            Verb::Hang => json!(["hang"]),
            Verb::CloseOutput => json!(["close_output"]),
            Verb::CloseInput => json!(["close_input"]),
            Verb::Stderr(bytes) => json!(["stderr", bytes]),
            Verb::Complain(line) => json!(["complain", line]),
            Verb::Exit(code) => json!(["exit", code]),
            Verb::ExitMidFrame(code) => json!(["exit_mid_frame", code]),
            Verb::IgnoreTerm => json!(["ignore_term"]),
            Verb::IgnoreEof => json!(["ignore_eof"]),
            Verb::Grandchild => json!(["grandchild"]),
            Verb::GrandchildInItsOwnGroup => json!(["grandchild_group"]),
            Verb::GrandchildInItsOwnSession => json!(["grandchild_session"]),
        }
    }
}
