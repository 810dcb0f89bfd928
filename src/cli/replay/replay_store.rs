//! What is remembered while a log is judged again, from one event to the next.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::scope::Scope;
use crate::domain::state::keys::StateKeys;
use crate::domain::state::{
    CachedAnswer, DayRecord, ProjectRecord, SessionRecord, State, StateError, StateStore, StateTransaction,
    TransactionScope,
};
use crate::domain::time::Time;

/// The state of all sessions, projects and days of a log.
#[derive(Debug, Default)]
pub(super) struct ReplayStore(Mutex<StateRecords>);

#[derive(Debug, Default)]
struct StateRecords {
    sessions: HashMap<String, SessionRecord>,
    projects: HashMap<String, ProjectRecord>,
    days: HashMap<String, DayRecord>,
}

impl StateStore for ReplayStore {
    fn begin<'s>(&'s self, scope: &TransactionScope<'_>) -> Result<Box<dyn StateTransaction + 's>, StateError> {
        let records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = |of| scope.keys.get(of);
        let state = State {
            session: records.sessions.get(key(Scope::Session)).cloned().unwrap_or_default(),
            project: records.projects.get(key(Scope::Project)).cloned().unwrap_or_default(),
            day: records.days.get(key(Scope::Day)).cloned().unwrap_or_default(),
            ..State::default()
        };
        Ok(Box::new(ReplayTransaction { records, keys: scope.keys.clone(), state }))
    }

    fn cached_answer(&self, _: &str, _: &str, _: Time) -> Result<Option<String>, StateError> {
        Ok(None)
    }

    fn cache_answer(&self, _: &str, _: &CachedAnswer, _: Time) -> Result<(), StateError> {
        Ok(())
    }

    /// What models have answered is not said again: the log has what became of each request.
    fn is_persistent(&self) -> bool {
        false
    }
}

/// A transaction of a replay; it holds the lock of the records.
struct ReplayTransaction<'s> {
    records: MutexGuard<'s, StateRecords>,
    keys: StateKeys,
    state: State,
}

impl StateTransaction for ReplayTransaction<'_> {
    fn state(&self) -> &State {
        &self.state
    }

    fn commit(mut self: Box<Self>, next: State) -> Result<(), StateError> {
        let key = |of| self.keys.get(of).to_owned();
        let (session, project, day) = (key(Scope::Session), key(Scope::Project), key(Scope::Day));
        self.records.sessions.insert(session, next.session);
        self.records.projects.insert(project, next.project);
        self.records.days.insert(day, next.day);
        Ok(())
    }
}
