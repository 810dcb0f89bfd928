//! The counters that policies may name, and when they increase.

use crate::domain::effect::EffectKind;
use crate::domain::event::kind::{Kind, KindSet};
use crate::domain::scope::{Scope, Scopes};

/// One counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// The number of prompts.
    Turns,
    /// The number of tool calls that the agent requested, including the present one.
    Calls,
    /// The number of commands in them, including the present one's.
    Commands,
    /// The number of events that were refused before this one.
    Denials,
    /// The number of seconds since the first event.
    Seconds,
    /// The number of tokens of the model, as far as the host has reported them.
    Tokens,
}

impl Counter {
    /// Every counter, with its name in expressions.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Turns, "turns"),
        (Self::Calls, "calls"),
        (Self::Commands, "commands"),
        (Self::Denials, "denials"),
        (Self::Seconds, "seconds"),
        (Self::Tokens, "tokens"),
    ];

    /// Returns the counter of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(counter, _)| counter)
    }

    /// Returns the kinds of events at which it increases.
    pub fn kinds(self) -> KindSet {
        match self {
            Self::Turns => KindSet::one(Kind::PromptSubmit),
            Self::Calls | Self::Commands => KindSet::one(Kind::ToolBefore),
            Self::Tokens => kind_set(&[
                Kind::ModelBefore,
                Kind::ModelAfter,
                Kind::ToolBefore,
                Kind::PromptSubmit,
                Kind::AgentAfter,
                Kind::SubagentAfter,
                Kind::SessionEnd,
            ]),
            Self::Denials => KindSet::supporting(EffectKind::Deny),
            Self::Seconds => kind_set(&[Kind::SessionStart, Kind::PromptSubmit, Kind::ToolBefore, Kind::ModelBefore]),
        }
    }
}

/// The counters that a policy uses, by scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CounterSet {
    session: u8,
    project: u8,
    day: u8,
}

impl CounterSet {
    /// Adds the counters that a dotted name of an expression, a message or `match` refers to. A name that ends at the
    /// scope may refer to any of its counters.
    pub fn add_name(&mut self, name: &str) {
        let mut steps = name.split('.');
        let Some(scope) = steps.next().and_then(Scope::from_name) else { return };
        let named = steps.next();
        for (bit, (_, counter)) in Counter::ALL.iter().enumerate() {
            if named.is_none_or(|named| named == *counter) {
                *self.bits_mut(scope) |= 1 << bit;
            }
        }
    }

    /// Adds a counter of a scope.
    pub fn add_counter(&mut self, scope: Scope, counter: Counter) {
        for (bit, (known, _)) in Counter::ALL.iter().enumerate() {
            if *known == counter {
                *self.bits_mut(scope) |= 1 << bit;
            }
        }
    }

    /// Returns whether any counter of a scope is used.
    pub const fn has_scope(self, scope: Scope) -> bool {
        self.bits(scope) != 0
    }

    /// Returns whether a counter of a scope is used.
    pub fn has(self, scope: Scope, counter: Counter) -> bool {
        Counter::ALL
            .iter()
            .position(|(known, _)| *known == counter)
            .is_some_and(|bit| self.bits(scope) & (1 << bit) != 0)
    }

    /// Returns whether tokens are used.
    pub fn has_tokens(self) -> bool {
        Scope::ALL.into_iter().any(|scope| self.has(scope, Counter::Tokens))
    }

    /// Returns whether tokens are counted at a kind of event.
    pub fn counts_tokens_at(self, kind: Kind) -> bool {
        self.has_tokens() && Counter::Tokens.kinds().contains(kind)
    }

    /// Returns the scopes that count something at a kind of event.
    pub fn scopes_counting_at(self, kind: Kind) -> Scopes {
        let grows = |scope: &Scope| {
            Counter::ALL.iter().any(|(counter, _)| self.has(*scope, *counter) && counter.kinds().contains(kind))
        };
        Scope::ALL.into_iter().filter(grows).fold(Scopes::default(), |scopes, scope| scopes.or(Scopes::one(scope)))
    }

    const fn bits(self, scope: Scope) -> u8 {
        match scope {
            Scope::Session => self.session,
            Scope::Project => self.project,
            Scope::Day => self.day,
        }
    }

    const fn bits_mut(&mut self, scope: Scope) -> &mut u8 {
        match scope {
            Scope::Session => &mut self.session,
            Scope::Project => &mut self.project,
            Scope::Day => &mut self.day,
        }
    }
}

fn kind_set(kinds: &[Kind]) -> KindSet {
    kinds.iter().copied().map(KindSet::one).fold(KindSet::default(), KindSet::union)
}
