//! The visible tools as programs see them.

use runbound::core::ToolView;
use serde_json::{Value, json};

/// `[{name, tier, description, input_schema, parallel_safe}]`, in the view's order.
pub(crate) fn tools_json(view: &ToolView) -> Value {
    view.surface()
        .into_iter()
        .map(|spec| {
            json!({
                "name": spec.name(),
                "tier": spec.tier(),
                "description": spec.description(),
                "input_schema": spec.input_schema(),
                "parallel_safe": spec.parallel_safe(),
            })
        })
        .collect()
}
