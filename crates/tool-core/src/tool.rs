//! The tool trait, its typed form, and tools made of closures.

use std::future::Future;

use async_trait::async_trait;
use serde::de::DeserializeOwned;

use crate::args::Args;
use crate::context::CallCx;
use crate::error::ToolError;
use crate::output::ToolOutput;
use crate::spec::{Lane, ToolSpec};
use crate::workspace::{Targets, Workspace};

/// Something an agent can call. State lives behind the tool (in actors): calls may overlap, and any call may be dropped.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// What the tool is. Must not change during a run.
    fn spec(&self) -> &ToolSpec;

    /// The lane of this call; by default the spec's.
    fn lane(&self, args: &Args) -> Lane {
        let _ = args;
        self.spec().lane.clone()
    }

    /// The files this call will touch: for permission cards, baselines and locks.
    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        let _ = (args, workspace);
        Targets::Unknown
    }

    /// Does the work. The future may be dropped at any await.
    ///
    /// # Errors
    /// Whatever went wrong, in words for a model.
    async fn call(&self, cx: &CallCx, args: Args) -> Result<ToolOutput, ToolError>;
}

/// A tool with a type for its arguments; register it as [`Typed`].
#[async_trait]
pub trait TypedTool: Send + Sync + 'static {
    /// The arguments. Derive `Deserialize`, with `deny_unknown_fields`.
    type Args: DeserializeOwned + Send;

    /// What the tool is. Must not change during a run.
    fn spec(&self) -> &ToolSpec;

    /// The lane of this call; by default the spec's.
    fn lane(&self, args: &Args) -> Lane {
        let _ = args;
        self.spec().lane.clone()
    }

    /// The files this call will touch.
    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        let _ = (args, workspace);
        Targets::Unknown
    }

    /// Does the work.
    ///
    /// # Errors
    /// Whatever went wrong, in words for a model.
    async fn run(&self, cx: &CallCx, args: Self::Args) -> Result<ToolOutput, ToolError>;
}

/// Makes a [`TypedTool`] a [`Tool`]. (A blanket implementation would forbid hand-written tools.)
#[derive(Clone, Copy, Debug)]
pub struct Typed<T>(pub T);

#[async_trait]
impl<T: TypedTool> Tool for Typed<T> {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn lane(&self, args: &Args) -> Lane {
        self.0.lane(args)
    }

    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        self.0.targets(args, workspace)
    }

    async fn call(&self, cx: &CallCx, args: Args) -> Result<ToolOutput, ToolError> {
        let args = args.parse()?;
        self.0.run(cx, args).await
    }
}

/// A tool made of a spec and a closure, for tests and small tools of a host.
///
/// ```
/// use tool_core::{FnTool, Tier, ToolOutput, ToolSpec};
/// # use serde_json::json;
/// let schema = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
/// let tool = FnTool::new(ToolSpec::new("hello", Tier::Read, "Says hello.", schema), |_args, _cx| async {
///     Ok(ToolOutput::text("hello"))
/// });
/// ```
pub struct FnTool<F> {
    spec: ToolSpec,
    run: F,
}

impl<F, Fut> FnTool<F>
where
    F: Fn(Args, CallCx) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
{
    /// A tool that runs this closure.
    #[must_use]
    pub fn new(spec: ToolSpec, run: F) -> Self {
        Self { spec, run }
    }
}

#[async_trait]
impl<F, Fut> Tool for FnTool<F>
where
    F: Fn(Args, CallCx) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
{
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, cx: &CallCx, args: Args) -> Result<ToolOutput, ToolError> {
        (self.run)(args, cx.clone()).await
    }
}
