//! `tool:` — which tool is called, by kind or by the host's own name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::like;
use crate::domain::facts::Facts;
use crate::domain::tool::ToolKind;

/// Kinds and names of tools.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Tools(pub Vec<String>);

impl Tools {
    pub(super) fn holds(&self, facts: &Facts<'_>) -> bool {
        facts.event.calls().iter().any(|call| self.cover(call.kind, call.name))
    }

    /// Tells whether a tool is among these.
    pub fn cover(&self, kind: ToolKind, name: &str) -> bool {
        self.0.iter().any(|known| kind.name() == known || like(known, name))
    }
}
