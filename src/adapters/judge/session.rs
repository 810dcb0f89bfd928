//! The state of one judgement: loaded when it begins, committed when it ends.
//!
//! A policy that needs no state at a kind of event opens nothing.

use super::Judge;
use super::exchange::CacheAction;
use super::stream::ChunkOutput;
use crate::adapters::judge::error_verdict;
use crate::domain::event::Event;
use crate::domain::policy::state_requirements::StateRequirements;
use crate::domain::scope::Scopes;
use crate::domain::state::keys::StateKeys;
use crate::domain::state::{
    State, StateError, StateTransaction, Streams, TokenReports, Tokens, TokensUsed, TransactionScope,
};
use crate::domain::verdict::outcome::Outcome;

/// What helps when the state cannot be used.
const RECOVERY_HINT: &str =
    "the user can inspect it with `ruleward state show` and reset it with `ruleward state reset`";

/// The state of one judgement.
pub(super) struct Session<'a> {
    judge: Judge<'a>,
    requirements: StateRequirements,
    scopes: Scopes,
    keys: Option<StateKeys>,
    transaction: Option<Box<dyn StateTransaction + 'a>>,
    /// What is remembered, with the tokens that were used since.
    state: State,
    /// What is to be remembered after the event.
    next: Option<State>,
    /// Why the state cannot be used.
    error: Option<StateError>,
}

impl<'a> Session<'a> {
    /// Loads what the policy needs of the state at an event.
    pub(super) fn begin(judge: Judge<'a>, event: &Event<'_>) -> Self {
        let requirements = StateRequirements::of(judge.policy);
        let scopes = requirements.scopes_at(event.kind);
        let (transaction, state, next, error) = (None, State::default(), None, None);
        let mut session = Self { judge, requirements, scopes, keys: None, transaction, state, next, error };
        if !scopes.is_empty() {
            let environment = judge.environment;
            session.keys = Some(StateKeys::for_event(event, environment.paths, environment.state.now));
            session.load(event);
        }
        session
    }

    /// Returns what the policy needs of the state.
    pub(super) const fn requirements(&self) -> &StateRequirements {
        &self.requirements
    }

    /// Returns what is remembered; `None` where the policy needs none of it.
    pub(super) fn state(&self) -> Option<State> {
        self.keys.is_some().then(|| self.state.clone())
    }

    /// Sets what is to be remembered after the event.
    pub(super) fn set_next(&mut self, next: State) {
        self.next = Some(next);
    }

    /// Ends the transaction without a change, so that nobody waits for it.
    pub(super) fn release(&mut self) {
        self.transaction = None;
    }

    /// Loads the state again, and returns whether it is still the same.
    pub(super) fn resume(&mut self, event: &Event<'_>) -> bool {
        if self.keys.is_none() {
            return true;
        }
        let before = std::mem::take(&mut self.state);
        self.load(event);
        self.error.is_none() && self.state == before
    }

    /// Adds to an outcome that the state cannot be used, if so.
    pub(super) fn add_error(&self, outcome: &mut Outcome) {
        if let Some(why) = &self.error {
            let error = error_verdict(self.judge.policy.on_state_error, &format!("{why}; {RECOVERY_HINT}"));
            outcome.verdict = std::mem::take(&mut outcome.verdict).merge(error);
        }
    }

    /// Returns the parts of an answer that arrive in chunks, where the policy changes them.
    pub(super) fn streams(&mut self, event: &Event<'_>) -> Option<&mut Streams> {
        let is_needed = self.requirements.needs_stream_at(event.kind) && self.is_persistent();
        let next = self.next.as_mut().filter(|_| is_needed && self.transaction.is_some())?;
        Some(&mut next.session.streams)
    }

    /// Stores the next state, and looks up or keeps an answer of the model. Returns what the host is shown
    /// when the state cannot be used: what the verdict says, whatever was made of a chunk.
    pub(super) fn commit(mut self, event: &Event<'_>, outcome: &mut Outcome) -> Option<ChunkOutput> {
        let keys = self.keys.take()?;
        let mut action = CacheAction::Skip;
        if let (Some(transaction), Some(mut next)) = (self.transaction.take(), self.next.take()) {
            if self.requirements.needs_exchange_at(event.kind) && self.is_persistent() {
                action = self.judge.track_exchange(event, &mut next.session.exchange, outcome);
            }
            self.error = transaction.commit(next).err();
        }
        self.judge.apply_cache(action, &keys, outcome);
        self.add_error(outcome);
        self.error.map(|_| ChunkOutput::FromVerdict)
    }

    fn is_persistent(&self) -> bool {
        self.judge.environment.state.store.is_persistent()
    }

    fn load(&mut self, event: &Event<'_>) {
        let context = &self.judge.environment.state;
        let Some(keys) = &self.keys else { return };
        let scope = TransactionScope { keys, scopes: self.scopes, now: context.now };
        match context.store.begin(&scope) {
            Ok(transaction) => {
                self.state = transaction.state().clone();
                (self.transaction, self.error) = (Some(transaction), None);
                self.add_used_tokens(event);
            }
            Err(error) => {
                self.state = State { is_lost: true, ..State::default() };
                self.error = Some(error);
            }
        }
    }

    /// Counts the tokens that the host's transcripts report since they were last read.
    fn add_used_tokens(&mut self, event: &Event<'_>) {
        if self.requirements.counters.counts_tokens_at(event.kind) {
            let used = self.judge.read_token_usage(event, &mut self.state.session.reported);
            self.state = std::mem::take(&mut self.state).with_tokens_used(&self.requirements, used);
        }
    }
}

impl Judge<'_> {
    fn read_token_usage(self, event: &Event<'_>, reported: &mut TokenReports) -> Tokens {
        let mut all = Tokens::default();
        let Some(transcripts) = self.host.transcripts else { return all };
        for path in transcripts.path_keys.iter().filter_map(|key| event.native.get(*key)?.as_str()) {
            let offset = reported.transcripts.get(path).map_or(0, |position| position.offset);
            if let Some((lines, offset)) = (self.environment.state.read_transcript)(path, offset) {
                let used: Vec<TokensUsed> = lines.lines().filter_map(transcripts.tokens_used).collect();
                all = all.saturating_add(reported.add_transcript(path, offset, &used));
            }
        }
        all
    }
}
