//! Calls of one model turn: what runs together and what in order.

use std::sync::Arc;

use tokio::sync::Barrier;
use tool_core::{ErrorKind, RegistryBuilder, Tier, ToolOutput};

use crate::support::{Log, build, call, kind, says, secs, spec, tool};

#[tokio::test(start_paused = true)]
async fn free_reads_run_together_and_all_else_in_its_place() {
    let log = Log::default();
    let (a, b) = (log.clone(), log.clone());
    let pair = Arc::new(Barrier::new(2));
    let view = build(
        RegistryBuilder::new()
            .tool(tool(spec("read", Tier::Read), move |_| {
                let (log, pair) = (a.clone(), pair.clone());
                async move {
                    // Only passes when two of them run at the same time.
                    pair.wait().await;
                    log.add("read");
                    Ok(ToolOutput::text("r"))
                }
            }))
            .tool(tool(spec("write", Tier::Write), move |_| {
                let log = b.clone();
                async move {
                    log.add("write begins");
                    tokio::time::sleep(secs(1)).await;
                    log.add("write ends");
                    Ok(ToolOutput::text("w"))
                }
            })),
    );
    let turn = ["read", "read", "write", "write", "read", "nothing", "read"];
    let outcomes = view.invoke_all(turn.iter().map(|n| call(n)).collect()).await;
    let names: Vec<_> = outcomes.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, turn, "in the order of the requests");
    let order = [
        "read",
        "read",
        "write begins",
        "write ends",
        "write begins",
        "write ends",
        "read",
        "read",
    ];
    assert_eq!(log.all(), order);
    assert_eq!(kind(&outcomes[5].result), Some(ErrorKind::UnknownTool));
}

#[tokio::test]
async fn a_second_call_with_the_same_client_id_is_refused() {
    let view = build(RegistryBuilder::new().tool(says("a", Tier::Read)));
    let turn = vec![
        call("a").client_id("1"),
        call("a").client_id("1"),
        call("a").client_id("2"),
        call("a"),
        call("a"),
    ];
    let outcomes = view.invoke_all(turn).await;
    let kinds: Vec<_> = outcomes.iter().map(|o| kind(&o.result)).collect();
    assert_eq!(kinds, [None, Some(ErrorKind::InvalidArgs), None, None, None]);
    assert_eq!(outcomes[1].client_id.as_deref(), Some("1"));
}
