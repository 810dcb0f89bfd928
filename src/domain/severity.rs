//! The graded settings of a policy: how severe a rule is, whether it acts, and what follows if a call cannot be
//! evaluated.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The severity of a match.
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
    /// The effects apply.
    #[default]
    Enforce,
    /// The effects are only recorded.
    Monitor,
}

/// The decision if a call can't be evaluated: an invalid policy, an internal error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The call is allowed.
    Allow,
    /// The user is asked.
    Ask,
    /// The call is denied.
    #[default]
    Deny,
}
