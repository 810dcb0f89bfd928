//! What is looked for: the rules of the policy that look at what is written, or what the command line says instead.

use super::Args;
use crate::domain::condition::{Conditions, Files, Pii, SecretPlace, Secrets};
use crate::domain::kind::Kind;
use crate::domain::leak::{Seen, Subject};
use crate::domain::path::Place;
use crate::domain::pii::{self, KINDS, Kinds};
use crate::domain::policy::Policy;
use crate::domain::rule::Rule;
use crate::domain::secret::{DETECTORS, Detector, Own, Tier};
use crate::domain::suggest;

/// How sure a detector is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TierName {
    /// A name that promises a secret and a value that looks random.
    Generic,
    /// A common shape, in surroundings that settle it.
    Paired,
    /// A prefix that is used for nothing else.
    Strong,
    /// A checksum that holds, or a structure that decodes.
    Proved,
}

impl TierName {
    const fn tier(self) -> Tier {
        match self {
            Self::Generic => Tier::Generic,
            Self::Paired => Tier::Paired,
            Self::Strong => Tier::Strong,
            Self::Proved => Tier::Proved,
        }
    }
}

/// What is looked for.
#[derive(Debug)]
pub(super) struct Wanted {
    searches: Vec<Search>,
    least: Tier,
    /// The detectors of secrets that the policy brings.
    pub own: Own,
    /// Whether a comment on the line excuses a finding.
    pub markers: bool,
}

/// What one rule looks for, and in which files.
#[derive(Debug, Default)]
struct Search {
    secrets: Option<Secrets>,
    pii: Option<Pii>,
    files: Option<Files>,
    except: Vec<Files>,
}

impl Wanted {
    /// Returns what a command line and a policy want.
    pub(super) fn of(args: &Args, policy: &Policy) -> Result<Self, String> {
        let ids = || all(&policy.detectors).map(|detector| detector.id);
        known(&args.detectors, "detector", |name| Secrets::is_known(name, ids()), ids())?;
        known(&args.pii, "kind of personal data", Kinds::is_known, KINDS.iter().map(|kind| kind.id))?;
        let mut searches = Vec::new();
        for active in &policy.rules {
            searches.extend(Search::of(&active.rule));
        }
        for (packed, _) in &policy.bundled {
            searches.extend(Search::of(&packed.rule()?));
        }
        let chosen = match (&args.detectors, args.min_tier) {
            (none, None) if none.is_empty() => None,
            (none, Some(_)) if none.is_empty() => Some(vec!["all".to_owned()]),
            (given, _) => Some(given.clone()),
        };
        let has_secrets = searches.iter().any(|search| search.secrets.is_some());
        if let Some(detectors) = chosen.or_else(|| (!has_secrets).then(Vec::new)) {
            // What the rules know to be harmless is harmless, whatever is looked for.
            let mut one = Secrets { detectors, ..Secrets::default() };
            for secrets in searches.iter_mut().filter_map(|search| search.secrets.take()) {
                one.allow.extend(secrets.allow);
                one.lower.extend(secrets.lower);
            }
            searches.push(Search { secrets: Some(one), ..Search::default() });
        }
        if !args.pii.is_empty() {
            let allow = searches.iter().filter_map(|search| search.pii.as_ref()).flat_map(|pii| pii.allow.clone());
            let pii = Pii { kinds: args.pii.clone(), allow: allow.collect(), ..Pii::default() };
            searches.push(Search { pii: Some(pii), ..Search::default() });
        }
        let least = args.min_tier.map_or(Tier::Generic, TierName::tier);
        Ok(Self { searches, least, own: policy.detectors.clone(), markers: !args.no_markers })
    }

    /// Tells whether a detector is looked for in any file.
    pub(super) fn detector(&self, detector: &Detector) -> bool {
        self.searches.iter().filter_map(|search| search.secrets.as_ref()).any(|it| it.wants(detector))
    }

    /// Tells whether a kind of personal data is looked for in any file.
    pub(super) fn kind(&self, kind: &pii::Kind) -> bool {
        self.searches.iter().filter_map(|search| search.pii.as_ref()).any(|it| Kinds(&it.kinds).wants(kind))
    }

    /// Tells whether some rule wants a finding and does not excuse it.
    pub(super) fn reports(&self, seen: &Seen<'_>, place: &Place) -> bool {
        let here = |search: &&Search| search.looks_in(seen.file.unwrap_or_default(), place);
        self.searches.iter().filter(here).any(|search| match seen.subject {
            Subject::Secret => search.secrets.as_ref().is_some_and(|it| {
                // What a value proves to be may be more or less than its detector promises.
                seen.tier >= self.least
                    && it.counts(seen.tier)
                    && all(&self.own).any(|detector| detector.id == seen.id && it.wants(detector))
                    && !it.excuses(seen, place)
            }),
            Subject::Personal => search.pii.as_ref().is_some_and(|it| {
                KINDS.iter().any(|kind| kind.id == seen.id && Kinds(&it.kinds).wants(kind)) && !it.excuses(seen, place)
            }),
        })
    }
}

impl Search {
    /// Returns what a rule looks for in what is written into files; `None` when it asks for more than a file can tell.
    fn of(rule: &Rule) -> Option<Self> {
        let content = |places: &[SecretPlace]| places.is_empty() || places.contains(&SecretPlace::Content);
        let Conditions { secrets, pii, files, .. } = rule.conditions.clone();
        let secrets = secrets.filter(|it| content(&it.r#in));
        let pii = pii.filter(|it| content(&it.r#in));
        let bare = Conditions { secrets: None, pii: None, files: None, tool: None, ..rule.conditions.clone() };
        let is_ours = rule.when.contains(Kind::ToolBefore) && bare == Conditions::default();
        // A rule with both asks for both in one text, which two searches would not.
        let is_one = secrets.is_some() != pii.is_some();
        let except = rule.except.iter().filter_map(|exception| exception.files.clone()).collect();
        (is_ours && is_one).then_some(Self { secrets, pii, files, except })
    }

    fn looks_in(&self, file: &str, place: &Place) -> bool {
        self.files.as_ref().is_none_or(|files| files.covers_written(file, place))
            && !self.except.iter().any(|files| files.covers_written(file, place))
    }
}

/// Returns every detector there is.
fn all(own: &Own) -> impl Iterator<Item = &Detector> + Clone {
    DETECTORS.iter().chain(own.detectors().iter().copied())
}

/// Says which of the names is not known.
fn known<'k>(
    names: &[String],
    what: &str,
    is_known: impl Fn(&str) -> bool,
    all: impl Iterator<Item = &'k str> + Clone,
) -> Result<(), String> {
    let unknown = names.iter().find(|name| !is_known(name));
    unknown.map_or(Ok(()), |name| Err(suggest::among(what, name.trim_start_matches('-'), all).replace('\n', "; ")))
}
