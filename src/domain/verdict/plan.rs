//! The plan of a run: a program that a rule asks for, with its values filled in.

use crate::domain::event::kind::Kind;
use crate::domain::policy::rule::Rule;
use crate::domain::policy::run::Run;
use crate::domain::policy::run::blocking_run;
use crate::domain::text::template::RenderError;
use crate::domain::text::template::VariableLookup;
use core::time::Duration;
use std::fmt;

use crate::domain::layer::Layer;
use crate::domain::policy::run::{OnFailure, RunProtocol, StdoutUse};
use crate::domain::severity::Severity;
use crate::domain::text::duration::Timeout;

/// A run that a rule asks for, with its values filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPlan {
    /// The rule's id.
    pub rule: String,
    /// The severity of the rule.
    pub severity: Severity,
    /// The layer that the rule comes from.
    pub layer: Layer,
    /// The command to run.
    pub program: RunCommand,
    /// The directory that it runs in, if the rule names one.
    pub directory: Option<String>,
    /// The names of variables that are passed on from the environment.
    pub inherited_env: Vec<String>,
    /// The variables that are set for it.
    pub env: Vec<(String, String)>,
    /// The protocol in which it receives the event and answers.
    pub protocol: RunProtocol,
    /// The matcher that selects events, in the terms of the host whose protocol is used.
    pub matcher: Option<String>,
    /// The time limit.
    pub timeout: Timeout,
    /// The effect of a failure.
    pub on_failure: OnFailure,
    /// The use of its standard output if it succeeds.
    pub stdout: StdoutUse,
    /// Whether the hook waits for it.
    pub blocking: bool,
    /// Whether it runs at the same time as its neighbours.
    pub parallel: bool,
}

/// The command to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunCommand {
    /// A program with its arguments.
    Direct(Vec<String>),
    /// A text for the shell.
    Shell(String),
}

impl fmt::Display for RunCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Direct(words) => f.write_str(&words.join(" ")),
            Self::Shell(text) => f.write_str(text),
        }
    }
}

/// The greatest number of programs that run at the same time.
const MAX_PARALLEL: usize = 8;

/// Groups runs that run at the same time: neighbours that are marked as parallel, up to the limit.
pub fn parallel_groups<T>(runs: impl Iterator<Item = T>, parallel: impl Fn(&T) -> bool) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for run in runs {
        match groups.last_mut() {
            Some(group) if parallel(&run) && group.len() < MAX_PARALLEL && group.iter().all(&parallel) => {
                group.push(run);
            }
            _ => groups.push(vec![run]),
        }
    }
    groups
}

impl RunPlan {
    /// Creates the plan of a run for a rule of a layer at an event.
    pub(crate) fn of(
        run: &Run,
        rule: &Rule,
        layer: Layer,
        kind: Kind,
        vars: &mut VariableLookup<'_>,
    ) -> Result<Self, RenderError> {
        let program = match &run.shell {
            Some(text) => RunCommand::Shell(text.clone()),
            None => RunCommand::Direct(run.command.iter().map(|word| word.render(vars)).collect::<Result<_, _>>()?),
        };
        let set = run.env.set.iter().map(|(name, value)| Ok((name.clone(), value.render(vars)?)));
        let set = set.collect::<Result<_, RenderError>>()?;
        Ok(Self {
            rule: rule.id.clone(),
            severity: rule.severity,
            layer,
            program,
            directory: run.directory.as_ref().map(|directory| directory.render(vars)).transpose()?,
            inherited_env: run.env.pass.clone(),
            env: set,
            protocol: run.speaks.clone(),
            matcher: run.matcher.clone(),
            timeout: run.timeout,
            on_failure: run.on_failure.unwrap_or_else(|| OnFailure::default_for(kind)),
            stdout: run.stdout,
            blocking: !run.r#async,
            parallel: run.parallel,
        })
    }
}

/// Returns how long the blocking programs of rules may take at a kind of event.
pub fn longest_wait<'r>(rules: impl Iterator<Item = &'r Rule>, kind: Kind) -> Duration {
    let runs = rules.filter(|rule| rule.when.contains(kind)).filter_map(blocking_run);
    let longest = |group: &Vec<&Run>| group.iter().map(|run| run.timeout).max().unwrap_or_default().duration();
    parallel_groups(runs, |run| run.parallel).iter().map(longest).sum()
}
