//! `resolve`: accepts or discards a staged edit.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use tool_core::{
    Args, CallCx, Targets, Tier, ToolError, ToolKind, ToolOutput, ToolSpec, TypedTool, Workspace,
    async_trait,
};

use crate::resolve::decide;
use crate::workshop::Workshop;

/// Decides a staged edit (`resolve`, tier write). Register it as `Typed(tool)`, or take the whole [`AstGrepPack`](crate::AstGrepPack).
pub struct ResolveTool {
    shop: Arc<Workshop>,
    spec: ToolSpec,
}

impl ResolveTool {
    pub(crate) fn new(shop: Arc<Workshop>) -> Self {
        let input = json!({
            "type": "object",
            "properties": {
                "edit_id": { "type": "string", "description": "The name that ast_edit gave, e.g. edit_1." },
                "action": {
                    "type": "string",
                    "enum": ["accept", "discard"],
                    "description": "accept writes all of the edit, or nothing if any file has changed since; discard drops it.",
                },
            },
            "required": ["edit_id", "action"],
            "additionalProperties": false,
        });
        let spec = ToolSpec::new("resolve", Tier::Write, DESCRIPTION, input)
            .title("Accept or discard an edit")
            .kind(ToolKind::Edit);
        Self { shop, spec }
    }
}

const DESCRIPTION: &str = "Decides an edit that ast_edit staged: accept or discard. Every file is compared with what it held \
     when the edit was staged; if any differs, nothing at all is written and the edit is used up. An edit is decided once.";

/// What to do with an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Accept,
    Discard,
}

/// The arguments of `resolve`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolveArgs {
    edit_id: String,
    action: Action,
}

#[async_trait]
impl TypedTool for ResolveTool {
    type Args = ResolveArgs;

    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// The files of the edit, if it is accepted.
    fn targets(&self, args: &Args, _workspace: &Workspace) -> Targets {
        let text = |key: &str| args.value().get(key).and_then(|v| v.as_str());
        match (text("action"), text("edit_id")) {
            (Some("accept"), Some(id)) => match self.shop.ledger.peek(id) {
                Some(proposal) => {
                    Targets::Paths(proposal.files.iter().map(|f| f.path.to_path_buf()).collect())
                }
                None => Targets::None,
            },
            _ => Targets::None,
        }
    }

    async fn run(&self, cx: &CallCx, args: ResolveArgs) -> Result<ToolOutput, ToolError> {
        let shop = self.shop.clone();
        let stop = cx.cancel().clone();
        // Once the first file is changed it is carried out, whatever becomes of the call.
        cx.shield_blocking("resolve", move || {
            let accept = args.action == Action::Accept;
            decide(&shop, &args.edit_id, accept, &|| stop.is_cancelled())
        })
        .await
    }
}
