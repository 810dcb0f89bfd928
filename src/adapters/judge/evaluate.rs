//! The rules, applied to an event, to the call that they make of it, and to what programs answer.

use std::cmp::Reverse;

use super::environment::HookStatusQuery;
use super::run_executor::RunResults;
use super::session::Session;
use super::{BLOCKING_EFFECTS, Judge};
use crate::adapters::{PayloadError, read_event, rewritten_payload};
use crate::domain::allowlist::{Authority, Suppression};
use crate::domain::decide::decide;
use crate::domain::decide::with_state::{PendingOutcome, decide_with_state};
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::facts::Facts;
use crate::domain::facts::hook_status::HookStatusProbe;
use crate::domain::severity::Severity;
use crate::domain::state::State;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::{Decision, Note};
use crate::domain::verdict::outcome::Outcome;
use crate::domain::verdict::plan::RunPlan;

/// An outcome before the programs of rules have answered, and before the state has changed.
enum Evaluation<'f> {
    /// The policy needs no state at the event.
    Stateless(Facts<'f>, Outcome),
    /// The state changes when the outcome is complete.
    Stateful(PendingOutcome<'f>),
}

impl<'a> Judge<'a> {
    /// Evaluates the rules, has their programs run, and leaves the next state in the session.
    ///
    /// Programs run while no transaction is open. Where the state has changed meanwhile, the rules are
    /// evaluated again.
    pub(super) fn decide(self, event: &Event<'_>, session: &mut Session<'_>) -> Result<Outcome, PayloadError> {
        let suppression = self.suppression();
        let mut evaluation = self.evaluate(event, &suppression, session);
        let Some(runner) = self.environment.runner else {
            self.recheck_own(&mut evaluation)?;
            return Ok(self.finish(event, evaluation, session));
        };
        if !evaluation.outcome_mut().may_need_programs() {
            return Ok(self.finish(event, evaluation, session));
        }
        let mut planned = evaluation.outcome_mut().clone();
        self.recheck(evaluation.facts(), &mut planned)?;
        if planned.planned_runs.is_empty() {
            *evaluation.outcome_mut() = planned;
            return Ok(self.finish(event, evaluation, session));
        }
        session.add_error(&mut planned);
        session.release();
        let RunResults { verdict, records } = self.run_programs(event, &planned, runner)?;
        if !session.resume(event) {
            evaluation = self.evaluate(event, &suppression, session);
        }
        let outcome = std::mem::take(evaluation.outcome_mut());
        *evaluation.outcome_mut() = outcome.with_runs(verdict, records);
        self.recheck_own(&mut evaluation)?;
        Ok(self.finish(event, evaluation, session))
    }

    /// Takes the backups of a complete evaluation, and leaves the next state in the session.
    fn finish(self, event: &Event<'_>, mut evaluation: Evaluation<'_>, session: &mut Session<'_>) -> Outcome {
        self.back_up(event, evaluation.outcome_mut());
        evaluation.complete(self, session)
    }

    fn evaluate<'f>(
        self,
        event: &'f Event<'f>,
        suppression: &'f Suppression<'f>,
        session: &Session<'_>,
    ) -> Evaluation<'f>
    where
        'a: 'f,
    {
        let facts = self.facts(event, suppression);
        match session.state() {
            None => {
                let outcome = decide(self.policy, &facts);
                Evaluation::Stateless(facts, outcome)
            }
            Some(state) => {
                let now = self.environment.state.now;
                Evaluation::Stateful(decide_with_state(self.policy, session.requirements(), facts, state, now))
            }
        }
    }

    fn recheck_own(self, evaluation: &mut Evaluation<'_>) -> Result<(), PayloadError> {
        match evaluation {
            Evaluation::Stateless(facts, outcome) => self.recheck(facts, outcome),
            Evaluation::Stateful(pending) => self.recheck(&pending.facts, &mut pending.outcome),
        }
    }
}

impl<'f> Evaluation<'f> {
    const fn facts(&self) -> &Facts<'f> {
        match self {
            Self::Stateless(facts, _) => facts,
            Self::Stateful(pending) => &pending.facts,
        }
    }

    const fn outcome_mut(&mut self) -> &mut Outcome {
        match self {
            Self::Stateless(_, outcome) => outcome,
            Self::Stateful(pending) => &mut pending.outcome,
        }
    }

    /// Returns the outcome, and leaves the next state in the session.
    fn complete(self, judge: Judge<'_>, session: &mut Session<'_>) -> Outcome {
        match self {
            Self::Stateless(_, outcome) => outcome,
            Self::Stateful(pending) => {
                let (outcome, next): (Outcome, State) = pending.finish(judge.policy, session.requirements());
                session.set_next(next);
                outcome
            }
        }
    }
}

impl<'a> Judge<'a> {
    /// Returns what is known to be no finding.
    pub(super) fn suppression(self) -> Suppression<'a> {
        let environment = self.environment;
        Suppression::new(&self.policy.suppressions, Authority::OwnAndLower, environment.paths, environment.read_file)
    }

    /// Returns the facts of an event.
    pub(super) fn facts<'f>(self, event: &'f Event<'f>, suppression: &'f Suppression<'f>) -> Facts<'f>
    where
        'a: 'f,
    {
        let environment = self.environment;
        Facts::new(event, environment.paths, environment.file_system)
            .with_time(environment.state.now)
            .with_trace(environment.trace)
            .with_hook_status(self.hook_status_probe(event))
            .with_suppression(suppression)
            .with_detectors(&self.policy.detectors)
    }

    fn hook_status_probe(self, event: &Event<'_>) -> Option<HookStatusProbe<'a>> {
        let (inspect, kind) = (self.environment.hook_status?, event.kind);
        Some(HookStatusProbe::new(move || {
            let project = self.environment.paths.project.as_deref();
            inspect(&HookStatusQuery { host: self.host, project, watched_kinds: self.policy.kinds(), kind })
        }))
    }

    /// Applies the rules to the call or request that the rules made of this one: a rewrite of one rule may be
    /// what another rule refuses.
    fn recheck(self, facts: &Facts<'_>, outcome: &mut Outcome) -> Result<(), PayloadError> {
        if outcome.verdict.decision() == Some(Decision::Deny) {
            return Ok(());
        }
        let Some(payload) = rewritten_payload(self.host, facts.event, &outcome.verdict) else { return Ok(()) };
        let event = read_event(self.host, &payload, &self.policy.arguments)?;
        let suppression = self.suppression();
        let rewritten = self.facts(&event, &suppression).with_memory(facts.memory().cloned());
        let second = decide(self.policy, &rewritten);
        let Verdict { redact, notes, .. } = second.verdict;
        let mut stricter = notes.only(&BLOCKING_EFFECTS);
        // What a redaction finds in the rewritten call would have to be rewritten once more, and so on.
        let once_more = Verdict { redact, ..Verdict::default() };
        if rewritten_payload(self.host, &event, &once_more).is_some() {
            let incomplete = once_more.redact.rules().into_iter().map(incomplete_redaction_note);
            stricter.extend(EffectKind::Deny, incomplete);
        }
        // A program has seen the call as it was, or as the rules rewrote it, and no other one.
        let is_unseen = |run: &&RunPlan| run.blocking && outcome.run_records.iter().all(|it| it.rule != run.rule);
        if outcome.run_records.is_empty() {
            let is_gone = |known: &RunPlan| second.planned_runs.iter().all(|run| run.rule != known.rule);
            outcome.planned_runs.retain(is_gone);
            outcome.planned_runs.extend(second.planned_runs);
        } else {
            let unseen = second.planned_runs.iter().filter(is_unseen);
            stricter.extend(EffectKind::Deny, unseen.map(|run| unreviewed_call_note(&run.rule)));
        }
        outcome.verdict.notes.merge(stricter);
        outcome.planned_backups.extend(second.planned_backups);
        outcome.add_findings(second.findings);
        Ok(())
    }
}

/// Returns why a call is refused that still holds what a rule takes out.
fn incomplete_redaction_note(rule: &str) -> Note {
    let text = format!("The changed call still contains what the rule `{rule}` removes from it.");
    Note { severity: Reverse(Severity::High), rule: rule.to_owned(), text }
}

/// Returns why a call is refused that a program would have to look at and did not.
fn unreviewed_call_note(rule: &str) -> Note {
    let text = format!("The program of the rule `{rule}` has not checked the changed call.");
    Note { severity: Reverse(Severity::High), rule: rule.to_owned(), text }
}
