//! The names under which the records of an event are stored.

use crate::domain::event::Event;
use crate::domain::scope::Scope;
use crate::domain::text::path::PathContext;
use crate::domain::time::Time;

/// The names under which the records of one event are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateKeys {
    session: String,
    project: String,
    day: String,
}

impl StateKeys {
    /// Returns the names of the records that an event belongs to. Session ids are only unique per host.
    pub fn for_event(event: &Event<'_>, place: &PathContext, now: Time) -> Self {
        Self {
            session: format!("{}:{}", event.host, event.session.id.unwrap_or_default()),
            project: place.project.clone().unwrap_or_else(|| place.cwd.clone()),
            day: now.day(),
        }
    }

    /// Returns the name in one scope.
    pub fn get(&self, scope: Scope) -> &str {
        match scope {
            Scope::Session => &self.session,
            Scope::Project => &self.project,
            Scope::Day => &self.day,
        }
    }
}
