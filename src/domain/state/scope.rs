//! How far a memory reaches, and under which name it is kept.

use serde::{Deserialize, Serialize};

use super::time::Time;
use crate::domain::event::Event;
use crate::domain::path::Place;

/// How far a memory reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// One conversation of one host.
    Session,
    /// One project, whatever host and session.
    Project,
    /// One day of the person, in UTC.
    Day,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Session, Self::Project, Self::Day];

    /// Returns the scope's name, which is also its word in expressions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Project => "project",
            Self::Day => "day",
        }
    }

    /// Returns the scope of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// Returns the set of one scope.
    #[must_use]
    pub const fn one(scope: Scope) -> Self {
        Self(1 << scope as u8)
    }

    /// Tells whether the set holds a scope.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & Self::one(scope).0 != 0
    }

    /// Tells whether the set holds none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the set of what is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Lists the scopes.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

/// The names under which the memories of one event are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    session: String,
    project: String,
    day: String,
}

impl Keys {
    /// Returns the names of what an event belongs to. Ids of sessions are each host's own.
    pub fn of(event: &Event<'_>, place: &Place, now: Time) -> Self {
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
