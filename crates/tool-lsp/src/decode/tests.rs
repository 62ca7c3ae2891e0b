//! Answers as servers write them, and as they should not.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } })
}

fn at(line: u32, from: u32, to: u32) -> Span {
    Span { start: Pos::new(line, from), end: Pos::new(line, to) }
}

#[test]
fn locations_of_every_shape() {
    let one = json!({ "uri": "file:///p/a.rs", "range": range(1, 2, 3) });
    let link = json!({
        "originSelectionRange": range(9, 0, 1), "targetUri": "file:///p/b.rs",
        "targetRange": range(4, 0, 9), "targetSelectionRange": range(4, 5, 6),
    });
    assert_eq!(locations(&Value::Null), []);
    assert_eq!(locations(&json!([])), []);
    assert_eq!(locations(&one)[0].span, at(1, 2, 3));
    let both = locations(&json!([one, link, one]));
    assert_eq!(both.len(), 2, "each place once");
    assert_eq!(both[1].path, PathBuf::from("/p/b.rs"));
    assert_eq!(both[1].span, at(4, 5, 6));
    assert_eq!(both[1].origin, Some(at(9, 0, 1)));
    // Without the selection the whole range must do.
    let bare = json!([{ "targetUri": "file:///p/b.rs", "targetRange": range(4, 0, 9) }]);
    assert_eq!(locations(&bare)[0].span, at(4, 0, 9));
}

#[test]
fn a_bad_item_drops_only_itself() {
    let answer = json!([
        { "uri": "file:///p/a.rs", "range": null },
        { "uri": 7, "range": range(0, 0, 1) },
        { "uri": "jdt://x", "range": range(0, 0, 1) },
        null,
        { "uri": "file:///p/a.rs", "range": { "start": { "line": 3.0, "character": 1 }, "end": { "line": 3, "character": 99999999999u64 } } },
    ]);
    let found = locations(&answer);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].span, at(3, 1, u32::MAX));
    assert_eq!(unreadable(&answer), 3);
    assert_eq!(foreign_uris(&answer), ["jdt://x"]);
}

#[test]
fn a_range_with_its_end_first_is_put_in_order() {
    let back =
        json!({ "start": { "line": 2, "character": 0 }, "end": { "line": 1, "character": 5 } });
    assert_eq!(span(&back), Some(Span { start: Pos::new(1, 5), end: Pos::new(2, 0) }));
    assert_eq!(
        span(
            &json!({ "start": { "line": -1, "character": 0 }, "end": { "line": 1, "character": 5 } })
        ),
        None
    );
}

#[test]
fn symbols_of_every_shape() {
    let tree = json!([{
        "name": "Greeter", "kind": 5, "detail": " ", "range": range(0, 0, 9), "selectionRange": range(2, 6, 13),
        "children": [
            { "name": "greet", "kind": 6, "detail": "(self) -> str", "range": range(3, 0, 9), "selectionRange": range(3, 4, 9) },
            { "name": "bad" },
        ],
    }]);
    let found = symbols(&tree);
    assert_eq!(found[0].selection, at(2, 6, 13), "the name, not the comment above it");
    assert_eq!(found[0].detail, None);
    assert_eq!(found[0].children.len(), 1);
    assert_eq!(found[0].children[0].kind, "method");
    assert_eq!(found[0].children[0].detail.as_deref(), Some("(self) -> str"));

    let flat = json!([
        { "name": "f", "kind": 12, "containerName": "m", "location": { "uri": "file:///p/a.py", "range": range(1, 0, 2) } },
        { "name": "g", "kind": 99, "location": { "uri": "file:///p/a.py" } },
        { "name": "h", "kind": 12, "location": {} },
    ]);
    let found = symbols(&flat);
    assert_eq!(
        found.iter().map(|s| (s.name.as_str(), s.kind)).collect::<Vec<_>>(),
        [("f", "function"), ("g", "symbol")]
    );
    assert_eq!(found[0].container.as_deref(), Some("m"));
    assert_eq!(found[0].path, Some(PathBuf::from("/p/a.py")));
    assert_eq!(
        (symbol_kind(1), symbol_kind(26), symbol_kind(0)),
        ("file", "type parameter", "symbol")
    );
}

#[test]
fn hovers_of_every_shape() {
    let of = |contents: Value| hover(&json!({ "contents": contents }));
    assert_eq!(of(json!("text")).as_deref(), Some("text"));
    assert_eq!(of(json!({ "kind": "markdown", "value": "# x\n" })).as_deref(), Some("# x"));
    assert_eq!(
        of(json!({ "language": "rust", "value": "fn f()" })).as_deref(),
        Some("```rust\nfn f()\n```")
    );
    assert_eq!(
        of(json!(["a", { "language": "ts", "value": "b" }, "", null])).as_deref(),
        Some("a\n\n```ts\nb\n```")
    );
    for none in [
        json!(""),
        json!([]),
        json!({ "kind": "plaintext", "value": "  " }),
        json!(null),
        json!({}),
    ] {
        assert_eq!(of(none.clone()), None, "{none}");
    }
    assert_eq!(hover(&Value::Null), None);
}

#[test]
fn actions_and_bare_commands() {
    let found = actions(&json!([
        { "title": "Import x", "kind": "quickfix", "isPreferred": true, "edit": { "changes": {} } },
        { "title": "Lazily", "kind": "refactor.extract", "data": { "id": 1 } },
        { "title": "Run", "command": "x.run", "arguments": [], "data": 1 },
        { "title": "Not now", "kind": "refactor", "disabled": { "reason": "nothing selected" } },
        { "kind": "quickfix" },
    ]));
    let facts: Vec<_> = found
        .iter()
        .map(|a| (a.title.as_str(), a.kind.as_str(), a.has_edit, a.preferred))
        .collect();
    assert_eq!(
        facts,
        [
            ("Import x", "quickfix", true, true),
            ("Lazily", "refactor.extract", true, false),
            ("Run", "", false, false),
            ("Not now", "refactor", false, false),
        ]
    );
    assert_eq!(found[3].disabled.as_deref(), Some("nothing selected"));
}

#[test]
fn call_hierarchies() {
    let item = json!({ "name": "main", "kind": 12, "uri": "file:///p/m.rs", "range": range(0, 0, 9), "selectionRange": range(1, 3, 7) });
    let found = calls(
        &json!([{ "from": item, "fromRanges": [range(5, 1, 2), {}, range(6, 1, 2)] }, { "from": {} }]),
        "from",
    );
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].name.as_str(), found[0].kind, found[0].from.len()),
        ("main", "function", 2)
    );
    assert_eq!(found[0].raw, item);
    assert_eq!(call_items(&json!([item]))[0].selection, at(1, 3, 7));
}

fn junk() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z:/%#é]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        let key = prop_oneof![
            Just("uri"),
            Just("range"),
            Just("start"),
            Just("end"),
            Just("line"),
            Just("character"),
            Just("name"),
            Just("kind"),
            Just("contents"),
            Just("value"),
            Just("location"),
            Just("children"),
            Just("targetUri"),
            Just("from"),
            Just("title"),
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..6).prop_map(|pairs| Value::Object(
                pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_a_server_writes_is_too_much(value in junk()) {
        prop_assert!(locations(&value).len() <= 64);
        prop_assert!(symbols(&value).len() <= 64);
        prop_assert!(actions(&value).len() <= 64);
        prop_assert!(calls(&value, "from").len() <= 64);
        prop_assert!(hover(&value).is_none_or(|text| !text.is_empty()));
    }
}
