//! `tool:` — which tool is called, by kind or by the host's own name.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::evaluate::is_subset;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::is_wildcard_match;
use super::requirements::Requirements;
use crate::domain::event::tool::ToolKind;
use crate::domain::facts::Facts;
use crate::domain::text::template::RenderError;

/// Kinds and names of tools.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Tools(pub Vec<String>);

impl Tools {
    /// Returns whether a tool is among these.
    pub fn contains(&self, kind: ToolKind, name: &str) -> bool {
        self.0.iter().any(|known| kind.name() == known || is_wildcard_match(known, name))
    }
}

impl Condition for Tools {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, _: &Binding) -> Result<ConditionMatch, RenderError> {
        Ok(facts.event.calls().iter().any(|call| self.contains(call.kind, call.name)).into())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn implies(&self, wide: &Self) -> bool {
        is_subset(&self.0, &wide.0)
    }

    fn require(&self, _: &mut Requirements) {}

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
