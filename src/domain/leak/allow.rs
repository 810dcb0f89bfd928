//! An entry of an allow-list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::seen::Seen;
use crate::domain::path::{Glob, Place};
use crate::domain::pattern::Pattern;

/// Findings that are known to be harmless: those for which all that is given holds.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "value"))]
pub struct AllowEntry {
    /// The value is this one.
    #[serde(default)]
    pub value: Option<String>,
    /// The value matches this expression somewhere.
    #[serde(default)]
    pub regex: Option<Pattern>,
    /// The text is of this file, or goes into it.
    #[serde(default)]
    pub path: Option<Glob>,
    /// The detector or the kind of personal data, with `*` for any part.
    #[serde(default)]
    pub detector: Option<String>,
    /// The finding has this fingerprint.
    #[serde(default)]
    pub fingerprint: Option<Fingerprint>,
    /// Why, for those who read the policy.
    #[serde(default)]
    pub reason: Option<String>,
}

impl AllowEntry {
    /// Tells whether the entry says nothing of what it is about.
    pub fn is_empty(&self) -> bool {
        let Self { value, regex, path, detector, fingerprint, reason: _ } = self;
        value.is_none() && regex.is_none() && path.is_none() && detector.is_none() && fingerprint.is_none()
    }

    /// Tells whether the entry excuses a finding.
    pub fn covers(&self, seen: &Seen<'_>, place: &Place) -> bool {
        let like = |pattern: &String| pattern == seen.id || fast_glob::glob_match(pattern, seen.id);
        !self.is_empty()
            && self.value.as_deref().is_none_or(|value| value == seen.value())
            && self.regex.as_ref().is_none_or(|pattern| pattern.find(seen.value()).is_some())
            && self.path.as_ref().is_none_or(|glob| seen.file.is_some_and(|file| glob.covers(file, place)))
            && self.detector.as_ref().is_none_or(like)
            && self
                .fingerprint
                .as_ref()
                .is_none_or(|known| seen.file.is_some_and(|file| seen.fingerprint(&place.shown(file)) == *known))
    }
}
