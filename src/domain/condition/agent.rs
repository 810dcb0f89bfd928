//! `subagent:` and `permission_mode:` — who acts, and under which of the host's modes.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::evaluate::is_subset;
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::is_wildcard_match;
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::Facts;
use crate::domain::text::template::RenderError;

/// Kinds of subagents; the main agent is not one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Subagents(pub Vec<String>);

impl Condition for Subagents {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, _: &Binding) -> Result<ConditionMatch, RenderError> {
        let acting = facts.event.session.subagent.as_ref();
        Ok(acting.is_some_and(|acting| self.0.iter().any(|name| is_wildcard_match(name, acting.name))).into())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn implies(&self, wide: &Self) -> bool {
        is_subset(&self.0, &wide.0)
    }

    fn require(&self, requirements: &mut Requirements) {
        requirements.add(Requirement::Subagent);
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}

/// Permission modes, with the host's names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct PermissionModes(pub Vec<String>);

impl Condition for PermissionModes {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, _: &Binding) -> Result<ConditionMatch, RenderError> {
        let mode = facts.event.session.permission_mode;
        Ok(mode.is_some_and(|mode| self.0.iter().any(|name| is_wildcard_match(name, mode))).into())
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
