//! The `lsp` tool: arguments and dispatch.

mod args;

use std::time::Duration;

use tool_core::{
    Args, CallCx, Targets, Tier, ToolError, ToolKind, ToolOutput, ToolSpec, TypedTool, Workspace,
    async_trait,
};

pub use args::LspArgs;
pub(crate) use args::{Ask, At, Relation};

use crate::actions;
use crate::supervisor::Supervisor;

/// Every wait inside is bounded by the budgets of the server; this is for what was not thought of.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// Questions to language servers (`lsp`, tier read). Register it as `Typed(tool)`, or take the whole [`LspPack`](crate::LspPack).
pub struct LspTool {
    sup: Supervisor,
    spec: ToolSpec,
}

impl LspTool {
    pub(crate) fn new(sup: Supervisor) -> Self {
        let spec = ToolSpec::new("lsp", Tier::Read, args::DESCRIPTION, args::schema())
            .title("Language servers")
            .kind(ToolKind::Search)
            .time_limit(Some(TIME_LIMIT));
        Self { sup, spec }
    }
}

#[async_trait]
impl TypedTool for LspTool {
    type Args = LspArgs;

    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn targets(&self, _args: &Args, _workspace: &Workspace) -> Targets {
        Targets::None
    }

    async fn run(&self, cx: &CallCx, args: LspArgs) -> Result<ToolOutput, ToolError> {
        let ask = args.ask()?;
        Ok(cx.or_cancelled(actions::answer(cx, &self.sup, ask)).await??)
    }
}
