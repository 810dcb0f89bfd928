//! `pii:` — a text of the event holds personal data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::secrets::SecretPlace;
use crate::domain::facts::Facts;
use crate::domain::focus::{Focus, Found, PersonalAt};
use crate::domain::leak::{AllowEntry, Seen, excused, is_marked};
use crate::domain::path::{Glob, Place};
use crate::domain::pii::{self, Kinds};

/// Which personal data, and where.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "kinds"))]
pub struct Pii {
    /// Which kinds: ids with `*` for any part, `all`, `-id` to leave one out. None is looked for by itself.
    pub kinds: Vec<String>,
    /// Where to look; in all places that the event has, when not given.
    #[serde(default)]
    pub r#in: Vec<SecretPlace>,
    /// Findings that are known to be harmless: values, or maps of what must hold of a finding.
    #[serde(default)]
    pub allow: Vec<AllowEntry>,
    /// Files in which numbers that only a word beside them gives away do not count.
    #[serde(default)]
    pub lower: Vec<Glob>,
    /// Whether a comment `ruleward:allow pii` on the line excuses a finding.
    #[serde(default)]
    pub markers: bool,
}

impl Pii {
    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let found = SecretPlace::texts(&self.r#in, facts).into_iter().flat_map(|(text, origin)| {
            let found = pii::scan(text, |kind| Kinds(&self.kinds).wants(kind));
            let file = (!found.is_empty()).then(|| facts.file_of(text)).flatten();
            let left = found.into_iter().filter(move |finding| {
                let seen = Seen::personal(finding, text, file.as_deref());
                let marked = self.markers && is_marked(&seen);
                let known = facts.known().is_some_and(|known| known.excuses(&seen, focus.speaker));
                !marked && !known && !self.excuses(&seen, facts.place)
            });
            left.map(move |finding| PersonalAt {
                id: finding.kind.id,
                name: finding.kind.name,
                line: finding.line,
                masked: finding.masked(text),
                origin: origin.to_owned(),
                value: Found::new(text.get(finding.span.clone()).unwrap_or_default()),
            })
        });
        found.map(|at| Focus { pii: Some(at), ..focus.clone() }).collect()
    }

    /// Tells whether the condition's own allow-list, or the file, excuses a finding.
    pub fn excuses(&self, seen: &Seen<'_>, place: &Place) -> bool {
        excused(&self.allow, &self.lower, seen, place)
    }
}
