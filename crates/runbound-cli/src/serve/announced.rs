//! Tools that a host announces: what it may leave out, and what it should know about where they stand.

use runbound::core::Tier;
use serde::Deserialize;
use serde_json::Value;

use crate::wiring::BUILT_IN;

/// A tool of the host's own.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Announced {
    pub(crate) name: String,
    tier: Option<Tier>,
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) input_schema: Option<Value>,
}

impl Announced {
    /// A tool of which nothing is said can do anything.
    pub(crate) fn tier(&self) -> Tier {
        self.tier.unwrap_or(Tier::Exec)
    }

    fn replaces(&self) -> bool {
        BUILT_IN.contains(&self.name.as_str())
    }

    /// What a view with this cap makes of the tool, if the host might expect something else.
    fn note(&self, cap: Tier) -> Option<String> {
        let Self { name, tier, .. } = self;
        let hidden = self.tier() > cap;
        let why = match tier {
            Some(tier) => format!("its tier is {tier}"),
            None => "it was announced without a tier, which counts as exec".to_owned(),
        };
        match (hidden, self.replaces()) {
            (true, true) => Some(format!(
                "host_tools: {name} takes the place of the built-in tool of that name, and {why}: at {cap} neither of the two is there"
            )),
            (true, false) => Some(format!("host_tools: {why}, so {name} is not there at {cap}")),
            (false, true) => Some(format!(
                "host_tools: {name} takes the place of the built-in tool of that name"
            )),
            (false, false) => None,
        }
    }
}

/// What a host should know about its tools in a view with this cap.
pub(crate) fn notes(tools: &[Announced], cap: Tier) -> Vec<String> {
    tools.iter().filter_map(|tool| tool.note(cap)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn announced(tool: Value) -> Announced {
        serde_json::from_value(tool).unwrap()
    }

    #[test]
    fn what_hides_and_what_replaces_is_said() {
        let silent = announced(json!({"name": "t"}));
        assert_eq!(silent.tier(), Tier::Exec, "a tool of which nothing is said can do anything");
        assert_eq!(silent.note(Tier::Exec), None);
        let note = silent.note(Tier::Write).unwrap();
        assert!(
            note.contains("without a tier") && note.contains("t is not there at write"),
            "{note}"
        );

        let read = announced(json!({"name": "read"}));
        let note = read.note(Tier::Write).unwrap();
        assert!(note.contains("without a tier") && note.contains("neither of the two"), "{note}");
        assert!(read.note(Tier::Exec).unwrap().contains("takes the place"));
        let read = announced(json!({"name": "read", "tier": "write"}));
        assert!(read.note(Tier::Read).unwrap().contains("its tier is write"));
        let both = [announced(json!({"name": "lookup", "tier": "read"})), read];
        assert_eq!(notes(&both, Tier::Write).len(), 1);
    }
}
