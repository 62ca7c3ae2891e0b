//! What `workspace/configuration` is answered. Pure.

use serde_json::Value;

/// One answer for each item, `null` where nothing is known.
pub(super) fn answer(settings: &Value, params: &Value) -> Value {
    let items = params["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .map(|item| section(settings, item["section"].as_str().unwrap_or_default()))
        .collect()
}

/// A section by its dotted name; the whole of the settings for an empty one. A name with dots in it may be written as
/// one key, or nested.
fn section(settings: &Value, name: &str) -> Value {
    if name.is_empty() {
        return settings.clone();
    }
    find(settings, name).cloned().unwrap_or_default()
}

fn find<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    if let Some(found) = value.get(name) {
        return Some(found);
    }
    name.match_indices('.').find_map(|(at, _)| find(value.get(&name[..at])?, &name[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Failure 72: exactly one entry an item.
    #[test]
    fn one_answer_for_each_item() {
        let settings = json!({
            "python": {"analysis": {"typeCheckingMode": "strict"}},
            "js/ts": {"a": 1},
            "x.y": {"z": 2},
        });
        let items = [
            "python",
            "python.analysis",
            "python.analysis.typeCheckingMode",
            "js/ts",
            "x.y",
            "x.y.z",
            "none.of.it",
            "",
        ];
        let items: Vec<_> =
            items.iter().map(|name| json!({"section": name, "scopeUri": "file:///"})).collect();
        let got = answer(&settings, &json!({ "items": items }));
        let want = json!([
            {"analysis": {"typeCheckingMode": "strict"}}, {"typeCheckingMode": "strict"}, "strict", {"a": 1}, {"z": 2}, 2, null, settings,
        ]);
        assert_eq!(got, want);
        assert_eq!(answer(&settings, &json!({"items": [{}, 7]})), json!([settings, settings]));
        assert_eq!(answer(&settings, &json!({})), json!([]));
    }
}
