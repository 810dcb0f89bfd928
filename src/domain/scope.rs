//! The scopes of state, and their names.

use serde::{Deserialize, Serialize};

/// The scope of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// One conversation of one host.
    Session,
    /// One project, across hosts and sessions.
    Project,
    /// One day of the user, in UTC.
    Day,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Session, Self::Project, Self::Day];

    /// Returns the scope's name, which is also its variable in expressions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Project => "project",
            Self::Day => "day",
        }
    }

    /// Returns the scope with a name.
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

    /// Returns whether the set contains a scope.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & Self::one(scope).0 != 0
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the union of the sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Lists the scopes.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}
