//! `where:` — whether a command runs on this machine, or on another one or in a container.

use super::binding::Binding;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::location::Location;
use crate::domain::facts::{CommandIndex, Facts};
use crate::domain::text::template::RenderError;

impl Condition for Location {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::Action }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let holds = |at: CommandIndex| {
            facts.command(at).is_some_and(|command| *self == Self::Anywhere || Self::of(command) == *self)
        };
        // A file that a file tool touches is on this machine, whatever else the event runs.
        let by_tool = binding.file.is_some() || binding.url.is_some() || binding.action.is_some();
        Ok(match binding.command {
            Some(at) => holds(at).into(),
            None if by_tool || facts.commands().next().is_none() => matches!(self, Self::Here | Self::Anywhere).into(),
            None => {
                let found = facts.command_indices().filter(|at| holds(*at));
                found.map(|at| Binding { command: Some(at), ..binding.clone() }).collect::<Vec<_>>().into()
            }
        })
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, requirements: &mut Requirements) {
        if matches!(self, Self::Elsewhere | Self::Pipeline) {
            requirements.add(Requirement::Remote);
        }
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
