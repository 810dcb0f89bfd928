//! The counters of a scope.

use crate::domain::policy::counter::Counter;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tokens::Tokens;
use crate::domain::facts::Facts;
use crate::domain::time::Time;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::Decision;

/// The values of the counters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// The number of prompts.
    pub turns: u64,
    /// The number of tool calls that the agent requested.
    pub calls: u64,
    /// The number of commands in them.
    pub commands: u64,
    /// The number of events that were refused.
    pub denials: u64,
    /// The tokens of the model.
    pub tokens: Tokens,
    /// The time of the first event that was counted.
    pub begun: Option<Time>,
}

impl Counts {
    /// Counts an event, before the rules are evaluated.
    pub(super) fn count_event(&mut self, wanted: impl Fn(Counter) -> bool, facts: &Facts<'_>, now: Time) {
        let grows = |counter: Counter| wanted(counter) && counter.kinds().contains(facts.event.kind);
        self.begun.get_or_insert(now);
        if grows(Counter::Turns) {
            self.turns = self.turns.saturating_add(1);
        }
        if grows(Counter::Calls) {
            self.calls = self.calls.saturating_add(to_u64(facts.event.calls().len()));
        }
        if grows(Counter::Commands) {
            let commands = facts.commands().filter(|command| !command.words.is_empty() && command.file.is_none());
            self.commands = self.commands.saturating_add(to_u64(commands.count()));
        }
    }

    /// Counts the verdict of an event.
    pub(super) fn count_verdict(&mut self, wanted: impl Fn(Counter) -> bool, verdict: &Verdict) {
        if wanted(Counter::Denials) && verdict.decision() == Some(Decision::Deny) {
            self.denials = self.denials.saturating_add(1);
        }
    }

    /// Returns the counters as expressions see them.
    pub fn variables(&self, now: Time) -> [(&'static str, Value); Counter::ALL.len()] {
        let Tokens { input, output, cached } = self.tokens;
        let tokens = || json!({ "input": input, "output": output, "cached": cached, "total": self.tokens.total() });
        let value = |counter| if counter == Counter::Tokens { tokens() } else { json!(self.value(counter, now)) };
        Counter::ALL.map(|(counter, name)| (name, value(counter)))
    }

    /// Sets the value of a counter.
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
            Counter::Seconds => self.begun.map_or(0, |begun| now.seconds_since(begun)),
        }
    }
}

fn to_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
