//! `respond: {cache: …}` — cached answers of the model.

use crate::domain::text::duration::MaxAge;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::scope::Scope;

/// How answers of the model are cached for equal requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(example = example()))]
pub struct CachePolicy {
    /// How long: `30m`, `2h`, `1d`.
    pub r#for: MaxAge,
    /// The maximum number of answers; the oldest is removed first.
    #[serde(default = "default_max_answers")]
    pub most: u32,
    /// The maximum size of an answer in bytes; longer ones are not kept.
    #[serde(default = "default_max_bytes")]
    pub max_bytes: u32,
    /// Whether the cache is used for one session, or for all sessions of the project.
    #[serde(default)]
    pub scope: CacheScope,
}

/// Whose requests are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// Those of one session.
    #[default]
    Session,
    /// Those of all sessions in the project.
    Project,
}

const fn default_max_answers() -> u32 {
    100
}

const fn default_max_bytes() -> u32 {
    16 * 1024
}

#[cfg(test)]
fn example() -> serde_json::Value {
    serde_json::json!({ "for": "1h", "scope": "project" })
}

impl CachePolicy {
    /// Returns a policy that complies with both.
    #[must_use]
    pub fn strictest(self, other: Self) -> Self {
        Self {
            r#for: self.r#for.min(other.r#for),
            most: self.most.min(other.most),
            max_bytes: self.max_bytes.min(other.max_bytes),
            scope: self.scope.min(other.scope),
        }
    }
}

impl CacheScope {
    /// Returns the scope of the state that it is stored in.
    pub const fn state_scope(self) -> Scope {
        match self {
            Self::Session => Scope::Session,
            Self::Project => Scope::Project,
        }
    }
}
