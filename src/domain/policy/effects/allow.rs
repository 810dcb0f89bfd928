//! `allow`: that the host's own question is skipped.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::text::template::Template;

/// An approval; a string is its reason.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "reason"), example = allow_example()))]
pub struct Allow {
    /// Why.
    pub reason: Template,
    /// How long the host remembers the approval of this exact command line, at
    /// `permission.request`. By default, it asks again.
    #[serde(default)]
    pub remember: Option<ApprovalLifetime>,
}

/// How long a host remembers an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ApprovalLifetime {
    /// Until the session ends.
    Session,
}

#[cfg(test)]
fn allow_example() -> serde_json::Value {
    serde_json::json!({ "reason": "The tests are harmless.", "remember": "session" })
}
