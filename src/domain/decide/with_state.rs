//! The judgment of one event with state: what it counts and which gates it closes before the rules are evaluated, and
//! which gates it opens if it was not refused.

use std::rc::Rc;

use super::RuleOrigin;
use crate::domain::condition::binding::Binding;
use crate::domain::decide;
use crate::domain::effect::EffectKind;
use crate::domain::facts::Facts;
use crate::domain::facts::memory::GateStatus;
use crate::domain::policy::Policy;
use crate::domain::policy::gate::{ActiveGate, Transition};
use crate::domain::policy::state_requirements::StateRequirements;
use crate::domain::state::{State, StateView};
use crate::domain::text::duration::GateDuration;
use crate::domain::time::Time;
use crate::domain::verdict::note::Decision;
use crate::domain::verdict::outcome::{EvaluationError, Outcome};

/// The transitions of gates that an event causes, and their notes.
#[derive(Debug, Default)]
struct Transitions<'p> {
    entries: Vec<(&'p ActiveGate, Option<GateDuration>, Vec<Binding>)>,
    outcome: Outcome,
}

/// An event that was judged with state.
#[derive(Debug)]
pub struct PendingOutcome<'a> {
    /// The facts, with the state that the rules saw.
    pub facts: Facts<'a>,
    /// The outcome.
    pub outcome: Outcome,
    /// The state that the rules saw.
    memory: Rc<StateView<'a>>,
    /// The keys of the gates that the event closed.
    closed_gates: Vec<String>,
}

/// Judges an event with state.
pub fn decide_with_state<'a>(
    policy: &'a Policy,
    uses: &StateRequirements,
    facts: Facts<'a>,
    state: State,
    now: Time,
) -> PendingOutcome<'a> {
    let state = state.apply_event(uses, &facts, now);
    let mut memory = Rc::new(StateView { state, now, gates: &policy.gates });
    let mut facts = facts.with_memory(Some(memory.clone()));
    let closing = find_transitions(policy, GateStatus::Closed, &facts, &memory);
    if !closing.entries.is_empty() {
        let mut next = StateView::clone(&memory);
        closing.apply(GateStatus::Closed, &mut next.state, &facts, now);
        memory = Rc::new(next);
        facts = facts.with_memory(Some(memory.clone()));
    }
    let closed = closing.entries.iter().map(|(active, ..)| active.key()).collect();
    let outcome = decide::decide(policy, &facts).merge(closing.outcome, policy.on_error);
    PendingOutcome { facts, outcome, memory, closed_gates: closed }
}

impl PendingOutcome<'_> {
    /// Returns the final outcome of the event, and the state after it.
    pub fn finish(self, policy: &Policy, uses: &StateRequirements) -> (Outcome, State) {
        let Self { facts, mut outcome, memory, closed_gates: closed } = self;
        let StateView { mut state, now, .. } = StateView::clone(&memory);
        let verdict = &outcome.verdict;
        if !matches!(verdict.decision(), Some(Decision::Deny | Decision::Ask)) && !verdict.notes.has(EffectKind::Stop) {
            let mut opening = find_transitions(policy, GateStatus::Open, &facts, &memory);
            // If one event both opens and closes a gate, it is closed.
            opening.entries.retain(|(active, ..)| !closed.contains(&active.key()));
            opening.apply(GateStatus::Open, &mut state, &facts, now);
            outcome = outcome.merge(opening.outcome, policy.on_error);
        }
        let state = state.apply_verdict(uses, &facts, &outcome.verdict, now);
        (outcome, state)
    }
}

/// Returns the transitions to a status that this event causes.
fn find_transitions<'p>(
    policy: &'p Policy,
    stand: GateStatus,
    facts: &Facts<'_>,
    memory: &StateView<'_>,
) -> Transitions<'p> {
    let mut found = Transitions::default();
    for active in &policy.gates {
        for transition in active.gate.transitions_to(stand).iter().filter(|it| it.when.contains(facts.event.kind)) {
            found.add(active, (stand, transition), facts, memory);
        }
    }
    found
}

impl<'p> Transitions<'p> {
    fn add(
        &mut self,
        active: &'p ActiveGate,
        (stand, transition): (GateStatus, &'p Transition),
        facts: &Facts<'_>,
        memory: &StateView<'_>,
    ) {
        let word = if stand == GateStatus::Open { "opens" } else { "closes" };
        let rule = transition.to_rule(format!("{}/{word}", active.gate.id));
        let start = Binding { layer: active.layer, ..Binding::default() };
        let gate = Some(memory.gate_view(active, facts, None));
        match decide::match_rule(&rule, &Binding { gate, ..start }, facts) {
            Ok(foci) if foci.is_empty() => {}
            Ok(foci) => {
                let by = RuleOrigin { layer: active.layer, source: &active.source };
                decide::record_match(&rule, rule.mode, by, facts, &foci, &mut self.outcome);
                self.entries.push((active, transition.r#for, foci));
            }
            Err(error) => {
                self.outcome.errors.push(EvaluationError { rule: rule.id, message: error.0 });
                if stand == GateStatus::Closed {
                    self.entries.push((active, None, vec![Binding::default()]));
                }
            }
        }
    }

    fn apply(&self, stand: GateStatus, state: &mut State, facts: &Facts<'_>, now: Time) {
        for (active, lasts, foci) in &self.entries {
            state.transition_gate(active, (stand, *lasts), facts, foci, now);
        }
    }
}
