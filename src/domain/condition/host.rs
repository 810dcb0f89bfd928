//! `host:` — which host reports the event.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::evaluate::is_subset;
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::Requirements;
use crate::domain::facts::Facts;
use crate::domain::text::template::RenderError;

/// Names of hosts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Hosts(pub Vec<String>);

impl Condition for Hosts {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, _: &Binding) -> Result<ConditionMatch, RenderError> {
        Ok(self.0.iter().any(|name| name == facts.event.host).into())
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
