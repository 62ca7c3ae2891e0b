//! Layers: stages, order, nested calls, refusals.

use tool_core::serde_json::json;
use tool_core::{
    Args, CallCx, CancellationToken, ErrorKind, Layer, Next, RegistryBuilder, Stage, Tier,
    ToolError, ToolOutput, ToolSpec, async_trait,
};

use crate::support::{CallResult, Log, build, call, kind, says, secs, spec, tool};

struct Tell {
    log: Log,
    name: &'static str,
    stage: Stage,
    only: Option<&'static str>,
}

#[async_trait]
impl Layer for Tell {
    fn stage(&self) -> Stage {
        self.stage
    }

    fn applies(&self, spec: &ToolSpec) -> bool {
        self.only.is_none_or(|name| name == spec.name())
    }

    async fn around(&self, cx: &CallCx, _: &Args, next: Next<'_>) -> CallResult {
        self.log.add(format!("{} before {}", self.name, cx.spec().name()));
        let result = next.run().await;
        self.log.add(format!("{} after {}", self.name, cx.spec().name()));
        result.map(|out| out.note(self.name))
    }
}

#[tokio::test]
async fn stages_are_fixed_and_nested_calls_pass_them_too() {
    let log = Log::default();
    let layer = |name, stage, only| Tell { log: log.clone(), name, stage, only };
    let view = build(
        RegistryBuilder::new()
            .layer(layer("around", Stage::Around, None))
            .layer(layer("guard", Stage::Guard, None))
            .layer(layer("diagnostics", Stage::Around, Some("write")))
            .tool(says("write", Tier::Write))
            .tool(tool(spec("eval", Tier::Exec), |cx| async move {
                let inner = cx.call_tool("write", json!({})).await;
                Ok(ToolOutput::text(format!(
                    "cell got: {}",
                    inner.render_text().replace('\n', ",")
                )))
            })),
    );
    let outcome = view.invoke(call("eval")).await;
    assert_eq!(outcome.render_text(), "cell got: write,diagnostics,around,guard\naround\nguard");
    assert_eq!(
        log.all(),
        [
            "guard before eval",
            "around before eval",
            "guard before write",
            "around before write",
            "diagnostics before write",
            "diagnostics after write",
            "around after write",
            "guard after write",
            "around after eval",
            "guard after eval",
        ]
    );
}

struct No;

#[async_trait]
impl Layer for No {
    fn stage(&self) -> Stage {
        Stage::Guard
    }

    async fn around(&self, _: &CallCx, args: &Args, next: Next<'_>) -> CallResult {
        if args.value().get("path").is_some_and(|p| p == "secret") {
            return Err(ToolError::refused("a policy says no"));
        }
        next.run().await
    }
}

#[tokio::test]
async fn a_guard_refuses_and_a_panicking_layer_is_an_outcome() {
    struct Boom;

    #[async_trait]
    impl Layer for Boom {
        fn applies(&self, spec: &ToolSpec) -> bool {
            spec.name() == "boom"
        }

        async fn around(&self, _: &CallCx, _: &Args, _: Next<'_>) -> CallResult {
            panic!("in a layer")
        }
    }

    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    let open = ToolSpec::new("open", Tier::Read, "Opens.", schema);
    let view = build(
        RegistryBuilder::new()
            .tool(tool(open, |_| async { Ok(ToolOutput::text("opened")) }))
            .tool(says("boom", Tier::Read))
            .layer(No)
            .layer(Boom),
    );
    let open =
        |path: &str| view.invoke(tool_core::CallRequest::new("open", json!({ "path": path })));
    assert_eq!(kind(&open("secret").await.result), Some(ErrorKind::Refused));
    assert_eq!(open("readme").await.render_text(), "opened");
    assert_eq!(kind(&view.invoke(call("boom")).await.result), Some(ErrorKind::Internal));
}

/// Like diagnostics on write: has its say after the tool even when the call was cancelled.
struct Afterwards;

#[async_trait]
impl Layer for Afterwards {
    async fn around(&self, _: &CallCx, _: &Args, next: Next<'_>) -> CallResult {
        let result = next.run().await;
        tokio::time::sleep(secs(1)).await;
        result.map_err(|e| e.with_partial(ToolOutput::text("checked afterwards")))
    }
}

#[tokio::test(start_paused = true)]
async fn a_layer_has_its_say_after_a_tool_that_did_not_listen() {
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("deaf", Tier::Write), |_| async {
                tokio::time::sleep(secs(500)).await;
                Ok(ToolOutput::new())
            }))
            .layer(Afterwards),
    );
    let token = CancellationToken::new();
    let (outcome, ()) = tokio::join!(view.invoke(call("deaf").cancel(token.clone())), async {
        tokio::time::sleep(secs(1)).await;
        token.cancel();
    });
    assert_eq!(kind(&outcome.result), Some(ErrorKind::Cancelled));
    assert!(outcome.render_text().starts_with("checked afterwards\n"), "{}", outcome.render_text());
}
