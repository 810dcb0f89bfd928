//! The programs that rules have run: told of the event, waited for, and heard as a verdict.
//!
//! This happens between two looks at what is remembered, never while it is held.

use std::thread;
use std::time::{Duration, Instant};

use super::bug;
use crate::adapters::dialect::{self, Circumstances, Misunderstood};
use crate::adapters::{Host, native};
use crate::domain::effect::EffectKind;
use crate::domain::facts::Facts;
use crate::domain::ran::{Ended, Failure, Ran, Runner, Said, Task, by_exit_code, counting, for_failure, refuses};
use crate::domain::run::{Planned, Speaks, Timeout, in_groups};
use crate::domain::state::Time;
use crate::domain::verdict::Verdict;

/// What ending a program that does not end by itself may take.
const ENDING: Duration = Duration::from_millis(600);

/// What came of runs.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// What all of them say together.
    pub verdict: Verdict,
    /// What became of each.
    pub ran: Vec<Ran>,
}

/// What runs go by.
#[derive(Clone, Copy)]
pub(super) struct Round<'a, 'e> {
    /// The host that reports the event.
    pub host: &'static Host,
    /// The event.
    pub facts: &'a Facts<'e>,
    /// When it happens.
    pub now: Time,
    /// Carries them out.
    pub runner: &'a dyn Runner,
}

impl Round<'_, '_> {
    /// Carries out all runs of an event: first those that nobody waits for; of the others none when the
    /// event is refused already, and none after one that refuses it.
    pub(super) fn hear(self, runs: &[Planned], refused: bool) -> Heard {
        let (awaited, others): (Vec<&Planned>, Vec<&Planned>) = runs.iter().partition(|run| run.awaited);
        let mut heard = Heard::default();
        for planned in others {
            self.take(&mut heard, vec![planned], Duration::MAX);
        }
        if refused {
            heard.ran.extend(awaited.into_iter().map(skipped));
            return heard;
        }
        self.hear_awaited(&awaited, &mut heard);
        heard
    }

    fn hear_awaited(self, awaited: &[&Planned], heard: &mut Heard) {
        if awaited.is_empty() {
            return;
        }
        let groups = in_groups(awaited.iter().copied(), |run| run.parallel);
        let granted = self.runner.granted(groups.iter().map(|group| longest(group)).sum());
        let begun = Instant::now();
        for group in groups {
            if refuses(&heard.verdict) {
                heard.ran.extend(group.into_iter().map(skipped));
            } else {
                self.take(heard, group, granted.saturating_sub(begun.elapsed()));
            }
        }
    }

    /// Runs programs at the same time, and adds what they say.
    fn take(self, heard: &mut Heard, group: Vec<&Planned>, patience: Duration) {
        let told: Vec<Result<Option<Told>, String>> = group.iter().map(|planned| self.told(planned)).collect();
        let runner = self.runner;
        let directory = self.facts.place.project.as_deref().unwrap_or(&self.facts.place.cwd);
        let carry_out = |planned: &Planned, told: &Told| {
            let own = planned.timeout.duration();
            let patience = own.min(patience.saturating_sub(ENDING));
            let task = Task { planned, directory, stdin: &told.stdin, env: &told.env, patience };
            if planned.awaited { runner.run(&task) } else { runner.start(&task) }
        };
        let ended: Vec<Option<(Ended, Duration)>> = match (group.as_slice(), told.as_slice()) {
            ([planned], [told]) => {
                vec![told.as_ref().ok().and_then(Option::as_ref).map(|told| carry_out(planned, told))]
            }
            (group, told) => thread::scope(|scope| {
                let started: Vec<_> = group
                    .iter()
                    .zip(told)
                    .map(|(planned, told)| {
                        let told = told.as_ref().ok()?.as_ref()?;
                        Some(thread::Builder::new().spawn_scoped(scope, || carry_out(planned, told)))
                    })
                    .collect();
                started.into_iter().map(|run| Some(joined(run?))).collect()
            }),
        };
        for ((planned, told), ended) in group.into_iter().zip(told).zip(ended) {
            match (told, ended) {
                (Err(why), _) => self.add(heard, planned, (Ended::NotStarted(why), Duration::ZERO)),
                (Ok(_), Some(ended)) => self.add(heard, planned, ended),
                // Its dialect has no such event: there, it would not run.
                (Ok(_), None) => {}
            }
        }
    }

    fn add(self, heard: &mut Heard, planned: &Planned, (ended, took): (Ended, Duration)) {
        let said = match &ended {
            Ended::Said(said) => self.understood(planned, said),
            Ended::TimedOut => Err(Failure::Unheard(format!("it did not end within {}", planned.timeout))),
            Ended::NotStarted(why) => Err(Failure::Unheard(format!("it could not be started: {why}"))),
            Ended::Started | Ended::Skipped => Ok(dialect::Heard::default()),
        };
        let failure = said.as_ref().err().map(ToString::to_string);
        let said = said.unwrap_or_else(|failure| {
            let verdict = if planned.awaited { for_failure(planned, &failure) } else { Verdict::default() };
            dialect::Heard { verdict, unused: Vec::new() }
        });
        let (verdict, unused) = (said.verdict, said.unused);
        let mut verdict = counting(planned, self.facts.event, None, verdict);
        let effects = EffectKind::ALL.into_iter().filter(|effect| verdict.has(*effect)).collect();
        let (rule, program) = (planned.rule.clone(), planned.program.to_string());
        heard.ran.push(Ran { rule, program, ended, failure, effects, unused, took });
        heard.verdict = std::mem::take(&mut heard.verdict).and(verdict);
    }

    /// Returns what a program is told of the event; `None` when its dialect has no such event, or its
    /// matcher does not cover it.
    fn told(self, planned: &Planned) -> Result<Option<Told>, String> {
        let Some(dialect) = dialect_of(planned.speaks) else {
            return Ok(Some(Told { stdin: native::told(self.facts), env: Vec::new() }));
        };
        if let Some(matcher) = &planned.matcher
            && !dialect::covers(self.host, dialect, self.facts.event, matcher)?
        {
            return Ok(None);
        }
        let speech = dialect::speech(self.host, self.facts.event, dialect, &self.circumstances());
        let speech = speech.map_err(|unspeakable| unspeakable.to_string())?;
        Ok(speech.map(|speech| Told { stdin: speech.stdin.into_owned(), env: speech.env }))
    }

    fn circumstances(&self) -> Circumstances<'_> {
        Circumstances { raw: None, place: self.facts.place, now: self.now }
    }

    fn understood(self, planned: &Planned, said: &Said) -> Result<dialect::Heard, Failure> {
        let Some(dialect) = dialect_of(planned.speaks) else {
            let verdict = match planned.speaks {
                Speaks::Native => native::understood(self.facts, planned, said).map_err(Failure::Unheard),
                _ => by_exit_code(planned, said, &|text| self.facts.redacted(text).into()),
            };
            return verdict.map(|verdict| dialect::Heard { verdict, unused: Vec::new() });
        };
        let speaker = dialect::Speaker { rule: &planned.rule, severity: planned.severity };
        let words = dialect::Said { stdout: &said.stdout, stderr: &said.stderr, exit: said.exit };
        let heard = dialect::understood(self.host, self.facts.event, dialect, (words, speaker), &self.circumstances());
        heard.map_err(|misunderstood| match misunderstood {
            Misunderstood::Exit(code) => Failure::Own(code, self.facts.redacted(said.stderr.trim()).into()),
            other => Failure::Unheard(other.to_string()),
        })
    }
}

/// Returns the host whose hooks a program speaks as; `None` when it speaks as no host's do.
pub(super) fn dialect_of(speaks: Speaks) -> Option<&'static Host> {
    match speaks {
        Speaks::ExitCode | Speaks::Native => None,
        Speaks::Claude | Speaks::Gemini => Host::named(speaks.name()),
    }
}

/// What a program is told.
struct Told {
    stdin: Vec<u8>,
    env: Vec<(&'static str, String)>,
}

fn joined(run: std::io::Result<thread::ScopedJoinHandle<'_, (Ended, Duration)>>) -> (Ended, Duration) {
    let failed = |why: String| (Ended::NotStarted(why), Duration::ZERO);
    match run {
        Ok(handle) => handle.join().unwrap_or_else(|_| failed(bug::told())),
        Err(error) => failed(error.to_string()),
    }
}

fn skipped(planned: &Planned) -> Ran {
    Ran {
        rule: planned.rule.clone(),
        program: planned.program.to_string(),
        ended: Ended::Skipped,
        failure: None,
        effects: Vec::new(),
        unused: Vec::new(),
        took: Duration::ZERO,
    }
}

/// Returns how long runs at the same time may take.
fn longest(group: &[&Planned]) -> Duration {
    group.iter().map(|run| run.timeout).max().map(Timeout::duration).unwrap_or_default() + ENDING
}
