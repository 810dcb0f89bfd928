//! What is looked for: the rules of the policy that look at what is written, or what the command line says instead.

use super::Args;
use crate::cli::CommandError;
use crate::domain::allowlist::{DetectedValue, FindingKind};
use crate::domain::condition::{Conditions, Files, Pii, SecretField, Secrets};
use crate::domain::event::kind::Kind;
use crate::domain::pii::{self, KINDS, PiiFilter};
use crate::domain::policy::Policy;
use crate::domain::policy::rule::Rule;
use crate::domain::secret::{CustomDetectors, DETECTORS, Detector, Tier};
use crate::domain::text::path::PathContext;
use crate::domain::text::suggest;

/// How sure a detector is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TierName {
    /// A name that suggests a secret and a value that looks random.
    Generic,
    /// A common format in a context that identifies it.
    Paired,
    /// A format that is used for nothing else.
    Strong,
    /// A correct checksum, or a structure that can be decoded.
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
pub(super) struct ScanScope {
    searches: Vec<RuleScope>,
    min_tier: Tier,
    /// The detectors of secrets that the policy brings.
    pub custom_detectors: CustomDetectors,
    /// Whether a comment on the line excuses a finding.
    pub honors_markers: bool,
}

/// What one rule looks for, and in which files.
#[derive(Debug, Default)]
struct RuleScope {
    secrets: Option<Secrets>,
    pii: Option<Pii>,
    files: Option<Files>,
    except: Vec<Files>,
}

impl ScanScope {
    /// Returns what a command line and a policy want.
    pub(super) fn from_args(args: &Args, policy: &Policy) -> Result<Self, CommandError> {
        let ids = || all_detectors(&policy.detectors).map(|detector| detector.id);
        check_names(&args.detectors, "detector", |name| Secrets::is_known_detector(name, ids()), ids())?;
        check_names(&args.pii, "kind of personal data", PiiFilter::is_known, KINDS.iter().map(|kind| kind.id))?;
        let mut searches = Vec::new();
        for active in &policy.rules {
            searches.extend(RuleScope::from_rule(&active.rule));
        }
        for (packed, _) in &policy.bundled_rules {
            searches.extend(RuleScope::from_rule(&packed.decode().map_err(|error| error.to_string())?));
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
            searches.push(RuleScope { secrets: Some(one), ..RuleScope::default() });
        }
        if !args.pii.is_empty() {
            let allow = searches.iter().filter_map(|search| search.pii.as_ref()).flat_map(|pii| pii.allow.clone());
            let pii = Pii { kinds: args.pii.clone(), allow: allow.collect(), ..Pii::default() };
            searches.push(RuleScope { pii: Some(pii), ..RuleScope::default() });
        }
        let least = args.min_tier.map_or(Tier::Generic, TierName::tier);
        Ok(Self {
            searches,
            min_tier: least,
            custom_detectors: policy.detectors.clone(),
            honors_markers: !args.no_markers,
        })
    }

    /// Returns whether a detector is looked for in any file.
    pub(super) fn includes_detector(&self, detector: &Detector) -> bool {
        self.searches.iter().filter_map(|search| search.secrets.as_ref()).any(|it| it.selects(detector))
    }

    /// Returns whether a kind of personal data is looked for in any file.
    pub(super) fn includes_pii_kind(&self, kind: &pii::PiiKind) -> bool {
        self.searches.iter().filter_map(|search| search.pii.as_ref()).any(|it| PiiFilter(&it.kinds).selects(kind))
    }

    /// Returns whether some rule wants a finding and does not excuse it.
    pub(super) fn is_reportable(&self, seen: &DetectedValue<'_>, place: &PathContext) -> bool {
        let here = |search: &&RuleScope| search.covers_file(seen.file.unwrap_or_default(), place);
        self.searches.iter().filter(here).any(|search| match seen.kind {
            FindingKind::Secret => search.secrets.as_ref().is_some_and(|it| {
                // What a value proves to be may be more or less than its detector promises.
                seen.tier >= self.min_tier
                    && it.includes_tier(seen.tier)
                    && all_detectors(&self.custom_detectors)
                        .any(|detector| detector.id == seen.id && it.selects(detector))
                    && !it.suppresses(seen, place)
            }),
            FindingKind::Pii => search.pii.as_ref().is_some_and(|it| {
                KINDS.iter().any(|kind| kind.id == seen.id && PiiFilter(&it.kinds).selects(kind))
                    && !it.suppresses(seen, place)
            }),
        })
    }
}

impl RuleScope {
    /// Returns what a rule looks for in what is written into files; `None` when it asks for more than a file can tell.
    fn from_rule(rule: &Rule) -> Option<Self> {
        let content = |places: &[SecretField]| places.is_empty() || places.contains(&SecretField::Content);
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

    fn covers_file(&self, file: &str, place: &PathContext) -> bool {
        self.files.as_ref().is_none_or(|files| files.is_written_match(file, place))
            && !self.except.iter().any(|files| files.is_written_match(file, place))
    }
}

/// Returns every detector there is.
fn all_detectors(own: &CustomDetectors) -> impl Iterator<Item = &Detector> + Clone {
    DETECTORS.iter().chain(own.detectors().iter().copied())
}

/// Says which of the names is not known.
fn check_names<'k>(
    names: &[String],
    what: &str,
    is_known: impl Fn(&str) -> bool,
    all: impl Iterator<Item = &'k str> + Clone,
) -> Result<(), CommandError> {
    let unknown = names.iter().find(|name| !is_known(name));
    unknown.map_or(Ok(()), |name| {
        let message = suggest::unknown_among(what, name.trim_start_matches('-'), all).replace('\n', "; ");
        Err(CommandError::NotFound(message))
    })
}
