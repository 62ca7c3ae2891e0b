//! Layers around calls, in fixed stages: guard, gate, lane, around, call.

use async_trait::async_trait;

use crate::args::Args;
use crate::context::CallCx;
use crate::error::ToolError;
use crate::output::ToolOutput;
use crate::pipeline;
use crate::spec::ToolSpec;

/// Where a layer stands, whatever the order of registration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Before the permission gate: may refuse. Dropped at once when the call is cancelled.
    Guard,
    /// Around the tool itself, in its lane: baselines before, additions after. Has the call's grace when cancelled.
    Around,
}

/// Something that stands around every call it applies to, nested calls too.
#[async_trait]
pub trait Layer: Send + Sync + 'static {
    /// Where it stands.
    fn stage(&self) -> Stage {
        Stage::Around
    }

    /// Which tools; asked once, when the registry is built.
    fn applies(&self, spec: &ToolSpec) -> bool {
        let _ = spec;
        true
    }

    /// Runs the rest by [`Next::run`], or does not. It cannot run other arguments than the guards saw.
    ///
    /// # Errors
    /// The rest's error, or its own.
    async fn around(
        &self,
        cx: &CallCx,
        args: &Args,
        next: Next<'_>,
    ) -> Result<ToolOutput, ToolError>;
}

/// The rest of a call.
#[must_use = "a layer that does not run the rest must say why"]
pub struct Next<'a> {
    pub(crate) cx: &'a CallCx,
    pub(crate) args: &'a Args,
    pub(crate) step: Step,
}

#[derive(Clone, Copy)]
pub(crate) enum Step {
    Guard(usize),
    Around(usize),
}

impl Next<'_> {
    /// Runs the rest. Takes nothing, so what was checked is what runs.
    ///
    /// # Errors
    /// The outcome of the rest.
    pub async fn run(self) -> Result<ToolOutput, ToolError> {
        pipeline::step(self).await
    }
}
