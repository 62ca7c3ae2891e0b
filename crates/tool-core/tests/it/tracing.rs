//! What a host that uses `tracing` sees of calls.

use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tool_core::{LogLevel, RegistryBuilder, Tier, ToolError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::{build, call, spec, tool};

/// Keeps spans and events as lines.
#[derive(Clone, Default)]
struct Keeper {
    lines: Arc<Mutex<Vec<String>>>,
    spans: Arc<AtomicU64>,
}

impl Keeper {
    fn add(&self, what: &str, metadata: &Metadata<'_>, visit: impl FnOnce(&mut Fields)) {
        let mut fields = Fields(String::new());
        visit(&mut fields);
        let line = format!("{what} {} {}{}", metadata.level(), metadata.name(), fields.0);
        self.lines.lock().expect("no panic inside").push(line);
    }
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).expect("a string takes all");
    }
}

impl Subscriber for Keeper {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("tool_core")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.add("span", span.metadata(), |fields| span.record(fields));
        Id::from_u64(self.spans.fetch_add(1, Ordering::SeqCst) + 1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.add("event", event.metadata(), |fields| event.record(fields));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn a_call_is_a_span_and_the_log_is_events() {
    let talks = tool(spec("talks", Tier::Read), |cx| async move {
        cx.log(LogLevel::Warn, format_args!("slow {}", 7));
        Err(ToolError::conflict("secret words"))
    });
    let view = build(RegistryBuilder::new().tool(talks));
    let keeper = Keeper::default();
    let _guard = tracing::subscriber::set_default(keeper.clone());
    let outcome = view.invoke(call("talks")).await;
    let lines = keeper.lines.lock().expect("no panic inside").clone();
    let id = outcome.id;
    assert_eq!(
        lines[0],
        format!("span INFO tool_call call={id} tool=\"talks\" conversation=conv depth=0")
    );
    assert!(lines[1].contains("WARN") && lines[1].contains("slow 7"), "{lines:?}");
    assert!(lines[1].contains(&format!("call={id}")), "{lines:?}");
    assert!(lines[2].contains("kind=\"conflict\"") && lines[2].contains("finished"), "{lines:?}");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(!lines.concat().contains("secret"), "neither arguments nor answers are told");
}
