//! `respond`: an answer in the model's place.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::policy::cache::CachePolicy;
use crate::domain::text::template::Template;

/// An answer in the model's place: a text, or what the model has answered to an equal request before.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "with"), example = "They stand in CONTRIBUTING.md."))]
pub struct Respond {
    /// The answer.
    #[serde(default)]
    pub with: Option<Template>,
    /// Keeps what the model answers, and gives it again to an equal request.
    #[serde(default)]
    pub cache: Option<CachePolicy>,
}

impl Respond {
    /// Returns whether it names no answer.
    pub(super) const fn is_empty(&self) -> bool {
        self.with.is_none() && self.cache.is_none()
    }
}
