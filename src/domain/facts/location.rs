//! Where a command runs.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Location {
    /// On this machine.
    Here,
    /// On another machine or in a container: behind `ssh`, `docker exec`, `kubectl exec`.
    Elsewhere,
}

impl Location {
    /// Returns the location of a command.
    pub const fn of(elsewhere: bool) -> Self {
        if elsewhere { Self::Elsewhere } else { Self::Here }
    }

    /// Returns its name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Elsewhere => "elsewhere",
        }
    }
}
