//! The whole decision: rules and facts in, a verdict and its findings out.
//!
//! There is one evaluator. What `check` and `test` explain is what the hook did, by construction.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::coverage;
use super::effect::{EffectKind, Effects};
use super::exception;
use super::facts::Facts;
use super::focus::Focus;
use super::guard::Glance;
use super::kind::Kind;
use super::layer::Layer;
use super::limit::ToolLimit;
use super::policy::{Active, OnError, Policy};
use super::ran::Ran;
use super::redaction;
use super::rule::{Mode, Rule, Severity};
use super::run::Planned;
use super::shell::InFile;
use super::state::sent_back;
use super::template::{RenderError, Template};
use super::url::host_of;
use super::verdict::{Note, Proposal, Verdict};
use super::view;

/// Things that one rule speaks of in one answer; an agent needs no tenth example.
const MOST_EXAMPLES: usize = 3;

/// Runs that one rule asks for at one event: one for each file of a call, and no endless row of them.
const MOST_RUNS: usize = 16;

/// What stands before the words of a policy that nobody trusts: agents take what a hook says for the
/// person's own word.
const STRANGER: &str = "The policy that this project brings, which no person has trusted yet, says:";

/// What came of one event.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The merged answer.
    pub verdict: Verdict,
    /// The rules that held.
    pub findings: Vec<Finding>,
    /// The rules that could not be judged.
    pub failures: Vec<Failure>,
    /// The runs that rules ask for, in the order of the policy.
    pub runs: Vec<Planned>,
    /// What became of them, where they were carried out.
    pub ran: Vec<Ran>,
    /// What the event does, when a rule stands in its way; see [`exception`].
    pub essence: Option<String>,
}

/// A rule that held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// The file or pack it stands in.
    pub source: String,
    /// How grave it is.
    pub severity: Severity,
    /// Whether it acted.
    pub mode: Mode,
    /// The effects it asked for.
    pub effects: Effects,
    /// What it was about, in words that are safe to show.
    pub evidence: Vec<String>,
    /// Whether a person may let a call past it.
    pub excusable: bool,
}

/// A rule that could not be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The rule's id; empty when it is not about one rule.
    pub rule: String,
    /// Why.
    pub message: String,
}

impl Outcome {
    /// Returns what two outcomes come to together. Failures of the other count as what `on_error` says.
    #[must_use]
    pub fn and(mut self, other: Self, on_error: OnError) -> Self {
        self.verdict = self.verdict.and(other.verdict);
        for failure in &other.failures {
            self.verdict = std::mem::take(&mut self.verdict).and(for_failure(failure, on_error));
        }
        self.failures.extend(other.failures);
        self.findings.extend(other.findings);
        self.runs.extend(other.runs);
        self.ran.extend(other.ran);
        sort(&mut self.findings);
        self
    }
}

/// Brings findings into their order: the gravest first.
fn sort(findings: &mut [Finding]) {
    findings.sort_by(|left, right| {
        (Reverse(left.severity), &left.rule, &left.source).cmp(&(Reverse(right.severity), &right.rule, &right.source))
    });
}

/// Judges an event.
pub fn decide(policy: &Policy, facts: &Facts<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let watching = |active: &&Active| active.rule.moments().contains(facts.event.kind);
    for active in policy.rules.iter().filter(watching) {
        let by = By { layer: active.layer, source: &active.source };
        judge_one(&active.rule, active.rule.mode, by, facts, &mut outcome);
    }
    let own = policy.packed.iter().map(|(packed, mode, layer)| (packed, *mode, *layer));
    let bundled = policy.bundled.iter().map(|(packed, mode)| (*packed, *mode, Layer::Bundled));
    let glance = Glance::of(facts);
    for (packed, mode, layer) in own.chain(bundled).filter(|(packed, ..)| packed.guard.may_hold(&glance)) {
        match packed.rule() {
            Ok(rule) => {
                let by = By { layer, source: &packed.source };
                judge_one(&rule, mode.max(rule.mode), by, facts, &mut outcome);
            }
            Err(message) => outcome.failures.push(Failure { rule: packed.id.clone().into_owned(), message }),
        }
    }
    outcome.failures.extend(unread(facts));
    for failure in &outcome.failures {
        outcome.verdict = std::mem::take(&mut outcome.verdict).and(for_failure(failure, policy.on_error));
    }
    outcome.verdict = outcome.verdict.settled();
    sort(&mut outcome.findings);
    if exception::in_the_way(&outcome).is_some() {
        outcome.essence = exception::essence(facts);
    }
    outcome
}

/// Who brought a rule.
#[derive(Clone, Copy)]
pub(super) struct By<'a> {
    pub(super) layer: Layer,
    pub(super) source: &'a str,
}

fn judge_one(rule: &Rule, mode: Mode, by: By<'_>, facts: &Facts<'_>, outcome: &mut Outcome) {
    if only_limits(rule, facts) && refused_call(rule, facts).is_none() {
        return;
    }
    match judge(rule, &Focus { speaker: by.layer, ..Focus::default() }, facts) {
        Ok(foci) if foci.is_empty() => {}
        Ok(foci) => record(rule, mode, by, facts, &foci, outcome),
        Err(error) => outcome.failures.push(Failure { rule: rule.id.clone(), message: error.0 }),
    }
}

/// Tells whether the rule is judged for nothing but the limit that it sets on tools.
fn only_limits(rule: &Rule, facts: &Facts<'_>) -> bool {
    let kind = facts.event.kind;
    !rule.when.contains(kind) || (kind == Kind::ToolBefore && rule.then.effects() == Effects::of(&[EffectKind::Tools]))
}

/// Returns the limit of a rule that the call which is about to run does not keep to.
fn refused_call<'r>(rule: &'r Rule, facts: &Facts<'_>) -> Option<&'r ToolLimit> {
    let limit = rule.then.tools.as_ref().filter(|limit| limit.enforce)?;
    let call = facts.event.call().filter(|_| facts.event.kind == Kind::ToolBefore)?;
    (!limit.admits(call)).then_some(limit)
}

/// Says what of a call that is about to run was not looked at: what is padded or nested beyond the
/// bounds may hide anything.
fn unread(facts: &Facts<'_>) -> Option<Failure> {
    if !matches!(facts.event.kind, Kind::ToolBefore | Kind::PermissionRequest) {
        return None;
    }
    let opaque = facts.scripts().iter().flat_map(|script| &script.script.opaque);
    let limit = opaque.map(|opaque| opaque.reason).find(|reason| reason.is_limit())?;
    Some(Failure { rule: String::new(), message: format!("{limit}; split it into smaller ones") })
}

/// Returns what is left to speak of when all conditions hold and no exception does. The speaker of
/// `start` is the layer that brought the rule.
pub(super) fn judge(rule: &Rule, start: &Focus, facts: &Facts<'_>) -> Result<Vec<Focus>, RenderError> {
    let mut left = Vec::new();
    let start = Focus { every_place: rule.then.redact.is_some(), ..start.clone() };
    for focus in rule.conditions.narrow(facts, &start)? {
        if !looks_into(rule, in_file(facts, &focus)) {
            continue;
        }
        let mut excused = false;
        for exception in &rule.except {
            excused = excused || !exception.narrow(facts, &focus)?.is_empty();
        }
        if !excused {
            left.push(focus);
        }
    }
    Ok(left)
}

/// Returns the file that a focus stands in, when it is in a script that the call only runs.
fn in_file<'f>(facts: &'f Facts<'_>, focus: &Focus) -> Option<&'f InFile> {
    facts.command(focus.command?)?.file.as_ref()
}

/// Tells whether a rule speaks of what stands in a script that the call runs. A question of style does
/// not: the script was written to do just this. Nor can one be approved or rewritten through it.
fn looks_into(rule: &Rule, file: Option<&InFile>) -> bool {
    let then = &rule.then;
    let refuses = then.deny.is_some() || then.stop.is_some();
    let asks = then.ask.is_some() && rule.severity >= Severity::High;
    let tells = then.context.is_some() || then.warn.is_some() || then.audit.is_some();
    file.is_none() || refuses || asks || (tells && then.ask.is_none())
}

/// Adds to an outcome that a rule holds for these.
pub(super) fn record(rule: &Rule, mode: Mode, by: By<'_>, facts: &Facts<'_>, foci: &[Focus], outcome: &mut Outcome) {
    let evidence: BTreeSet<String> = foci.iter().filter_map(|focus| evidence(facts, focus)).collect();
    outcome.findings.push(Finding {
        rule: rule.id.clone(),
        source: by.source.to_owned(),
        severity: rule.severity,
        mode,
        effects: rule.then.effects(),
        evidence: evidence.into_iter().take(MOST_EXAMPLES).collect(),
        excusable: rule.may_be_excepted(by.layer),
    });
    if mode == Mode::Monitor {
        return;
    }
    plan(rule, by.layer, facts, foci, outcome);
    if let Some(redact) = rule.then.redact.as_ref().filter(|_| !only_limits(rule, facts)) {
        let written = |focus: &Focus| {
            let text = match &redact.with {
                Some(template) => message(template, &mut |word| view::root(facts, focus, word), facts),
                None => view::placeholder(facts, focus),
            };
            note(rule, text)
        };
        outcome.verdict.redact.extend(redaction::of(facts, foci, &written));
    }
    let holds_secret = |focus: &Focus| focus.secret.is_some() || focus.pii.is_some();
    let is_prompt = matches!(facts.event.kind, Kind::PromptSubmit | Kind::PromptExpand);
    outcome.verdict.conceals |= is_prompt && foci.iter().any(holds_secret);
    let approves = coverage::covers(&rule.conditions, facts, foci);
    for (index, focus) in foci.iter().take(MOST_EXAMPLES).enumerate() {
        match wanted(rule, facts, focus, index == 0) {
            Ok(mut verdict) => {
                if !approves {
                    verdict.allow.clear();
                    verdict.remember = false;
                }
                outcome.verdict = std::mem::take(&mut outcome.verdict).and(verdict);
            }
            Err(error) => {
                outcome.failures.push(Failure { rule: rule.id.clone(), message: error.0 });
                return;
            }
        }
    }
}

/// Plans the run that a rule asks for, once for each way in which it is filled in.
fn plan(rule: &Rule, layer: Layer, facts: &Facts<'_>, foci: &[Focus], outcome: &mut Outcome) {
    let Some(run) = rule.then.run.as_ref().filter(|_| !only_limits(rule, facts)) else { return };
    let mut plans: Vec<Planned> = Vec::new();
    for focus in foci {
        match run.planned(rule, layer, facts.event.kind, &mut |word| view::root(facts, focus, word)) {
            Ok(planned) if plans.contains(&planned) => {}
            Ok(_) if plans.len() == MOST_RUNS => {
                let message = format!("its program would run more than {MOST_RUNS} times");
                outcome.failures.push(Failure { rule: rule.id.clone(), message });
                break;
            }
            Ok(planned) => plans.push(planned),
            Err(error) => {
                outcome.failures.push(Failure { rule: rule.id.clone(), message: error.0 });
                break;
            }
        }
    }
    outcome.runs.extend(plans);
}

/// Returns what a rule wants of one thing it holds for. Its input is rewritten for the first alone:
/// there is one input.
fn wanted(rule: &Rule, facts: &Facts<'_>, focus: &Focus, is_first: bool) -> Result<Verdict, RenderError> {
    let mut verdict = Verdict::default();
    let mut vars = |word: &str| view::root(facts, focus, word);
    if let Some(limit) = &rule.then.tools {
        let text = limit.reason.as_ref().map(|reason| message(reason, &mut vars, facts));
        let text = spoken(focus.speaker, text.unwrap_or_else(|| limit.described()));
        let note = note(rule, text);
        if refused_call(rule, facts).is_some() {
            verdict.deny.insert(note);
        } else if facts.event.kind == Kind::ModelTools {
            verdict.tools.insert(limit.limited(note));
        }
    }
    if only_limits(rule, facts) {
        return Ok(verdict);
    }
    // A hook that never agrees would keep the agent going for ever.
    let sent_back = sent_back(facts.event, facts.remembered().map(|remembered| &remembered.state));
    let retries = rule.then.retry.as_ref().map_or(1, |retry| retry.max_retries);
    let is_spent = |most: u32| sent_back.is_none_or(|times| times >= most);
    if rule.then.clear_context && !is_spent(retries) {
        let text = "The conversation begins anew.".to_owned();
        verdict.clear_context.insert(note(rule, text));
    }
    for (kind, template) in rule.then.messages() {
        let most = match kind {
            EffectKind::Retry => Some(retries),
            EffectKind::Context => Some(1),
            _ => None,
        };
        if most.is_some_and(is_spent) {
            verdict.spent.insert(kind);
            continue;
        }
        let mut text = message(template, &mut vars, facts);
        if let Some(file) = in_file(facts, focus) {
            text = format!("In {}, line {}, which this runs: {text}", file.path, file.line);
        }
        verdict.notes_mut(kind).insert(note(rule, spoken(focus.speaker, text)));
    }
    let cache = rule.then.cache().filter(|_| facts.event.kind == Kind::ModelBefore);
    verdict.cache.extend(cache.map(|cache| (rule.id.clone(), cache)));
    verdict.remember = rule.then.allow.as_ref().is_some_and(|allow| allow.remember.is_some());
    for (field, literal) in rule.then.rewrite.iter().flatten().filter(|_| is_first) {
        let proposal = Proposal { rule: rule.id.clone(), value: literal.render(&mut vars)? };
        verdict.rewrite.insert(field.clone(), vec![proposal]);
    }
    Ok(verdict)
}

/// Returns a text in the mouth of who brought the rule.
fn spoken(speaker: Layer, text: String) -> String {
    if speaker.is_trusted() { text } else { format!("{STRANGER} {text}") }
}

/// Returns a text as the rule's own.
fn note(rule: &Rule, text: String) -> Note {
    Note { severity: Reverse(rule.severity), rule: rule.id.clone(), text }
}

/// Returns a message without the value of any secret; one whose places cannot be filled in is still
/// a message.
fn message(template: &Template, vars: &mut super::template::Render<'_>, facts: &Facts<'_>) -> String {
    let Ok(text) = template.render(vars) else { return template.source().to_owned() };
    if template.names().is_empty() { text } else { facts.filled(&text).into() }
}

fn for_failure(failure: &Failure, on_error: OnError) -> Verdict {
    let text = match failure.rule.as_str() {
        "" => format!("The command could not be judged: {}.", failure.message),
        rule => format!("The rule `{rule}` could not be judged: {}.", failure.message),
    };
    Verdict::unjudged(on_error, Note { severity: Reverse(Severity::High), rule: failure.rule.clone(), text })
}

/// Returns the command of a focus, set off from what it does.
fn by(facts: &Facts<'_>, focus: &Focus) -> String {
    let command = focus.command.and_then(|at| facts.command(at));
    command.map(|command| format!(" by {}", facts.redacted(&command.text()))).unwrap_or_default()
}

/// Returns what a focus is about, without any value of a secret.
fn evidence(facts: &Facts<'_>, focus: &Focus) -> Option<String> {
    if let Some(secret) = &focus.secret {
        return Some(format!("{} in {}, line {}", secret.name, secret.origin, secret.line));
    }
    if let Some(at) = &focus.pii {
        return Some(format!("{} in {}, line {}", at.name, at.origin, at.line));
    }
    if let Some(deed) = focus.deed.and_then(|index| facts.deeds().get(index)) {
        let file = focus.file.and_then(|index| facts.files().get(index));
        let file = file.map(|file| format!(" {}", facts.place.shown(&file.path))).unwrap_or_default();
        let to = deed.host().map(|host| format!(" to {host}")).unwrap_or_default();
        return Some(format!("{} ({}){file}{to}{}", deed.kind.name(), deed.name, by(facts, focus)));
    }
    if let Some(opaque) = focus.opaque.and_then(|index| facts.opaque().get(index)) {
        return Some(format!("{}: {}", opaque.reason, facts.redacted(&opaque.text)));
    }
    if let Some(file) = focus.file.and_then(|index| facts.files().get(index)) {
        return Some(format!("{} {}", file.access.described(), facts.place.shown(&file.path)));
    }
    if let Some(url) = focus.url.and_then(|index| facts.urls().get(index)) {
        return Some(format!("address {}", host_of(&url.url)));
    }
    if let Some(passage) = &focus.passage {
        return Some(format!("{}, line {}", passage.origin, passage.line));
    }
    let command = facts.command(focus.command?)?;
    let via = if command.via.is_empty() { String::new() } else { format!(" (through {})", command.via.join(", ")) };
    let file = command.file.as_ref().map(|file| format!(", {}:{}", file.path, file.line)).unwrap_or_default();
    Some(format!("command {}{via}{file}", facts.redacted(&command.text())))
}
