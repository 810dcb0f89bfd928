//! `if:` — an expression over the event.

use super::binding::Binding;
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::Requirements;
use super::variable;
use crate::domain::facts::Facts;
use crate::domain::text::template::{Expression, RenderError};

impl Condition for Expression {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        self.evaluate(&mut |root| variable::lookup(facts, binding, root)).map(Into::into)
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, _: &mut Requirements) {}

    fn for_each_reference(&self, each: &mut dyn FnMut(Reference<'_>)) {
        self.names().iter().for_each(|name| each(Reference::Variable(name)));
    }
}
