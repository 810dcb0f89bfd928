//! What is counted: one table of counters, and which of them a name in a policy speaks of.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::scope::{Scope, Scopes};
use super::time::Time;
use super::usage::Tokens;
use crate::domain::effect::EffectKind;
use crate::domain::facts::Facts;
use crate::domain::kind::{Kind, Moments};
use crate::domain::verdict::{Decision, Verdict};

/// How much of each thing there was.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Prompts.
    pub turns: u64,
    /// Tool calls that the agent asked for.
    pub calls: u64,
    /// Commands in them.
    pub commands: u64,
    /// Events that were refused.
    pub denials: u64,
    /// Tokens of the model.
    pub tokens: Tokens,
    /// When the first of what is remembered here was.
    pub begun: Option<Time>,
}

/// One thing that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// Prompts.
    Turns,
    /// Tool calls that the agent asked for, the present one included.
    Calls,
    /// Commands in them, those of the present one included.
    Commands,
    /// Events that were refused before this one.
    Denials,
    /// Seconds since the first event.
    Seconds,
    /// Tokens of the model, as far as the host has reported them.
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

    /// Returns the moments at which it grows.
    fn moments(self) -> Moments {
        match self {
            Self::Turns => Moments::one(Kind::PromptSubmit),
            Self::Calls | Self::Commands => Moments::one(Kind::ToolBefore),
            Self::Tokens => each(&[
                Kind::ModelBefore,
                Kind::ModelAfter,
                Kind::ToolBefore,
                Kind::PromptSubmit,
                Kind::AgentAfter,
                Kind::SubagentAfter,
                Kind::SessionEnd,
            ]),
            Self::Denials => Moments::carrying(EffectKind::Deny),
            Self::Seconds => each(&[Kind::SessionStart, Kind::PromptSubmit, Kind::ToolBefore, Kind::ModelBefore]),
        }
    }
}

/// The counters that a policy speaks of, by scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    session: u8,
    project: u8,
    day: u8,
}

impl Counted {
    /// Adds what a dotted name of an expression, a message or `match` speaks of. A name that ends
    /// at the scope may mean any of its counters.
    pub fn add(&mut self, name: &str) {
        let mut steps = name.split('.');
        let Some(scope) = steps.next().and_then(Scope::from_name) else { return };
        let named = steps.next();
        for (bit, (_, counter)) in Counter::ALL.iter().enumerate() {
            if named.is_none_or(|named| named == *counter) {
                *self.of_mut(scope) |= 1 << bit;
            }
        }
    }

    /// Adds a counter of a scope.
    pub fn add_one(&mut self, scope: Scope, counter: Counter) {
        for (bit, (known, _)) in Counter::ALL.iter().enumerate() {
            if *known == counter {
                *self.of_mut(scope) |= 1 << bit;
            }
        }
    }

    /// Tells whether any counter of a scope is spoken of.
    pub const fn speaks_of(self, scope: Scope) -> bool {
        self.of(scope) != 0
    }

    /// Tells whether a counter of a scope is spoken of.
    pub fn has(self, scope: Scope, counter: Counter) -> bool {
        Counter::ALL.iter().position(|(known, _)| *known == counter).is_some_and(|bit| self.of(scope) & (1 << bit) != 0)
    }

    /// Tells whether tokens are spoken of.
    pub fn has_tokens(self) -> bool {
        Scope::ALL.into_iter().any(|scope| self.has(scope, Counter::Tokens))
    }

    /// Tells whether tokens are counted at a moment.
    pub fn tokens_at(self, kind: Kind) -> bool {
        self.has_tokens() && Counter::Tokens.moments().contains(kind)
    }

    /// Returns the scopes in which something grows at a moment.
    pub fn grow_at(self, kind: Kind) -> Scopes {
        let grows = |scope: &Scope| {
            Counter::ALL.iter().any(|(counter, _)| self.has(*scope, *counter) && counter.moments().contains(kind))
        };
        Scope::ALL.into_iter().filter(grows).fold(Scopes::default(), |scopes, scope| scopes.or(Scopes::one(scope)))
    }

    const fn of(self, scope: Scope) -> u8 {
        match scope {
            Scope::Session => self.session,
            Scope::Project => self.project,
            Scope::Day => self.day,
        }
    }

    const fn of_mut(&mut self, scope: Scope) -> &mut u8 {
        match scope {
            Scope::Session => &mut self.session,
            Scope::Project => &mut self.project,
            Scope::Day => &mut self.day,
        }
    }
}

impl Counts {
    /// Counts what an event brings, before the rules look.
    pub(super) fn before(&mut self, wanted: impl Fn(Counter) -> bool, facts: &Facts<'_>, now: Time) {
        let grows = |counter: Counter| wanted(counter) && counter.moments().contains(facts.event.kind);
        self.begun.get_or_insert(now);
        if grows(Counter::Turns) {
            self.turns = self.turns.saturating_add(1);
        }
        if grows(Counter::Calls) {
            self.calls = self.calls.saturating_add(amount(facts.event.calls().len()));
        }
        if grows(Counter::Commands) {
            let commands = facts.commands().filter(|command| !command.words.is_empty() && command.file.is_none());
            self.commands = self.commands.saturating_add(amount(commands.count()));
        }
    }

    /// Counts what came of an event.
    pub(super) fn after(&mut self, wanted: impl Fn(Counter) -> bool, verdict: &Verdict) {
        if wanted(Counter::Denials) && verdict.decision() == Some(Decision::Deny) {
            self.denials = self.denials.saturating_add(1);
        }
    }

    /// Returns the counters as expressions see them.
    pub fn view(&self, now: Time) -> [(&'static str, Value); Counter::ALL.len()] {
        let Tokens { input, output, cached } = self.tokens;
        let tokens = || json!({ "input": input, "output": output, "cached": cached, "total": self.tokens.total() });
        let value = |counter| if counter == Counter::Tokens { tokens() } else { json!(self.value(counter, now)) };
        Counter::ALL.map(|(counter, name)| (name, value(counter)))
    }

    /// Gives a counter a value.
    pub const fn set(&mut self, counter: Counter, value: u64, now: Time) {
        match counter {
            Counter::Turns => self.turns = value,
            Counter::Calls => self.calls = value,
            Counter::Commands => self.commands = value,
            Counter::Denials => self.denials = value,
            Counter::Tokens => self.tokens = Tokens { input: value, output: 0, cached: 0 },
            Counter::Seconds => self.begun = Some(Time(now.0.saturating_sub(value))),
        }
    }

    /// Returns the value of a counter.
    pub fn value(&self, counter: Counter, now: Time) -> u64 {
        match counter {
            Counter::Turns => self.turns,
            Counter::Calls => self.calls,
            Counter::Commands => self.commands,
            Counter::Denials => self.denials,
            Counter::Tokens => self.tokens.total(),
            Counter::Seconds => self.begun.map_or(0, |begun| now.since(begun)),
        }
    }
}

fn each(kinds: &[Kind]) -> Moments {
    kinds.iter().copied().map(Moments::one).fold(Moments::default(), Moments::or)
}

fn amount(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
