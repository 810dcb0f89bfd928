//! `backup`: that what a call would destroy is copied before it runs.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::effect::EffectKind;
use crate::domain::text::duration::{MaxAge, Timeout};

/// That what a call would destroy is copied before it runs: files that it deletes or overwrites, and what git would
/// discard. `ruleward undo` restores it. `{}` has the usual bounds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(example = backup_example()))]
pub struct Backup {
    /// The greatest size of one backup, in millions of bytes: 200 when not given.
    #[serde(default = "default_max_mb")]
    #[cfg_attr(test, schemars(range(min = 1, max = 100_000)))]
    pub max_mb: u32,
    /// The greatest number of files and directories in one backup: 5000 when not given.
    #[serde(default = "default_max_files")]
    #[cfg_attr(test, schemars(range(min = 1, max = 1_000_000)))]
    pub max_files: u32,
    /// How long taking it may last: `5s` when not given.
    #[serde(default)]
    pub timeout: Timeout,
    /// How long it is kept: `7d` when not given.
    #[serde(default = "default_keep")]
    pub keep: MaxAge,
    /// What follows where no backup can be taken: there is too much, or it is not known what is lost. `ask` when not
    /// given.
    #[serde(default)]
    pub otherwise: BackupFallback,
    /// The effect of the same rule that a complete backup of files in the project makes unnecessary.
    #[serde(default)]
    pub replaces: Option<ReplacedEffect>,
}

impl Default for Backup {
    fn default() -> Self {
        Self {
            max_mb: default_max_mb(),
            max_files: default_max_files(),
            timeout: Timeout::default(),
            keep: default_keep(),
            otherwise: BackupFallback::default(),
            replaces: None,
        }
    }
}

/// What follows where no backup can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BackupFallback {
    /// The call goes ahead.
    Allow,
    /// A person is asked.
    #[default]
    Ask,
    /// The call is refused.
    Deny,
}

impl BackupFallback {
    /// Returns the effect; `None` if the call goes ahead.
    pub const fn effect(self) -> Option<EffectKind> {
        match self {
            Self::Allow => None,
            Self::Ask => Some(EffectKind::Ask),
            Self::Deny => Some(EffectKind::Deny),
        }
    }
}

/// The effect that a backup makes unnecessary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReplacedEffect {
    /// The question.
    Ask,
}

const fn default_max_mb() -> u32 {
    200
}

const fn default_max_files() -> u32 {
    5_000
}

const fn default_keep() -> MaxAge {
    MaxAge(7 * 24 * 60 * 60)
}

#[cfg(test)]
fn backup_example() -> serde_json::Value {
    serde_json::json!({ "max_mb": 50, "keep": "2d", "otherwise": "deny" })
}
