//! The three tiers of power a tool can have.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a tool may do. The order is the order of power, so a cap is compared with `<=`.
///
/// Exhaustive on purpose: every comparison of caps has to be looked at when a tier is added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// No side effects. Never prompted for.
    Read,
    /// Changes files.
    Write,
    /// Starts or drives a process.
    Exec,
}

impl Tier {
    /// The word used in protocols and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Exec => "exec",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that names no tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTier(String);

impl fmt::Display for UnknownTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no tier; there are read, write and exec", self.0)
    }
}

impl std::error::Error for UnknownTier {}

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        match s {
            "read" => Ok(Self::Read),
            "write" => Ok(Self::Write),
            "exec" => Ok(Self::Exec),
            other => Err(UnknownTier(other.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tier;

    #[test]
    fn words_order_and_serde_agree() {
        assert!(Tier::Read < Tier::Write && Tier::Write < Tier::Exec);
        for tier in [Tier::Read, Tier::Write, Tier::Exec] {
            assert_eq!(tier.to_string().parse::<Tier>(), Ok(tier));
            assert_eq!(
                serde_json::to_value(tier).expect("a word"),
                serde_json::json!(tier.as_str())
            );
        }
        assert!("Exec".parse::<Tier>().is_err());
    }
}
