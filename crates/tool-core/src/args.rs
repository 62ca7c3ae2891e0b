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
