//! The graded settings of a policy: how severe a rule is, whether it acts, and what follows if a call cannot be
//! evaluated.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How grave it is that a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Low,
    /// Worth stopping for.
    #[default]
    Medium,
    /// Costs work or trust.
    High,
    /// Cannot be undone.
    Critical,
}

/// Whether a rule acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The effects are carried out.
    #[default]
    Enforce,
    /// What would have happened is recorded, and nothing changes.
    Monitor,
}

/// What the program does when it cannot judge a call: a broken policy, an error of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The call goes ahead.
    Allow,
    /// A person is asked.
    Ask,
    /// The call is refused.
    #[default]
    Deny,
}
