//! `allow`: that the host's own question is skipped.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::text::template::Template;

/// That the host's own question is skipped. A text alone is the reason.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "reason"), example = allow_example()))]
pub struct Allow {
    /// Why.
    pub reason: Template,
    /// How long the host is to remember the approval of this very command line, so that it does not ask
    /// again; at `permission.request`. When not given, it asks again, and the rule is judged again.
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
