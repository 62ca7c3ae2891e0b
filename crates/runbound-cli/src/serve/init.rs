//! What `initialize` may say.

use std::path::PathBuf;

use runbound::core::Tier;
use serde::Deserialize;
use serde_json::Value;

use super::announced::Announced;
use super::wire::RpcError;

/// The one version of the protocol there is.
pub(crate) const PROTOCOL_VERSION: u64 = 1;

/// The parameters of `initialize`. Unknown ones are passed over, so that newer hosts can speak to this binary.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Initialize {
    protocol_version: Option<u64>,
    pub(crate) root: Option<PathBuf>,
    pub(crate) conversation_id: Option<String>,
    pub(crate) tier: Option<Tier>,
    pub(crate) vibe: Option<bool>,
    pub(crate) questions: Option<bool>,
    pub(crate) workers: Option<bool>,
    pub(crate) host_tools: Option<Vec<Announced>>,
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) permissions: Option<Asking>,
    pub(crate) trust: Option<bool>,
}

/// Where processes are started. None of the tools built so far starts one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sandbox {
    pub(crate) exec_prefix: Vec<String>,
}

/// Whether `write` and `exec` calls are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Asking {
    None,
    Ask,
}

impl Initialize {
    /// Reads the parameters.
    ///
    /// # Errors
    /// They do not fit, or ask for another version of the protocol.
    pub(crate) fn read(params: Value) -> Result<Self, RpcError> {
        if params.is_null() {
            return Ok(Self::default());
        }
        let read: Self = serde_json::from_value(params)
            .map_err(|error| RpcError::params(format!("initialize: {error}")))?;
        match read.protocol_version {
            None | Some(PROTOCOL_VERSION) => Ok(read),
            Some(other) => Err(RpcError::params(format!(
                "initialize: protocol_version {other} is not spoken here; this is version {PROTOCOL_VERSION}"
            ))),
        }
    }

    /// What was asked for and is not there, in words.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.vibe == Some(true) {
            notes.push("vibe: background workers are not built into this version; there are no vibe_* tools".to_owned());
        }
        if self.workers == Some(true) {
            notes.push("workers: worker/run will not be sent; background workers are not built into this version".to_owned());
        }
        if self.questions == Some(true) {
            notes.push("questions: ask_user is not built into this version; question/ask comes for permissions only".to_owned());
        }
        if self.sandbox.as_ref().is_some_and(|sandbox| !sandbox.exec_prefix.is_empty()) {
            notes.push(
                "sandbox: exec_prefix has no effect; no tool of this version starts a process"
                    .to_owned(),
            );
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::wire::INVALID_PARAMS;
    use serde_json::json;

    #[test]
    fn everything_may_be_absent_or_null() {
        for params in
            [json!(null), json!({}), json!({"root": null, "tier": null, "host_tools": null})]
        {
            let read = Initialize::read(params).unwrap();
            assert!(read.root.is_none() && read.tier.is_none() && read.notes().is_empty());
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (params, word) in [
            (json!({"protocol_version": 2}), "protocol_version 2"),
            (json!({"tier": "root"}), "root"),
            (json!({"permissions": "maybe"}), "maybe"),
            (json!({"host_tools": [{"tier": "read"}]}), "name"),
        ] {
            let error = Initialize::read(params).unwrap_err();
            assert_eq!(error.code, INVALID_PARAMS);
            assert!(error.message.contains(word), "{}", error.message);
        }
    }

    #[test]
    fn what_is_not_built_is_said() {
        let asked = json!({"vibe": true, "workers": true, "questions": true, "sandbox": {"exec_prefix": ["env"]}, "newer": 1});
        let read = Initialize::read(asked).unwrap();
        assert_eq!(read.notes().len(), 4);
    }
}
