//! The programs that rules have run, and the call that they look at.

use std::collections::BTreeSet;

use super::run_executor::{RunExecutor, RunResults};
use super::{BLOCKING_EFFECTS, Judge};
use crate::adapters::{PayloadError, read_event, rewritten_payload};
use crate::domain::event::Event;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::outcome::Outcome;
use crate::domain::verdict::plan::RunPlan;
use crate::domain::verdict::run_record::{Exit, Runner};

impl Judge<'_> {
    /// Runs the programs that an outcome asks for. They look at the call as the rules rewrote it; where one
    /// of them rewrites it again, the others look at that.
    pub(super) fn run_programs(
        self,
        event: &Event<'_>,
        outcome: &Outcome,
        runner: &dyn Runner,
    ) -> Result<RunResults, PayloadError> {
        let is_refused = outcome.verdict.is_refusal();
        let mut results = self.run_on_rewritten(event, &outcome.verdict, runner, &mut |executor| {
            executor.execute(&outcome.planned_runs, is_refused)
        })?;
        if is_refused || results.verdict.is_refusal() || !has_modifications(&results.verdict) {
            return Ok(results);
        }
        let modifying = modifying_rules(&results.verdict);
        let is_other = |run: &&RunPlan| run.blocking && !modifying.contains(&run.rule);
        let others: Vec<RunPlan> = outcome.planned_runs.iter().filter(is_other).cloned().collect();
        let verdict = outcome.verdict.clone().merge(results.verdict.clone());
        let second =
            self.run_on_rewritten(event, &verdict, runner, &mut |executor| executor.execute(&others, false))?;
        results.verdict.notes.merge(second.verdict.notes.only(&BLOCKING_EFFECTS));
        results.records.extend(second.records);
        Ok(results)
    }

    /// Runs the programs that were skipped because of a refusal which an exception has waived since.
    pub(super) fn run_skipped(self, event: &Event<'_>, mut outcome: Outcome) -> Result<Outcome, PayloadError> {
        let is_open = outcome.has_skipped_runs() && !outcome.verdict.is_refusal();
        let Some(runner) = self.environment.runner.filter(|_| is_open) else { return Ok(outcome) };
        outcome.planned_runs.retain(|run| run.blocking);
        outcome.run_records.retain(|record| record.exit != Exit::Skipped);
        let RunResults { verdict, records } = self.run_programs(event, &outcome, runner)?;
        Ok(outcome.with_runs(verdict, records))
    }

    /// Executes programs on the call that a verdict makes of an event.
    fn run_on_rewritten(
        self,
        event: &Event<'_>,
        verdict: &Verdict,
        runner: &dyn Runner,
        execute: &mut dyn FnMut(RunExecutor<'_, '_>) -> RunResults,
    ) -> Result<RunResults, PayloadError> {
        let payload = rewritten_payload(self.host, event, verdict);
        let read = |payload| read_event(self.host, payload, &self.policy.arguments);
        let rewritten = payload.as_ref().map(read).transpose()?;
        let suppression = self.suppression();
        let facts = self.facts(rewritten.as_ref().unwrap_or(event), &suppression);
        let now = self.environment.state.now;
        Ok(execute(RunExecutor { host: self.host, facts: &facts, now, runner }))
    }
}

/// Returns whether a verdict changes a call.
fn has_modifications(verdict: &Verdict) -> bool {
    !verdict.rewrite.is_empty() || !verdict.redact.is_empty()
}

/// Returns the rules that change a call.
fn modifying_rules(verdict: &Verdict) -> BTreeSet<String> {
    let rewriting = verdict.rewrite.values().flatten().map(|proposal| proposal.rule.clone());
    rewriting.chain(verdict.redact.rules().into_iter().map(ToOwned::to_owned)).collect()
}
