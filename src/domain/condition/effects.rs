//! `effects:` — the call is proven to do no more than this.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::evaluate::is_subset;
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::Requirements;
use crate::domain::event::kind::Kind;
use crate::domain::facts::Facts;
use crate::domain::facts::proof::Effect;
use crate::domain::text::template::RenderError;

/// What a call does at most. It holds only with proof.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProvenEffects {
    /// The effects that the call may have.
    pub only: Vec<Effect>,
    /// Where its files are.
    pub within: Vec<ProvenArea>,
}

/// Where the files of a call are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProvenArea {
    /// The project, or the working directory where there is none.
    Project,
}

impl Condition for ProvenEffects {
    fn spec() -> ConditionSpec {
        const KINDS: &[Kind] = &[Kind::ToolBefore, Kind::PermissionRequest];
        ConditionSpec { kinds: Some(KINDS), selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, _: &Binding) -> Result<ConditionMatch, RenderError> {
        let is_proven = facts.proof().effects.as_ref().is_ok_and(|effects| is_subset(effects, &self.only));
        Ok((is_proven && self.within.contains(&ProvenArea::Project)).into())
    }

    fn is_empty(&self) -> bool {
        self.only.is_empty() || self.within.is_empty()
    }

    fn empty_help(&self) -> &'static str {
        "name what the call may do and where: `{ only: [read], within: [project] }`"
    }

    fn implies(&self, wide: &Self) -> bool {
        is_subset(&self.only, &wide.only) && is_subset(&self.within, &wide.within)
    }

    fn require(&self, _: &mut Requirements) {}

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
