//! A decision, and the text that a rule gives for it.

use crate::domain::effect::EffectKind;
use crate::domain::severity::Severity;

/// The decision on an action, from the mildest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// The host does not ask the user.
    Allow,
    /// The user is asked.
    Ask,
    /// The action is refused.
    Deny,
}

impl Decision {
    /// Returns the effect that causes the decision.
    pub const fn effect(self) -> EffectKind {
        match self {
            Self::Allow => EffectKind::Allow,
            Self::Ask => EffectKind::Ask,
            Self::Deny => EffectKind::Deny,
        }
    }

    /// Returns the decision's name.
    pub const fn name(self) -> &'static str {
        self.effect().name()
    }
}

/// A text that a rule gives. The most severe is first in the order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The severity of the rule; the most severe is first in the order.
    pub severity: std::cmp::Reverse<Severity>,
    /// The rule's id.
    pub rule: String,
    /// The rendered text.
    pub text: String,
}
