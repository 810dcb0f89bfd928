//! The examples of rules, run: each rule must do what its examples say, and leave alone the rest.

use std::sync::Arc;

use crate::adapters::judge::Judgment;
use crate::cli::scenario::ScenarioRunner;
use crate::domain::effect::EffectKind;
use crate::domain::effect::spec::EffectForm;
use crate::domain::layer::Layer;
use crate::domain::policy::Policy;
use crate::domain::policy::example::ExampleOutcome;
use crate::domain::policy::gate;
use crate::domain::policy::rule::Rule;
use crate::domain::severity::Mode;
use crate::domain::state::{MemoryStore, State};
use crate::domain::text::suggest;
use crate::domain::verdict::outcome::Outcome;
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::diagnostic::{Diagnostic, SourceText};
use crate::io::policy::example::LocatedExample;
use crate::io::policy::load::{LoadedFile, LoadedPolicy};
use crate::io::suite;

/// Returns the policy as if every rule of its acted: an example shows what a rule does, and one
/// that only records would do the same.
pub(super) fn enforce_all(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    policy.rules.iter_mut().for_each(|active| active.rule.mode = Mode::Enforce);
    policy
}

/// Returns the examples of a policy's files that do not hold, each with its place.
pub(super) fn run_examples(loaded: &LoadedPolicy) -> Vec<Diagnostic> {
    let policy = enforce_all(&loaded.policy);
    let memory = MemoryStore::default();
    let stage = ScenarioRunner::new(&policy, &memory);
    let of_file = |file: &LoadedFile| {
        let Some(source) = file.source.clone() else { return Vec::new() };
        file.examples.iter().filter_map(|example| run_example(example, &source, stage)).collect()
    };
    loaded.files.iter().flat_map(of_file).collect()
}

/// Runs an example by a policy whose rules all act; returns what is wrong with it.
///
/// An example of a rule that is not in force, or of an effect that its layer may not have, says
/// nothing.
pub(super) fn run_example(
    example: &LocatedExample,
    source: &Arc<SourceText>,
    stage: ScenarioRunner<'_>,
) -> Option<Diagnostic> {
    let active = stage.policy.rules.iter().find(|active| active.rule.id == example.rule)?;
    if let ExampleOutcome::Effect(effect) = example.showing
        && !active.rule.then.effects().contains(effect)
    {
        return None;
    }
    let memory = MemoryStore::new(initial_state(&active.rule, active.layer, stage.policy));
    let stage = ScenarioRunner { store: &memory, ..stage };
    let (message, help) = match stage.judge(&example.event, example.host.as_deref()) {
        Ok(judged) => describe_difference(example, &active.rule, &judged)?,
        Err(why) => (format!("the example can't be evaluated: {why}"), "change the event".to_owned()),
    };
    let (source, span) = (Arc::clone(source), Some(example.span.clone()));
    Some(Diagnostic { code: DiagnosticCode::FailedExample, source, span, message, help: Some(help) })
}

/// Returns what is remembered where an example of a rule takes place: its gates stand as it needs them.
pub(super) fn initial_state(rule: &Rule, layer: Layer, policy: &Policy) -> State {
    let mut state = State::default();
    for (id, stand) in rule.conditions.gate.iter().flat_map(|gates| &gates.0) {
        if let Some(gate) = gate::resolve(&policy.gates, id, layer) {
            state.set_gate(gate, *stand, suite::TEST_TIME);
        }
    }
    state
}

/// Says what the rule does instead of what the example says, and what to do about it.
fn describe_difference(example: &LocatedExample, rule: &Rule, judged: &Judgment) -> Option<(String, String)> {
    let id = &rule.id;
    if let Some(failure) = judged.outcome.errors.iter().find(|failure| failure.rule == *id || failure.rule.is_empty()) {
        let message = format!("`{id}` could not be evaluated: {}", failure.message);
        return Some((message, "change the rule, or remove the example".into()));
    }
    let finding = judged.outcome.findings.iter().find(|finding| finding.rule == *id);
    match (example.showing, finding) {
        (ExampleOutcome::Pass, None) => None,
        (ExampleOutcome::Pass, Some(finding)) => {
            let about = if finding.evidence.is_empty() {
                String::new()
            } else {
                format!(", for {}", suggest::quote_list(finding.evidence.iter().map(String::as_str)))
            };
            let message = format!("`{id}` matches an example that it should pass{about}");
            Some((message, "narrow the conditions, or add an exception".into()))
        }
        (ExampleOutcome::Effect(effect), Some(_)) if has_effect(&judged.outcome, effect, id) => None,
        (ExampleOutcome::Effect(effect), Some(_)) => {
            let message = format!("`{id}` matches, but without `{effect}`");
            let help = "an approval only applies if the call does nothing besides what the rule matches";
            Some((message, help.into()))
        }
        (ExampleOutcome::Effect(effect), None) => {
            let others: Vec<&str> = judged.outcome.findings.iter().map(|finding| finding.rule.as_str()).collect();
            let instead = if others.is_empty() {
                "and neither does any other rule".to_owned()
            } else {
                format!("while {} does", suggest::quote_list(others))
            };
            let message = format!("`{id}` doesn't match this example of `{effect}`, {instead}");
            Some((message, "extend the conditions, check the exceptions, or move the example to `pass`".into()))
        }
    }
}

/// Returns whether a rule has an effect on an event.
fn has_effect(outcome: &Outcome, effect: EffectKind, rule: &str) -> bool {
    let verdict = &outcome.verdict;
    match effect.form() {
        EffectForm::Fields => verdict.rewrite.values().flatten().any(|proposal| proposal.rule == rule),
        EffectForm::ToolLimits => {
            let refusals = verdict.notes.of(EffectKind::Deny);
            verdict.tools.iter().map(|limit| &limit.note).chain(refusals).any(|note| note.rule == rule)
        }
        EffectForm::Redactions => verdict.redact.rules().contains(rule),
        EffectForm::Backup => outcome.backups.iter().any(|backup| backup.rules.iter().any(|own| own == rule)),
        EffectForm::Program => outcome.planned_runs.iter().any(|planned| planned.rule == rule),
        EffectForm::Text | EffectForm::Flag(_) => verdict.notes.of(effect).iter().any(|note| note.rule == rule),
    }
}
