//! Prints what one call costs: the median time of a no-op tool through the whole pipeline, in nanoseconds.
//!
//! `cargo run --release -p tool-core --example pipeline_cost`

use std::sync::Arc;
use std::time::Instant;

use tool_core::serde_json::json;
use tool_core::{
    Args, CallCx, CallRequest, FnTool, GateError, Layer, Next, PermissionGate, PermissionRequest,
    RegistryBuilder, RunScope, Stage, Tier, ToolError, ToolOutput, ToolSpec, Verdict, async_trait,
};

/// A layer that only passes on.
struct Pass(Stage);

#[async_trait]
impl Layer for Pass {
    fn stage(&self) -> Stage {
        self.0
    }

    async fn around(&self, _: &CallCx, _: &Args, next: Next<'_>) -> Result<ToolOutput, ToolError> {
        next.run().await
    }
}

struct Yes;

#[async_trait]
impl PermissionGate for Yes {
    async fn check(&self, _: &PermissionRequest) -> Result<Verdict, GateError> {
        Ok(Verdict::AllowSame)
    }
}

const CALLS: usize = 200_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = json!({
        "type": "object",
        "properties": { "text": { "type": "string", "description": "Anything." } },
        "required": ["text"],
        "additionalProperties": false,
    });
    let spec = ToolSpec::new("noop", Tier::Write, "Does nothing.", schema).exclusive();
    let noop = FnTool::new(spec, |_args, _cx| async { Ok(ToolOutput::text("done")) });
    let view = RegistryBuilder::new()
        .tool(noop)
        .layer(Pass(Stage::Guard))
        .layer(Pass(Stage::Around))
        .gate(Arc::new(Yes))
        .build(RunScope::builder("cost").build())?;

    let mut nanos = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let request = CallRequest::new("noop", json!({ "text": "hello" })).client_id("call_1");
        let begun = Instant::now();
        let outcome = view.invoke(request).await;
        nanos.push(begun.elapsed().as_nanos());
        if outcome.is_error() {
            return Err(outcome.render_text().into());
        }
    }
    nanos.sort_unstable();
    let at = |part: usize| nanos[CALLS * part / 100];
    #[expect(clippy::print_stdout, reason = "the number is what it is for")]
    {
        println!(
            "a no-op tool through schema, two layers, gate, lane and budget: median {} ns, p99 {} ns, {CALLS} calls",
            at(50),
            at(99)
        );
    }
    Ok(())
}
