//! `redact`: what is put in the place of what a rule found.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::text::template::Template;

/// The replacement for redacted text.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "with"), example = "[{{ finding.name }}]"))]
pub struct Redact {
    /// The placeholder, with `{{ finding.id }}`, `{{ finding.name }}` and `{{ finding.tag }}`. The
    /// default is `[{{ finding.id }}:{{ finding.tag }}]`: within a session, the same value has the
    /// same tag.
    #[serde(default)]
    pub with: Option<Template>,
}
