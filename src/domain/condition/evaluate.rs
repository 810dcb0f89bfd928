//! Evaluates conditions, and compares them.

use std::borrow::Cow;
use std::slice;

use super::Conditions;
use super::binding::Binding;
use super::interface::{Condition, ConditionMatch, Reference, Selection};
use super::requirements::Requirements;
use crate::domain::facts::Facts;
use crate::domain::facts::trace::ConditionsId;
use crate::domain::text::template::RenderError;

/// The greatest number of bindings of one rule; a call with more of them is not judged.
const MAX_BINDINGS: usize = 1 << 14;

impl Conditions {
    /// Returns one binding for each thing for which all given conditions hold, and none if a condition does not hold.
    ///
    /// # Errors
    /// Returns why a condition cannot be evaluated.
    pub fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<Vec<Binding>, RenderError> {
        let id = ConditionsId::of(self);
        let mut left = Cow::Borrowed(slice::from_ref(binding));
        for given in self.given() {
            let mut observe = |holds| _ = facts.trace_condition(id, given.key, holds);
            left = narrow(left, facts, given.condition, &mut observe)?;
            if left.is_empty() {
                break;
            }
        }
        Ok(left.into_owned())
    }

    /// Returns whether something holds for these conditions or for one of their branches.
    pub fn has_in_any_branch(&self, what: &dyn Fn(&Self) -> bool) -> bool {
        what(self) || self.any.iter().flatten().any(|branch| branch.has_in_any_branch(what))
    }

    /// Returns whether a condition picks out something that the event does, rather than hold for the event
    /// as a whole.
    pub fn selects_actions(&self) -> bool {
        self.has_in_any_branch(&|it| it.given().any(|given| given.spec.selection == Selection::Action))
    }

    /// Returns whether something in a text is picked out, whichever branch holds.
    pub fn selects_text(&self) -> bool {
        self.given().any(|given| match given.spec.selection {
            Selection::Text => true,
            Selection::Branches => self.any.as_ref().is_some_and(|branches| branches.iter().all(Self::selects_text)),
            Selection::None | Selection::Action => false,
        })
    }

    /// Returns the keys of the conditions that are given; not those in the branches of `any`.
    pub fn keys(&self) -> Vec<&'static str> {
        self.given().filter(|given| given.spec.selection != Selection::Branches).map(|given| given.key).collect()
    }

    /// Returns what an event must have so that the conditions can hold.
    pub fn requirements(&self) -> Requirements {
        let mut requirements = Requirements::default();
        self.given().for_each(|given| given.condition.require(&mut requirements));
        requirements
    }

    /// Passes every name that the conditions use in expressions and under `match`, dotted, to `each`.
    pub fn for_each_name(&self, each: &mut dyn FnMut(&str)) {
        self.for_each_reference(&mut |reference| {
            if let Reference::Variable(name) = reference {
                each(name);
            }
        });
    }

    /// Passes the id of every gate that the conditions ask about to `each`.
    pub fn for_each_gate(&self, each: &mut dyn FnMut(&str)) {
        self.for_each_reference(&mut |reference| {
            if let Reference::Gate(id) = reference {
                each(id);
            }
        });
    }

    pub(super) fn for_each_reference(&self, each: &mut dyn FnMut(Reference<'_>)) {
        self.given().for_each(|given| given.condition.for_each_reference(each));
    }
}

/// Returns the bindings that a condition leaves, and reports for each whether it holds.
fn narrow<'b>(
    left: Cow<'b, [Binding]>,
    facts: &Facts<'_>,
    condition: &dyn Condition,
    observe: &mut dyn FnMut(bool),
) -> Result<Cow<'b, [Binding]>, RenderError> {
    let mut next = Vec::new();
    for binding in left.iter() {
        let found = condition.matches(facts, binding)?;
        observe(!matches!(&found, ConditionMatch::Bindings(found) if found.is_empty()));
        match found {
            // The usual case, which needs no copy.
            ConditionMatch::Unchanged if left.len() == 1 => return Ok(left),
            ConditionMatch::Unchanged => next.push(binding.clone()),
            ConditionMatch::Bindings(found) => next.extend(found),
        }
    }
    // It is not known which of them a later condition would pick out, so none can be left out.
    if next.len() > MAX_BINDINGS {
        return Err(RenderError(format!("more than {MAX_BINDINGS} matches to check; do less in one call")));
    }
    Ok(next.into())
}

/// Returns whether one condition implies another, either of which may be missing.
pub(super) fn is_implied<C: Condition + PartialEq>(narrow: Option<&C>, wide: Option<&C>) -> bool {
    match (narrow, wide) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(narrow), Some(wide)) => narrow == wide || narrow.implies(wide),
    }
}

/// Returns whether each item of a list is in another list.
pub(super) fn is_subset<T: PartialEq>(less: &[T], more: &[T]) -> bool {
    less.iter().all(|item| more.contains(item))
}

/// Returns whether a list of alternatives holds for no more than another, where an empty list restricts nothing.
pub(super) fn is_stricter<T: PartialEq>(narrow: &[T], wide: &[T]) -> bool {
    wide.is_empty() || (!narrow.is_empty() && is_subset(narrow, wide))
}

/// Returns whether two lists of alternatives, of which one entry is enough, hold for no more than two others, where
/// two empty lists restrict nothing.
pub(super) fn is_stricter_pair<T: PartialEq, U: PartialEq>(narrow: (&[T], &[U]), wide: (&[T], &[U])) -> bool {
    let is_open = |lists: (&[T], &[U])| lists.0.is_empty() && lists.1.is_empty();
    is_open(wide) || (!is_open(narrow) && is_subset(narrow.0, wide.0) && is_subset(narrow.1, wide.1))
}
