//! The whole text of a cut answer, and records for the host's log.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tool_core::{
    CallEvent, CallId, LogLevel, RegistryBuilder, SPILL_WAIT, Spill, Tier, ToolOutput, async_trait,
};

use crate::support::{build, call, spec, tool};

/// Keeps texts in memory, or does not.
enum Fake {
    Keeps(Mutex<Vec<String>>),
    Refuses,
    Panics,
    Hangs,
}

#[async_trait]
impl Spill for Fake {
    async fn keep(&self, _: CallId, text: String) -> Result<PathBuf, String> {
        match self {
            Self::Keeps(texts) => {
                let mut texts = texts.lock().expect("no panic inside");
                texts.push(text);
                Ok(format!("/state/{}.txt", texts.len()).into())
            }
            Self::Refuses => Err("the disk is full".to_owned()),
            Self::Panics => panic!("no place"),
            Self::Hangs => std::future::pending().await,
        }
    }
}

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\n")).collect()
}

fn with(spill: &Arc<Fake>) -> tool_core::ToolView {
    let spec = |name| spec(name, Tier::Read).output_budget(1_000);
    build(
        RegistryBuilder::new()
            .tool(tool(spec("long"), |_| async { Ok(ToolOutput::text(lines(1_000)).note("n")) }))
            .tool(tool(spec("short"), |_| async { Ok(ToolOutput::text(lines(10))) }))
            .spill(spill.clone()),
    )
}

#[tokio::test]
async fn what_the_budget_cuts_is_kept_and_named() {
    let fake = Arc::new(Fake::Keeps(Mutex::default()));
    let view = with(&fake);
    let short = view.invoke(call("short")).await;
    assert!(!short.render_text().contains("/state"));
    // A narrowed view keeps texts as well.
    let long = view.narrowed(Tier::Read).invoke(call("long")).await;
    let text = long.render_text();
    assert!(
        text.contains("lines are shown, from the start and the end; all of it is in /state/1.txt]"),
        "{text}"
    );
    let output = long.result.expect("an answer");
    assert_eq!(output.elided.and_then(|e| e.kept_in), Some("/state/1.txt".into()));
    let Fake::Keeps(texts) = &*fake else { unreachable!() };
    assert_eq!(*texts.lock().expect("no panic inside"), [lines(1_000)]);
}

#[tokio::test(start_paused = true)]
async fn a_text_that_cannot_be_kept_is_cut_all_the_same() {
    for (fake, why) in [
        (Fake::Refuses, "the disk is full"),
        (Fake::Panics, "panicked"),
        (Fake::Hangs, "longer than"),
    ] {
        let view = with(&Arc::new(fake));
        let mut events = view.scope().events();
        let begun = tokio::time::Instant::now();
        let text = view.invoke(call("long")).await.render_text();
        assert!(begun.elapsed() <= SPILL_WAIT);
        assert!(text.contains("ask for less at a time") && text.len() < 1_300, "{text}");
        let mut logged = Vec::new();
        while let Some(event) = events.try_recv() {
            if let CallEvent::Log(record) = event {
                logged.push(record);
            }
        }
        let [record] = &logged[..] else { panic!("{logged:?}") };
        assert!(record.level == LogLevel::Warn && record.call.is_some());
        assert!(record.message.contains(why), "{}", record.message);
    }
}

#[tokio::test]
async fn a_call_and_its_scope_write_to_the_log_in_order() {
    let talks = tool(spec("talks", Tier::Read), |cx| async move {
        cx.log(LogLevel::Debug, format_args!("{} steps", 2));
        cx.scope().log(LogLevel::Error, format_args!("the server has gone"));
        Ok(ToolOutput::text("done"))
    });
    let view = build(RegistryBuilder::new().tool(talks));
    let mut events = view.scope().events();
    let outcome = view.invoke(call("talks")).await;
    let mut seen = Vec::new();
    while let Some(event) = events.try_recv() {
        match event {
            CallEvent::Log(record) => seen.push((record.call, record.level, record.message)),
            CallEvent::Finished(_) => seen.push((None, LogLevel::Info, "finished".to_owned())),
            _ => {}
        }
    }
    assert_eq!(
        seen,
        [
            (Some(outcome.id), LogLevel::Debug, "2 steps".to_owned()),
            (None, LogLevel::Error, "the server has gone".to_owned()),
            (None, LogLevel::Info, "finished".to_owned()),
        ]
    );
    assert!(!outcome.render_text().contains("steps"), "models do not see the log");
}

#[tokio::test]
async fn a_listener_that_does_not_read_loses_the_oldest_records_and_no_outcome() {
    let floods = tool(spec("floods", Tier::Read), |cx| async move {
        for n in 0..5_000 {
            cx.log(LogLevel::Info, format_args!("{n}"));
        }
        Ok(ToolOutput::text("done"))
    });
    let view = build(RegistryBuilder::new().tool(floods));
    let mut events = view.scope().events();
    view.invoke(call("floods")).await;
    assert!(events.dropped() > 3_000);
    let (mut last, mut finished, mut records) = (String::new(), false, 0);
    while let Some(event) = events.try_recv() {
        match event {
            CallEvent::Log(record) => {
                last = record.message;
                records += 1;
            }
            CallEvent::Finished(_) => finished = true,
            _ => {}
        }
    }
    assert!(finished && records > 0 && records <= 1_024);
    assert_eq!(last, "4999");
}
