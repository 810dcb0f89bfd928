//! `respond: {cache: …}` — answers of the model that are given again.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::gate::Lasting;
use super::state::Scope;

/// On which terms an answer of the model is kept, and given again to an equal request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = shown())]
pub struct Cache {
    /// How long: `30m`, `2h`, `1d`.
    pub r#for: Age,
    /// Answers that are kept at most; the oldest goes first.
    #[serde(default = "most")]
    pub most: u32,
    /// Bytes that an answer may have; a longer one is not kept.
    #[serde(default = "max_bytes")]
    pub max_bytes: u32,
    /// Whose requests are answered: those of one session, or of all sessions in the project.
    #[serde(default)]
    pub scope: Circle,
}

/// A time in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Age(pub u64);

/// Whose requests are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Circle {
    /// Those of one session.
    #[default]
    Session,
    /// Those of all sessions in the project.
    Project,
}

const fn most() -> u32 {
    100
}

const fn max_bytes() -> u32 {
    16 * 1024
}

fn shown() -> serde_json::Value {
    serde_json::json!({ "for": "1h", "scope": "project" })
}

impl Cache {
    /// Returns terms that keep to both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            r#for: self.r#for.min(other.r#for),
            most: self.most.min(other.most),
            max_bytes: self.max_bytes.min(other.max_bytes),
            scope: self.scope.min(other.scope),
        }
    }
}

impl Circle {
    /// Returns the scope of memory that it is.
    pub const fn scope(self) -> Scope {
        match self {
            Self::Session => Scope::Session,
            Self::Project => Scope::Project,
        }
    }
}

impl TryFrom<String> for Age {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match Lasting::try_from(text.clone()) {
            Ok(Lasting::Seconds(seconds)) => Ok(Self(seconds)),
            Ok(Lasting::Turns(_) | Lasting::Calls(_)) | Err(_) => {
                Err(format!("`{text}` is no time\nwrite `30m`, `2h` or `1d`"))
            }
        }
    }
}

impl From<Age> for String {
    fn from(Age(seconds): Age) -> Self {
        Lasting::Seconds(seconds).to_string()
    }
}

impl JsonSchema for Age {
    fn schema_name() -> Cow<'static, str> {
        "Age".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]+ ?[a-z]+$",
            "examples": ["30m", "2h", "1d"],
            "description": "A time: `30m`, `2h`, `1d`.",
        })
    }
}
