//! `tools:` — which tools the model may use, and whether it must use one.
//!
//! A host that asks at `model.tools` passes the limit to the model; none reliably enforces it. So a limit also
//! applies to calls: a call of another tool is refused when it is about to run.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::condition::Tools;
use crate::domain::event::tool::ToolCall;
use crate::domain::text::template::Template;

/// The tools that the model can use. A word is the mode, a list the allowed tools.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "mode", "x-shorthand-list" = "allow"), example = example()))]
pub struct ToolLimit {
    /// Whether the model may, must or must not call a tool.
    #[serde(default)]
    pub mode: ToolMode,
    /// The only tools that can be called: a kind (`shell`, `read`, …) or a host's tool name, with
    /// `*` for any part.
    #[serde(default)]
    pub allow: Option<Tools>,
    /// Tools that can't be called.
    #[serde(default)]
    pub deny: Option<Tools>,
    /// Whether calls of other tools are denied; `false` only tells the model.
    #[serde(default = "default_enforce")]
    pub enforce: bool,
    /// The reason for the agent if a call is denied.
    #[serde(default)]
    pub reason: Option<Template>,
}

/// Whether the model can, must or must not call a tool; later values are stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ToolMode {
    /// The model decides.
    #[default]
    Auto,
    /// The model must call a tool. If set at every request, it can never answer.
    Any,
    /// The model must not call any tool.
    None,
}

fn default_enforce() -> bool {
    true
}

#[cfg(test)]
fn example() -> serde_json::Value {
    serde_json::json!({ "allow": ["read", "search"], "reason": "Plan mode is read-only." })
}

impl ToolLimit {
    /// Returns whether the limit restricts nothing.
    pub fn is_empty(&self) -> bool {
        self.mode == ToolMode::Auto && self.allow.is_none() && self.deny.is_none()
    }

    /// Returns whether a call complies with the limit.
    pub fn allows(&self, call: &ToolCall<'_>) -> bool {
        let among = |tools: &Tools| tools.contains(call.kind, call.name);
        self.mode != ToolMode::None && self.allow.as_ref().is_none_or(among) && !self.deny.as_ref().is_some_and(among)
    }

    /// Describes the limit.
    pub fn describe(&self) -> String {
        match (self.mode, &self.allow, &self.deny) {
            (ToolMode::None, ..) => "No tools can be called here.".to_owned(),
            (_, Some(allow), _) => format!("Only these tools can be called here: {}.", allow.0.join(", ")),
            (_, None, Some(deny)) => format!("These tools can't be called here: {}.", deny.0.join(", ")),
            (_, None, None) => "A tool must be called here.".to_owned(),
        }
    }
}
