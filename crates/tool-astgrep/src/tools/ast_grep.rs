//! `ast_grep`: structural search.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use tool_core::{
    Args, CallCx, Targets, Tier, ToolError, ToolKind, ToolOutput, ToolSpec, TypedTool, Workspace,
    async_trait,
};

use super::{CONTEXT, LANGUAGE, PATH, PATTERN, TIME_LIMIT, blocking, schema};
use crate::error::SearchError;
use crate::render;
use crate::search::{Query, search};
use crate::workshop::Workshop;

/// Matches shown when the call does not say, and at most.
const DEFAULT_RESULTS: usize = 50;
const MOST_RESULTS: usize = 1000;

/// Structural search (`ast_grep`, tier read). Register it as `Typed(tool)`, or take the whole [`AstGrepPack`](crate::AstGrepPack).
pub struct AstGrepTool {
    shop: Arc<Workshop>,
    spec: ToolSpec,
}

impl AstGrepTool {
    pub(crate) fn new(shop: Arc<Workshop>) -> Self {
        let input = schema(
            &[
                ("pattern", "string", PATTERN),
                ("path", "string", PATH),
                ("language", "string", LANGUAGE),
                (
                    "max_results",
                    "integer",
                    "Matches to show, from 1 to 1000. Default 50. The total is told in any case.",
                ),
                ("context", "string", CONTEXT),
            ],
            &["pattern"],
        );
        let spec = ToolSpec::new("ast_grep", Tier::Read, DESCRIPTION, input)
            .title("Structural search")
            .kind(ToolKind::Search)
            .time_limit(Some(TIME_LIMIT));
        Self { shop, spec }
    }
}

const DESCRIPTION: &str = "Structural code search: finds code by its syntax, not by its text. The pattern is parsed by the \
     grammar of the file, so `dispose($X)` finds the call however it is spaced or wrapped, and never in a string or a \
     comment. Examples: `foo($A, $$$REST)`, `if ($X != null) $X.dispose()`, `def $F($$$P): $$$B`. Matching is exact about \
     children: a function pattern without a return type does not match one that has it (the answer then says so). Not \
     visible: arguments of Rust macros, bodies of C macros, code in strings. Files that .gitignore leaves out and hidden \
     files are not searched unless path names them.";

/// The arguments of `ast_grep`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AstGrepArgs {
    pattern: String,
    path: Option<String>,
    language: Option<String>,
    max_results: Option<Value>,
    context: Option<String>,
}

#[async_trait]
impl TypedTool for AstGrepTool {
    type Args = AstGrepArgs;

    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn targets(&self, _args: &Args, _workspace: &Workspace) -> Targets {
        Targets::None
    }

    async fn run(&self, cx: &CallCx, args: AstGrepArgs) -> Result<ToolOutput, ToolError> {
        let max_results = max_results(args.max_results.as_ref())?;
        let shop = self.shop.clone();
        blocking(cx, move |control| {
            let query = Query {
                pattern: &args.pattern,
                path: args.path.as_deref(),
                language: args.language.as_deref(),
                context: args.context.as_deref().filter(|c| !c.trim().is_empty()),
                max_results,
            };
            let answer = search(&shop, &query, control)?;
            Ok(render::answer(&answer, &args.pattern))
        })
        .await
    }
}

fn max_results(given: Option<&Value>) -> Result<usize, SearchError> {
    let Some(given) = given.filter(|v| !v.is_null()) else {
        return Ok(DEFAULT_RESULTS);
    };
    match given.as_u64().and_then(|n| usize::try_from(n).ok()) {
        Some(n) if (1..=MOST_RESULTS).contains(&n) => Ok(n),
        _ => Err(SearchError::argument(
            format!("max_results is {given}"),
            format!(
                "it is a whole number from 1 to {MOST_RESULTS}; the default is {DEFAULT_RESULTS}"
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn limits_are_checked() {
        let ok = |v: Value| max_results(Some(&v)).ok();
        assert_eq!(max_results(None).ok(), Some(50));
        assert_eq!(ok(json!(null)), Some(50));
        assert_eq!(ok(json!(1)), Some(1));
        assert_eq!(ok(json!(1000)), Some(1000));
        for bad in [json!(0), json!(-1), json!(1001), json!(1.5), json!("5"), json!(1e30)] {
            assert_eq!(ok(bad.clone()), None, "{bad}");
        }
    }
}
