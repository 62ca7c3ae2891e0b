//! For a harness with a tool trait of its own: one adapter puts every tool of a view behind it.
//!
//! `cargo run -p tool-core --example own_trait`

use std::future::Future;
use std::pin::Pin;

use tool_core::serde_json::{Value, json};
use tool_core::{
    CallRequest, Dialect, FnTool, RegistryBuilder, RunScope, Tier, ToolOutput, ToolSpec, ToolView,
};

/// What the harness has.
trait HarnessTool: Send + Sync {
    fn declaration(&self) -> Value;
    fn run<'a>(
        &'a self,
        id: &'a str,
        args: Value,
    ) -> Pin<Box<dyn Future<Output = (String, bool)> + Send + 'a>>;
}

/// One tool of a view. Calls go through the view, so guards, gate, lanes and budget hold.
struct Adapted {
    view: ToolView,
    name: String,
}

impl HarnessTool for Adapted {
    fn declaration(&self) -> Value {
        let all = self.view.export(Dialect::JsonSchema);
        all.into_iter().find(|tool| tool["name"] == self.name.as_str()).unwrap_or_default()
    }

    fn run<'a>(
        &'a self,
        id: &'a str,
        args: Value,
    ) -> Pin<Box<dyn Future<Output = (String, bool)> + Send + 'a>> {
        Box::pin(async move {
            let request = CallRequest::new(self.name.as_str(), args).client_id(id);
            let outcome = self.view.invoke(request).await;
            (outcome.render_text(), outcome.is_error())
        })
    }
}

fn adapt(view: &ToolView) -> Vec<Box<dyn HarnessTool>> {
    let adapted = |name: &str| Adapted { view: view.clone(), name: name.to_owned() };
    view.surface()
        .iter()
        .map(|spec| Box::new(adapted(spec.name())) as Box<dyn HarnessTool>)
        .collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    let hello =
        FnTool::new(ToolSpec::new("hello", Tier::Read, "Says hello.", schema), |_, _| async {
            Ok(ToolOutput::text("hello"))
        });
    let view = RegistryBuilder::new().tool(hello).build(RunScope::builder("c").build())?;
    for tool in adapt(&view) {
        let (text, failed) = tool.run("call_1", json!({})).await;
        #[expect(clippy::print_stdout, reason = "an example shows what it did")]
        {
            println!("{} -> {text} (failed: {failed})", tool.declaration()["name"]);
        }
    }
    Ok(())
}
