//! `subagent:` and `permission_mode:` — who acts, and under which of the host's modes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::like;
use crate::domain::facts::Facts;

/// Kinds of sub-agents; the main agent is none.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Subagents(pub Vec<String>);

impl Subagents {
    pub(super) fn holds(&self, facts: &Facts<'_>) -> bool {
        let acting = facts.event.session.subagent.as_ref();
        acting.is_some_and(|acting| self.0.iter().any(|name| like(name, acting.name)))
    }
}

/// Permission modes, in the host's own words.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct PermissionModes(pub Vec<String>);

impl PermissionModes {
    pub(super) fn holds(&self, facts: &Facts<'_>) -> bool {
        facts.event.session.permission_mode.is_some_and(|mode| self.0.iter().any(|name| like(name, mode)))
    }
}
