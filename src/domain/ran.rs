//! Runs carried out: what a program is given, how it ended, and what is told of it.

use core::time::Duration;
use std::cmp::Reverse;
use std::fmt;

use super::decide::Outcome;
use super::effect::EffectKind;
use super::event::Event;
use super::run::{OnFailure, Planned, Stdout};
use super::state::{State, sent_back};
use super::verdict::{Decision, Note, Verdict};

/// Carries runs out.
pub trait Runner: Sync {
    /// Returns for how long runs may be waited for that take so long at most.
    fn granted(&self, wanted: Duration) -> Duration;

    /// Runs a program, and waits for it.
    fn run(&self, task: &Task<'_>) -> (Ended, Duration);

    /// Starts a program that nobody waits for.
    fn start(&self, task: &Task<'_>) -> (Ended, Duration);
}

/// A run with all that the program is given.
#[derive(Debug)]
pub struct Task<'a> {
    /// What is run.
    pub planned: &'a Planned,
    /// The directory it runs in.
    pub directory: &'a str,
    /// What stands on its standard input.
    pub stdin: &'a [u8],
    /// Variables that its dialect has besides its own.
    pub env: &'a [(&'static str, String)],
    /// How long it may take.
    pub patience: Duration,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// By itself, or by a signal: then there is no exit code.
    Said(Said),
    /// It did not, and was ended.
    TimedOut,
    /// It could not be started, and why.
    NotStarted(String),
    /// It was started, and nobody waits.
    Started,
    /// It was not run: the event was refused already.
    Skipped,
}

/// What a program said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// On standard output.
    pub stdout: String,
    /// On standard error.
    pub stderr: String,
    /// Its exit code; none when a signal ended it.
    pub exit: Option<i32>,
}

/// A run and what came of it, for those who ask later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The rule that asked for it.
    pub rule: String,
    /// The program, in words.
    pub program: String,
    /// How it ended.
    pub ended: Ended,
    /// Why it counts as failed, if it does.
    pub failure: Option<String>,
    /// What it had to say: its effects.
    pub effects: Vec<EffectKind>,
    /// Fields of its answer of which nothing was made.
    pub unused: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Ran {
    /// Returns how it ended, in words.
    pub fn described(&self) -> String {
        let ended = match (&self.ended, &self.failure) {
            (Ended::Said(Said { exit: Some(code), .. }), _) => format!("exit {code}"),
            (Ended::Said(_), _) => "ended by a signal".to_owned(),
            (Ended::TimedOut, _) => "did not end in time".to_owned(),
            (Ended::NotStarted(why), _) => format!("not started: {why}"),
            (Ended::Started, _) => "started; nobody waits for it".to_owned(),
            (Ended::Skipped, _) => return "not run: this is refused already".to_owned(),
        };
        let unused: Vec<String> = self.unused.iter().take(MOST_UNUSED).map(|field| format!("`{field:.40}`")).collect();
        let unused = if unused.is_empty() { String::new() } else { format!(", not taken: {}", unused.join(", ")) };
        format!("{ended}, {} ms{unused}", self.took.as_millis())
    }
}

/// Why a program's word does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It says so itself, by its exit code, in these words.
    Own(i32, String),
    /// It gave no answer, and why.
    Unheard(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(code, _) => write!(f, "it ended with exit code {code}"),
            Self::Unheard(why) => f.write_str(why),
        }
    }
}

/// Fields of an answer that are named where nothing is made of them.
const MOST_UNUSED: usize = 8;

/// Characters of what a program printed that are told.
const MOST_TOLD: usize = 8_000;

/// Returns what follows from a failure, as its run says.
pub fn for_failure(planned: &Planned, failure: &Failure) -> Verdict {
    let mut verdict = Verdict::default();
    let Some(effect) = planned.on_failure.effect() else { return verdict };
    let text = match failure {
        Failure::Own(_, said) if !said.is_empty() => said.clone(),
        failure => {
            let so = match planned.on_failure {
                OnFailure::Deny => ", so this is refused",
                OnFailure::Ask => ", so a person is asked",
                OnFailure::Retry | OnFailure::Context | OnFailure::Warn | OnFailure::Allow => "",
            };
            format!("The program that `{}` runs gave no answer{so}: `{}`: {failure}.", planned.rule, planned.program)
        }
    };
    verdict.notes_mut(effect).insert(note(planned, text));
    verdict
}

/// Takes what a program says by its exit code alone: 0 is success, anything else a failure in its own words.
///
/// # Errors
/// Returns the failure.
pub fn by_exit_code(planned: &Planned, said: &Said, safe: &dyn Fn(&str) -> String) -> Result<Verdict, Failure> {
    let Some(code) = said.exit else { return Err(Failure::Unheard("a signal ended it".into())) };
    let (stdout, stderr) = (said.stdout.trim(), said.stderr.trim());
    if code != 0 {
        let both = [stdout, stderr].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let text = match planned.on_failure {
            // What failed stands on either; a reason is one sentence.
            OnFailure::Context | OnFailure::Retry => both.as_str(),
            _ if stderr.is_empty() => stdout,
            _ => stderr,
        };
        return Err(Failure::Own(code, shortened(&safe(text))));
    }
    let mut verdict = Verdict::default();
    let told = match planned.stdout {
        Stdout::None => None,
        Stdout::Context => Some(&mut verdict.context),
        Stdout::Warn => Some(&mut verdict.warn),
    };
    if let Some(notes) = told.filter(|_| !stdout.is_empty()) {
        notes.insert(note(planned, shortened(&safe(stdout))));
    }
    Ok(verdict)
}

/// Returns a text in the name of the rule that asked for a run.
pub fn note(planned: &Planned, text: String) -> Note {
    Note { severity: Reverse(planned.severity), rule: planned.rule.clone(), text }
}

/// Leaves the middle of a long text out: what was wrong stands first or last.
fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= MOST_TOLD {
        return text.to_owned();
    }
    let half = MOST_TOLD / 2;
    let head: String = text.chars().take(half).collect();
    let tail: String = text.chars().skip(length - half).collect();
    format!("{head}\n… ({} characters left out) …\n{tail}", length - 2 * half)
}

/// Returns what of a run's verdict counts: an approval of those who may approve, and a hook that never
/// agrees does not keep the agent going for ever.
pub fn counting(planned: &Planned, event: &Event<'_>, state: Option<&State>, mut verdict: Verdict) -> Verdict {
    if !planned.layer.is_trusted() {
        verdict.allow.clear();
    }
    if sent_back(event, state).is_none_or(|times| times > 0) {
        for effect in [EffectKind::Retry, EffectKind::Context] {
            if !std::mem::take(verdict.notes_mut(effect)).is_empty() {
                verdict.spent.insert(effect);
            }
        }
    }
    verdict
}

/// Tells whether a verdict refuses, so that there is nothing left to ask.
pub fn refuses(verdict: &Verdict) -> bool {
    verdict.decision() == Some(Decision::Deny) || !verdict.stop.is_empty()
}

impl Outcome {
    /// Adds what came of runs.
    #[must_use]
    pub fn with_runs(mut self, verdict: Verdict, ran: Vec<Ran>) -> Self {
        self.verdict = self.verdict.and(verdict).settled();
        self.ran.extend(ran);
        self
    }

    /// Tells whether runs that somebody waits for were left out because the event was refused already.
    pub fn has_skipped(&self) -> bool {
        self.ran.iter().any(|ran| ran.ended == Ended::Skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn of_long_texts_both_ends_are_told() {
        let text = format!("first{}last", "é".repeat(20_000));
        let told = shortened(&text);
        assert!(told.starts_with("first") && told.ends_with("last"), "{told}");
        assert!(told.contains("(12009 characters left out)"), "{told}");
        assert_eq!(shortened("short"), "short");
    }
}
