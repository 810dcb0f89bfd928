//! `any:` — one of several sets of conditions holds.

use super::Conditions;
use super::binding::Binding;
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::Requirements;
use crate::domain::facts::Facts;
use crate::domain::text::template::RenderError;

impl Condition for Vec<Conditions> {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::Branches }
    }

    /// Returns the bindings that the branches leave, each once.
    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let mut left: Vec<Binding> = Vec::new();
        for branch in self {
            for found in branch.matches(facts, binding)? {
                if !left.contains(&found) {
                    left.push(found);
                }
            }
        }
        Ok(left.into())
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, requirements: &mut Requirements) {
        requirements.any = self.iter().map(Conditions::requirements).collect();
    }

    fn for_each_reference(&self, each: &mut dyn FnMut(Reference<'_>)) {
        for branch in self {
            branch.for_each_reference(each);
        }
    }
}
