//! The state of earlier events, as conditions see it.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Facts;
use crate::domain::event::Event;
use crate::domain::layer::Layer;
use crate::domain::scope::Scope;

/// The state of earlier events that conditions, messages and effects may ask for.
pub trait Memory {
    /// Returns whether the gate that a layer means by an id is kept per file; `None` if there is no such gate.
    fn is_per_file(&self, id: &str, layer: Layer) -> Option<bool>;

    /// Returns the gate that a layer means by an id, for a file of the facts if the gate is kept per file.
    fn gate(&self, id: &str, layer: Layer, facts: &Facts<'_>, file: Option<usize>) -> Option<GateView>;

    /// Returns the counters of a scope with their names in expressions.
    fn counts(&self, scope: Scope) -> Vec<(&'static str, Value)>;

    /// Returns how often the agent of an event was sent back since it received its task; `None` if that is not known.
    fn sent_back(&self, event: &Event<'_>) -> Option<u32>;

    /// Returns the commit that was checked out when the session began, empty if there was none; `None` if it was not
    /// remembered.
    fn start_commit(&self) -> Option<&str>;
}

/// How a gate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GateStatus {
    /// Closed, which is the strict side.
    #[default]
    Closed,
    /// Open.
    Open,
}

impl GateStatus {
    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
        }
    }

    /// Returns the other one.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Closed => Self::Open,
            Self::Open => Self::Closed,
        }
    }
}

/// The status of a gate at an event, for rules and messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateView {
    /// The gate's id.
    pub id: String,
    /// The status.
    pub status: GateStatus,
    /// The number of prompts since it changed.
    pub turns: u64,
    /// The number of tool calls since it changed, including the present one.
    pub calls: u64,
    /// The number of seconds since it changed.
    pub seconds: u64,
    /// How often it was opened.
    pub open_count: u64,
    /// The file, for a gate that is kept per file.
    pub file: Option<String>,
}
