//! `lsp_rename`: one name across the whole project, all of it or nothing.

mod apply;
mod asked;
mod blind;
mod collide;
mod report;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tool_core::{
    Args, CallCx, Targets, Tier, ToolError, ToolKind, ToolOutput, ToolSpec, TypedTool, Workspace,
    async_trait,
};

use crate::supervisor::Supervisor;
use crate::tool::At;

/// Every wait inside is bounded by the budgets of the server; this is for what was not thought of.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// Renames a symbol (`lsp_rename`, tier write). Register it as `Typed(tool)`, or take the whole [`LspPack`](crate::LspPack).
pub struct RenameTool {
    sup: Supervisor,
    /// Where the journals of changes are kept.
    state_dir: Arc<PathBuf>,
    spec: ToolSpec,
}

const DESCRIPTION: &str = "Renames a symbol across the whole project by its language server: every use, in every file, \
     all of it or nothing. The place is `file`, `line` (from 1) and `symbol`, a piece of that line as it stands there, best \
     the whole name; `name#2` is the second of that name on the line. The new name is checked against the rules of the \
     language and for collisions; nothing outside the workspace is touched. The answer says what the text still holds of \
     the old name: comments and strings are not renamed.";

impl RenameTool {
    pub(crate) fn new(sup: Supervisor, state_dir: PathBuf) -> Self {
        let input = json!({
            "type": "object",
            "properties": {
                "file": { "type": "string", "description": "The file, relative to the workspace's root." },
                "line": { "type": "integer", "description": "The line of the symbol, from 1." },
                "symbol": {
                    "type": "string",
                    "description": "The name on that line, exactly as written there. name#2 is the second of that name on the line.",
                },
                "new_name": { "type": "string", "description": "The new name." },
            },
            "required": ["file", "line", "symbol", "new_name"],
            "additionalProperties": false,
        });
        let spec = ToolSpec::new("lsp_rename", Tier::Write, DESCRIPTION, input)
            .title("Rename a symbol")
            .kind(ToolKind::Edit)
            .time_limit(Some(TIME_LIMIT));
        Self { sup, state_dir: Arc::new(state_dir), spec }
    }
}

/// The arguments of `lsp_rename`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenameArgs {
    file: String,
    line: u32,
    symbol: String,
    new_name: String,
}

#[async_trait]
impl TypedTool for RenameTool {
    type Args = RenameArgs;

    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// Which files it will be is known when the server has answered.
    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        match args.value().get("file").and_then(|file| file.as_str()) {
            Some(file) => Targets::Paths(vec![workspace.lexical(file)]),
            None => Targets::None,
        }
    }

    async fn run(&self, cx: &CallCx, args: RenameArgs) -> Result<ToolOutput, ToolError> {
        let RenameArgs { file, line, symbol, new_name } = args;
        let at = At { file, line, symbol };
        let prepared = cx.or_cancelled(asked::ask(cx, &self.sup, &at, &new_name)).await??;
        let staged = cx.or_cancelled(apply::stage(&self.sup, &prepared)).await??;
        let clash = collide::collisions(&self.sup, &prepared, &staged);
        cx.or_cancelled(clash).await??;
        apply::commit(cx, &self.sup, &self.state_dir, prepared, staged).await
    }
}
