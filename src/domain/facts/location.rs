//! Where a command runs.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::shell::{Command, FileRole};

/// Where a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Location {
    /// On this machine.
    Here,
    /// On another machine or in a container: through `ssh`, `docker exec`, `kubectl exec`.
    Elsewhere,
    /// In a pipeline or a development container that the call defines. Without this or `anywhere`,
    /// rules don't apply to such commands.
    Pipeline,
    /// In any of these places.
    Anywhere,
}

impl Location {
    /// Returns the location of a command.
    pub fn of(command: &Command) -> Self {
        match &command.file {
            Some(file) if file.role == FileRole::Pipeline => Self::Pipeline,
            _ if command.is_remote => Self::Elsewhere,
            _ => Self::Here,
        }
    }

    /// Returns its name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Elsewhere => "elsewhere",
            Self::Pipeline => "pipeline",
            Self::Anywhere => "anywhere",
        }
    }
}
