//! `respond`: an answer in the model's place.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::policy::cache::CachePolicy;
use crate::domain::text::template::Template;

/// An answer instead of the model's: a text, or the model's earlier answer to an equal request.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "with"), example = "See CONTRIBUTING.md."))]
pub struct Respond {
    /// The answer.
    #[serde(default)]
    pub with: Option<Template>,
    /// Caches the model's answers for equal requests.
    #[serde(default)]
    pub cache: Option<CachePolicy>,
}

impl Respond {
    /// Returns whether it names no answer.
    pub(super) const fn is_empty(&self) -> bool {
        self.with.is_none() && self.cache.is_none()
    }
}
