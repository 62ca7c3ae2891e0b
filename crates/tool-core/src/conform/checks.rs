//! The rules, one function each.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::fields;
use super::junk::Junk;
use super::shape::check_result_object;
use super::{Conform, Report};
use crate::args::Args;
use crate::call::{CallOutcome, CallRequest};
use crate::error::ErrorKind;
use crate::events::CallEvent;
use crate::resource::CloseWhy;
use crate::schema::{Dialect, lint};
use crate::spec::ToolSpec;
use crate::tier::Tier;
use crate::view::ToolView;

/// Slack over a tool's own grace before a stop counts as too slow.
const SLACK: Duration = Duration::from_secs(5);

/// Two views of the same wiring show the same, byte for byte.
pub(super) fn surface(one: &ToolView, two: &ToolView, report: &mut Report) {
    for dialect in [Dialect::JsonSchema, Dialect::OpenAiResponses, Dialect::Gemini] {
        if one.export(dialect) != two.export(dialect) {
            report.find("", "stable surface", format!("two builds differ as {dialect:?}"));
        }
    }
}

/// All rules for one tool.
pub(super) async fn tool(conform: &Conform, name: &str, report: &mut Report) {
    let view = fresh(conform, name, report).await;
    let Some(spec) = view.get(name).cloned() else {
        report.find(name, "stable surface", "another view of the same wiring has no such tool");
        return;
    };
    if !conform.foreign {
        for finding in lint(&spec) {
            report.find(name, "portable schema", finding.to_string());
        }
    }
    let samples: Vec<Value> = conform.samples.get(name).cloned().unwrap_or_default();
    if samples.is_empty() {
        report.find(name, "sample", "give at least one sample of arguments that it accepts");
    }
    let mut kit = Kit { conform, spec: &spec, report };
    fields::check(&view, &spec, samples.first(), kit.report);
    kit.hidden(&view).await;
    kit.wrong_arguments(&view, samples.first()).await;
    for sample in &samples {
        kit.accepted(sample).await;
        kit.stops(sample).await;
        kit.dropped(sample).await;
        kit.together(sample).await;
    }
    kit.junk(&view).await;
    let closed = view.scope().close(CloseWhy::Finished, conform.patience).await;
    if !closed.is_clean() {
        report.find(name, "close", format!("closing the run left something: {:?}", closed.leaks));
    }
}

/// A run of its own, with the calls made that the tool needs before it.
async fn fresh(conform: &Conform, name: &str, report: &mut Report) -> ToolView {
    let view = (conform.views)();
    for (call, args) in conform.before.get(name).into_iter().flatten() {
        report.calls += 1;
        let outcome = view.invoke(CallRequest::new(call.clone(), args.clone())).await;
        if let Err(error) = outcome.result {
            report.find(name, "before", format!("the call of `{call}` before it failed: {error}"));
        }
    }
    view
}

struct Kit<'a> {
    conform: &'a Conform,
    spec: &'a ToolSpec,
    report: &'a mut Report,
}

impl Kit<'_> {
    fn find(&mut self, rule: &'static str, message: impl Into<String>) {
        self.report.find(&self.spec.name, rule, message);
    }

    fn request(&self, args: &Value) -> CallRequest {
        CallRequest::new(self.spec.name.clone(), args.clone())
    }

    /// A call that ends in time and whose outcome has the right shape.
    async fn call(
        &mut self,
        view: &ToolView,
        rule: &'static str,
        args: &Value,
    ) -> Option<CallOutcome> {
        let request = self.request(args);
        self.outcome(rule, args, view.invoke(request)).await
    }

    async fn outcome(
        &mut self,
        rule: &'static str,
        args: &Value,
        call: impl Future<Output = CallOutcome>,
    ) -> Option<CallOutcome> {
        self.report.calls += 1;
        let Ok(outcome) = timeout(self.conform.patience, call).await else {
            let patience = self.conform.patience.as_secs();
            self.find(rule, format!("no outcome after {patience} s for {}", short(args)));
            return None;
        };
        for fault in check_result_object(&outcome.to_result_object(Some(json!(1)))) {
            self.find("result object", format!("{fault} for {}", short(args)));
        }
        if let Err(error) = &outcome.result {
            if error.kind() == ErrorKind::Internal {
                let cause = error.host_source().map_or_else(String::new, |s| format!(": {s:#}"));
                self.find(rule, format!("an internal error for {}{cause}", short(args)));
            }
            if error.message().trim().is_empty() {
                self.find(rule, format!("an error without words for {}", short(args)));
            }
        }
        let size = match &outcome.result {
            Ok(output) => output.render_text().len(),
            Err(error) => {
                let partial = error.partial().map_or(0, |p| p.render_text().len());
                partial.max(error.full_message().len())
            }
        };
        // Blocks, notes, and the marker that says what was cut.
        let most = self.spec.output_budget + crate::NOTES_BUDGET + 2_048;
        if size > most {
            self.find("budget", format!("{size} bytes of text, the budget is {most}"));
        }
        Some(outcome)
    }

    /// A view that may not show the tool does not run it and does not name it.
    async fn hidden(&mut self, view: &ToolView) {
        let narrow = match self.spec.tier {
            Tier::Read => view.without(&[&self.spec.name]),
            Tier::Write => view.narrowed(Tier::Read),
            Tier::Exec => view.narrowed(Tier::Write),
        };
        let Some(outcome) = self.call(&narrow, "hidden", &json!({})).await else {
            return;
        };
        match &outcome.result {
            Err(e) if e.kind() == ErrorKind::UnknownTool => {
                let named = e.message().split("there are:").nth(1).unwrap_or_default();
                let words = named.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                if words.into_iter().any(|w| w == self.spec.name) {
                    self.find("hidden", "the error of a view without it names it");
                }
            }
            other => self.find("hidden", format!("called in a view without it: {other:?}")),
        }
    }

    /// Nothing, one argument missing, an unknown argument: refused by kind and by name, or taken.
    async fn wrong_arguments(&mut self, view: &ToolView, sample: Option<&Value>) {
        let required = self.spec.input_schema["required"].as_array().cloned().unwrap_or_default();
        let nothing = self.call(view, "empty arguments", &json!({})).await;
        if let Some(outcome) = nothing
            && !required.is_empty()
        {
            self.expect_invalid("empty arguments", &outcome, required[0].as_str());
        }
        let Some(sample) = sample.and_then(Value::as_object) else {
            return;
        };
        for key in required.iter().filter_map(Value::as_str) {
            let mut args = sample.clone();
            args.remove(key);
            if let Some(outcome) = self.call(view, "missing argument", &Value::Object(args)).await {
                self.expect_invalid("missing argument", &outcome, Some(key));
            }
        }
        if self.spec.input_schema["additionalProperties"] == json!(false) {
            let mut args = sample.clone();
            args.insert("no_such_argument".to_owned(), json!(1));
            if let Some(outcome) = self.call(view, "unknown argument", &Value::Object(args)).await {
                self.expect_invalid("unknown argument", &outcome, Some("no_such_argument"));
            }
        }
    }

    fn expect_invalid(&mut self, rule: &'static str, outcome: &CallOutcome, named: Option<&str>) {
        match &outcome.result {
            Err(e) if e.kind() == ErrorKind::InvalidArgs => {
                if let Some(name) = named.filter(|name| !e.full_message().contains(name)) {
                    self.find(rule, format!("the error does not name `{name}`: {e}"));
                }
            }
            Err(e) => self.find(rule, format!("the kind is {}, not invalid_args", e.kind())),
            Ok(_) => self.find(rule, "it was accepted"),
        }
    }

    /// A sample is accepted, and is so with every optional argument given as null.
    async fn accepted(&mut self, sample: &Value) {
        let view = fresh(self.conform, &self.spec.name, self.report).await;
        let first = self.call(&view, "sample", sample).await;
        if let Some(Err(e)) = first.as_ref().map(|o| &o.result) {
            self.find("sample", format!("{} was not accepted: {e}", short(sample)));
        }
        let Some(given) = sample.as_object() else { return };
        let mut args: Map<String, Value> = given.clone();
        for key in self.spec.input_schema["properties"].as_object().into_iter().flat_map(Map::keys)
        {
            args.entry(key.clone()).or_insert(Value::Null);
        }
        let view = fresh(self.conform, &self.spec.name, self.report).await;
        let nulls = self.call(&view, "null is absent", &Value::Object(args)).await;
        if let (Some(first), Some(nulls)) = (first, nulls) {
            let kind =
                |o: &CallOutcome| o.result.as_ref().map(|_| ()).map_err(crate::ToolError::kind);
            if kind(&first) != kind(&nulls) {
                self.find(
                    "null is absent",
                    format!("{:?} became {:?}", kind(&first), kind(&nulls)),
                );
            }
        }
    }

    /// A call cancelled before its start does not start; one cancelled at work ends within its grace.
    async fn stops(&mut self, sample: &Value) {
        let view = fresh(self.conform, &self.spec.name, self.report).await;
        let mut events = view.scope().events();
        let token = CancellationToken::new();
        token.cancel();
        let call = view.invoke(self.request(sample).cancel(token));
        if let Some(outcome) = self.outcome("cancelled before start", sample, call).await {
            self.expect_cancelled("cancelled before start", &outcome, false);
        }
        while let Some(event) = events.try_recv() {
            if matches!(event, CallEvent::Started { .. }) {
                self.find("cancelled before start", "the tool was started");
            }
        }
        for after in [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(20)] {
            let token = CancellationToken::new();
            let begun = Instant::now();
            let call = view.invoke(self.request(sample).cancel(token.clone()));
            let stopped = async {
                tokio::join!(call, async {
                    sleep(after).await;
                    token.cancel();
                })
                .0
            };
            if let Some(outcome) = self.outcome("cancelled at work", sample, stopped).await {
                self.expect_cancelled("cancelled at work", &outcome, true);
            }
            let most = self.spec.teardown_grace + after + SLACK;
            if begun.elapsed() > most {
                let took = begun.elapsed().as_millis();
                self.find("cancelled at work", format!("it took {took} ms to end after a stop"));
            }
        }
    }

    fn expect_cancelled(&mut self, rule: &'static str, outcome: &CallOutcome, may_succeed: bool) {
        match &outcome.result {
            Err(e) if e.kind() == ErrorKind::Cancelled => {}
            // It had ended before the stop: whatever it is then, it is no label of the stop's.
            _ if may_succeed => {}
            other => self.find(rule, format!("the outcome is {other:?}")),
        }
    }

    /// Dropping a call at any point does not wedge the tool.
    async fn dropped(&mut self, sample: &Value) {
        let view = fresh(self.conform, &self.spec.name, self.report).await;
        for after in [None, Some(Duration::from_millis(1)), Some(Duration::from_millis(10))] {
            let call = view.invoke(self.request(sample));
            self.report.calls += 1;
            match after {
                None => drop(call.now_or_never()),
                Some(after) => drop(timeout(after, call).await),
            }
        }
        if let Some(outcome) = self.call(&view, "after a dropped call", sample).await
            && let Err(e) = &outcome.result
            && matches!(e.kind(), ErrorKind::Busy | ErrorKind::Timeout | ErrorKind::Cancelled)
        {
            self.find("after a dropped call", format!("the next call was {e}"));
        }
        let closed = view.scope().close(CloseWhy::Finished, self.conform.patience).await;
        if !closed.is_clean() {
            self.find("after a dropped call", format!("left something: {:?}", closed.leaks));
        }
    }

    /// Calls at the same time all have an outcome, and none is a fault.
    async fn together(&mut self, sample: &Value) {
        let view = fresh(self.conform, &self.spec.name, self.report).await;
        self.report.calls += 3;
        let calls = (0..4).map(|_| view.invoke(self.request(sample)));
        let all = timeout(self.conform.patience, join_all(calls)).await;
        let Ok(outcomes) = all else {
            self.find("at the same time", "four calls at once did not all end");
            return;
        };
        for outcome in outcomes {
            self.outcome("at the same time", sample, async { outcome }).await;
        }
    }

    /// Random arguments never panic, hang or break the shape; nor do `lane` and `targets`.
    async fn junk(&mut self, view: &ToolView) {
        let mut junk = Junk::new(self.conform.seed);
        let calls = self.conform.junk_of.get(&self.spec.name).unwrap_or(&self.conform.junk);
        for _ in 0..*calls {
            let args = junk.arguments(&self.spec.input_schema);
            if let Some(entry) = view.entry(&self.spec.name) {
                let frozen = Args::frozen(args.clone());
                let probe = AssertUnwindSafe(|| {
                    let _ = entry.tool.lane(&frozen);
                    entry.tool.targets(&frozen, view.scope().workspace())
                });
                if std::panic::catch_unwind(probe).is_err() {
                    self.find("junk", format!("`lane` or `targets` panics on {}", short(&args)));
                }
            }
            self.call(view, "junk", &args).await;
        }
    }
}

fn short(args: &Value) -> String {
    let text = args.to_string();
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
