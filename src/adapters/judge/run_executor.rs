//! The programs of rules: their input, the order in which they run, and their answers as a verdict.

use core::time::Duration;

use crate::adapters::dialect::{self, EncodeContext, InvalidAnswer};
use crate::adapters::{Host, native};
use crate::domain::decide::runs::effective_verdict;
use crate::domain::effect::EffectKind;
use crate::domain::facts::Facts;
use crate::domain::policy::run::RunProtocol;
use crate::domain::text::duration::Timeout;
use crate::domain::time::Time;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::plan::{RunPlan, parallel_groups};
use crate::domain::verdict::run_record::{
    Exit, Output, RunFailure, RunRecord, Runner, Task, failure_verdict, verdict_from_exit_code,
};

/// The time that it may take to end a program which does not end by itself.
const TERMINATION_GRACE: Duration = Duration::from_millis(600);

/// What programs answered.
#[derive(Debug, Default)]
pub(super) struct RunResults {
    /// What all of them come to together.
    pub verdict: Verdict,
    /// A record of each.
    pub records: Vec<RunRecord>,
}

/// What programs need to know of a judgement.
#[derive(Clone, Copy)]
pub(super) struct RunExecutor<'a, 'e> {
    /// The host that reports the event.
    pub host: &'static Host,
    /// The facts of the event.
    pub facts: &'a Facts<'e>,
    /// The time of the event.
    pub now: Time,
    /// Starts them.
    pub runner: &'a dyn Runner,
}

impl RunExecutor<'_, '_> {
    /// Executes all runs of an event: first those that nobody waits for; of the others none when the event is
    /// refused already, and none after one that refuses it.
    pub(super) fn execute(self, runs: &[RunPlan], is_refused: bool) -> RunResults {
        let (blocking, detached): (Vec<&RunPlan>, Vec<&RunPlan>) = runs.iter().partition(|run| run.blocking);
        let mut results = RunResults::default();
        for plan in detached {
            self.execute_group(&mut results, &[plan], Duration::MAX);
        }
        if is_refused {
            results.records.extend(blocking.into_iter().map(skipped_record));
            return results;
        }
        self.execute_blocking(&blocking, &mut results);
        results
    }

    fn execute_blocking(self, blocking: &[&RunPlan], results: &mut RunResults) {
        if blocking.is_empty() {
            return;
        }
        let groups = parallel_groups(blocking.iter().copied(), |run| run.parallel);
        let mut available = self.runner.available_time(groups.iter().map(|group| longest_timeout(group)).sum());
        for group in groups {
            if results.verdict.is_refusal() {
                results.records.extend(group.into_iter().map(skipped_record));
            } else {
                let used = self.execute_group(results, &group, available);
                available = available.saturating_sub(used);
            }
        }
    }

    /// Runs programs at the same time, adds what they answer, and returns how long the slowest one took.
    fn execute_group(self, results: &mut RunResults, group: &[&RunPlan], available: Duration) -> Duration {
        let directory = self.facts.path_context.project.as_deref().unwrap_or(&self.facts.path_context.cwd);
        let inputs: Vec<Result<Option<ProgramInput>, String>> =
            group.iter().map(|plan| self.program_input(plan)).collect();
        let available = available.saturating_sub(TERMINATION_GRACE);
        let mut tasks = Vec::new();
        for (plan, input) in group.iter().zip(&inputs) {
            if let Ok(Some(ProgramInput { stdin, env })) = input {
                tasks.push(Task { plan, directory, stdin, env, timeout: plan.timeout.duration().min(available) });
            }
        }
        let exits = self.runner.run(&tasks);
        let slowest = exits.iter().map(|(_, duration)| *duration).max().unwrap_or_default();
        let mut exits = exits.into_iter();
        for (plan, input) in group.iter().zip(&inputs) {
            match input {
                Err(why) => self.add_result(results, plan, (Exit::SpawnFailed(why.clone()), Duration::ZERO)),
                Ok(Some(_)) => exits.next().into_iter().for_each(|exit| self.add_result(results, plan, exit)),
                // Its dialect has no such event: there, it would not run.
                Ok(None) => {}
            }
        }
        slowest
    }

    fn add_result(self, results: &mut RunResults, plan: &RunPlan, (exit, duration): (Exit, Duration)) {
        let answer = match &exit {
            Exit::Completed(output) => self.decode_output(plan, output),
            Exit::TimedOut => Err(RunFailure::NoAnswer(format!("it did not finish within {}", plan.timeout))),
            Exit::SpawnFailed(why) => Err(RunFailure::NoAnswer(format!("it could not be started: {why}"))),
            Exit::Detached | Exit::Skipped => Ok(dialect::HookAnswer::default()),
        };
        let failure = answer.as_ref().err().map(ToString::to_string);
        let dialect::HookAnswer { verdict, unused } = answer.unwrap_or_else(|failure| {
            let verdict = if plan.blocking { failure_verdict(plan, &failure) } else { Verdict::default() };
            dialect::HookAnswer { verdict, unused: Vec::new() }
        });
        let verdict = effective_verdict(plan, self.facts.event, None, verdict);
        let effects = EffectKind::ALL.into_iter().filter(|effect| verdict.has_effect(*effect)).collect();
        let (rule, program) = (plan.rule.clone(), plan.program.to_string());
        results.records.push(RunRecord { rule, program, exit, failure, effects, ignored_fields: unused, duration });
        results.verdict = std::mem::take(&mut results.verdict).merge(verdict);
    }

    /// Returns what a program is told of the event; `None` when its dialect has no such event, or its
    /// matcher does not cover it.
    fn program_input(self, planned: &RunPlan) -> Result<Option<ProgramInput>, String> {
        let Some(dialect) = dialect_host(&planned.protocol) else {
            return Ok(Some(ProgramInput { stdin: native::encode(self.facts), env: Vec::new() }));
        };
        if let Some(matcher) = &planned.matcher
            && !dialect::matches_event(self.host, dialect, self.facts.event, matcher)
                .map_err(|error| error.to_string())?
        {
            return Ok(None);
        }
        let speech = dialect::encode(self.host, self.facts.event, dialect, &self.encode_context());
        let speech = speech.map_err(|unspeakable| unspeakable.to_string())?;
        Ok(speech.map(|speech| ProgramInput { stdin: speech.stdin.into_owned(), env: speech.env }))
    }

    fn encode_context(&self) -> EncodeContext<'_> {
        EncodeContext { raw: None, place: self.facts.path_context, now: self.now }
    }

    fn decode_output(self, planned: &RunPlan, said: &Output) -> Result<dialect::HookAnswer, RunFailure> {
        let Some(dialect) = dialect_host(&planned.protocol) else {
            let verdict = match planned.protocol {
                RunProtocol::Native => {
                    native::decode(self.facts, planned, said).map_err(|error| RunFailure::NoAnswer(error.to_string()))
                }
                _ => verdict_from_exit_code(planned, said, &|text| self.facts.redact(text).into()),
            };
            return verdict.map(|verdict| dialect::HookAnswer { verdict, unused: Vec::new() });
        };
        let speaker = dialect::Attribution { rule: &planned.rule, severity: planned.severity };
        let words = dialect::HookOutput { stdout: &said.stdout, stderr: &said.stderr, exit_code: said.exit_code };
        let heard = dialect::decode(self.host, self.facts.event, dialect, (words, speaker), &self.encode_context());
        heard.map_err(|misunderstood| match misunderstood {
            InvalidAnswer::Exit(code) => RunFailure::NonZeroExit(code, self.facts.redact(said.stderr.trim()).into()),
            other => RunFailure::NoAnswer(other.to_string()),
        })
    }
}

/// Returns the host whose hooks a program speaks as; `None` when it speaks as no host's do.
pub fn dialect_host(protocol: &RunProtocol) -> Option<&'static Host> {
    match protocol {
        RunProtocol::ExitCode | RunProtocol::Native => None,
        RunProtocol::Host(name) => Host::by_name(name).filter(|host| host.is_protocol()),
    }
}

/// What a program is told.
struct ProgramInput {
    stdin: Vec<u8>,
    env: Vec<(&'static str, String)>,
}

fn skipped_record(planned: &RunPlan) -> RunRecord {
    RunRecord {
        rule: planned.rule.clone(),
        program: planned.program.to_string(),
        exit: Exit::Skipped,
        failure: None,
        effects: Vec::new(),
        ignored_fields: Vec::new(),
        duration: Duration::ZERO,
    }
}

/// Returns how long runs at the same time may take.
fn longest_timeout(group: &[&RunPlan]) -> Duration {
    group.iter().map(|run| run.timeout).max().map(Timeout::duration).unwrap_or_default() + TERMINATION_GRACE
}
