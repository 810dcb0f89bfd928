//! What is remembered while a log is judged again, from one event to the next.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::domain::state::{DayRecord, Keeper, KeptAnswer, ProjectRecord, Scope, SessionRecord, State, Time, Visit};

/// A memory of all sessions, projects and days of a log.
#[derive(Debug, Default)]
pub(super) struct OfLog(Mutex<Records>);

#[derive(Debug, Default)]
struct Records {
    sessions: HashMap<String, SessionRecord>,
    projects: HashMap<String, ProjectRecord>,
    days: HashMap<String, DayRecord>,
}

impl Keeper for OfLog {
    fn visit(&self, visit: &Visit<'_>, step: &mut dyn FnMut(State) -> State) -> Result<(), String> {
        let mut records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = |scope| visit.keys.get(scope);
        let after = step(State {
            session: records.sessions.get(key(Scope::Session)).cloned().unwrap_or_default(),
            project: records.projects.get(key(Scope::Project)).cloned().unwrap_or_default(),
            day: records.days.get(key(Scope::Day)).cloned().unwrap_or_default(),
            ..State::default()
        });
        records.sessions.insert(key(Scope::Session).to_owned(), after.session);
        records.projects.insert(key(Scope::Project).to_owned(), after.project);
        records.days.insert(key(Scope::Day).to_owned(), after.day);
        Ok(())
    }

    fn answer(&self, _: &str, _: &str, _: Time) -> Result<Option<String>, String> {
        Ok(None)
    }

    fn keep_answer(&self, _: &str, _: &KeptAnswer, _: Time) -> Result<(), String> {
        Ok(())
    }

    /// What models have answered is not said again: the log has what became of each request.
    fn keeps(&self) -> bool {
        false
    }
}
