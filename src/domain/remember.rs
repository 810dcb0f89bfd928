//! One event judged by what is remembered: what it counts and closes before the rules look, and
//! what it opens when nothing was held against it.

use super::decide::{self, By, Failure, Outcome};
use super::facts::Facts;
use super::focus::Focus;
use super::gate::{ActiveGate, Lasting, Stand, Transition};
use super::policy::Policy;
use super::state::{Remembered, State, Time, Uses};
use super::verdict::Decision;

/// The changes of gates that an event brings, and what they say.
#[derive(Debug, Default)]
struct Moves<'p> {
    moves: Vec<(&'p ActiveGate, Option<Lasting>, Vec<Focus>)>,
    outcome: Outcome,
}

/// An event judged by a state.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The facts, with what the rules saw of the state.
    pub facts: Facts<'a>,
    /// What came of it.
    pub outcome: Outcome,
    /// The keys of the gates that it closed.
    closed: Vec<String>,
}

/// Judges an event by a state.
pub fn decide<'a>(policy: &'a Policy, uses: &Uses, facts: Facts<'a>, state: State, now: Time) -> Judged<'a> {
    let state = state.before(uses, &facts, now);
    let facts = facts.with_remembered(Remembered { state, now, gates: &policy.gates });
    let closing = moves(policy, Stand::Closed, &facts);
    let facts = match facts.remembered().cloned() {
        Some(mut remembered) if !closing.moves.is_empty() => {
            closing.carry_out(Stand::Closed, &mut remembered.state, &facts, now);
            facts.with_remembered(remembered)
        }
        _ => facts,
    };
    let closed = closing.moves.iter().map(|(active, ..)| active.key()).collect();
    let outcome = decide::decide(policy, &facts).and(closing.outcome, policy.on_error);
    Judged { facts, outcome, closed }
}

impl Judged<'_> {
    /// Returns what came of the event in all, and the state after it.
    pub fn finish(self, policy: &Policy, uses: &Uses) -> (Outcome, State) {
        let Self { facts, mut outcome, closed } = self;
        let Some(Remembered { mut state, now, .. }) = facts.remembered().cloned() else {
            return (outcome, State::default());
        };
        let verdict = &outcome.verdict;
        if !matches!(verdict.decision(), Some(Decision::Deny | Decision::Ask)) && verdict.stop.is_empty() {
            let mut opening = moves(policy, Stand::Open, &facts);
            // Of both in one event, the closing stands.
            opening.moves.retain(|(active, ..)| !closed.contains(&active.key()));
            opening.carry_out(Stand::Open, &mut state, &facts, now);
            outcome = outcome.and(opening.outcome, policy.on_error);
        }
        let state = state.after(uses, &facts, &outcome.verdict, now);
        (outcome, state)
    }
}

/// Returns what brings gates to stand so at this event.
fn moves<'p>(policy: &'p Policy, stand: Stand, facts: &Facts<'_>) -> Moves<'p> {
    let mut found = Moves::default();
    for active in &policy.gates {
        for transition in active.gate.to(stand).iter().filter(|it| it.when.contains(facts.event.kind)) {
            found.add(active, stand, transition, facts);
        }
    }
    found
}

impl<'p> Moves<'p> {
    fn add(&mut self, active: &'p ActiveGate, stand: Stand, transition: &'p Transition, facts: &Facts<'_>) {
        let word = if stand == Stand::Open { "opens" } else { "closes" };
        let rule = transition.as_rule(format!("{}/{word}", active.gate.id));
        let start = Focus { speaker: active.layer, ..Focus::default() };
        let gate = facts.remembered().map(|remembered| remembered.standing(active, facts, &start));
        match decide::judge(&rule, &Focus { gate, ..start }, facts) {
            Ok(foci) if foci.is_empty() => {}
            Ok(foci) => {
                let by = By { layer: active.layer, source: &active.source };
                decide::record(&rule, rule.mode, by, facts, &foci, &mut self.outcome);
                self.moves.push((active, transition.r#for, foci));
            }
            Err(error) => {
                self.outcome.failures.push(Failure { rule: rule.id, message: error.0 });
                if stand == Stand::Closed {
                    self.moves.push((active, None, vec![Focus::default()]));
                }
            }
        }
    }

    fn carry_out(&self, stand: Stand, state: &mut State, facts: &Facts<'_>, now: Time) {
        for (active, lasts, foci) in &self.moves {
            state.move_gate(active, (stand, *lasts), facts, foci, now);
        }
    }
}
