//! The rule that schema and argument type name the same fields, seen from outside through serde's own message.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use serde_json::{Map, Value, json};

use super::{NotCompared, Report};
use crate::args::Args;
use crate::error::ErrorKind;
use crate::pipeline::probe;
use crate::spec::ToolSpec;
use crate::view::ToolView;

/// Sorts before every sensible name, so that serde meets it first.
const STRANGER: &str = "_0_no_such_field";

/// Hands the tool an unknown key past the registry: a type with `deny_unknown_fields` answers with all its fields.
///
/// A tool that reads its arguments by hand has no such list; the report says so.
pub(super) fn check(view: &ToolView, spec: &ToolSpec, sample: Option<&Value>, report: &mut Report) {
    let has = match names(view, spec, sample) {
        Ok(names) => names,
        Err(why) => {
            report.not_compared.push(NotCompared { tool: spec.name.clone(), why });
            return;
        }
    };
    let shown: BTreeSet<String> = spec.input_schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .cloned()
        .collect();
    for name in shown.difference(&has) {
        report.find(&spec.name, "fields", format!("the schema has `{name}`, the type does not"));
    }
    for name in has.difference(&shown) {
        report.find(&spec.name, "fields", format!("the type has `{name}`, the schema does not"));
    }
}

/// The fields of the type of the arguments, or why they are not known.
fn names(
    view: &ToolView,
    spec: &ToolSpec,
    sample: Option<&Value>,
) -> Result<BTreeSet<String>, &'static str> {
    let mut args = sample.and_then(Value::as_object).cloned().unwrap_or_default();
    args.insert(STRANGER.to_owned(), json!(1));
    let entry = view.entry(&spec.name).ok_or("the view does not show it")?;
    let args = Args::frozen(Value::Object(args));
    let cx = probe(view, entry);
    // Parsing comes before the first await, so one poll is enough, and nothing is done.
    let answer = AssertUnwindSafe(entry.tool.call(&cx, args)).catch_unwind().now_or_never();
    match answer {
        None => Err("it does not parse its arguments before its first await"),
        Some(Err(_)) => Err("it panicked on a key that it does not know"),
        Some(Ok(Ok(_))) => Err("it takes keys that it does not know: use `deny_unknown_fields`"),
        Some(Ok(Err(error)))
            if error.kind() == ErrorKind::InvalidArgs && error.message().contains(STRANGER) =>
        {
            Ok(fields(error.message()))
        }
        Some(Ok(Err(_))) => {
            Err("it does not name a key that it does not know: use `deny_unknown_fields`")
        }
    }
}

/// The names in serde's "unknown field `x`, expected one of `a`, `b`".
fn fields(message: &str) -> BTreeSet<String> {
    let expected = message.split_once("expected ").map_or("", |(_, rest)| rest);
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[test]
    fn serde_still_words_it_so() {
        #[derive(serde::Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        struct Two {
            #[expect(dead_code, reason = "only its name matters")]
            a: Option<u8>,
            #[expect(dead_code, reason = "only its name matters")]
            b: Option<u8>,
        }
        let error = serde_json::from_str::<Two>(r#"{"_":1}"#).expect_err("unknown");
        assert_eq!(fields(&error.to_string()).into_iter().collect::<Vec<_>>(), ["a", "b"]);
        assert!(fields("there are no fields").is_empty());
    }
}
