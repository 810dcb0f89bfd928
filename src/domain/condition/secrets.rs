//! `secrets:` — a text of the event holds a secret.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::like;
use crate::domain::facts::{Facts, TextPlace};
use crate::domain::focus::{Focus, SecretAt};
use crate::domain::secret::{Detector, Tier};

/// Which secrets, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
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
    /// Values that are known to be harmless.
    #[serde(default)]
    pub allow: Vec<String>,
}

/// A place of an event where secrets are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SecretPlace {
    /// Text that a call writes.
    Content,
    /// Shell text.
    Command,
    /// A prompt.
    Prompt,
    /// What a tool returned.
    Output,
    /// What the agent or the model answered.
    Response,
}

impl SecretPlace {
    const ALL: [Self; 5] = [Self::Content, Self::Command, Self::Prompt, Self::Output, Self::Response];

    const fn text(self) -> TextPlace {
        match self {
            Self::Content => TextPlace::Content,
            Self::Command => TextPlace::Command,
            Self::Prompt => TextPlace::Prompt,
            Self::Output => TextPlace::Output,
            Self::Response => TextPlace::Response,
        }
    }
}

impl Secrets {
    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let places = if self.r#in.is_empty() { &SecretPlace::ALL } else { self.r#in.as_slice() };
        let texts = places.iter().flat_map(|place| facts.texts(place.text()));
        let mut secrets: Vec<SecretAt> = texts.flat_map(|(text, origin)| self.find(facts, text, origin)).collect();
        if places.contains(&SecretPlace::Content) {
            let names = facts.written_names();
            secrets.extend(names.into_iter().flat_map(|name| self.find(facts, name, "file name")));
        }
        secrets.into_iter().map(|secret| Focus { secret: Some(secret), ..focus.clone() }).collect()
    }

    fn find(&self, facts: &Facts<'_>, text: &str, origin: &str) -> Vec<SecretAt> {
        let named = self.detectors.iter().any(|name| !name.starts_with('-'));
        let findings = facts.secrets(text, |detector| self.wants(detector)).into_iter();
        findings
            // A value whose proof failed is as weak as a generic one, and asked for by name only.
            .filter(|finding| named || finding.tier > Tier::Generic)
            .filter(|finding| {
                let value = text.get(finding.span.clone()).unwrap_or_default();
                !self.allow.iter().any(|allowed| allowed == value) && !facts.stood_before(value, text, finding.line)
            })
            .map(|finding| SecretAt {
                id: finding.detector.id,
                name: finding.detector.name,
                advice: finding.detector.advice,
                tier: finding.tier.name(),
                line: finding.line,
                masked: finding.masked(text),
                origin: origin.to_owned(),
            })
            .collect()
    }

    /// Tells whether an entry under `detectors` stands for any of the known ids.
    pub fn is_known<'i>(entry: &str, mut known: impl Iterator<Item = &'i str>) -> bool {
        let name = entry.strip_prefix('-').unwrap_or(entry);
        name == "all" || known.any(|id| like(name, id))
    }

    fn wants(&self, detector: &Detector) -> bool {
        let named = |name: &str| name == "all" || like(name, detector.id);
        let mut left_out = self.detectors.iter().filter_map(|name| name.strip_prefix('-'));
        let mut wanted = self.detectors.iter().filter(|name| !name.starts_with('-')).peekable();
        if left_out.any(named) {
            return false;
        }
        if wanted.peek().is_none() { detector.tier != Tier::Generic } else { wanted.any(|name| named(name)) }
    }
}
