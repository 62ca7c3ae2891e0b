//! How a server is started here: its command, settings and variables with all that trust and the scratch
//! folder change.

use serde_json::Value;

/// All that is decided before a server starts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Launch {
    /// The program's arguments.
    pub(crate) args: Vec<String>,
    /// Variables that are set.
    pub(crate) env: Vec<(String, String)>,
    /// Variables of the host that are let through; `NAME*` allows all that begin so.
    pub(crate) pass_env: Vec<String>,
    /// For `workspace/configuration` and `didChangeConfiguration`.
    pub(crate) settings: Value,
    /// `initializationOptions`.
    pub(crate) init_options: Value,
    /// What an agent should know: what is switched off and what that costs, what is written into the checkout.
    pub(crate) notes: Vec<String>,
}
