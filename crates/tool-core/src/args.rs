//! Arguments as they come, and frozen as they run.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ToolError;

/// Arguments as the provider sent them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RawArgs {
    /// Parsed already.
    Value(Value),
    /// The text the model wrote.
    Text(String),
}

impl From<Value> for RawArgs {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<String> for RawArgs {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for RawArgs {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Arguments after the one normalisation: what a guard saw is what runs. Always a JSON object.
#[derive(Clone, Debug, PartialEq)]
pub struct Args(Arc<Value>);

impl Args {
    pub(crate) fn frozen(value: Value) -> Self {
        Self(Arc::new(value))
    }

    /// The arguments.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// The text under a key; a blank one counts as absent (models send `""` for "no id").
    #[must_use]
    pub fn non_blank(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str().filter(|text| !text.trim().is_empty())
    }

    /// The arguments as the tool's own type.
    ///
    /// # Errors
    /// `invalid_args` with what does not fit.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        T::deserialize(&*self.0)
            .map_err(|e| ToolError::invalid(format!("the arguments do not fit: {e}")))
    }
}

#[cfg(test)]
mod tests {
    use super::Args;
    use serde_json::json;

    #[test]
    fn a_blank_id_is_no_id() {
        let args = Args::frozen(json!({ "id": "", "session": " ", "edit_id": "edit_1", "n": 3 }));
        assert_eq!(args.non_blank("id"), None);
        assert_eq!(args.non_blank("session"), None);
        assert_eq!(args.non_blank("n"), None);
        assert_eq!(args.non_blank("edit_id"), Some("edit_1"));
    }

    #[test]
    fn what_does_not_fit_the_type_is_named() {
        #[derive(serde::Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        struct One {
            #[expect(dead_code, reason = "only its name matters")]
            line: u32,
        }
        for (value, part) in [
            (json!({ "line": -1 }), "-1"),
            (json!({}), "line"),
            (json!({ "line": 1, "x": 1 }), "unknown field `x`"),
        ] {
            let error = Args::frozen(value).parse::<One>().expect_err("it does not fit");
            assert_eq!(error.kind(), crate::ErrorKind::InvalidArgs);
            assert!(error.message().contains(part), "{error}");
        }
    }
}
