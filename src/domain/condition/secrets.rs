//! `secrets:` — a text of the event holds a secret.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::like;
use crate::domain::facts::{Facts, TextPlace};
use crate::domain::focus::{Focus, SecretAt};
use crate::domain::leak::{AllowEntry, Seen, excused, is_marked};
use crate::domain::path::{Glob, Place};
use crate::domain::secret::{self, Detector, Tier};

/// Which secrets, and where.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "in"))]
pub struct Secrets {
    /// Where to look; in all places that the event has, when not given.
    #[serde(default)]
    pub r#in: Vec<SecretPlace>,
    /// Which detectors: ids with `*` for any part, `all`, `-id` to leave one out. By default all
    /// but the generic ones.
    #[serde(default)]
    pub detectors: Vec<String>,
    /// Findings that are known to be harmless: values, or maps of what must hold of a finding.
    #[serde(default)]
    pub allow: Vec<AllowEntry>,
    /// Files in which generic and paired detectors do not count.
    #[serde(default)]
    pub lower: Vec<Glob>,
    /// Whether a comment `ruleward:allow secret` on the line excuses a finding. Whoever writes the line writes the
    /// comment, so an agent could excuse itself.
    #[serde(default)]
    pub markers: bool,
}

/// A place of an event where secrets are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SecretPlace {
    /// Text that a call writes.
    Content,
    /// Shell text.
    Command,
    /// An address that is fetched.
    Url,
    /// A prompt.
    Prompt,
    /// What a tool returned.
    Output,
    /// What the agent or the model answered.
    Response,
}

impl SecretPlace {
    const ALL: [Self; 6] = [Self::Content, Self::Command, Self::Url, Self::Prompt, Self::Output, Self::Response];

    /// Returns the texts that stand at these places of the event, or at all of them, each with its origin.
    pub(super) fn texts<'f>(places: &[Self], facts: &'f Facts<'_>) -> Vec<(&'f str, &'f str)> {
        let places = if places.is_empty() { &Self::ALL } else { places };
        places.iter().flat_map(|place| facts.texts(place.text())).collect()
    }

    const fn text(self) -> TextPlace {
        match self {
            Self::Content => TextPlace::Content,
            Self::Command => TextPlace::Command,
            Self::Url => TextPlace::Url,
            Self::Prompt => TextPlace::Prompt,
            Self::Output => TextPlace::Output,
            Self::Response => TextPlace::Response,
        }
    }
}

impl Secrets {
    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let found = SecretPlace::texts(&self.r#in, facts).into_iter().flat_map(|(text, origin)| {
            let found = secret::scan(text, |detector| self.wants(detector));
            // Most texts hold nothing, and whose they are need not be asked.
            let file = (!found.is_empty()).then(|| facts.file_of(text)).flatten();
            let left = found.into_iter().filter(move |finding| {
                let seen = Seen::secret(finding, text, file.as_deref());
                let marked = self.markers && is_marked(&seen);
                let known = facts.known().is_some_and(|known| known.excuses(&seen, focus.speaker));
                !marked && !known && !self.excuses(&seen, facts.place)
            });
            left.map(move |finding| SecretAt {
                id: finding.detector.id,
                name: finding.detector.name,
                advice: finding.detector.advice,
                line: finding.line,
                masked: finding.masked(text),
                origin: origin.to_owned(),
            })
        });
        found.map(|secret| Focus { secret: Some(secret), ..focus.clone() }).collect()
    }

    /// Tells whether the condition's own allow-list, or the file, excuses a finding.
    pub fn excuses(&self, seen: &Seen<'_>, place: &Place) -> bool {
        excused(&self.allow, &self.lower, seen, place)
    }

    /// Tells whether an entry under `detectors` stands for any detector.
    pub fn is_known(entry: &str) -> bool {
        let name = entry.strip_prefix('-').unwrap_or(entry);
        name == "all" || secret::DETECTORS.iter().any(|detector| like(name, detector.id))
    }

    /// Tells whether a detector is asked for.
    pub fn wants(&self, detector: &Detector) -> bool {
        let named = |name: &str| name == "all" || like(name, detector.id);
        let mut left_out = self.detectors.iter().filter_map(|name| name.strip_prefix('-'));
        let mut wanted = self.detectors.iter().filter(|name| !name.starts_with('-')).peekable();
        if left_out.any(named) {
            return false;
        }
        if wanted.peek().is_none() { detector.tier != Tier::Generic } else { wanted.any(|name| named(name)) }
    }
}
