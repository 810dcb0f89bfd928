//! `secrets:` — a text of the event holds a secret.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::like;
use crate::domain::facts::{Facts, TextPlace};
use crate::domain::focus::{Focus, Found, SecretAt};
use crate::domain::leak::{AllowEntry, Seen, excused, is_marked};
use crate::domain::path::{Glob, Place};
use crate::domain::secret::{Detector, Tier};

/// The origin of a text that is the name of a file.
const FILE_NAME: &str = "file name";

/// Which secrets, and where.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "in"))]
pub struct Secrets {
    /// Where to look; in all places that the event has, when not given.
    #[serde(default)]
    pub r#in: Vec<SecretPlace>,
    /// Which detectors: ids with `*` for any part, `all`, `-id` to leave one out. By default all.
    #[serde(default)]
    pub detectors: Vec<String>,
    /// How sure a finding must be: one of these, such as `[generic]` for a rule that asks where another refuses.
    /// By default those above `generic`, and that one too where detectors are named.
    #[serde(default)]
    pub tiers: Vec<Tier>,
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
    /// A prompt; of a request to the model, all that is new in it.
    Prompt,
    /// What a tool returned.
    Output,
    /// What the agent or the model answered.
    Response,
}

impl SecretPlace {
    pub(crate) const ALL: [Self; 6] =
        [Self::Content, Self::Command, Self::Url, Self::Prompt, Self::Output, Self::Response];

    /// Returns the texts that stand at these places of the event, or at all of them, each with its origin.
    pub(super) fn texts<'f>(places: &[Self], facts: &'f Facts<'_>) -> Vec<(&'f str, &'f str)> {
        let places = if places.is_empty() { &Self::ALL } else { places };
        let mut texts: Vec<(&str, &str)> = places.iter().flat_map(|place| facts.texts(place.text())).collect();
        if places.contains(&Self::Command) {
            texts.extend(facts.unquoted().iter().map(|text| (text.as_str(), "command")));
        }
        texts
    }

    const fn text(self) -> TextPlace {
        match self {
            Self::Content => TextPlace::Content,
            Self::Command => TextPlace::Command,
            Self::Url => TextPlace::Url,
            Self::Prompt => TextPlace::Told,
            Self::Output => TextPlace::Output,
            Self::Response => TextPlace::Response,
        }
    }
}

impl Secrets {
    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let texts = SecretPlace::texts(&self.r#in, facts).into_iter();
        let mut found: Vec<SecretAt> = texts.flat_map(|(text, origin)| self.find(facts, focus, text, origin)).collect();
        if self.r#in.is_empty() || self.r#in.contains(&SecretPlace::Content) {
            found.extend(facts.written_names().into_iter().flat_map(|name| self.find(facts, focus, name, FILE_NAME)));
        }
        found.into_iter().map(|secret| Focus { secret: Some(secret), ..focus.clone() }).collect()
    }

    /// Returns the places where secrets are looked for, each a bit in the order of all.
    pub(crate) fn places(&self) -> u8 {
        let wanted = |place: &SecretPlace| self.r#in.is_empty() || self.r#in.contains(place);
        SecretPlace::ALL.iter().enumerate().filter(|(_, place)| wanted(place)).fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// Tells whether any detector sees something at a place of the event.
    pub(crate) fn may_find(place: SecretPlace, facts: &Facts<'_>) -> bool {
        let sees = |text: &str| !facts.secrets(text, |_| true).is_empty();
        SecretPlace::texts(&[place], facts).into_iter().any(|(text, _)| sees(text))
            || (place == SecretPlace::Content && facts.written_names().into_iter().any(sees))
    }

    fn find(&self, facts: &Facts<'_>, focus: &Focus, text: &str, origin: &str) -> Vec<SecretAt> {
        let found = facts.secrets(text, |detector| self.wants(detector));
        // Most texts hold nothing, and whose they are need not be asked.
        if found.is_empty() {
            return Vec::new();
        }
        let file = if origin == FILE_NAME { Some(facts.place.resolve(text, None)) } else { facts.file_of(text) };
        let left = found.into_iter().filter(|finding| {
            let seen = Seen::secret(finding, text, file.as_deref());
            let marked = self.markers && is_marked(&seen);
            let known = || facts.known().is_some_and(|known| known.excuses(&seen, focus.speaker));
            let stood = || facts.stood_before(seen.value(), text, finding.line);
            self.counts(finding.tier) && !marked && !self.excuses(&seen, facts.place) && !stood() && !known()
        });
        left.map(|finding| SecretAt {
            id: finding.detector.id,
            name: finding.detector.name,
            advice: finding.detector.advice,
            tier: finding.tier.name(),
            line: finding.line,
            masked: finding.masked(text),
            origin: origin.to_owned(),
            value: Found::new(finding.identity(text).1),
        })
        .collect()
    }

    /// Tells whether findings of a tier count: those asked for, or else generic ones where detectors are asked for by
    /// name. A value whose proof failed is as weak as those of a generic detector.
    pub fn counts(&self, tier: Tier) -> bool {
        if !self.tiers.is_empty() {
            return self.tiers.contains(&tier);
        }
        tier > Tier::Generic || self.detectors.iter().any(|name| !name.starts_with('-'))
    }

    /// Tells whether the condition's own allow-list, or the file, excuses a finding.
    pub fn excuses(&self, seen: &Seen<'_>, place: &Place) -> bool {
        excused(&self.allow, &self.lower, seen, place)
    }

    /// Tells whether an entry under `detectors` stands for any of the known ids.
    pub fn is_known<'i>(entry: &str, mut known: impl Iterator<Item = &'i str>) -> bool {
        let name = entry.strip_prefix('-').unwrap_or(entry);
        name == "all" || known.any(|id| like(name, id))
    }

    /// Tells whether a detector is asked for.
    pub fn wants(&self, detector: &Detector) -> bool {
        let named = |name: &str| name == "all" || like(name, detector.id);
        let mut left_out = self.detectors.iter().filter_map(|name| name.strip_prefix('-'));
        let mut wanted = self.detectors.iter().filter(|name| !name.starts_with('-')).peekable();
        if left_out.any(named) {
            return false;
        }
        // A sure finding takes a value from an unsure one, so all look by default, whatever tiers count.
        wanted.peek().is_none() || wanted.any(|name| named(name))
    }
}
