//! The state that is kept between events.
//!
//! Everything here is data: an event is judged with the state before it and produces the state after it. A
//! [`StateStore`] keeps the records between events; [`StateRequirements`] tells what a policy needs for a kind of
//! event, so that nothing is loaded if it needs nothing.
//!
//! New state needs a field of a record here, a line in [`StateRequirements`] (when it is needed), and one in the
//! method of [`State`] that changes it before or after the rules are evaluated.

pub mod keys;

mod count;
mod error;
mod exchange;
mod gate;
mod retries;
mod stream;
mod tokens;

use crate::domain::policy::counter::Counter;
use crate::domain::policy::state_requirements::StateRequirements;
use crate::domain::scope::Scope;
use crate::domain::scope::Scopes;
use crate::domain::time::Time;
use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use count::Counts;
pub use error::StateError;
pub use exchange::{AnswerKey, CachedAnswer, Exchange};
pub use gate::{Checkpoint, GateRecord, GateRecords, GateState};
pub use keys::StateKeys;
pub use retries::{RetryCounts, retry_count};
pub use stream::{StreamKey, Streams};
pub use tokens::{TokenReports, Tokens, TokensUsed, TranscriptPosition};

use crate::domain::event::Event;
use crate::domain::facts::Facts;
use crate::domain::facts::memory::{GateView, Memory};
use crate::domain::layer::Layer;
use crate::domain::policy::gate::ActiveGate;
use crate::domain::policy::gate::resolve;
use crate::domain::verdict::Verdict;

/// The records of everything that one event belongs to. A scope that was not requested has its initial value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// The record of the session.
    pub session: SessionRecord,
    /// The record of the project.
    pub project: ProjectRecord,
    /// The record of the day.
    pub day: DayRecord,
    /// Whether there was state that could not be loaded.
    pub is_lost: bool,
}

/// The record of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionRecord {
    /// The counters.
    pub counts: Counts,
    /// The gates.
    pub gates: GateRecords,
    /// How far its reports of tokens were counted.
    pub reported: TokenReports,
    /// The answers that are arriving in pieces.
    pub streams: Streams,
    /// How often its agents were sent back to work.
    pub returns: RetryCounts,
    /// The commit that was checked out when the session began; empty if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_commit: Option<String>,
    /// The exchange with the model, if answers are cached.
    #[serde(skip_serializing_if = "is_default")]
    pub exchange: Exchange,
}

fn is_default(exchange: &Exchange) -> bool {
    *exchange == Exchange::default()
}

/// The record of one project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectRecord {
    /// The counters.
    pub counts: Counts,
    /// The gates.
    pub gates: GateRecords,
}

/// The record of one day.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DayRecord {
    /// The counters.
    pub counts: Counts,
}

impl State {
    /// Returns the state that the rules see: the stored state, and what the event itself adds.
    #[must_use]
    pub fn apply_event(mut self, uses: &StateRequirements, facts: &Facts<'_>, now: Time) -> Self {
        let spent = if uses.counters.counts_tokens_at(facts.event.kind) {
            self.session.reported.add_event(facts.event)
        } else {
            Tokens::default()
        };
        for scope in uses.counters.scopes_counting_at(facts.event.kind).iter() {
            self.counts_mut(scope).count_event(|counter| uses.counters.has(scope, counter), facts, now);
        }
        // What was lost cannot be made up for by what is there now.
        let is_first = self.session.start_commit.is_none() && !self.is_lost && facts.event.session.id.is_some();
        if uses.needs_start_commit_at(facts.event.kind) && is_first {
            self.session.start_commit = Some(facts.head_commit().unwrap_or_default());
        }
        self.with_tokens_used(uses, spent)
    }

    /// Returns the state with additional tokens counted.
    #[must_use]
    pub fn with_tokens_used(mut self, uses: &StateRequirements, spent: Tokens) -> Self {
        for scope in Scope::ALL.into_iter().filter(|scope| uses.counters.has(*scope, Counter::Tokens)) {
            let counts = self.counts_mut(scope);
            counts.tokens = counts.tokens.saturating_add(spent);
        }
        self
    }

    /// Returns the state after an event with this outcome.
    #[must_use]
    pub fn apply_verdict(mut self, uses: &StateRequirements, facts: &Facts<'_>, verdict: &Verdict, now: Time) -> Self {
        for scope in uses.counters.scopes_counting_at(facts.event.kind).iter() {
            self.counts_mut(scope).count_verdict(|counter| uses.counters.has(scope, counter), verdict);
        }
        if uses.needs_retries_at(facts.event.kind) {
            let before = retry_count(facts.event, Some(&self));
            self.session.returns.record(facts.event, before, verdict, now);
        }
        self
    }

    /// Returns the counters of a scope.
    pub const fn counts(&self, scope: Scope) -> &Counts {
        match scope {
            Scope::Session => &self.session.counts,
            Scope::Project => &self.project.counts,
            Scope::Day => &self.day.counts,
        }
    }

    /// Returns the counters of a scope, to be changed.
    pub const fn counts_mut(&mut self, scope: Scope) -> &mut Counts {
        match scope {
            Scope::Session => &mut self.session.counts,
            Scope::Project => &mut self.project.counts,
            Scope::Day => &mut self.day.counts,
        }
    }
}

/// The part of the state that one event needs.
#[derive(Debug, Clone, Copy)]
pub struct TransactionScope<'a> {
    /// The names of the records.
    pub keys: &'a StateKeys,
    /// The scopes that are needed.
    pub scopes: Scopes,
    /// The time of the event.
    pub now: Time,
}

/// Keeps records from one event to the next.
pub trait StateStore {
    /// Begins a transaction and loads the state. Only one transaction is open at a time.
    ///
    /// # Errors
    /// Returns why nothing can be loaded.
    fn begin<'s>(&'s self, scope: &TransactionScope<'_>) -> Result<Box<dyn StateTransaction + 's>, StateError>;

    /// Returns the encrypted answer that is stored under a name for an owner.
    ///
    /// # Errors
    /// Returns why the answers cannot be read.
    fn cached_answer(&self, owner: &str, name: &str, now: Time) -> Result<Option<String>, StateError>;

    /// Stores an answer for an owner.
    ///
    /// # Errors
    /// Returns why it was not stored.
    fn cache_answer(&self, owner: &str, answer: &CachedAnswer, now: Time) -> Result<(), StateError>;

    /// Returns whether the store keeps anything.
    fn is_persistent(&self) -> bool {
        true
    }
}

/// A loaded state; without a commit, the store is left unchanged.
pub trait StateTransaction {
    /// Returns the state that was loaded.
    fn state(&self) -> &State;

    /// Stores the next state, all or nothing.
    ///
    /// # Errors
    /// Returns why it was not stored.
    fn commit(self: Box<Self>, next: State) -> Result<(), StateError>;
}

/// A store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: RefCell<State>,
    answers: RefCell<BTreeMap<(String, String), CachedAnswer>>,
}

impl MemoryStore {
    /// Creates a store with a state.
    pub const fn new(state: State) -> Self {
        Self { state: RefCell::new(state), answers: RefCell::new(BTreeMap::new()) }
    }

    /// Returns the present state.
    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }
}

/// A state in memory; it is replaced when the transaction is committed.
struct MemoryTransaction<'s> {
    store: &'s RefCell<State>,
    state: State,
}

impl StateTransaction for MemoryTransaction<'_> {
    fn state(&self) -> &State {
        &self.state
    }

    fn commit(self: Box<Self>, next: State) -> Result<(), StateError> {
        self.store.replace(next);
        Ok(())
    }
}

impl StateStore for MemoryStore {
    fn begin<'s>(&'s self, _: &TransactionScope<'_>) -> Result<Box<dyn StateTransaction + 's>, StateError> {
        Ok(Box::new(MemoryTransaction { store: &self.state, state: self.state() }))
    }

    fn cached_answer(&self, owner: &str, name: &str, _: Time) -> Result<Option<String>, StateError> {
        let key = (owner.to_owned(), name.to_owned());
        Ok(self.answers.borrow().get(&key).map(|answer| answer.body.clone()))
    }

    fn cache_answer(&self, owner: &str, answer: &CachedAnswer, _: Time) -> Result<(), StateError> {
        self.answers.borrow_mut().insert((owner.to_owned(), answer.name.clone()), answer.clone());
        Ok(())
    }
}

/// A store that is empty and keeps nothing.
#[derive(Debug, Clone, Copy)]
pub struct NullStore;

/// A transaction of a store that keeps nothing.
#[derive(Default)]
struct NullTransaction(State);

impl StateTransaction for NullTransaction {
    fn state(&self) -> &State {
        &self.0
    }

    fn commit(self: Box<Self>, _: State) -> Result<(), StateError> {
        Ok(())
    }
}

impl StateStore for NullStore {
    fn begin<'s>(&'s self, _: &TransactionScope<'_>) -> Result<Box<dyn StateTransaction + 's>, StateError> {
        Ok(Box::new(NullTransaction::default()))
    }

    fn cached_answer(&self, _: &str, _: &str, _: Time) -> Result<Option<String>, StateError> {
        Ok(None)
    }

    fn cache_answer(&self, _: &str, _: &CachedAnswer, _: Time) -> Result<(), StateError> {
        Ok(())
    }

    fn is_persistent(&self) -> bool {
        false
    }
}

/// The view that the rules have of the state at one event.
#[derive(Debug, Clone, Default)]
pub struct StateView<'a> {
    /// The state.
    pub state: State,
    /// The time of the event.
    pub now: Time,
    /// The gates in force.
    pub gates: &'a [ActiveGate],
}

impl Memory for StateView<'_> {
    fn is_per_file(&self, id: &str, layer: Layer) -> Option<bool> {
        Some(resolve(self.gates, id, layer)?.gate.per.is_some())
    }

    fn gate(&self, id: &str, layer: Layer, facts: &Facts<'_>, file: Option<usize>) -> Option<GateView> {
        Some(self.gate_view(resolve(self.gates, id, layer)?, facts, file))
    }

    fn counts(&self, scope: Scope) -> Vec<(&'static str, Value)> {
        self.state.counts(scope).variables(self.now).into()
    }

    fn sent_back(&self, event: &Event<'_>) -> Option<u32> {
        retry_count(event, Some(&self.state))
    }

    fn start_commit(&self) -> Option<&str> {
        self.state.session.start_commit.as_deref()
    }
}
