//! The tree of scopes: who owns what, closing order, deadlines, reports.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use tool_core::{AgentPath, CloseWhy, Closed, Resource, RunScope, ScopeKind, Tier, async_trait};

use crate::support::{Log, ms, scope, secs};

/// A resource that takes a time to close, or goes wrong.
struct Thing {
    name: &'static str,
    log: Log,
    takes: Duration,
    end: fn() -> Closed,
}

#[async_trait]
impl Resource for Thing {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    async fn close(&self, _: CloseWhy, _: Duration) -> Closed {
        sleep(self.takes).await;
        let end = (self.end)();
        self.log.add(format!("close {}", self.name));
        end
    }

    fn abandon(&self) {
        self.log.add(format!("abandon {}", self.name));
    }
}

fn thing(log: &Log, name: &'static str) -> Arc<Thing> {
    let log = log.clone();
    Arc::new(Thing { name, log, takes: ms(1), end: || Closed::Clean })
}

#[tokio::test(start_paused = true)]
async fn children_close_first_and_resources_newest_first() {
    let log = Log::default();
    let run = scope();
    let worker = run.child("w1").build();
    let conversation = run.conversation_scope();
    conversation.own(thing(&log, "kernel")).expect("open");
    run.own(thing(&log, "server 1")).expect("open");
    let gone = run.own(thing(&log, "ended by itself")).expect("open");
    run.own(thing(&log, "server 2")).expect("open");
    worker.own(thing(&log, "worker's server")).expect("open");
    run.release(gone);

    let report = run.close(CloseWhy::Finished, secs(10)).await;
    let order = ["worker's server", "server 2", "server 1", "kernel"];
    assert_eq!(report.closed, order);
    assert!(report.is_clean());
    assert_eq!(run.close(CloseWhy::Cancelled, secs(1)).await, report, "once");
    assert_eq!(log.all(), order.map(|n| format!("close {n}")));
    assert!(worker.is_closing() && worker.cancel().is_cancelled());

    assert!(run.own(thing(&log, "late")).is_err());
    assert_eq!(log.all().last().map(String::as_str), Some("abandon late"));
    let late = run.child("w2").build();
    assert!(late.own(thing(&log, "later")).is_err());
}

#[tokio::test(start_paused = true)]
async fn a_conversation_outlives_its_runs() {
    let log = Log::default();
    let conversation = RunScope::builder("c").workspace("/w").build_conversation();
    let run = RunScope::builder("x").within(&conversation).build();
    assert_eq!(run.workspace().root(), conversation.workspace().root());
    run.conversation_scope().own(thing(&log, "kernel")).expect("open");
    run.own(thing(&log, "server")).expect("open");
    assert_eq!(run.close(CloseWhy::Finished, secs(1)).await.closed, ["server"]);
    assert!(!conversation.is_closing());
    let next = RunScope::builder("x").within(&conversation).build();
    assert!(!next.is_closing());
    assert_eq!(conversation.close(CloseWhy::Shutdown, secs(1)).await.closed, ["kernel"]);
    assert!(next.is_closing());
}

#[tokio::test(start_paused = true)]
async fn what_does_not_stop_is_named_and_abandoned_and_the_rest_still_closes() {
    let log = Log::default();
    let run = scope();
    run.own(thing(&log, "first")).expect("open");
    let odd = |name, takes, end| Arc::new(Thing { name, log: log.clone(), takes, end });
    run.own(odd("dirty", ms(1), || Closed::Left("pid 7 lives".to_owned()))).expect("open");
    run.own(odd("broken", ms(1), || panic!("while closing"))).expect("open");
    run.own(odd("hangs", secs(1_000), || Closed::Clean)).expect("open");
    run.spawn("stubborn task", async { sleep(secs(1_000)).await });
    run.spawn("broken task", async { panic!("in a task") });
    let begun = Instant::now();
    let report = run.close(CloseWhy::Finished, secs(4)).await;
    assert!(begun.elapsed() <= secs(4), "{:?}", begun.elapsed());
    assert_eq!(report.closed, ["first"]);
    let leaks: Vec<_> = report.leaks.iter().map(|l| format!("{}: {}", l.name, l.why)).collect();
    assert_eq!(
        leaks,
        [
            "hangs: it had not ended after 2000 ms; it was abandoned",
            "broken: closing it panicked; it was abandoned",
            "dirty: pid 7 lives",
            "stubborn task: the task was still running at the deadline",
        ]
    );
    assert_eq!(report.panicked, ["broken task"]);
    assert_eq!(
        log.all(),
        ["abandon hangs", "abandon broken", "close dirty", "abandon dirty", "close first"]
    );
}

#[tokio::test]
async fn dropping_the_last_handle_abandons_what_is_left() {
    let log = Log::default();
    let run = scope();
    run.own(thing(&log, "a")).expect("open");
    run.own(thing(&log, "b")).expect("open");
    run.conversation_scope().own(thing(&log, "kernel")).expect("open");
    let token = run.cancel().clone();
    drop(run);
    assert_eq!(log.all(), ["abandon b", "abandon a", "abandon kernel"]);
    assert!(token.is_cancelled());
}

#[test]
fn workers_inherit_what_they_may_not_widen() {
    let run = RunScope::builder("c")
        .workspace("/w")
        .state_dir("/s")
        .cap(Tier::Write)
        .trust(Some(true))
        .build();
    let worker = run.child("w1").cap(Tier::Exec).trust(Some(false)).build();
    assert_eq!((worker.cap(), worker.trusted()), (Tier::Write, true));
    assert_eq!(worker.kind(), ScopeKind::Worker);
    assert_eq!(worker.conversation().as_str(), "c/w1");
    assert_eq!(worker.agent(), &AgentPath::root().child("w1"));
    assert_eq!(worker.state_dir(), run.state_dir());
    assert_ne!(worker.run(), run.run());
    assert!(Arc::ptr_eq(&worker.conversation_scope(), &worker), "a worker is its own conversation");
    assert_eq!(run.child("w2").cap(Tier::Read).build().cap(), Tier::Read);
    assert!(RunScope::builder("c").build().trusted());
    assert!(!RunScope::builder("c").trust(Some(false)).build().trusted());
    assert!(!RunScope::builder("c").cap(Tier::Read).build().trusted());
}
