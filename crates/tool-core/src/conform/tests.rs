//! The kit finds what it is for, and passes what is right.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Conform, Report, check};
use crate::{
    CallCx, FnTool, RegistryBuilder, RunScope, Tier, Tool, ToolError, ToolOutput, ToolSpec,
    ToolView, Typed, TypedTool, async_trait,
};

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "description": "What to say." },
            "times": { "type": "integer", "description": "How often." },
        },
        "required": ["text"],
        "additionalProperties": false,
    })
}

fn view(tool: impl Tool) -> ToolView {
    RegistryBuilder::new().tool(tool).build(RunScope::builder("c").build()).expect("it builds")
}

struct Echo(ToolSpec);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EchoArgs {
    text: String,
    #[serde(default)]
    times: Option<i64>,
}

#[async_trait]
impl TypedTool for Echo {
    type Args = EchoArgs;

    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    async fn run(&self, _cx: &CallCx, args: EchoArgs) -> Result<ToolOutput, ToolError> {
        let times = usize::try_from(args.times.unwrap_or(1)).unwrap_or(0).min(9);
        Ok(ToolOutput::text(args.text.repeat(times)))
    }
}

async fn rules(conform: Conform) -> Vec<&'static str> {
    let Report { findings, .. } = check(&conform).await;
    let mut rules: Vec<_> = findings.iter().map(|f| f.rule).collect();
    rules.dedup();
    rules
}

#[tokio::test]
async fn a_good_tool_passes() {
    let spec = || ToolSpec::new("echo", Tier::Write, "Says it.", schema()).exclusive();
    let report = check(
        &Conform::new(move || view(Typed(Echo(spec())))).sample("echo", json!({ "text": "hi" })),
    )
    .await;
    report.assert_complete();
    assert!(report.calls > super::DEFAULT_JUNK, "{}", report.calls);
}

#[tokio::test]
async fn a_slow_tool_gets_less_junk_and_hidden_fields_are_reported() {
    let views = || {
        let spec = ToolSpec::new("echo", Tier::Read, "Says it.", schema());
        view(FnTool::new(spec, |_, _| async { Ok(ToolOutput::text("x")) }))
    };
    let kit = || Conform::new(views).sample("echo", json!({ "text": "hi" }));
    let usual = check(&kit()).await;
    usual.assert_clean();
    let [hidden] = &usual.not_compared[..] else { panic!("{:?}", usual.not_compared) };
    assert!(hidden.to_string().starts_with("echo: ") && hidden.why.contains("deny_unknown_fields"));
    let less = check(&kit().junk_of("echo", 4)).await;
    assert_eq!(usual.calls - less.calls, super::DEFAULT_JUNK - 4);
    let strange = check(&kit().junk(0).junk_of("ecko", 4)).await;
    assert_eq!(strange.findings.first().map(|f| f.tool.as_str()), Some("ecko"));
}

#[tokio::test]
async fn a_panic_on_junk_is_found() {
    let tool = || {
        let spec = ToolSpec::new("echo", Tier::Read, "Says it.", schema());
        FnTool::new(spec, |args, _cx| async move {
            let text = args.value()["text"].as_str().map(str::to_owned).unwrap_or_default();
            Ok(ToolOutput::text(&text[..1]))
        })
    };
    let found =
        rules(Conform::new(move || view(tool())).sample("echo", json!({ "text": "hi" }))).await;
    assert_eq!(found, ["junk"]);
}

#[tokio::test]
async fn a_schema_that_names_other_fields_is_found() {
    let spec = || {
        let mut schema = schema();
        schema["properties"]["volume"] = json!({ "type": "integer", "description": "How loud." });
        schema["properties"].as_object_mut().expect("object").remove("times");
        ToolSpec::new("echo", Tier::Read, "Says it.", schema)
    };
    let report = check(
        &Conform::new(move || view(Typed(Echo(spec()))))
            .junk(0)
            .sample("echo", json!({ "text": "hi" })),
    )
    .await;
    let texts: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|t| t.contains("the schema has `volume`")), "{texts:?}");
    assert!(texts.iter().any(|t| t.contains("the type has `times`")), "{texts:?}");
}

#[tokio::test]
async fn a_call_that_holds_on_after_a_drop_is_found() {
    // The lane is held by a lock of the tool's own that a dropped call never opens again.
    let tool = || {
        let spec = ToolSpec::new("echo", Tier::Read, "Says it.", schema());
        let taken = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        FnTool::new(spec, move |_args, _cx| {
            let taken = taken.clone();
            async move {
                if taken.swap(true, std::sync::atomic::Ordering::SeqCst) {
                    return Err(ToolError::busy("taken"));
                }
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                taken.store(false, std::sync::atomic::Ordering::SeqCst);
                Ok(ToolOutput::text("ok"))
            }
        })
    };
    let found =
        rules(Conform::new(move || view(tool())).junk(0).sample("echo", json!({ "text": "hi" })))
            .await;
    assert!(found.contains(&"after a dropped call"), "{found:?}");
}

#[tokio::test]
async fn a_tool_that_needs_another_call_first_gets_it() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let views = || {
        let staged = Arc::new(AtomicUsize::new(0));
        let taken = Arc::clone(&staged);
        let empty = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
        let stage = FnTool::new(
            ToolSpec::new("stage", Tier::Write, "Stages.", empty.clone()),
            move |_, _| {
                staged.fetch_add(1, Ordering::SeqCst);
                async { Ok(ToolOutput::text("staged")) }
            },
        );
        let take = FnTool::new(ToolSpec::new("take", Tier::Write, "Takes.", empty), move |_, _| {
            let had = taken.swap(0, Ordering::SeqCst);
            async move {
                match had {
                    0 => Err(ToolError::conflict("nothing is staged")),
                    n => Ok(ToolOutput::text(n.to_string())),
                }
            }
        });
        RegistryBuilder::new()
            .tool(stage)
            .tool(take)
            .build(RunScope::builder("c").build())
            .expect("it builds")
    };
    let base = || Conform::new(views).junk(4).sample("stage", json!({})).sample("take", json!({}));
    assert_eq!(rules(base()).await, ["sample"]);
    assert_eq!(rules(base().before("take", "stage", json!({}))).await, [""; 0]);
    assert_eq!(rules(base().before("take", "nowhere", json!({}))).await.first(), Some(&"before"));
}
