use super::{Severity, decode};
use crate::text::Pos;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

fn range(line: u32) -> Value {
    json!({ "start": { "line": line, "character": 2 }, "end": { "line": line, "character": 5 } })
}

/// Failure 85: one field that cannot be read drops a whole report.
#[test]
fn a_bad_item_drops_itself_only() {
    let items = json!([
        { "range": range(1), "message": "one", "severity": 2, "code": "a", "source": "s" },
        { "range": range(2) },
        { "range": null, "message": "no place", "code": 7, "relatedInformation": null },
        "nonsense",
        { "range": range(3), "message": { "kind": "markdown", "value": "three" }, "severity": "1", "code": { "value": "E1", "target": "x" } },
        { "range": range(4), "message": "  ", "severity": 1 },
        { "range": { "start": { "line": 9, "character": 4 }, "end": { "line": 9, "character": 1 } }, "message": "reversed", "severity": 4, "tags": "none" },
    ]);
    let read = decode(Path::new("/p/a"), &items);
    let told: Vec<_> = read
        .iter()
        .map(|d| (d.message.as_str(), d.severity, d.code.as_deref(), d.span.start))
        .collect();
    assert_eq!(
        told,
        [
            ("one", Severity::Warning, Some("a"), Pos::new(1, 2)),
            ("no place", Severity::Error, Some("7"), Pos::new(0, 0)),
            ("three", Severity::Error, Some("E1"), Pos::new(3, 2)),
            ("reversed", Severity::Hint, None, Pos::new(9, 1)),
        ]
    );
    assert!(!read[3].counts(), "hints are notes that belong to another diagnostic");
}

#[test]
fn what_is_no_list_is_no_diagnostic() {
    for odd in [json!(null), json!({}), json!("x"), json!(3)] {
        assert!(decode(Path::new("/p/a"), &odd).is_empty());
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z]{0,5}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::hash_map(
                prop_oneof![
                    "range",
                    "message",
                    "severity",
                    "code",
                    "start",
                    "end",
                    "line",
                    "character",
                    "source"
                ],
                inner,
                0..6
            )
            .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_on_the_wire_breaks_the_reader(items in proptest::collection::vec(any_json(), 0..6)) {
        let count = items.len();
        let read = decode(Path::new("/p/a"), &Value::from(items));
        prop_assert!(read.len() <= count);
        prop_assert!(read.iter().all(|d| d.span.start <= d.span.end && !d.message.is_empty()));
    }
}
