//! `loses:` — what would be gone for good: changes that no commit holds, files that are not tracked, commits.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::{Binding, LossMatch};
use super::evaluate::is_subset;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::Facts;
use crate::domain::facts::loss::LossKind;
use crate::domain::text::template::RenderError;

/// What would be lost.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "kinds")))]
pub struct Losses {
    /// Kinds that are counted together. `unknown` also matches if the loss can't be determined.
    pub kinds: Vec<LossKind>,
    /// Match if more than this number of files, commits and stash entries would be lost.
    #[serde(default)]
    pub more_than: u64,
}

impl Losses {
    fn holds(&self, facts: &Facts<'_>, number: usize, file: Option<usize>) -> bool {
        let Some(loss) = facts.loss(number, file) else { return false };
        let is_unknown = loss.unknown.is_some() && self.kinds.contains(&LossKind::Unknown);
        is_unknown || loss.total_of(&self.kinds).count > self.more_than
    }
}

impl Condition for Losses {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::Action }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let mut left = Vec::new();
        for (number, fact) in facts.losses().iter().enumerate() {
            let is_same_command = binding.command.is_none() || fact.command == binding.command;
            let is_same_file = binding.file.is_none_or(|file| fact.has_file(file));
            if is_same_command && is_same_file && self.holds(facts, number, binding.file) {
                let loss = Some(LossMatch { fact: number, kinds: self.kinds.clone() });
                left.push(Binding { command: binding.command.or(fact.command), loss, ..binding.clone() });
            }
        }
        Ok(left.into())
    }

    fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    fn empty_help(&self) -> &'static str {
        "add what would be lost, such as `kinds: [modified, untracked]`"
    }

    fn implies(&self, wide: &Self) -> bool {
        is_subset(&self.kinds, &wide.kinds) && self.more_than >= wide.more_than
    }

    fn require(&self, requirements: &mut Requirements) {
        requirements.add(Requirement::Loss);
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
