//! `secrets:` — a text of the event contains a secret.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::{Binding, SecretMatch, SensitiveValue};
use super::command::Commands;
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::is_wildcard_match;
use super::requirements::Requirements;
use super::text::{ContentText, OutputText, PromptText, ResponseText};
use super::urls::Urls;
use crate::domain::allowlist::{AllowEntry, DetectedValue, has_inline_marker, is_suppressed};
use crate::domain::facts::{Facts, TextField};
use crate::domain::secret::{Detector, Tier};
use crate::domain::text::path::{Glob, PathContext};
use crate::domain::text::template::RenderError;

/// The origin of a text that is the name of a file.
const FILE_NAME_ORIGIN: &str = "file name";

/// Secrets and where to look.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "in")))]
pub struct Secrets {
    /// Where to look (default: all texts of the event).
    #[serde(default)]
    pub r#in: Vec<SecretField>,
    /// Detectors: ids with `*` for any part, `all`, `-id` to exclude one (default: all).
    #[serde(default)]
    pub detectors: Vec<String>,
    /// Tiers of findings, such as `[generic]` for a rule that asks where another one denies. The
    /// default is all tiers above `generic`; with `detectors`, also `generic`.
    #[serde(default)]
    pub tiers: Vec<Tier>,
    /// Findings that are known to be harmless: values, or maps of conditions.
    #[serde(default)]
    pub allow: Vec<AllowEntry>,
    /// Files in which generic and paired detectors don't count.
    #[serde(default)]
    pub lower: Vec<Glob>,
    /// Whether a comment `ruleward:allow secret` on the line suppresses a finding. An agent can
    /// write such a comment itself.
    #[serde(default)]
    pub markers: bool,
}

/// A text of an event in which to look for secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SecretField {
    /// Text that a call writes.
    Content,
    /// Shell text.
    Command,
    /// A URL that is fetched.
    Url,
    /// A prompt; in a request to the model, everything new.
    Prompt,
    /// A tool's result.
    Output,
    /// An answer of the agent or the model.
    Response,
}

impl SecretField {
    pub(crate) const ALL: [Self; 6] =
        [Self::Content, Self::Command, Self::Url, Self::Prompt, Self::Output, Self::Response];

    /// Returns the texts of these fields of the event, or of all fields, each with its origin.
    pub(super) fn texts<'f>(places: &[Self], facts: &'f Facts<'_>) -> Vec<(&'f str, &'f str)> {
        let places = if places.is_empty() { &Self::ALL } else { places };
        let mut texts: Vec<(&str, &str)> = places.iter().flat_map(|place| facts.texts(place.text_field())).collect();
        if places.contains(&Self::Command) {
            texts.extend(facts.dequoted_commands().iter().map(|text| (text.as_str(), "command")));
        }
        texts
    }

    /// Returns the key and the spec of the condition on the same text.
    pub fn condition(self) -> (&'static str, ConditionSpec) {
        match self {
            Self::Content => ("content", ContentText::spec()),
            Self::Command => ("command", Commands::spec()),
            Self::Url => ("urls", Urls::spec()),
            Self::Prompt => ("prompt", PromptText::spec()),
            Self::Output => ("output", OutputText::spec()),
            Self::Response => ("response", ResponseText::spec()),
        }
    }

    const fn text_field(self) -> TextField {
        match self {
            Self::Content => TextField::Content,
            Self::Command => TextField::Command,
            Self::Url => TextField::Url,
            Self::Prompt => TextField::NewInput,
            Self::Output => TextField::Output,
            Self::Response => TextField::Response,
        }
    }
}

impl Secrets {
    /// Returns whether any detector finds something in a field of the event.
    pub(crate) fn has_candidates(place: SecretField, facts: &Facts<'_>) -> bool {
        let sees = |text: &str| !facts.secrets(text, |_| true).is_empty();
        SecretField::texts(&[place], facts).into_iter().any(|(text, _)| sees(text))
            || (place == SecretField::Content && facts.written_paths().into_iter().any(sees))
    }

    fn find(&self, facts: &Facts<'_>, focus: &Binding, text: &str, origin: &str) -> Vec<SecretMatch> {
        let found = facts.secrets(text, |detector| self.selects(detector));
        // Most texts contain no secret, so their owner need not be determined.
        if found.is_empty() {
            return Vec::new();
        }
        let file = if origin == FILE_NAME_ORIGIN {
            Some(facts.path_context.resolve(text, None))
        } else {
            facts.file_of_text(text)
        };
        let left = found.into_iter().filter(|finding| {
            let seen = DetectedValue::from_secret(finding, text, file.as_deref());
            let marked = self.markers && has_inline_marker(&seen);
            let known = || facts.suppression().is_some_and(|known| known.suppresses(&seen, focus.layer));
            let stood = || facts.is_preexisting(seen.value(), text, finding.line);
            self.includes_tier(finding.tier)
                && !marked
                && !self.suppresses(&seen, facts.path_context)
                && !stood()
                && !known()
        });
        left.map(|finding| SecretMatch {
            id: finding.detector.id,
            name: finding.detector.name,
            advice: finding.detector.advice,
            tier: finding.tier.name(),
            line: finding.line,
            masked: finding.masked(text),
            origin: origin.to_owned(),
            value: SensitiveValue::new(finding.identity(text).1),
        })
        .collect()
    }

    /// Returns whether findings of a tier count: the requested tiers, or also generic ones if detectors are requested
    /// by name. A value whose proof failed is as weak as a generic one.
    pub fn includes_tier(&self, tier: Tier) -> bool {
        if !self.tiers.is_empty() {
            return self.tiers.contains(&tier);
        }
        tier > Tier::Generic || self.detectors.iter().any(|name| !name.starts_with('-'))
    }

    /// Returns whether the condition's own allowlist, or the file, suppresses a finding.
    pub fn suppresses(&self, seen: &DetectedValue<'_>, place: &PathContext) -> bool {
        is_suppressed(&self.allow, &self.lower, seen, place)
    }

    /// Returns whether an entry under `detectors` matches any of the known ids.
    pub fn is_known_detector<'i>(entry: &str, mut known: impl Iterator<Item = &'i str>) -> bool {
        let name = entry.strip_prefix('-').unwrap_or(entry);
        name == "all" || known.any(|id| is_wildcard_match(name, id))
    }

    /// Returns whether a detector is requested.
    pub fn selects(&self, detector: &Detector) -> bool {
        let named = |name: &str| name == "all" || is_wildcard_match(name, detector.id);
        let mut left_out = self.detectors.iter().filter_map(|name| name.strip_prefix('-'));
        let mut wanted = self.detectors.iter().filter(|name| !name.starts_with('-')).peekable();
        if left_out.any(named) {
            return false;
        }
        // A certain finding replaces an uncertain one of the same value, so all detectors run by default, whatever
        // tiers count.
        wanted.peek().is_none() || wanted.any(|name| named(name))
    }
}

impl Condition for Secrets {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::Text }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let texts = SecretField::texts(&self.r#in, facts).into_iter();
        let mut found: Vec<SecretMatch> =
            texts.flat_map(|(text, origin)| self.find(facts, binding, text, origin)).collect();
        if self.r#in.is_empty() || self.r#in.contains(&SecretField::Content) {
            found.extend(
                facts.written_paths().into_iter().flat_map(|name| self.find(facts, binding, name, FILE_NAME_ORIGIN)),
            );
        }
        Ok(found
            .into_iter()
            .map(|secret| Binding { secret: Some(secret), ..binding.clone() })
            .collect::<Vec<_>>()
            .into())
    }

    fn is_empty(&self) -> bool {
        // An empty list allows anything.
        false
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, requirements: &mut Requirements) {
        let is_searched = |place: &SecretField| self.r#in.is_empty() || self.r#in.contains(place);
        let fields = SecretField::ALL.iter().enumerate().filter(|(_, place)| is_searched(place));
        requirements.secrets = fields.fold(0, |bits, (at, _)| bits | 1 << at);
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
