//! Runs: what a program receives, how it ended, and what is reported about it.

use core::time::Duration;
use std::cmp::Reverse;
use std::fmt;

use super::Verdict;
use super::note::Note;
use super::plan::RunPlan;
use crate::domain::effect::EffectKind;
use crate::domain::policy::run::OnFailure;

/// Runs programs.
pub trait Runner: Sync {
    /// Returns how much of the wanted time is available for runs.
    fn available_time(&self, wanted: Duration) -> Duration;

    /// Runs programs at the same time, waits for those that block, and returns how each ended and how long it took,
    /// in the order of the tasks.
    fn run(&self, tasks: &[Task<'_>]) -> Vec<(Exit, Duration)>;
}

/// A run with everything that the program receives.
#[derive(Debug)]
pub struct Task<'a> {
    /// The plan of the run.
    pub plan: &'a RunPlan,
    /// The directory that it runs in.
    pub directory: &'a str,
    /// The bytes on its standard input.
    pub stdin: &'a [u8],
    /// The variables that its dialect adds.
    pub env: &'a [(&'static str, String)],
    /// The time limit.
    pub timeout: Duration,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// It ended by itself, or by a signal, in which case there is no exit code.
    Completed(Output),
    /// It exceeded its time limit and was ended.
    TimedOut,
    /// It could not be started, for this reason.
    SpawnFailed(String),
    /// It was started, and the hook does not wait for it.
    Detached,
    /// It was not run, because the event was already refused.
    Skipped,
}

/// The output of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// The standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
    /// The exit code; `None` if it was killed by a signal.
    pub exit_code: Option<i32>,
}

/// The record of a run, for explanations and the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    /// The rule that asked for it.
    pub rule: String,
    /// A description of the program.
    pub program: String,
    /// The way it ended.
    pub exit: Exit,
    /// The reason why it counts as failed, if it does.
    pub failure: Option<String>,
    /// The effects of its answer.
    pub effects: Vec<EffectKind>,
    /// The fields of its answer that were ignored.
    pub ignored_fields: Vec<String>,
    /// The time that it took.
    pub duration: Duration,
}

impl RunRecord {
    /// Describes how it ended.
    pub fn describe(&self) -> String {
        let ended = match (&self.exit, &self.failure) {
            (Exit::Completed(Output { exit_code: Some(code), .. }), _) => format!("exit {code}"),
            (Exit::Completed(_), _) => "ended by a signal".to_owned(),
            (Exit::TimedOut, _) => "did not finish in time".to_owned(),
            (Exit::SpawnFailed(why), _) => format!("not started: {why}"),
            (Exit::Detached, _) => "started in the background".to_owned(),
            (Exit::Skipped, _) => return "not run: the event is already denied".to_owned(),
        };
        let unused: Vec<String> =
            self.ignored_fields.iter().take(MAX_IGNORED_FIELDS).map(|field| format!("`{field:.40}`")).collect();
        let unused = if unused.is_empty() { String::new() } else { format!(", not taken: {}", unused.join(", ")) };
        format!("{ended}, {} ms{unused}", self.duration.as_millis())
    }
}

/// The reason why a program failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunFailure {
    /// It ended with this exit code and this message.
    NonZeroExit(i32, String),
    /// It gave no answer, for this reason.
    NoAnswer(String),
}

impl fmt::Display for RunFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonZeroExit(code, _) => write!(f, "it exited with code {code}"),
            Self::NoAnswer(why) => f.write_str(why),
        }
    }
}

/// The greatest number of ignored fields that are reported.
const MAX_IGNORED_FIELDS: usize = 8;

/// The greatest number of characters of a program's output that are reported.
const MAX_OUTPUT_CHARS: usize = 8_000;

/// Returns the verdict for a failure, as the plan of the run says.
pub fn failure_verdict(planned: &RunPlan, failure: &RunFailure) -> Verdict {
    let Some(effect) = planned.on_failure.effect() else { return Verdict::default() };
    let text = match failure {
        RunFailure::NonZeroExit(_, said) if !said.is_empty() => said.clone(),
        failure => {
            let so = match planned.on_failure {
                OnFailure::Deny => ", so this is denied",
                OnFailure::Ask => ", so the user is asked",
                OnFailure::Retry | OnFailure::Context | OnFailure::Warn | OnFailure::Allow => "",
            };
            format!("The program of `{}` gave no answer{so}: `{}`: {failure}.", planned.rule, planned.program)
        }
    };
    Verdict::from_note(effect, run_note(planned, text))
}

/// Returns the verdict of a program that answers by its exit code: 0 is success, anything else is a failure with its
/// output as the message.
///
/// # Errors
/// Returns the failure.
pub fn verdict_from_exit_code(
    planned: &RunPlan,
    said: &Output,
    safe: &dyn Fn(&str) -> String,
) -> Result<Verdict, RunFailure> {
    let Some(code) = said.exit_code else { return Err(RunFailure::NoAnswer("it was killed by a signal".into())) };
    let (stdout, stderr) = (said.stdout.trim(), said.stderr.trim());
    if code != 0 {
        let both = [stdout, stderr].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let text = match planned.on_failure {
            // Errors may be printed to either stream; a reason is one sentence.
            OnFailure::Context | OnFailure::Retry => both.as_str(),
            _ if stderr.is_empty() => stdout,
            _ => stderr,
        };
        return Err(RunFailure::NonZeroExit(code, truncate_middle(&safe(text))));
    }
    let effect = planned.stdout.effect().filter(|_| !stdout.is_empty());
    let note = |effect| Verdict::from_note(effect, run_note(planned, truncate_middle(&safe(stdout))));
    Ok(effect.map(note).unwrap_or_default())
}

/// Returns the note of the rule that asked for a run.
pub fn run_note(planned: &RunPlan, text: String) -> Note {
    Note { severity: Reverse(planned.severity), rule: planned.rule.clone(), text }
}

/// Removes the middle of a long text, since errors are usually at the start or at the end.
fn truncate_middle(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_OUTPUT_CHARS {
        return text.to_owned();
    }
    let half = MAX_OUTPUT_CHARS / 2;
    let head: String = text.chars().take(half).collect();
    let tail: String = text.chars().skip(length - half).collect();
    format!("{head}\n… ({} characters omitted) …\n{tail}", length - 2 * half)
}

#[cfg(test)]
mod tests {
    use super::truncate_middle;

    #[test]
    fn of_long_texts_both_ends_are_told() {
        let text = format!("first{}last", "é".repeat(20_000));
        let told = truncate_middle(&text);
        assert!(told.starts_with("first") && told.ends_with("last"), "{told}");
        assert!(told.contains("(12009 characters omitted)"), "{told}");
        assert_eq!(truncate_middle("short"), "short");
    }
}
