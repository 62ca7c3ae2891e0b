//! One session: takes the host's messages in order, runs its calls side by side, and ends cleanly.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use runbound::core::{CallRequest, CloseWhy, PermissionGate, Tier, Tool, ToolView};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::announced::{self, Announced};
use super::files;
use super::gate::HostGate;
use super::host::Host;
use super::host_tool::HostTool;
use super::init::{Asking, Initialize, PROTOCOL_VERSION};
use super::outbox::Outbox;
use super::phase::{Notice, Phase, Request, notice};
use super::progress;
use super::wire::{self, INTERNAL_ERROR, INVALID_REQUEST, Id, Incoming, RpcError, response};
use crate::args::{Common, Permissions};
use crate::exit::Exit;
use crate::lines::Line;
use crate::output::say;
use crate::signals::Interrupts;
use crate::tools_json::tools_json;
use crate::wiring::{NOT_BUILT, Run, Wiring};

/// At the end of input, calls that run may still finish for so long.
const GRACE: Duration = Duration::from_millis(1_500);
/// How long calls may take to end once they are cancelled; after that they are dropped.
const STOPPING: Duration = Duration::from_millis(1_700);
/// How long closing the run may take. With the two above and what is left to write, all is over in 5 s.
const CLOSING: Duration = Duration::from_secs(1);

/// The calls that run, by the id of their request.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<HashMap<Id, CancellationToken>>>);

impl Running {
    fn lock(&self) -> MutexGuard<'_, HashMap<Id, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a call; `None` when a call with this id runs already.
    fn open(&self, id: &Id) -> Option<CancellationToken> {
        let mut calls = self.lock();
        if calls.contains_key(id) {
            return None;
        }
        Some(calls.entry(id.clone()).or_default().clone())
    }

    fn cancel_all(&self) {
        self.lock().values().for_each(CancellationToken::cancel);
    }
}

/// Whether to go on reading.
enum Flow {
    On,
    Exit,
}

/// Why reading ended.
enum End {
    /// The host has said all it wanted: what runs may finish.
    Input,
    /// Stop now.
    Now(Exit),
}

pub(crate) struct Session {
    common: Common,
    outbox: Outbox,
    host: Host,
    phase: Phase,
    run: Option<Run>,
    /// What the host has announced.
    host_tools: Vec<Announced>,
    running: Running,
    tasks: JoinSet<()>,
    /// Calls that do not end are given up, with an answer of ours.
    dropped: CancellationToken,
}

impl Session {
    pub(crate) fn new(common: Common, outbox: Outbox) -> Self {
        Self {
            common,
            host: Host::new(outbox.clone()),
            outbox,
            phase: Phase::Fresh,
            run: None,
            host_tools: Vec::new(),
            running: Running::default(),
            tasks: JoinSet::new(),
            dropped: CancellationToken::new(),
        }
    }

    /// Takes messages until the end, then ends the run.
    pub(crate) async fn run(mut self, mut lines: mpsc::Receiver<Line>) -> Exit {
        let mut interrupts = Interrupts::new();
        let gone = self.outbox.gone().clone();
        let end = loop {
            let line = tokio::select! {
                line = lines.recv() => line,
                Some(_) = self.tasks.join_next(), if !self.tasks.is_empty() => continue,
                () = gone.cancelled() => break End::Now(Exit::Done),
                () = interrupts.next() => break End::Now(Exit::Failed),
            };
            let Some(line) = line else { break End::Input };
            // To answer a host that does not read may take for ever.
            tokio::select! {
                flow = self.take(&line) => if let Flow::Exit = flow {
                    break End::Now(Exit::Done);
                },
                () = gone.cancelled() => break End::Now(Exit::Done),
                () = interrupts.next() => break End::Now(Exit::Failed),
            }
        };
        let exit = match end {
            End::Now(exit) => exit,
            End::Input => {
                // Nothing can be answered any more, so nothing may wait for an answer.
                self.host.close();
                tokio::select! {
                    _ = tokio::time::timeout(GRACE, settle(&mut self.tasks)) => {}
                    () = gone.cancelled() => {}
                    () = interrupts.next() => {}
                }
                Exit::Done
            }
        };
        self.close().await;
        self.host.close();
        exit
    }

    async fn take(&mut self, line: &Line) -> Flow {
        let bytes = match line {
            Line::Whole(bytes) => bytes,
            Line::TooLong(length) => {
                let message =
                    format!("a line of {length} bytes is longer than {} bytes", super::LINE_LIMIT);
                self.answer(&Value::Null, Err(RpcError::new(INVALID_REQUEST, message))).await;
                return Flow::On;
            }
        };
        match wire::parse(bytes) {
            Ok(None) => {}
            Err(bad) => {
                // An empty reply still ends what waits for it.
                if !(bad.is_reply && self.host.settle(&bad.id, Err(bad.error.clone()))) {
                    self.answer(&bad.id, Err(bad.error)).await;
                }
            }
            Ok(Some(Incoming::Reply { id, result })) => {
                if !self.host.settle(&id, result) {
                    say(&format!(
                        "runbound: a reply with id {id} answers no open request; passed over"
                    ));
                }
            }
            Ok(Some(Incoming::Notification { method, params })) => match notice(&method) {
                Some(Notice::Cancel) => self.cancel(&params),
                Some(Notice::Exit) => return Flow::Exit,
                Some(Notice::FilesWriting) => self.files_writing(params).await,
                None => {
                    say(&format!("runbound: notification {method:?} is not known; passed over"));
                }
            },
            Ok(Some(Incoming::Request { id, method, params })) => {
                self.request(id, &method, params).await;
            }
        }
        Flow::On
    }

    async fn request(&mut self, id: Id, method: &str, params: Value) {
        let result = match self.phase.admit(method) {
            Err(error) => Err(error),
            Ok(Request::ToolsCall) => match self.call(&id, params) {
                Ok(()) => return,
                Err(error) => Err(error),
            },
            Ok(Request::Initialize) => self.initialize(params),
            Ok(Request::ToolsList) => self.list(params),
            Ok(which @ (Request::FilesWriting | Request::FilesWritten)) => {
                match self.files(&id, matches!(which, Request::FilesWritten), params) {
                    Ok(()) => return,
                    Err(error) => Err(error),
                }
            }
            Ok(Request::Cancel) => {
                self.cancel(&params);
                Ok(Value::Null)
            }
            Ok(Request::Shutdown) => {
                self.phase = Phase::Down;
                self.close().await;
                Ok(Value::Null)
            }
        };
        self.answer(id.value(), result).await;
    }

    async fn answer(&self, id: &Value, result: Result<Value, RpcError>) {
        self.outbox.send(&response(id, result)).await;
    }

    fn cancel(&self, params: &Value) {
        let call = params
            .get("id")
            .and_then(Id::from_value)
            .and_then(|id| self.running.lock().get(&id).cloned());
        match call {
            Some(token) => token.cancel(),
            None => say(&format!(
                "runbound: nothing to cancel under id {}",
                params.get("id").unwrap_or(&Value::Null)
            )),
        }
    }

    fn initialize(&mut self, params: Value) -> Result<Value, RpcError> {
        let init = Initialize::read(params)?;
        let mut notes = init.notes();
        // The command line is the stricter of two voices: a host can lower the tier, ask more and trust less.
        let cap = init.tier.map_or(self.common.cap(), |tier| tier.min(self.common.cap()));
        let asking =
            init.permissions == Some(Asking::Ask) || self.common.permissions == Permissions::Ask;
        let mut wiring = Wiring::from_flags(&self.common).cap(cap);
        if let Some(root) = init.root {
            wiring = wiring.root(root);
        }
        if let Some(conversation) = init.conversation_id {
            wiring = wiring.conversation(conversation);
        }
        if let Some(trust) = init.trust {
            wiring = wiring.trust(Some(trust && self.common.trusted() != Some(false)));
        }
        let approver = (init.questions == Some(true)).then(|| self.host.clone());
        let gate = asking.then(|| HostGate::new(approver));
        wiring = wiring.gate(gate.map(|gate| Arc::new(gate) as Arc<dyn PermissionGate>));
        let host_tools = init.host_tools.unwrap_or_default();
        notes.extend(announced::notes(&host_tools, cap));
        for announced in &host_tools {
            let tool: Arc<dyn Tool> = Arc::new(HostTool::new(announced.clone(), self.host.clone()));
            wiring = wiring.host_tool(tool);
        }
        let run =
            wiring.open().map_err(|error| RpcError::params(format!("initialize: {error:#}")))?;
        for note in run.notes().iter().chain(&notes) {
            say(&format!("runbound: {note}"));
        }
        tokio::spawn(progress::forward(run.scope.events(), self.host.clone()));
        let result = json!({
            "protocol_version": PROTOCOL_VERSION,
            "server": {"name": "runbound", "version": env!("CARGO_PKG_VERSION")},
            "tools": tools_json(&run.view),
            "root": run.root_path(),
            "conversation_id": run.scope.conversation().as_str(),
            "tier": cap,
            "not_built": NOT_BUILT,
            "notes": notes,
        });
        self.run = Some(run);
        self.host_tools = host_tools;
        self.phase = Phase::Ready;
        Ok(result)
    }

    fn ready(&self) -> Result<&Run, RpcError> {
        self.run.as_ref().ok_or_else(|| RpcError::new(INTERNAL_ERROR, "the run is not open"))
    }

    fn list(&self, params: Value) -> Result<Value, RpcError> {
        let asked: Scoped = read("tools/list", params)?;
        let view = asked.narrow(self.ready()?)?;
        let notes = announced::notes(&self.host_tools, view.cap());
        Ok(json!({"tools": tools_json(&view), "notes": notes}))
    }

    /// Starts a look at files that the host writes by itself; what it finds is sent when it is there.
    fn files(&mut self, id: &Id, written: bool, params: Value) -> Result<(), RpcError> {
        let looked = files::look(self.ready()?, written, params)?;
        let Some(cancel) = self.running.open(id) else {
            return Err(still_running(id));
        };
        let (id, running, outbox) = (id.clone(), self.running.clone(), self.outbox.clone());
        self.tasks.spawn(async move {
            let result = tokio::select! {
                result = looked => result,
                () = cancel.cancelled() => files::stopped(),
            };
            running.lock().remove(&id);
            outbox.send(&response(id.value(), Ok(result))).await;
        });
        Ok(())
    }

    /// The same as a notification, which takes the baseline before anything else is read: the host may write at once.
    async fn files_writing(&self, params: Value) {
        match self.ready().and_then(|run| files::look(run, false, params)) {
            Ok(looked) => drop(looked.await),
            Err(error) => say(&format!("runbound: files/writing: {}", error.message)),
        }
    }

    /// Starts a call; its result is sent when it is there.
    fn call(&mut self, id: &Id, params: Value) -> Result<(), RpcError> {
        let asked: Call = read("tools/call", params)?;
        let view = asked.scoped.narrow(self.ready()?)?;
        let Some(cancel) = self.running.open(id) else {
            return Err(still_running(id));
        };
        let name = asked.name;
        let request = CallRequest::new(name.clone(), asked.arguments.unwrap_or_else(|| json!({})))
            .client_id(id.value().to_string())
            .cancel(cancel);
        let (id, running, outbox) = (id.clone(), self.running.clone(), self.outbox.clone());
        let dropped = self.dropped.clone();
        self.tasks.spawn(async move {
            let begun = Instant::now();
            let result = tokio::select! {
                biased;
                outcome = view.invoke(request) => outcome.to_result_object(Some(id.value().clone())),
                () = dropped.cancelled() => never_ended(&id, &name, begun.elapsed()),
            };
            // The id is free again before the host can see the result.
            running.lock().remove(&id);
            outbox.send(&response(id.value(), Ok(result))).await;
        });
        Ok(())
    }

    /// Cancels what runs, waits for it, and closes the run. Does nothing the second time.
    async fn close(&mut self) {
        self.running.cancel_all();
        if tokio::time::timeout(STOPPING, settle(&mut self.tasks)).await.is_err() {
            say("runbound: calls did not end when they were cancelled; dropped");
            self.dropped.cancel();
            let _ = tokio::time::timeout(Duration::from_millis(100), settle(&mut self.tasks)).await;
        }
        if let Some(run) = self.run.take() {
            let report = run.scope.close(CloseWhy::Finished, CLOSING).await;
            for leak in &report.leaks {
                say(&format!("runbound: {} did not end: {}", leak.name, leak.why));
            }
        }
    }
}

fn still_running(id: &Id) -> RpcError {
    RpcError::new(INVALID_REQUEST, format!("a call with id {} is still running", id.value()))
}

/// Waits for every call that runs.
async fn settle(tasks: &mut JoinSet<()>) {
    while tasks.join_next().await.is_some() {}
}

/// The result object of a call that went on when it was cancelled: every call has one.
fn never_ended(id: &Id, tool: &str, elapsed: Duration) -> Value {
    json!({
        "id": id.value(),
        "tool": tool,
        "ok": false,
        "content": [],
        "details": {},
        "error": {"kind": "cancelled", "message": format!("the run has ended and {tool} did not stop in time; what it did is not known")},
        "elapsed_ms": elapsed.as_millis() as u64,
    })
}

/// Whose view a request means.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Scoped {
    tier: Option<Tier>,
    worker_id: Option<String>,
}

impl Scoped {
    fn narrow(&self, run: &Run) -> Result<ToolView, RpcError> {
        if let Some(worker) = &self.worker_id {
            return Err(RpcError::params(format!(
                "there is no worker \"{worker}\"; workers are not built into this version"
            )));
        }
        Ok(match self.tier {
            Some(tier) => run.view.narrowed(tier),
            None => run.view.clone(),
        })
    }
}

#[derive(Deserialize)]
struct Call {
    name: String,
    arguments: Option<Value>,
    #[serde(flatten)]
    scoped: Scoped,
}

pub(super) fn read<T: for<'de> Deserialize<'de>>(
    method: &str,
    params: Value,
) -> Result<T, RpcError> {
    let params = if params.is_null() { json!({}) } else { params };
    serde_json::from_value(params).map_err(|error| RpcError::params(format!("{method}: {error}")))
}
