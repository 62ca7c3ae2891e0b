//! The other side of an in-memory conversation, following a script.

use crate::script::{Script, Verb};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tool_wire::{Decoder, End, Framing};

/// A running script, and what it was told.
#[derive(Debug)]
pub struct Scripted {
    heard: Arc<Mutex<Vec<Value>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Scripted {
    /// Speaks on one end of a pair. Needs a runtime.
    pub fn start(end: End, framing: Framing, script: Script) -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let actor = Actor {
            writer: Some(end.writer),
            framing,
            script,
            heard: heard.clone(),
            held: Vec::new(),
            split: None,
            glue: None,
            longer: 0,
        };
        Self { heard, task: tokio::spawn(actor.run(end.reader)) }
    }

    /// Every message that came, in order.
    pub fn heard(&self) -> Vec<Value> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the end of the script's side.
    ///
    /// # Panics
    ///
    /// If the script asked for what only a process can do.
    pub async fn ended(self) -> Vec<Value> {
        if let Err(error) = self.task.await {
            assert!(!error.is_panic(), "the scripted side failed: {error}");
        }
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.clone()
    }
}

struct Actor {
    writer: Option<DuplexStream>,
    framing: Framing,
    script: Script,
    heard: Arc<Mutex<Vec<Value>>>,
    held: Vec<(Value, String)>,
    split: Option<usize>,
    /// `Some(empty)`: the next frame waits here for the one after it.
    glue: Option<Vec<u8>>,
    longer: i64,
}

/// Whether the script goes on.
#[derive(PartialEq)]
enum Next {
    Message,
    End,
}

impl Actor {
    async fn run(mut self, mut reader: DuplexStream) {
        let mut decoder = Decoder::new(self.framing, usize::MAX);
        let start = self.script.take_start();
        if self.act(start, &json!({})).await == Next::End {
            return;
        }
        let mut buffer = vec![0; 4096];
        loop {
            while let Ok(Some(message)) = decoder.next_object() {
                self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(message.clone());
                let Some(method) = message["method"].as_str() else { continue };
                let verbs = match self.script.take(method) {
                    Some(verbs) => verbs,
                    None if message.get("id").is_some() => vec![Verb::Reply(Value::Null)],
                    None => continue,
                };
                if self.act(verbs, &message).await == Next::End {
                    return;
                }
            }
            match reader.read(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(read) => decoder.push(&buffer[..read]),
            }
        }
    }

    async fn act(&mut self, verbs: Vec<Verb>, message: &Value) -> Next {
        let id = &message["id"];
        for verb in verbs {
            match verb {
                Verb::Reply(value) => self.answer(id, value).await,
                Verb::Error(code, text) => {
                    self.send(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})).await;
                }
                Verb::Twice(value) => {
                    self.answer(id, value.clone()).await;
                    self.answer(id, value).await;
                }
                Verb::UnknownId(value) => self.answer(&json!(987_654_321), value).await,
                Verb::Hold => self
                    .held
                    .push((id.clone(), message["method"].as_str().unwrap_or_default().into())),
                Verb::Release => {
                    while let Some((id, method)) = self.held.pop() {
                        self.answer(&id, json!(method)).await;
                    }
                }
                Verb::Event(method, params) => {
                    self.send(json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
                }
                Verb::Call(method, params) => {
                    self.send(
                        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
                    )
                    .await;
                }
                Verb::Noise(text) => self.write(text.as_bytes()).await,
                Verb::Split(bytes) => self.split = Some(bytes.max(1)),
                Verb::Glue => self.glue = Some(Vec::new()),
                Verb::BadLength(by) => self.longer = by,
                Verb::BadUtf8 => {
                    let body = b"{\"method\": \"\xff\xfe\"}";
                    let head = match self.framing {
                        Framing::ContentLength => format!("Content-Length: {}\r\n\r\n", body.len()),
                        Framing::JsonLines => String::new(),
                    };
                    self.write(head.as_bytes()).await;
                    self.write(body).await;
                    if self.framing == Framing::JsonLines {
                        self.write(b"\n").await;
                    }
                }
                Verb::Wait(ms) => tokio::time::sleep(std::time::Duration::from_millis(ms)).await,
                Verb::Hang => std::future::pending().await,
                Verb::CloseOutput => self.writer = None,
                Verb::Exit(_) => return Next::End,
                Verb::ExitMidFrame(_) => {
                    let frame = self.framing.encode(&json!({"id": 1, "result": null}));
                    self.write(&frame[..frame.len() - 9]).await;
                    return Next::End;
                }
                Verb::CloseInput
                | Verb::Stderr(_)
                | Verb::Complain(_)
                | Verb::IgnoreTerm
                | Verb::IgnoreEof
                | Verb::Grandchild
                | Verb::GrandchildInItsOwnGroup
                | Verb::GrandchildInItsOwnSession => panic!("{verb:?} needs a process"),
            }
        }
        Next::Message
    }

    async fn answer(&mut self, id: &Value, result: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": id, "result": result})).await;
    }

    async fn send(&mut self, message: Value) {
        let mut frame = self.framing.encode(&message);
        let longer = std::mem::take(&mut self.longer);
        if longer != 0 && self.framing == Framing::ContentLength {
            let body = message.to_string();
            let length = i64::try_from(body.len()).unwrap_or(i64::MAX).saturating_add(longer);
            frame = format!("Content-Length: {length}\r\n\r\n{body}").into_bytes();
        }
        match self.glue.take() {
            Some(waiting) if waiting.is_empty() => {
                self.glue = Some(frame);
                return;
            }
            Some(mut waiting) => {
                waiting.extend(frame);
                frame = waiting;
            }
            None => {}
        }
        let piece = self.split.take().unwrap_or(frame.len());
        for piece in frame.chunks(piece) {
            self.write(piece).await;
        }
    }

    async fn write(&mut self, bytes: &[u8]) {
        if let Some(writer) = &mut self.writer {
            // One who reads no more is the test's business.
            let _ = writer.write_all(bytes).await;
            // Others get a turn, so that pieces arrive as pieces.
            tokio::task::yield_now().await;
        }
    }
}
