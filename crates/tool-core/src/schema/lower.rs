//! Lowering: any schema, as far as it means something, in the portable subset.

use serde_json::Value;

/// The schema without what some provider refuses.
pub(crate) fn lower(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(word, _)| *word != "$schema")
                .map(|(word, value)| (word.clone(), lower(value)))
                .collect(),
        ),
        other => other.clone(),
    }
}
