//! `retry`: that the agent is sent back to work.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::text::template::Template;

/// Sends the agent back; a string is the reason.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "reason"), example = retry_example()))]
pub struct Retry {
    /// What is still to be done.
    pub reason: Template,
    /// How often an agent is sent back before it may end (default 1, maximum 100). An answer that
    /// isn't sent back restarts the count.
    #[serde(default = "default_max_retries")]
    #[cfg_attr(test, schemars(range(min = 1, max = 100)))]
    pub max_retries: u32,
}

impl Retry {
    /// As often as an agent may be sent back at most.
    pub const MAX: u32 = 100;
}

const fn default_max_retries() -> u32 {
    1
}

#[cfg(test)]
fn retry_example() -> serde_json::Value {
    serde_json::json!({ "reason": "The tests still fail.", "max_retries": 3 })
}
