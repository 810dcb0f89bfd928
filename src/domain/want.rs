//! What a policy asks for beyond refusing and asking: what a person is shown before trusting it.
//!
//! Every part of a policy file is taken apart here by name, so that a new one has to say whether it
//! waits for trust.

use std::fmt;

use super::effect::EffectKind;
use super::leak::Quieting;
use super::policy::{AskFallback, AuditLevel, Disable, DisabledTo, OnError, Part, Settings};
use super::rule::Rule;

/// Something that a policy file asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Want {
    /// The file or pack it stands in.
    pub source: String,
    /// Where in the file.
    pub place: WantedAt,
    /// What it is, in words for people; quoted texts are as the file has them.
    pub what: String,
}

/// Where in a policy file something is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedAt {
    /// In a rule.
    Rule(String, EffectKind),
    /// In an order to turn rules down, by the name it gives.
    Disable(String),
    /// Under a key of the file, and perhaps one below it.
    Key(&'static str, Option<&'static str>),
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            WantedAt::Rule(id, _) => write!(f, "the rule `{id}` {}", self.what),
            WantedAt::Disable(_) | WantedAt::Key(..) => f.write_str(&self.what),
        }
    }
}

/// Lists what a policy file asks for that counts only when the file is trusted.
pub fn wants(part: &Part) -> Vec<Want> {
    // Names of arguments and detectors only make the rules see more, and gates do nothing but by their
    // rules; no rule of a project is left packed.
    let Part { layer: _, source, settings, quieting, arguments: _, detectors: _, rules, packed: _, gates: _, disable } =
        part;
    let places = of_settings(*settings)
        .into_iter()
        .chain(of_quieting(quieting))
        .chain(disable.iter().map(of_order))
        .chain(rules.iter().flat_map(of_rule));
    places.map(|(place, what)| Want { source: source.clone(), place, what }).collect()
}

fn of_settings(settings: Settings) -> Vec<(WantedAt, String)> {
    // A word that is stricter than the others' counts without trust; what is recorded refuses nothing.
    let Settings { on_error, on_state_error, ask_fallback, interactive, defaults, audit } = settings;
    let mut wants = Vec::new();
    let mut add = |key: &'static str, what: &str| wants.push((WantedAt::Key(key, None), what.to_owned()));
    match on_error {
        Some(OnError::Allow) => add("on_error", "lets calls go ahead that cannot be judged"),
        Some(OnError::Ask) => add("on_error", "has a person asked of calls that cannot be judged"),
        Some(OnError::Deny) | None => {}
    }
    match on_state_error {
        Some(OnError::Allow) => add("on_state_error", "lets calls go ahead when what is remembered cannot be read"),
        Some(OnError::Ask) => add("on_state_error", "has a person asked when what is remembered cannot be read"),
        Some(OnError::Deny) | None => {}
    }
    if ask_fallback == Some(AskFallback::Allow) {
        add("ask_fallback", "lets calls go ahead where a question cannot be put");
    }
    if interactive == Some(true) {
        add("interactive", "says that a person sits at the host");
    }
    if defaults == Some(false) {
        add("defaults", "leaves out the bundled policy");
    }
    if let Some(level) = audit.filter(|level| *level < AuditLevel::default()) {
        add("audit", &format!("has less recorded in the audit log: {}", level.name()));
    }
    wants
}

fn of_quieting(quieting: &Quieting) -> Vec<(WantedAt, String)> {
    let Quieting { baseline, allow, lower } = quieting;
    let baseline = baseline.as_ref().map(|file| ("baseline", format!("takes the findings in {file} for no leaks")));
    let number = allow.len();
    let allow = (number > 0).then(|| ("allow", format!("says of {number} kinds of findings that they are no leaks")));
    let globs: Vec<String> = lower.iter().map(|glob| glob.source().to_owned()).collect();
    let lower = (!globs.is_empty()).then(|| ("lower", format!("lets weak findings pass in {}", globs.join(", "))));
    let all = [baseline, allow, lower].into_iter().flatten();
    all.map(|(key, what)| (WantedAt::Key("secrets", Some(key)), what)).collect()
}

fn of_order(disable: &Disable) -> (WantedAt, String) {
    let Disable { rule, reason, to } = disable;
    let how = match to {
        DisabledTo::Off => "turns off",
        DisabledTo::Monitor => "has only recorded what is found by",
    };
    (WantedAt::Disable(rule.clone()), format!("{how} `{rule}`, where the bundled policy has it: “{reason}”"))
}

fn of_rule(rule: &Rule) -> Vec<(WantedAt, String)> {
    let mut wants: Vec<(EffectKind, String)> = rule
        .then
        .messages()
        .filter(|(kind, _)| kind.needs_trust())
        .map(|(kind, text)| {
            let remembered =
                kind == EffectKind::Allow && rule.then.allow.as_ref().is_some_and(|it| it.remember.is_some());
            let tail = if remembered { ", and has the host remember it for the session" } else { "" };
            (kind, format!("{} “{}”{tail}", does(kind), text.source()))
        })
        .collect();
    if let Some(fields) = &rule.then.rewrite {
        let fields: Vec<String> = fields.keys().map(|field| format!("`{field}`")).collect();
        wants.push((EffectKind::Rewrite, format!("{} {}", does(EffectKind::Rewrite), fields.join(", "))));
    }
    if let Some(redact) = &rule.then.redact {
        let with = redact.with.as_ref().map_or("a placeholder".to_owned(), |text| format!("“{}”", text.source()));
        wants.push((EffectKind::Redact, format!("{} {with}", does(EffectKind::Redact))));
    }
    if let Some(run) = &rule.then.run {
        wants.push((EffectKind::Run, format!("{} `{}`", does(EffectKind::Run), run.written())));
    }
    if rule.then.clear_context {
        wants.push((EffectKind::ClearContext, does(EffectKind::ClearContext).to_owned()));
    }
    wants.into_iter().map(|(kind, what)| (WantedAt::Rule(rule.id.clone(), kind), what)).collect()
}

/// Returns what an effect does, in words before what it does it with.
const fn does(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::Stop => "ends the agent's loop, and says",
        EffectKind::Deny => "refuses, and says",
        EffectKind::Defer => "puts the call off, and says",
        EffectKind::Ask => "has a person asked",
        EffectKind::Replace => "puts in the place of what a tool returned",
        EffectKind::Redact => "takes what it finds out of texts, and writes there",
        EffectKind::Retry => "sends the agent back to work, and says",
        EffectKind::ClearContext => "has the conversation begin anew",
        EffectKind::Rewrite => "changes what is done:",
        EffectKind::Respond => "answers in the model's place",
        EffectKind::Tools => "limits the tools",
        EffectKind::Run => "runs",
        EffectKind::Context => "tells the agent",
        EffectKind::Warn => "tells you",
        EffectKind::Allow => "approves in your place, and says",
        EffectKind::Audit => "records",
    }
}
