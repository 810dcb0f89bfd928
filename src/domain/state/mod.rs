//! What is remembered from one event to the next.
//!
//! Everything here is data: an event is judged with what is remembered before it, and what is to
//! be remembered after it comes out. Who keeps the records between events is a [`Keeper`]; what a
//! policy needs at a moment is said by [`Uses`], so that nothing is opened for one that needs none.
//!
//! To remember something new: a field of a record here, its line in [`Uses::at`] (when it is needed)
//! and in [`State::before`] or [`State::after`] (how it changes).

mod count;
mod exchange;
mod gate;
mod returns;
mod scope;
mod stream;
mod time;
mod usage;
mod uses;

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use count::{Counted, Counter, Counts};
pub use exchange::{AnswerKey, Exchange, KeptAnswer};
pub use gate::{GateRecord, GateRecords, Mark, Position, Standing};
pub use returns::{Returns, sent_back};
pub use scope::{Keys, Scope, Scopes};
pub use stream::{StreamKey, Streams};
pub use time::Time;
pub use usage::{Bookmark, Reported, Spent, Tokens};
pub use uses::{Uses, remembers};

use super::facts::Facts;
use super::gate::ActiveGate;
use super::verdict::Verdict;

/// What is remembered of everything that one event belongs to. A scope that was not asked for is
/// as at its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// Of the session.
    pub session: SessionRecord,
    /// Of the project.
    pub project: ProjectRecord,
    /// Of the day.
    pub day: DayRecord,
    /// Whether there was more, and it could not be had.
    pub is_lost: bool,
}

/// What is remembered of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionRecord {
    /// How much there was.
    pub counts: Counts,
    /// How its gates stand.
    pub gates: GateRecords,
    /// How far what it says of tokens was counted.
    pub reported: Reported,
    /// The answers that are arriving in pieces.
    pub streams: Streams,
    /// How often its agents were sent back to work.
    pub returns: Returns,
    /// The exchange with the model, where answers are given again.
    #[serde(skip_serializing_if = "is_new")]
    pub exchange: Exchange,
}

fn is_new(exchange: &Exchange) -> bool {
    *exchange == Exchange::default()
}

/// What is remembered of one project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectRecord {
    /// How much there was.
    pub counts: Counts,
    /// How its gates stand.
    pub gates: GateRecords,
}

/// What is remembered of one day.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DayRecord {
    /// How much there was.
    pub counts: Counts,
}

impl State {
    /// Returns the state that the rules see: what was remembered, and what the event itself adds.
    #[must_use]
    pub fn before(mut self, uses: &Uses, facts: &Facts<'_>, now: Time) -> Self {
        let spent = if uses.counted.tokens_at(facts.event.kind) {
            self.session.reported.event(facts.event)
        } else {
            Tokens::default()
        };
        for scope in uses.counted.grow_at(facts.event.kind).iter() {
            self.counts_mut(scope).before(|counter| uses.counted.has(scope, counter), facts, now);
        }
        self.with_spent(uses, spent)
    }

    /// Returns the state when so many tokens more were used.
    #[must_use]
    pub fn with_spent(mut self, uses: &Uses, spent: Tokens) -> Self {
        for scope in Scope::ALL.into_iter().filter(|scope| uses.counted.has(*scope, Counter::Tokens)) {
            let counts = self.counts_mut(scope);
            counts.tokens = counts.tokens.and(spent);
        }
        self
    }

    /// Returns the state after an event, of which this came.
    #[must_use]
    pub fn after(mut self, uses: &Uses, facts: &Facts<'_>, verdict: &Verdict, now: Time) -> Self {
        for scope in uses.counted.grow_at(facts.event.kind).iter() {
            self.counts_mut(scope).after(|counter| uses.counted.has(scope, counter), verdict);
        }
        if uses.returns_at(facts.event.kind) {
            let before = sent_back(facts.event, Some(&self));
            self.session.returns.note(facts.event, before, verdict, now);
        }
        self
    }

    /// Returns how much there was in a scope.
    pub const fn counts(&self, scope: Scope) -> &Counts {
        match scope {
            Scope::Session => &self.session.counts,
            Scope::Project => &self.project.counts,
            Scope::Day => &self.day.counts,
        }
    }

    /// Returns how much there was in a scope, to be changed.
    pub const fn counts_mut(&mut self, scope: Scope) -> &mut Counts {
        match scope {
            Scope::Session => &mut self.session.counts,
            Scope::Project => &mut self.project.counts,
            Scope::Day => &mut self.day.counts,
        }
    }
}

/// What of the memory one event is about.
#[derive(Debug, Clone, Copy)]
pub struct Visit<'a> {
    /// The names under which it is kept.
    pub keys: &'a Keys,
    /// The scopes that are needed.
    pub scopes: Scopes,
    /// When the event is.
    pub now: Time,
}

/// Keeps records from one event to the next.
pub trait Keeper {
    /// Gives what is kept to `step`, and keeps what it makes of it, all or nothing and with nobody
    /// else in between.
    ///
    /// # Errors
    /// Returns why nothing was loaded, in which case `step` was not called, or why nothing was kept.
    fn visit(&self, visit: &Visit<'_>, step: &mut dyn FnMut(State) -> State) -> Result<(), String>;

    /// Returns the answer that is kept under a name for an owner, sealed.
    ///
    /// # Errors
    /// Returns why the answers cannot be looked at.
    fn answer(&self, owner: &str, name: &str, now: Time) -> Result<Option<String>, String>;

    /// Keeps an answer for an owner.
    ///
    /// # Errors
    /// Returns why it was not kept.
    fn keep_answer(&self, owner: &str, answer: &KeptAnswer, now: Time) -> Result<(), String>;

    /// Tells whether anything is kept at all.
    fn keeps(&self) -> bool {
        true
    }
}

/// A memory that ends with the program.
#[derive(Debug, Default)]
pub struct InMemory {
    state: RefCell<State>,
    answers: RefCell<BTreeMap<(String, String), KeptAnswer>>,
}

impl InMemory {
    /// Returns a memory of this.
    pub const fn new(state: State) -> Self {
        Self { state: RefCell::new(state), answers: RefCell::new(BTreeMap::new()) }
    }

    /// Returns what is remembered now.
    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }
}

impl Keeper for InMemory {
    fn visit(&self, _: &Visit<'_>, step: &mut dyn FnMut(State) -> State) -> Result<(), String> {
        let after = step(self.state());
        *self.state.borrow_mut() = after;
        Ok(())
    }

    fn answer(&self, owner: &str, name: &str, _: Time) -> Result<Option<String>, String> {
        let key = (owner.to_owned(), name.to_owned());
        Ok(self.answers.borrow().get(&key).map(|answer| answer.body.clone()))
    }

    fn keep_answer(&self, owner: &str, answer: &KeptAnswer, _: Time) -> Result<(), String> {
        self.answers.borrow_mut().insert((owner.to_owned(), answer.name.clone()), answer.clone());
        Ok(())
    }
}

/// A memory that has nothing in it and keeps nothing.
#[derive(Debug, Clone, Copy)]
pub struct Forgetful;

impl Keeper for Forgetful {
    fn visit(&self, _: &Visit<'_>, step: &mut dyn FnMut(State) -> State) -> Result<(), String> {
        step(State::default());
        Ok(())
    }

    fn answer(&self, _: &str, _: &str, _: Time) -> Result<Option<String>, String> {
        Ok(None)
    }

    fn keep_answer(&self, _: &str, _: &KeptAnswer, _: Time) -> Result<(), String> {
        Ok(())
    }

    fn keeps(&self) -> bool {
        false
    }
}

/// What the rules see of the memory at one event.
#[derive(Debug, Clone, Default)]
pub struct Remembered<'a> {
    /// What is remembered.
    pub state: State,
    /// When the event is.
    pub now: Time,
    /// The gates in force.
    pub gates: &'a [ActiveGate],
}
