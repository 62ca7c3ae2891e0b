//! Small tools and shortcuts for the tests.

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tool_core::serde_json::{Value, json};
use tool_core::{
    Args, CallCx, CallRequest, ErrorKind, FnTool, RegistryBuilder, RunScope, Tier, Tool, ToolError,
    ToolOutput, ToolSpec, ToolView,
};

pub(crate) type CallResult = Result<ToolOutput, ToolError>;

pub(crate) fn empty() -> Value {
    json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false })
}

pub(crate) fn spec(name: &str, tier: Tier) -> ToolSpec {
    ToolSpec::new(name, tier, format!("The tool {name}."), empty())
}

/// A tool without arguments.
pub(crate) fn tool<F, Fut>(spec: ToolSpec, run: F) -> impl Tool
where
    F: Fn(CallCx) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = CallResult> + Send + 'static,
{
    FnTool::new(spec, move |_args: Args, cx| run(cx))
}

/// A tool that answers with its name.
pub(crate) fn says(name: &'static str, tier: Tier) -> impl Tool {
    tool(spec(name, tier), move |_| async move { Ok(ToolOutput::text(name)) })
}

pub(crate) fn scope() -> Arc<RunScope> {
    RunScope::builder("conv").workspace("/w").build()
}

pub(crate) fn build(builder: RegistryBuilder) -> ToolView {
    builder.build(scope()).expect("a registry without faults")
}

pub(crate) fn call(name: &str) -> CallRequest {
    CallRequest::new(name, json!({}))
}

pub(crate) fn kind(result: &CallResult) -> Option<ErrorKind> {
    result.as_ref().err().map(ToolError::kind)
}

/// What happened, in order.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn add(&self, what: impl Into<String>) {
        self.0.lock().expect("no panic inside").push(what.into());
    }

    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().expect("no panic inside").clone()
    }
}

pub(crate) const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

pub(crate) const fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}
