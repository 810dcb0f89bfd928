//! `tool:` — which tool is called, by kind or by the host's own name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::like;
use crate::domain::facts::Facts;

/// Kinds and names of tools.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Tools(pub Vec<String>);

impl Tools {
    pub(super) fn holds(&self, facts: &Facts<'_>) -> bool {
        let calls = facts.event.calls();
        self.0.iter().any(|name| calls.iter().any(|call| call.kind.name() == name || like(name, call.name)))
    }
}
