//! What a server asks of us and tells us. Answered from before `initialize` on.

use std::sync::{Arc, Weak};

use serde_json::{Value, json};
use tokio::time::Instant;
use tool_wire::{Inbound, Inbox, RemoteError};

use super::{Client, settings};
use crate::uri::to_uri;

/// Takes everything that comes until the conversation ends. Holds the client only while it handles a message.
pub(super) async fn run(client: Weak<Client>, mut inbox: Inbox) {
    while let Some(message) = inbox.next().await {
        let Some(client) = client.upgrade() else { return };
        match message {
            Inbound::Event { method, params } => client.heard(&method, &params),
            Inbound::Call { method, params, replier } => {
                let answer = client.asked(&method, &params);
                // That it ended meanwhile is noticed elsewhere.
                let _ = replier.answer(answer).await;
            }
        }
    }
    if let Some(client) = client.upgrade() {
        note_end(&client).await;
    }
}

async fn note_end(client: &Arc<Client>) {
    let ended = client.peer.ended().await;
    client.state().ended = Some(ended);
    client.tell_changed();
}

impl Client {
    fn heard(&self, method: &str, params: &Value) {
        let now = Instant::now();
        match method {
            "textDocument/publishDiagnostics" => {
                self.inbox.push(params, self.generation);
                return;
            }
            "$/progress" => self.state().progress(params, now),
            "experimental/serverStatus" => self.state().ready.server_status(params, now),
            "language/status" => self.state().ready.language_status(params),
            "$/analyzerStatus" => self.state().ready.analyzer_status(params, now),
            "window/logMessage" | "window/showMessage" => self.state().message(params),
            _ => return,
        }
        self.tell_changed();
    }

    fn asked(&self, method: &str, params: &Value) -> Result<Value, RemoteError> {
        let answer = match method {
            "workspace/configuration" => return Ok(settings::answer(&self.settings, params)),
            "workspace/workspaceFolders" => {
                let name = self
                    .root
                    .file_name()
                    .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
                return Ok(json!([{"uri": to_uri(&self.root), "name": name}]));
            }
            // Whatever is offered to be chosen: nothing is.
            "window/showMessageRequest" => {
                self.state().message(params);
                Value::Null
            }
            "window/showDocument" => return Ok(json!({"success": false})),
            // Nothing that we ask for is done by the server itself: commands are never executed.
            "workspace/applyEdit" => {
                let reason = "files are changed by the client's own tools only";
                return Ok(json!({"applied": false, "failureReason": reason}));
            }
            "client/registerCapability" => {
                self.state().caps.register(params);
                Value::Null
            }
            "client/unregisterCapability" => {
                self.state().caps.unregister(params);
                Value::Null
            }
            "window/workDoneProgress/create" => Value::Null,
            _ if method.starts_with("workspace/") && method.ends_with("/refresh") => Value::Null,
            _ => return Err(RemoteError::unknown_method(method)),
        };
        self.tell_changed();
        Ok(answer)
    }
}
