//! The examples of rules, run: each rule must do what its examples say, and leave alone the rest.

use std::sync::Arc;

use super::described::Stage;
use super::judge::Judged;
use crate::domain::effect::EffectKind;
use crate::domain::example::Showing;
use crate::domain::gate;
use crate::domain::policy::{Layer, Policy};
use crate::domain::rule::{Mode, Rule};
use crate::domain::state::{InMemory, State};
use crate::domain::suggest;
use crate::domain::verdict::Verdict;
use crate::io::policy::code::Code;
use crate::io::policy::diagnostic::{Diagnostic, Source};
use crate::io::policy::example::Placed;
use crate::io::policy::load::{Loaded, LoadedFile};
use crate::io::suite;

/// Returns the policy as if every rule of its acted: an example shows what a rule does, and one
/// that only records would do the same.
pub(super) fn enforced(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    policy.rules.iter_mut().for_each(|active| active.rule.mode = Mode::Enforce);
    policy
}

/// Returns the examples of a policy's files that do not hold, each with its place.
pub(super) fn failures(loaded: &Loaded) -> Vec<Diagnostic> {
    let policy = enforced(&loaded.policy);
    let memory = InMemory::default();
    let stage = Stage::bare(&policy, &memory);
    let of_file = |file: &LoadedFile| {
        let Some(source) = file.source.clone() else { return Vec::new() };
        file.examples.iter().filter_map(|example| failure(example, &source, stage)).collect()
    };
    loaded.files.iter().flat_map(of_file).collect()
}

/// Runs an example by a policy whose rules all act; returns what is wrong with it.
///
/// An example of a rule that is not in force, or of an effect that its layer may not have, says
/// nothing.
pub(super) fn failure(example: &Placed, source: &Arc<Source>, stage: Stage<'_>) -> Option<Diagnostic> {
    let active = stage.policy.rules.iter().find(|active| active.rule.id == example.rule)?;
    if let Showing::Effect(effect) = example.showing
        && !active.rule.then.effects().contains(effect)
    {
        return None;
    }
    let memory = InMemory::new(state(&active.rule, active.layer, stage.policy));
    let stage = Stage { memory: &memory, ..stage };
    let (message, help) = match stage.judge(&example.event, example.host.as_deref()) {
        Ok(judged) => difference(example, &active.rule, judged)?,
        Err(why) => (format!("the example cannot be judged: {why}"), "change the event".to_owned()),
    };
    let (source, span) = (Arc::clone(source), Some(example.span.clone()));
    Some(Diagnostic { code: Code::FailedExample, source, span, message, help: Some(help) })
}

/// Returns what is remembered where an example of a rule takes place: its gates stand as it needs them.
pub(super) fn state(rule: &Rule, layer: Layer, policy: &Policy) -> State {
    let mut state = State::default();
    for (id, stand) in rule.conditions.gate.iter().flat_map(|gates| &gates.0) {
        if let Some(gate) = gate::meant(&policy.gates, id, layer) {
            state.put_gate(gate, *stand, suite::NOW);
        }
    }
    state
}

/// Says what the rule does instead of what the example says, and what to do about it.
fn difference(example: &Placed, rule: &Rule, judged: Judged) -> Option<(String, String)> {
    let id = &rule.id;
    if let Some(failure) = judged.outcome.failures.iter().find(|failure| failure.rule == *id || failure.rule.is_empty())
    {
        let message = format!("`{id}` could not be judged: {}", failure.message);
        return Some((message, "change the rule, or take the example away".into()));
    }
    let finding = judged.outcome.findings.iter().find(|finding| finding.rule == *id);
    match (example.showing, finding) {
        (Showing::Pass, None) => None,
        (Showing::Pass, Some(finding)) => {
            let about = if finding.evidence.is_empty() {
                String::new()
            } else {
                format!(", for {}", suggest::quoted(finding.evidence.iter().map(String::as_str)))
            };
            let message = format!("`{id}` holds for what it should leave alone{about}");
            Some((message, "narrow the conditions, or add an exception".into()))
        }
        (Showing::Effect(effect), Some(_)) if has(judged.outcome.verdict, effect, id) => None,
        (Showing::Effect(effect), Some(_)) => {
            let message = format!("`{id}` holds, and has no `{effect}` for this");
            let help = "an approval counts only when the call does nothing else than what the rule picks out";
            Some((message, help.into()))
        }
        (Showing::Effect(effect), None) => {
            let others: Vec<&str> = judged.outcome.findings.iter().map(|finding| finding.rule.as_str()).collect();
            let instead = if others.is_empty() {
                "nor does any other rule".to_owned()
            } else {
                format!("while {} does", suggest::quoted(others))
            };
            let message = format!("`{id}` does not hold for this example of `{effect}`, {instead}");
            Some((message, "widen the conditions, look at the exceptions, or move the example under `pass`".into()))
        }
    }
}

fn has(mut verdict: Verdict, effect: EffectKind, rule: &str) -> bool {
    match effect {
        EffectKind::Rewrite => verdict.rewrite.values().flatten().any(|proposal| proposal.rule == rule),
        EffectKind::Tools => {
            verdict.tools.iter().map(|limit| &limit.note).chain(&verdict.deny).any(|note| note.rule == rule)
        }
        EffectKind::Redact => verdict.redact.rules().contains(rule),
        _ => verdict.notes_mut(effect).iter().any(|note| note.rule == rule),
    }
}
