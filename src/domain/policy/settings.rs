//! The settings of a policy file.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::severity::OnError;

/// The decision for `ask` if the host can't ask the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AskFallback {
    /// The call is allowed, and the user is told.
    Allow,
    /// The call is denied.
    #[default]
    Deny,
}

/// What is recorded in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AuditLevel {
    /// Nothing.
    Off,
    /// What rules request: their `audit` effect, and what rules in monitor mode would have done.
    Rules,
    /// In addition, every event with a decision or a message.
    #[default]
    Decisions,
    /// Every event.
    Everything,
}

impl AuditLevel {
    /// Returns the level's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Rules => "rules",
            Self::Decisions => "decisions",
            Self::Everything => "everything",
        }
    }
}

/// What happens if a call changes a file that ruleward depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TamperResponse {
    /// Tamper detection is off.
    Off,
    /// Calls are denied until a person has reviewed the change.
    Deny,
    /// In addition, the changed file is restored from a copy.
    #[default]
    Restore,
}

/// Whether rules may take backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Backups {
    /// None is taken: what follows is what the rules name for that.
    Off,
    /// They are taken.
    #[default]
    On,
}

/// The settings of one policy file. A setting that is not given is left to the layers below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Settings {
    /// The decision on a call that cannot be judged.
    pub on_error: Option<OnError>,
    /// The decision if the state cannot be read or written.
    pub on_state_error: Option<OnError>,
    /// The decision for `ask` if the host can't ask the user.
    pub ask_fallback: Option<AskFallback>,
    /// Whether a user is present, for hosts that do not report it.
    pub interactive: Option<bool>,
    /// Whether the bundled default policy applies.
    pub defaults: Option<bool>,
    /// What is recorded in the audit log.
    pub audit: Option<AuditLevel>,
    /// What follows when a call changed something that the guard depends on. A project's is ignored.
    pub tamper: Option<TamperResponse>,
    /// Whether rules may take backups. A project's is ignored.
    pub backups: Option<Backups>,
}
