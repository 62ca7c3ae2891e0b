//! `ast_edit`: a structural rewrite that is staged, not written.

use std::sync::Arc;

use serde::Deserialize;
use tool_core::{
    Args, CallCx, Targets, Tier, ToolError, ToolKind, ToolOutput, ToolSpec, TypedTool, Workspace,
    async_trait,
};

use super::{CONTEXT, LANGUAGE, PATH, PATTERN, TIME_LIMIT, blocking, schema};
use crate::edit::{Change, edit};
use crate::render;
use crate::workshop::Workshop;

/// Structural rewrite (`ast_edit`, tier write). Register it as `Typed(tool)`, or take the whole [`AstGrepPack`](crate::AstGrepPack).
pub struct AstEditTool {
    shop: Arc<Workshop>,
    spec: ToolSpec,
}

impl AstEditTool {
    pub(crate) fn new(shop: Arc<Workshop>) -> Self {
        let input = schema(
            &[
                ("pattern", "string", PATTERN),
                (
                    "rewrite",
                    "string",
                    "What stands in the place of each match. $NAME and $$$NAME put captures of the pattern back. An empty \
                     text deletes the match.",
                ),
                ("path", "string", PATH),
                ("language", "string", LANGUAGE),
                ("context", "string", CONTEXT),
            ],
            &["pattern", "rewrite"],
        );
        let spec = ToolSpec::new("ast_edit", Tier::Write, DESCRIPTION, input)
            .title("Structural rewrite")
            .kind(ToolKind::Edit)
            .time_limit(Some(TIME_LIMIT));
        Self { shop, spec }
    }
}

const DESCRIPTION: &str = "Structural rewrite: replaces every match of a pattern (as in ast_grep) by a template, in all files \
     of path. Nothing is written: the change is staged, shown as a diff and named; call resolve with its edit_id to accept \
     or discard it. Nested matches are replaced outermost first. Matches at syntax errors and files that are not UTF-8 are \
     left alone and counted. Example: pattern `if ($X != null) $X.dispose()`, rewrite `$X?.dispose()`.";

/// The arguments of `ast_edit`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AstEditArgs {
    pattern: String,
    rewrite: String,
    path: Option<String>,
    language: Option<String>,
    context: Option<String>,
}

#[async_trait]
impl TypedTool for AstEditTool {
    type Args = AstEditArgs;

    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// Staging writes nothing; `resolve` does.
    fn targets(&self, _args: &Args, _workspace: &Workspace) -> Targets {
        Targets::None
    }

    async fn run(&self, cx: &CallCx, args: AstEditArgs) -> Result<ToolOutput, ToolError> {
        let shop = self.shop.clone();
        blocking(cx, move |control| {
            let change = Change {
                pattern: &args.pattern,
                rewrite: &args.rewrite,
                path: args.path.as_deref(),
                language: args.language.as_deref(),
                context: args.context.as_deref().filter(|c| !c.trim().is_empty()),
            };
            let edited = edit(&shop, &change, control)?;
            Ok(match &edited.edit_id {
                Some(id) => render::proposed(&edited, id, shop.decided),
                None => render::nothing_to_edit(&edited, &args.pattern),
            })
        })
        .await
    }
}
