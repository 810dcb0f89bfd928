//! `outcome:` — how a call, and the command that was picked out, ended.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::interface::{Condition, ConditionMatch, ConditionSpec, RESULT_KINDS, Reference, Selection};
use super::requirements::Requirements;
use crate::domain::facts::Facts;
use crate::domain::shell::implies_success;
use crate::domain::text::template::RenderError;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CallResult {
    /// It succeeded, including the matched command: `cargo test | tail` and `cargo test; true`
    /// don't count, because they hide the result of the tests; neither do commands that run in the
    /// background.
    Ok,
    /// It failed.
    Failed,
}

impl CallResult {
    fn is_match(self, facts: &Facts<'_>, binding: &Binding) -> bool {
        let script = binding.command.and_then(|at| facts.scripts().get(at.script));
        let calls = facts.event.calls();
        let call = script.map_or_else(|| calls.first(), |script| calls.get(script.call));
        let Some(outcome) = call.and_then(|call| call.result.as_ref()) else { return false };
        match self {
            Self::Failed => !outcome.is_ok,
            Self::Ok => {
                let command = binding.command.and_then(|at| facts.command(at));
                let vouched =
                    script.zip(command).is_none_or(|(it, command)| implies_success(&it.text, &it.script, command));
                outcome.is_ok && !outcome.is_running && vouched
            }
        }
    }
}

impl Condition for CallResult {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(RESULT_KINDS), selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        Ok(self.is_match(facts, binding).into())
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, _: &mut Requirements) {}

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
