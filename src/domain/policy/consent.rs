//! What a policy asks for beyond refusing and asking: what a user is shown before trusting it.
//!
//! Every part of a policy file is destructured here by name, so that a new one has to state whether it needs trust.

use std::fmt;

use super::effects::RuleEffect;
use super::effects::allow::ApprovalLifetime;
use super::part::{Disable, DisabledMode, PolicyPart};
use super::rule::Rule;
use super::settings::{AskFallback, AuditLevel, Settings};
use crate::domain::allowlist::Suppressions;
use crate::domain::effect::EffectKind;
use crate::domain::severity::OnError;
use crate::domain::text::template::Template;

/// An effect or setting that a policy file asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequiredTrust {
    /// The file or pack that contains it.
    pub source: String,
    /// The position in the file.
    pub location: PolicyLocation,
    /// A description for users; quoted texts are as in the file.
    pub description: String,
}

/// The position of a request in a policy file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyLocation {
    /// In a rule.
    Rule(String, EffectKind),
    /// In an entry that disables rules, by its pattern.
    Disable(String),
    /// Under a key of the file, and possibly one below it.
    Key(&'static str, Option<&'static str>),
}

impl fmt::Display for RequiredTrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            PolicyLocation::Rule(id, _) => write!(f, "the rule `{id}` {}", self.description),
            PolicyLocation::Disable(_) | PolicyLocation::Key(..) => f.write_str(&self.description),
        }
    }
}

/// Lists what a policy file asks for that only applies once the file is trusted.
pub fn required_trust(part: &PolicyPart) -> Vec<RequiredTrust> {
    // Names of arguments and detectors only make the rules see more, and gates only act through their rules; no rule
    // of a project is compiled. A project cannot name terminals at all.
    let PolicyPart {
        layer: _,
        source,
        settings,
        suppressions: quieting,
        arguments: _,
        terminals: _,
        detectors: _,
        rules,
        compiled_rules: _,
        gates: _,
        disable,
    } = part;
    let places = settings_requirements(*settings)
        .into_iter()
        .chain(suppression_requirements(quieting))
        .chain(disable.iter().map(disable_requirement))
        .chain(rules.iter().flat_map(rule_requirements));
    places.map(|(place, what)| RequiredTrust { source: source.clone(), location: place, description: what }).collect()
}

fn settings_requirements(settings: Settings) -> Vec<(PolicyLocation, String)> {
    // No project decides what follows when the guard is tampered with, or whether there are backups: `Policy::from_parts`
    // says so in a notice.
    // A value that is stricter than that of other layers applies without trust; the audit level refuses nothing.
    let Settings { on_error, on_state_error, ask_fallback, interactive, defaults, audit, tamper: _, backups: _ } =
        settings;
    let mut wants = Vec::new();
    let mut add = |key: &'static str, what: &str| wants.push((PolicyLocation::Key(key, None), what.to_owned()));
    match on_error {
        Some(OnError::Allow) => add("on_error", "allows calls that can't be evaluated"),
        Some(OnError::Ask) => add("on_error", "asks about calls that can't be evaluated"),
        Some(OnError::Deny) | None => {}
    }
    match on_state_error {
        Some(OnError::Allow) => add("on_state_error", "allows calls if the state can't be read"),
        Some(OnError::Ask) => add("on_state_error", "asks if the state can't be read"),
        Some(OnError::Deny) | None => {}
    }
    if ask_fallback == Some(AskFallback::Allow) {
        add("ask_fallback", "allows calls if the user can't be asked");
    }
    if interactive == Some(true) {
        add("interactive", "declares that a user is present");
    }
    if defaults == Some(false) {
        add("defaults", "disables the bundled policy");
    }
    if let Some(level) = audit.filter(|level| *level < AuditLevel::default()) {
        add("audit", &format!("reduces what the audit log records: {}", level.name()));
    }
    wants
}

fn suppression_requirements(quieting: &Suppressions) -> Vec<(PolicyLocation, String)> {
    let Suppressions { baseline, allow, lower } = quieting;
    let baseline = baseline.as_ref().map(|file| ("baseline", format!("ignores the findings in {file}")));
    let number = allow.len();
    let allow = (number > 0).then(|| ("allow", format!("ignores {number} kinds of findings")));
    let globs: Vec<String> = lower.iter().map(|glob| glob.source().to_owned()).collect();
    let lower = (!globs.is_empty()).then(|| ("lower", format!("ignores weak findings in {}", globs.join(", "))));
    let all = [baseline, allow, lower].into_iter().flatten();
    all.map(|(key, what)| (PolicyLocation::Key("secrets", Some(key)), what)).collect()
}

fn disable_requirement(disable: &Disable) -> (PolicyLocation, String) {
    let Disable { rule, reason, to } = disable;
    let how = match to {
        DisabledMode::Off => "turns off",
        DisabledMode::Monitor => "sets to monitor",
    };
    (PolicyLocation::Disable(rule.clone()), format!("{how} `{rule}` of the bundled policy: “{reason}”"))
}

fn rule_requirements(rule: &Rule) -> Vec<(PolicyLocation, String)> {
    let withheld = rule.then.iter().filter(|(kind, _)| kind.needs_trust());
    let described = withheld.filter_map(|(kind, effect)| {
        let phrase = kind.spec().consent_phrase;
        let what = describe_parameters(effect)?;
        let description = if what.is_empty() { phrase.to_owned() } else { format!("{phrase} {what}") };
        Some((PolicyLocation::Rule(rule.id.clone(), kind), description))
    });
    described.collect()
}

/// Describes the parameters of an effect for users; `None` for an answer that the model gave before, of which nothing
/// can be shown.
fn describe_parameters(effect: RuleEffect<'_>) -> Option<String> {
    let quote = |text: &Template| format!("“{}”", text.source());
    Some(match effect {
        RuleEffect::Text(text) => quote(text),
        RuleEffect::Flag | RuleEffect::Backup(_) => String::new(),
        RuleEffect::Retry(retry) => quote(&retry.reason),
        RuleEffect::Respond(respond) => quote(respond.with.as_ref()?),
        RuleEffect::Allow(allow) => {
            let lifetime = match allow.remember {
                Some(ApprovalLifetime::Session) => ", for the rest of the session",
                None => "",
            };
            quote(&allow.reason) + lifetime
        }
        RuleEffect::Redact(redact) => redact.with.as_ref().map_or("a placeholder".to_owned(), quote),
        RuleEffect::Rewrite(fields) => fields.keys().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", "),
        // A limit needs no trust.
        RuleEffect::Tools(limit) => limit.describe(),
        RuleEffect::Run(run) => format!("`{}`", run.source_text()),
    })
}
