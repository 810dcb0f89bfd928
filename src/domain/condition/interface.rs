//! The interface of a condition.
//!
//! There are no defaults that could silently be wrong: a new condition does not compile until it defines everything.

use super::Conditions;
use super::binding::Binding;
use super::requirements::Requirements;
use crate::domain::event::kind::Kind;
use crate::domain::facts::Facts;
use crate::domain::text::template::RenderError;

/// A condition of a rule: the value of one key of [`Conditions`].
pub trait Condition {
    /// Returns what holds for every condition of the type.
    fn spec() -> ConditionSpec
    where
        Self: Sized;

    /// Evaluates the condition for one binding.
    ///
    /// # Errors
    /// Returns why the condition cannot be evaluated.
    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError>;

    /// Returns whether the condition names nothing that it could hold for.
    fn is_empty(&self) -> bool;

    /// Returns what to write instead of a condition that is empty.
    fn empty_help(&self) -> &'static str {
        "add a value, or remove the condition"
    }

    /// Returns whether another condition of the type holds for everything that this one holds for.
    /// It is not called for equal conditions, and `false` is always safe.
    fn implies(&self, wide: &Self) -> bool
    where
        Self: Sized;

    /// Adds what an event must have so that the condition can hold.
    fn require(&self, requirements: &mut Requirements);

    /// Passes everything that the condition refers to by name to `each`.
    fn for_each_reference(&self, each: &mut dyn FnMut(Reference<'_>));
}

/// What holds for every condition of a type.
#[derive(Debug, Clone, Copy)]
pub struct ConditionSpec {
    /// The kinds of events that have what the condition looks at; `None` where every kind has it.
    pub kinds: Option<&'static [Kind]>,
    /// What the condition picks out of an event.
    pub selection: Selection,
}

/// What a condition picks out of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// Nothing: the condition holds for the event, or for what others have picked out.
    None,
    /// An action or an object of the event. An `allow` then only counts if everything was picked out.
    Action,
    /// A part of a text. A redaction can remove it.
    Text,
    /// What the conditions in its branches pick out.
    Branches,
}

/// What a condition leaves of a binding.
#[derive(Debug)]
pub enum ConditionMatch {
    /// The binding is unchanged: the condition holds and picks nothing out.
    Unchanged,
    /// A binding for each thing that was picked out; none if the condition does not hold.
    Bindings(Vec<Binding>),
}

impl From<bool> for ConditionMatch {
    fn from(holds: bool) -> Self {
        if holds { Self::Unchanged } else { Self::Bindings(Vec::new()) }
    }
}

impl From<Vec<Binding>> for ConditionMatch {
    fn from(bindings: Vec<Binding>) -> Self {
        Self::Bindings(bindings)
    }
}

/// Something that a condition refers to by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference<'c> {
    /// A variable of an expression or under `match`, by its dotted path.
    Variable(&'c str),
    /// A gate, by its id.
    Gate(&'c str),
}

/// A condition of a rule, with its key.
#[derive(Clone, Copy)]
pub struct GivenCondition<'c> {
    /// The key in policies.
    pub key: &'static str,
    /// What holds for every condition of a type.
    pub spec: ConditionSpec,
    /// The condition.
    pub condition: &'c dyn Condition,
}

impl Conditions {
    /// Returns what holds of every condition with a key.
    pub fn spec(key: &str) -> Option<ConditionSpec> {
        Self::specs().into_iter().find(|(known, _)| *known == key).map(|(_, spec)| spec)
    }
}

/// Returns the key of a field, which is spelled with `r#` where it is a keyword.
pub(super) fn key_of_field(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

/// The kinds of events that are about tool calls.
pub const CALL_KINDS: &[Kind] = &[
    Kind::ToolBefore,
    Kind::ToolAfter,
    Kind::ToolFailed,
    Kind::ToolBatch,
    Kind::PermissionRequest,
    Kind::PermissionDenied,
];

/// The kinds of events at which a tool call has ended.
pub(super) const RESULT_KINDS: &[Kind] = &[Kind::ToolAfter, Kind::ToolFailed, Kind::ToolBatch];
