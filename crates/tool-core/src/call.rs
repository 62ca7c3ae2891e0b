//! A call that is asked for, and its one outcome.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::args::RawArgs;
use crate::error::ToolError;
use crate::ids::{CallId, Origin};
use crate::output::ToolOutput;
use crate::schema::Dialect;

mod message;

/// A call to be made.
#[derive(Clone, Debug)]
#[must_use]
pub struct CallRequest {
    pub(crate) name: String,
    pub(crate) args: RawArgs,
    pub(crate) client_id: Option<String>,
    pub(crate) cancel: Option<CancellationToken>,
    pub(crate) origin: Origin,
}

impl CallRequest {
    /// A call of the model's.
    pub fn new(name: impl Into<String>, args: impl Into<RawArgs>) -> Self {
        Self {
            name: name.into(),
            args: args.into(),
            client_id: None,
            cancel: None,
            origin: Origin::Model,
        }
    }

    /// The provider's id for the call: carried along, never interpreted.
    pub fn client_id(mut self, id: impl Into<String>) -> Self {
        self.client_id = Some(id.into());
        self
    }

    /// Cancels the call when it fires. Never fired by the core: calls may share one.
    pub fn cancel(mut self, token: CancellationToken) -> Self {
        self.cancel = Some(token);
        self
    }

    /// Marks the call as the harness's own.
    pub fn by_host(mut self) -> Self {
        self.origin = Origin::Host;
        self
    }
}

/// What became of a call. There is exactly one for every call, whatever happens.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CallOutcome {
    /// Our id.
    pub id: CallId,
    /// The provider's id.
    pub client_id: Option<String>,
    /// The name that was called.
    pub name: String,
    /// The answer.
    pub result: Result<ToolOutput, ToolError>,
    /// From being asked for to the answer.
    pub elapsed: Duration,
    /// Who made the call.
    pub origin: Origin,
}

impl CallOutcome {
    /// Did it fail?
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.result.is_err()
    }

    /// All that a model reads, as text. A failed call's partial output comes before the error.
    #[must_use]
    pub fn render_text(&self) -> String {
        match &self.result {
            Ok(output) => output.render_text(),
            Err(error) => match error.partial().map(ToolOutput::render_text) {
                Some(partial) if !partial.is_empty() => format!("{partial}\n{error}"),
                _ => error.to_string(),
            },
        }
    }

    /// The facts for a program.
    #[must_use]
    pub fn details(&self) -> &Map<String, Value> {
        match &self.result {
            Ok(output) => &output.details,
            Err(error) => error.detail_map(),
        }
    }

    /// The answer as a provider wants it in the conversation, under the id that the provider gave the call.
    ///
    /// Pictures go along where the form has a place for them; elsewhere their words do. For [`Dialect::JsonSchema`] it
    /// is the result object of the host protocol.
    #[must_use]
    pub fn to_message(&self, dialect: Dialect) -> Value {
        message::message(self, dialect)
    }

    /// The result object of the host protocol; `id` is left out when there is none.
    #[must_use]
    pub fn to_result_object(&self, id: Option<Value>) -> Value {
        let content = match &self.result {
            Ok(output) => output.to_content(),
            Err(error) => error.partial().map(ToolOutput::to_content).unwrap_or_default(),
        };
        // Microseconds are enough, and keep the number short.
        let elapsed_ms = (self.elapsed.as_secs_f64() * 1e6).round() / 1e3;
        let mut object = json!({
            "tool": self.name,
            "ok": !self.is_error(),
            "content": content,
            "details": self.details(),
            "elapsed_ms": elapsed_ms,
        });
        if let Some(id) = id {
            object["id"] = id;
        }
        if let Err(error) = &self.result {
            object["error"] =
                json!({ "kind": error.kind().as_str(), "message": error.full_message() });
        }
        object
    }
}
