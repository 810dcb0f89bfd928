//! An entry of an allowlist.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::detected_value::DetectedValue;
use super::fingerprint::Fingerprint;
use crate::domain::text::path::{Glob, PathContext};
use crate::domain::text::pattern::Pattern;

/// Findings that are known to be harmless: those that match all given keys.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "value")))]
pub struct AllowEntry {
    /// The value is this one.
    #[serde(default)]
    pub value: Option<String>,
    /// The value matches this expression somewhere.
    #[serde(default)]
    pub regex: Option<Pattern>,
    /// The text is in this file, or is written to it.
    #[serde(default)]
    pub path: Option<Glob>,
    /// The detector or the kind of personal data, with `*` for any part.
    #[serde(default)]
    pub detector: Option<String>,
    /// The finding has this fingerprint.
    #[serde(default)]
    pub fingerprint: Option<Fingerprint>,
    /// The reason, for readers of the policy.
    #[serde(default)]
    pub reason: Option<String>,
}

impl AllowEntry {
    /// Returns whether the entry has no criteria.
    pub fn is_empty(&self) -> bool {
        let Self { value, regex, path, detector, fingerprint, reason: _ } = self;
        value.is_none() && regex.is_none() && path.is_none() && detector.is_none() && fingerprint.is_none()
    }

    /// Returns whether the entry suppresses a finding.
    pub fn is_match(&self, seen: &DetectedValue<'_>, place: &PathContext) -> bool {
        let like = |pattern: &String| pattern == seen.id || fast_glob::glob_match(pattern, seen.id);
        !self.is_empty()
            && self.value.as_deref().is_none_or(|value| value == seen.value())
            && self.regex.as_ref().is_none_or(|pattern| pattern.find(seen.value()).is_some())
            && self.path.as_ref().is_none_or(|glob| seen.file.is_some_and(|file| glob.is_match(file, place)))
            && self.detector.as_ref().is_none_or(like)
            && self
                .fingerprint
                .as_ref()
                .is_none_or(|known| seen.file.is_some_and(|file| seen.fingerprint(&place.display(file)) == *known))
    }
}
