//! The whole decision: from rules and facts to a verdict and its findings.
//!
//! There is one evaluator, so what `check` and `test` explain is what the hook does.

mod backups;
mod coverage;
pub mod exception;
mod redact;
pub mod runs;
pub mod with_state;

use crate::domain::verdict::limit::ToolLimitNote;
use crate::domain::verdict::outcome::EvaluationError;
use crate::domain::verdict::outcome::Finding;
use crate::domain::verdict::outcome::Outcome;
use crate::domain::verdict::outcome::{self, error_verdict};
use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::domain::effect::spec::EffectForm;
use crate::domain::effect::{EffectKind, Effects};

use crate::domain::condition::binding::Binding;
use crate::domain::condition::requirements::EventSummary;
use crate::domain::condition::variable;
use crate::domain::event::kind::Kind;
use crate::domain::facts::Facts;
use crate::domain::facts::location::Location;
use crate::domain::layer::Layer;
use crate::domain::policy::limit::ToolLimit;
use crate::domain::policy::rule::Rule;
use crate::domain::policy::{ActiveRule, Policy};
use crate::domain::severity::{Mode, Severity};
use crate::domain::shell::{Command, FileLocation, FileRole};
use crate::domain::state::retry_count;
use crate::domain::text::template::{RenderError, Template};
use crate::domain::text::url::host_of;
use crate::domain::verdict::note::Note;
use crate::domain::verdict::plan::RunPlan;
use crate::domain::verdict::{Proposal, Verdict};

/// The greatest number of bindings that one rule reports in one answer.
const MAX_EXAMPLES: usize = 3;

/// The greatest number of programs that one rule runs at one event, such as one for each file of a call.
const MAX_RUNS: usize = 16;

/// The text before a message of an untrusted policy, since agents take what a hook says for the user's own word.
const UNTRUSTED_PREFIX: &str = "This project's policy, which the user has not trusted yet, says:";

/// Judges an event.
pub fn decide(policy: &Policy, facts: &Facts<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let watching = |active: &&ActiveRule| active.rule.kinds().contains(facts.event.kind);
    for active in policy.rules.iter().filter(watching) {
        let by = RuleOrigin { layer: active.layer, source: &active.source };
        evaluate_rule(&active.rule, active.rule.mode, by, facts, &mut outcome);
    }
    let own = policy.compiled_rules.iter().map(|(packed, mode, layer)| (packed, *mode, *layer));
    let bundled = policy.bundled_rules.iter().map(|(packed, mode)| (*packed, *mode, Layer::Bundled));
    let glance = EventSummary::of(facts);
    for (packed, mode, layer) in own.chain(bundled).filter(|(packed, ..)| packed.prefilter.may_match(&glance)) {
        match packed.decode() {
            Ok(rule) => {
                let by = RuleOrigin { layer, source: &packed.source };
                evaluate_rule(&rule, mode.max(rule.mode), by, facts, &mut outcome);
            }
            Err(error) => {
                let (rule, message) = (packed.id.clone().into_owned(), error.to_string());
                outcome.errors.push(EvaluationError { rule, message });
            }
        }
    }
    outcome.errors.extend(parse_limit_failure(facts));
    for failure in &outcome.errors {
        outcome.verdict = std::mem::take(&mut outcome.verdict).merge(error_verdict(failure, policy.on_error));
    }
    outcome.verdict = outcome.verdict.with_conflicts_denied();
    outcome::sort_findings(&mut outcome.findings);
    if exception::blocking_rules(&outcome).is_some() {
        outcome.fingerprint = exception::fingerprint(facts);
    }
    outcome
}

/// The origin of a rule.
#[derive(Clone, Copy)]
pub(super) struct RuleOrigin<'a> {
    pub(super) layer: Layer,
    pub(super) source: &'a str,
}

fn evaluate_rule(rule: &Rule, mode: Mode, by: RuleOrigin<'_>, facts: &Facts<'_>, outcome: &mut Outcome) {
    if is_limit_only(rule, facts) && violated_limit(rule, facts).is_none() {
        return;
    }
    match match_rule(rule, &Binding { layer: by.layer, ..Binding::default() }, facts) {
        Ok(foci) if foci.is_empty() => {}
        Ok(foci) => record_match(rule, mode, by, facts, &foci, outcome),
        Err(error) => outcome.errors.push(EvaluationError { rule: rule.id.clone(), message: error.0 }),
    }
}

/// Returns whether the rule is only evaluated for its limit on tools.
fn is_limit_only(rule: &Rule, facts: &Facts<'_>) -> bool {
    let kind = facts.event.kind;
    !rule.when.contains(kind) || (kind == Kind::ToolBefore && rule.then.effects() == Effects::of(&[EffectKind::Tools]))
}

/// Returns the limit of a rule that the call which is about to run violates.
fn violated_limit<'r>(rule: &'r Rule, facts: &Facts<'_>) -> Option<&'r ToolLimit> {
    let limit = rule.then.tools.as_ref().filter(|limit| limit.enforce)?;
    let call = facts.event.call().filter(|_| facts.event.kind == Kind::ToolBefore)?;
    (!limit.allows(call)).then_some(limit)
}

/// Returns the error for a call that is about to run and was not read completely: whatever is padded or nested beyond
/// the bounds may hide anything.
fn parse_limit_failure(facts: &Facts<'_>) -> Option<EvaluationError> {
    if !matches!(facts.event.kind, Kind::ToolBefore | Kind::PermissionRequest) {
        return None;
    }
    let opaque = facts.scripts().iter().flat_map(|script| &script.script.opaque);
    let limit = opaque.map(|opaque| opaque.reason).find(|reason| reason.is_limit())?;
    Some(EvaluationError { rule: String::new(), message: format!("{limit}; split it into smaller ones") })
}

/// Returns the bindings for which all conditions hold and no exception does. The layer of `start` is the one that the
/// rule comes from.
pub(super) fn match_rule(rule: &Rule, start: &Binding, facts: &Facts<'_>) -> Result<Vec<Binding>, RenderError> {
    let mut left = Vec::new();
    let start = Binding { all_spans: rule.then.redact.is_some(), ..start.clone() };
    for focus in rule.conditions.matches(facts, &start)? {
        if !applies_to_script(rule, script_location(facts, &focus)) {
            continue;
        }
        if assumption(facts, &focus).is_some() && !(rule.then.deny.is_some() || rule.then.ask.is_some()) {
            continue;
        }
        let mut excused = false;
        for exception in &rule.except {
            excused = excused || !exception.matches(facts, &focus)?.is_empty();
        }
        if !excused {
            left.push(focus);
        }
    }
    Ok(left)
}

/// Returns the file that a binding is in, if it is in a script that the call only runs.
fn script_location<'f>(facts: &'f Facts<'_>, focus: &Binding) -> Option<&'f FileLocation> {
    facts.command(focus.command?)?.file.as_ref()
}

/// Returns the program of unknown effect and the command that it may run, if a binding is about such a command.
fn assumption<'f>(facts: &'f Facts<'_>, focus: &Binding) -> Option<(&'f str, &'f Command)> {
    let file = || facts.files().get(focus.file?)?.command;
    let url = || facts.urls().get(focus.url?)?.command;
    let action = || facts.actions().get(focus.action?)?.command;
    let command = facts.command(focus.command.or_else(file).or_else(url).or_else(action)?)?;
    Some((command.assumed_by.as_deref()?, command))
}

/// Returns whether a rule applies to what is in a script that the call runs. A rule of style does not, since the
/// script was written to do just this. An effect that approves or rewrites does not either.
fn applies_to_script(rule: &Rule, file: Option<&FileLocation>) -> bool {
    let then = &rule.then;
    let refuses = then.deny.is_some() || then.stop.is_some();
    let asks = then.ask.is_some() && rule.severity >= Severity::High;
    let tells = then.context.is_some() || then.warn.is_some() || then.audit.is_some();
    let Some(file) = file else { return true };
    // A backup is of use whoever destroys something.
    let keeps = then.backup.is_some();
    let is_meant = matches!(rule.conditions.r#where, Some(Location::Pipeline | Location::Anywhere));
    match file.role {
        FileRole::Script | FileRole::Cell => {
            refuses || asks || (keeps && then.ask.is_none()) || (tells && then.ask.is_none())
        }
        // A hook starts services, deletes what it made and migrates databases: that is what hooks are for.
        FileRole::Deferred => refuses || (asks && (is_meant || rule.severity == Severity::Critical)),
        // A pipeline also deploys, destroys and deletes, on machines that are made for it.
        FileRole::Pipeline => (refuses || asks) && is_meant,
    }
}

/// Adds to an outcome that a rule holds for these bindings.
pub(super) fn record_match(
    rule: &Rule,
    mode: Mode,
    by: RuleOrigin<'_>,
    facts: &Facts<'_>,
    foci: &[Binding],
    outcome: &mut Outcome,
) {
    let mut evidence: BTreeSet<String> = foci.iter().filter_map(|focus| evidence(facts, focus)).collect();
    if rule.conditions.has_in_any_branch(&|it| it.effects.is_some()) {
        evidence.extend(facts.proof().steps.iter().cloned());
    }
    outcome.findings.push(Finding {
        rule: rule.id.clone(),
        source: by.source.to_owned(),
        severity: rule.severity,
        mode,
        effects: rule.then.effects(),
        evidence: evidence.into_iter().take(MAX_EXAMPLES).collect(),
        waivable: rule.is_waivable(by.layer),
    });
    if mode == Mode::Monitor {
        return;
    }
    plan_runs(rule, by.layer, facts, foci, outcome);
    backups::plan(rule, facts, foci, outcome);
    if let Some(redact) = rule.then.redact.as_ref().filter(|_| !is_limit_only(rule, facts)) {
        let written = |focus: &Binding| {
            let text = match &redact.with {
                Some(template) => render_message(template, &mut |word| variable::lookup(facts, focus, word), facts),
                None => variable::placeholder(facts, focus),
            };
            note(rule, text)
        };
        outcome.verdict.redact.extend(redact::find_redactions(facts, foci, &written));
    }
    let holds_secret = |focus: &Binding| focus.secret.is_some() || focus.pii.is_some();
    let is_prompt = matches!(facts.event.kind, Kind::PromptSubmit | Kind::PromptExpand);
    outcome.verdict.has_secret |= is_prompt && foci.iter().any(holds_secret);
    let approves = coverage::covers_event(&rule.conditions, facts, foci);
    for (index, focus) in foci.iter().take(MAX_EXAMPLES).enumerate() {
        match rule_verdict(rule, facts, focus, index == 0) {
            Ok(mut verdict) => {
                if !approves {
                    verdict.notes.clear(EffectKind::Allow);
                    verdict.remember_approval = false;
                }
                outcome.verdict = std::mem::take(&mut outcome.verdict).merge(verdict);
            }
            Err(error) => {
                outcome.errors.push(EvaluationError { rule: rule.id.clone(), message: error.0 });
                return;
            }
        }
    }
}

/// Plans the runs that a rule asks for, one for each way in which the run is filled in.
fn plan_runs(rule: &Rule, layer: Layer, facts: &Facts<'_>, foci: &[Binding], outcome: &mut Outcome) {
    let Some(run) = rule.then.run.as_ref().filter(|_| !is_limit_only(rule, facts)) else { return };
    let mut plans: Vec<RunPlan> = Vec::new();
    for focus in foci {
        match RunPlan::of(run, rule, layer, facts.event.kind, &mut |word| variable::lookup(facts, focus, word)) {
            Ok(planned) if plans.contains(&planned) => {}
            Ok(_) if plans.len() == MAX_RUNS => {
                let message = format!("its program would run more than {MAX_RUNS} times");
                outcome.errors.push(EvaluationError { rule: rule.id.clone(), message });
                break;
            }
            Ok(planned) => plans.push(planned),
            Err(error) => {
                outcome.errors.push(EvaluationError { rule: rule.id.clone(), message: error.0 });
                break;
            }
        }
    }
    outcome.planned_runs.extend(plans);
}

/// Returns the verdict of a rule for one binding. The input is only rewritten for the first one, since there is only
/// one input.
fn rule_verdict(rule: &Rule, facts: &Facts<'_>, focus: &Binding, is_first: bool) -> Result<Verdict, RenderError> {
    let mut verdict = Verdict::default();
    let mut vars = |word: &str| variable::lookup(facts, focus, word);
    if let Some(limit) = &rule.then.tools {
        let text = limit.reason.as_ref().map(|reason| render_message(reason, &mut vars, facts));
        let text = with_attribution(focus.layer, text.unwrap_or_else(|| limit.describe()));
        let note = note(rule, text);
        if violated_limit(rule, facts).is_some() {
            verdict.notes.insert(EffectKind::Deny, note);
        } else if facts.event.kind == Kind::ModelTools {
            verdict.tools.insert(ToolLimitNote::from_limits(limit, note));
        }
    }
    if is_limit_only(rule, facts) {
        return Ok(verdict);
    }
    // A hook that never agrees would keep the agent running forever.
    let sent_back =
        facts.memory().map_or_else(|| retry_count(facts.event, None), |memory| memory.sent_back(facts.event));
    let retries = rule.then.retry.as_ref().map_or(1, |retry| retry.max_retries);
    let is_spent = |most: u32| sent_back.is_none_or(|times| times >= most);
    let flags = rule.then.effects().iter().filter_map(|kind| match kind.form() {
        EffectForm::Flag(text) => Some((kind, text)),
        EffectForm::Text
        | EffectForm::Fields
        | EffectForm::Redactions
        | EffectForm::ToolLimits
        | EffectForm::Program
        | EffectForm::Backup => None,
    });
    // A conversation only starts again together with a retry.
    for (kind, text) in flags.filter(|(kind, _)| *kind != EffectKind::ClearContext || !is_spent(retries)) {
        verdict.notes.insert(kind, note(rule, text.to_owned()));
    }
    for (kind, template) in rule.then.messages() {
        let most = if kind == EffectKind::Retry { retries } else { 1 };
        if kind.spec().continues_turn && is_spent(most) {
            verdict.exhausted.insert(kind);
            continue;
        }
        let mut text = render_message(template, &mut vars, facts);
        if let Some(file) = script_location(facts, focus) {
            let runs = if file.role == FileRole::Script { "which this runs" } else { "which runs later" };
            text = format!("In {}, line {}, {runs}: {text}", file.path, file.line);
        }
        match assumption(facts, focus) {
            // That it runs is likely and not known.
            Some((program, command)) if matches!(kind, EffectKind::Deny | EffectKind::Ask) => {
                let shown = facts.redact(&command.text()).to_string();
                let text = format!("It is unknown what `{program}` does, and it may run `{shown}`. {text}");
                verdict.notes.insert(EffectKind::Ask, note(rule, with_attribution(focus.layer, text)));
            }
            Some(_) => {}
            None => verdict.notes.insert(kind, note(rule, with_attribution(focus.layer, text))),
        }
    }
    let cache = rule.then.cache().filter(|_| facts.event.kind == Kind::ModelBefore);
    verdict.cache.extend(cache.map(|cache| (rule.id.clone(), cache)));
    verdict.remember_approval = rule.then.allow.as_ref().is_some_and(|allow| allow.remember.is_some());
    for (field, literal) in rule.then.rewrite.iter().flatten().filter(|_| is_first) {
        let proposal = Proposal { rule: rule.id.clone(), value: literal.render(&mut vars)? };
        verdict.rewrite.insert(field.clone(), vec![proposal]);
    }
    Ok(verdict)
}

/// Returns a text with the origin of the rule in front, if nobody trusts it.
fn with_attribution(speaker: Layer, text: String) -> String {
    if speaker.is_trusted() { text } else { format!("{UNTRUSTED_PREFIX} {text}") }
}

/// Returns the note of a rule with a text.
fn note(rule: &Rule, text: String) -> Note {
    Note { severity: Reverse(rule.severity), rule: rule.id.clone(), text }
}

/// Returns a rendered message without the value of any secret. A message that cannot be rendered is still sent.
fn render_message(
    template: &Template,
    vars: &mut crate::domain::text::template::VariableLookup<'_>,
    facts: &Facts<'_>,
) -> String {
    let Ok(text) = template.render(vars) else { return template.source().to_owned() };
    if template.names().is_empty() { text } else { facts.redact_rendered(&text).into() }
}

/// Returns the command of a binding, as a suffix of a message.
fn command_suffix(facts: &Facts<'_>, focus: &Binding) -> String {
    let command = focus.command.and_then(|at| facts.command(at));
    command.map(|command| format!(" by {}", facts.redact(&command.text()))).unwrap_or_default()
}

/// Returns the evidence of a binding, without any value of a secret.
fn evidence(facts: &Facts<'_>, focus: &Binding) -> Option<String> {
    if let Some(secret) = &focus.secret {
        return Some(format!("{} in {}, line {}", secret.name, secret.origin, secret.line));
    }
    if let Some(at) = &focus.pii {
        return Some(format!("{} in {}, line {}", at.name, at.origin, at.line));
    }
    if let Some(deed) = focus.action.and_then(|index| facts.actions().get(index)) {
        let file = focus.file.and_then(|index| facts.files().get(index));
        let file = file.map(|file| format!(" {}", facts.path_context.display(&file.path))).unwrap_or_default();
        let to = deed.host().map(|host| format!(" to {host}")).unwrap_or_default();
        return Some(format!("{} ({}){file}{to}{}", deed.kind.name(), deed.name, command_suffix(facts, focus)));
    }
    if let Some(opaque) = focus.opaque.and_then(|index| facts.opaque().get(index)) {
        return Some(format!("{}: {}", opaque.reason, facts.redact(&opaque.text)));
    }
    if let Some(file) = focus.file.and_then(|index| facts.files().get(index)) {
        return Some(format!("{} {}", file.access.describe(), facts.path_context.display(&file.path)));
    }
    if let Some(url) = focus.url.and_then(|index| facts.urls().get(index)) {
        return Some(format!("address {}", host_of(&url.url)));
    }
    if let Some(passage) = &focus.passage {
        return Some(format!("{}, line {}", passage.origin, passage.line));
    }
    let command = facts.command(focus.command?)?;
    let via = if command.call_chain.is_empty() {
        String::new()
    } else {
        format!(" (through {})", command.call_chain.join(", "))
    };
    let file = command.file.as_ref().map(|file| format!(", {}:{}", file.path, file.line)).unwrap_or_default();
    Some(format!("command {}{via}{file}", facts.redact(&command.text())))
}
