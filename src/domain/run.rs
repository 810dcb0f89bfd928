//! Programs that a rule has run: what runs, what it is told and answers in, and what becomes of it.
//!
//! Nothing here runs anything. A rule that holds plans its run; `io/process` carries it out, and what
//! it said comes back as a verdict of its own.

use core::time::Duration;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::effect::EffectKind;
use super::kind::Kind;
use super::layer::Layer;
use super::rule::{Mode, Rule, Severity};
use super::template::{Render, RenderError, Template};

/// A program that a rule has run. A list alone is its `command`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "command"), example = shown())]
pub struct Run {
    /// The program and its arguments, each by itself: there is no shell in between, so that a value
    /// that is filled in stays one argument. A name is looked for in `PATH`; a path is taken from the
    /// directory it runs in, or from the home directory (`~/…`).
    #[serde(default)]
    pub command: Vec<Template>,
    /// A text for the shell, instead of `command`: `sh`, on Windows PowerShell. Nothing is filled in
    /// here. What it needs of the event is set under `env` and quoted as a variable: `"$FILE"`.
    #[serde(default)]
    pub shell: Option<String>,
    /// What it is told on standard input, and in what it answers.
    #[serde(default)]
    pub speaks: Speaks,
    /// For what of an event it runs, as the settings of the host have it that it speaks as: a name of a
    /// tool (`Bash`, `Write|Edit`, `mcp__.*`), or what else that host's matchers look at.
    #[serde(default)]
    pub matcher: Option<String>,
    /// How long it may take, such as `10s`, `500ms` or `2m`; then it and all that it started is ended.
    #[serde(default)]
    pub timeout: Timeout,
    /// What follows when it fails: it cannot be started, takes too long, is ended by a signal, answers
    /// in a way that is not understood, or ends with another exit code than 0 where that is all it
    /// says. When not given, `deny`, at moments that cannot be refused `warn`.
    #[serde(default)]
    pub on_failure: Option<OnFailure>,
    /// What becomes of what it prints when it succeeds, where it answers by its exit code alone.
    #[serde(default)]
    pub stdout: Stdout,
    /// Nobody waits for it: it is started, and the host has its answer at once. What it says and how it
    /// ends is not looked at.
    #[serde(default)]
    pub r#async: bool,
    /// It runs at the same time as those before and behind it that say so too; otherwise one runs after
    /// the other, in the order of the policy.
    #[serde(default)]
    pub parallel: bool,
    /// Its environment, beside the few variables that every program has.
    #[serde(default)]
    pub env: Environment,
    /// The directory it runs in; when not given, the project's root.
    #[serde(default)]
    pub directory: Option<Template>,
}

fn shown() -> serde_json::Value {
    serde_json::json!({ "command": ["rustfmt", "{{ file.path }}"], "timeout": "10s", "on_failure": "context" })
}

/// How a program is told of the event, and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Speaks {
    /// The event in neutral words; its exit code says whether it succeeded, and nothing else counts.
    #[default]
    ExitCode,
    /// The event in neutral words, and effects under the names they have in a policy.
    Native,
    /// As a hook of Claude Code, whatever the host is.
    Claude,
    /// As a hook of Gemini CLI, whatever the host is.
    Gemini,
}

impl Speaks {
    /// Returns the word for it in a policy.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ExitCode => "exit-code",
            Self::Native => "native",
            Self::Claude => "claude",
            Self::Gemini => "gemini",
        }
    }
}

/// What follows when a program fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// The action is refused; what the program said on standard error is the reason.
    Deny,
    /// A person is asked.
    Ask,
    /// The agent is sent back to work with what the program said.
    Retry,
    /// The agent is told what the program said.
    Context,
    /// The person is told.
    Warn,
    /// Nothing; it is only recorded.
    Allow,
}

impl OnFailure {
    /// Returns what follows when a policy does not say: the action is refused where it can be, or else
    /// the person is told, where that can be.
    pub fn at(kind: Kind) -> Self {
        let carries = |effect| kind.moment().is_some_and(|moment| moment.effects.contains(effect));
        if carries(EffectKind::Deny) {
            Self::Deny
        } else if carries(EffectKind::Warn) {
            Self::Warn
        } else {
            Self::Allow
        }
    }

    /// Returns the effect that this is; none for nothing.
    pub const fn effect(self) -> Option<EffectKind> {
        match self {
            Self::Deny => Some(EffectKind::Deny),
            Self::Ask => Some(EffectKind::Ask),
            Self::Retry => Some(EffectKind::Retry),
            Self::Context => Some(EffectKind::Context),
            Self::Warn => Some(EffectKind::Warn),
            Self::Allow => None,
        }
    }
}

/// What becomes of what a program prints when it succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stdout {
    /// Nothing.
    #[default]
    None,
    /// The agent is told.
    Context,
    /// The person is told.
    Warn,
}

impl Stdout {
    /// Returns the effect that this is; none for nothing.
    pub const fn effect(self) -> Option<EffectKind> {
        match self {
            Self::None => None,
            Self::Context => Some(EffectKind::Context),
            Self::Warn => Some(EffectKind::Warn),
        }
    }
}

/// How long a program may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timeout {
    /// In milliseconds.
    pub millis: u32,
}

impl Timeout {
    /// The longest that there is: no host waits longer for its hook.
    const MOST: u32 = 10 * 60 * 1_000;

    /// Returns the time as a duration.
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.millis as u64)
    }
}

impl Default for Timeout {
    fn default() -> Self {
        Self { millis: 5_000 }
    }
}

/// Units of a timeout, and how many milliseconds each has.
const UNITS: [(&str, u32); 3] = [("ms", 1), ("s", 1_000), ("m", 60_000)];

impl TryFrom<String> for Timeout {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let bad = || format!("`{text}` is no time\nwrite `10s`, `500ms` or `2m`, and no more than `10m`");
        let (number, unit) = text.split_at(text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len()));
        let (_, millis) = UNITS.iter().find(|(name, _)| *name == unit.trim()).ok_or_else(bad)?;
        let millis = number.parse::<u32>().ok().and_then(|number| number.checked_mul(*millis));
        millis.filter(|millis| (1..=Self::MOST).contains(millis)).map(|millis| Self { millis }).ok_or_else(bad)
    }
}

impl From<Timeout> for String {
    fn from(timeout: Timeout) -> Self {
        timeout.to_string()
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = UNITS.iter().rev().find(|(_, unit)| self.millis.is_multiple_of(*unit));
        let (name, unit) = whole.unwrap_or(&UNITS[0]);
        write!(f, "{}{name}", self.millis / unit)
    }
}

impl JsonSchema for Timeout {
    fn schema_name() -> Cow<'static, str> {
        "Timeout".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]+ ?(ms|s|m)$",
            "examples": ["10s", "500ms", "2m"],
            "description": "A time: `10s`, `500ms` or `2m`.",
        })
    }
}

/// The environment of a program, beside `PATH`, `HOME` and the like.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// Names of variables that it gets from the host's environment. Secrets that stand there reach a
    /// program only when they are named here.
    #[serde(default)]
    pub pass: Vec<String>,
    /// Variables that are set for it.
    #[serde(default)]
    pub set: BTreeMap<String, Template>,
}

/// A run that a rule asks for, filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// The rule's id.
    pub rule: String,
    /// How grave the rule is.
    pub severity: Severity,
    /// The layer that brought it.
    pub layer: Layer,
    /// What is run.
    pub program: Program,
    /// The directory it runs in, where the rule says one.
    pub directory: Option<String>,
    /// Names of variables that it gets from the environment.
    pub pass: Vec<String>,
    /// Variables that are set for it.
    pub set: Vec<(String, String)>,
    /// How it is told of the event, and answers.
    pub speaks: Speaks,
    /// For what of the event it runs, in the words of the host that it speaks as.
    pub matcher: Option<String>,
    /// How long it may take.
    pub timeout: Timeout,
    /// What follows when it fails.
    pub on_failure: OnFailure,
    /// What becomes of what it prints when it succeeds.
    pub stdout: Stdout,
    /// Whether somebody waits for it.
    pub awaited: bool,
    /// Whether it runs beside its neighbours.
    pub parallel: bool,
}

/// What is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A program with its arguments.
    Direct(Vec<String>),
    /// A text for the shell.
    Shell(String),
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Direct(words) => f.write_str(&words.join(" ")),
            Self::Shell(text) => f.write_str(text),
        }
    }
}

impl Run {
    /// Returns the run filled in, for a rule of a layer at a moment.
    pub(super) fn planned(
        &self,
        rule: &Rule,
        layer: Layer,
        kind: Kind,
        vars: &mut Render<'_>,
    ) -> Result<Planned, RenderError> {
        let program = match &self.shell {
            Some(text) => Program::Shell(text.clone()),
            None => Program::Direct(self.command.iter().map(|word| word.render(vars)).collect::<Result<_, _>>()?),
        };
        let set = self.env.set.iter().map(|(name, value)| Ok((name.clone(), value.render(vars)?)));
        let set = set.collect::<Result<_, RenderError>>()?;
        Ok(Planned {
            rule: rule.id.clone(),
            severity: rule.severity,
            layer,
            program,
            directory: self.directory.as_ref().map(|directory| directory.render(vars)).transpose()?,
            pass: self.env.pass.clone(),
            set,
            speaks: self.speaks,
            matcher: self.matcher.clone(),
            timeout: self.timeout,
            on_failure: self.on_failure.unwrap_or_else(|| OnFailure::at(kind)),
            stdout: self.stdout,
            awaited: !self.r#async,
            parallel: self.parallel,
        })
    }

    /// Lists the texts in it that are filled in.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.command.iter().chain(self.env.set.values()).chain(&self.directory)
    }

    /// Returns what it runs, as it is written.
    pub fn written(&self) -> String {
        let words = || self.command.iter().map(Template::source).collect::<Vec<_>>().join(" ");
        self.shell.clone().unwrap_or_else(words)
    }

    /// Returns the effects that may come of it without a word of its own, and the key that says so.
    pub fn consequences(&self) -> impl Iterator<Item = (&'static str, EffectKind)> {
        let failure = self.on_failure.and_then(OnFailure::effect).map(|effect| ("on_failure", effect));
        failure.into_iter().chain(self.stdout.effect().map(|effect| ("stdout", effect)))
    }
}

/// Returns what a rule has run and the hook waits for.
pub fn awaited(rule: &Rule) -> Option<&Run> {
    rule.then.run.as_ref().filter(|run| !run.r#async && rule.mode == Mode::Enforce)
}

/// Returns how long the programs of rules may take that are waited for at a moment.
pub fn longest_wait<'r>(rules: impl Iterator<Item = &'r Rule>, kind: Kind) -> Duration {
    let runs = rules.filter(|rule| rule.when.contains(kind)).filter_map(awaited);
    let longest = |group: &Vec<&Run>| group.iter().map(|run| run.timeout).max().unwrap_or_default().duration();
    in_groups(runs, |run| run.parallel).iter().map(longest).sum()
}

/// Programs that run at the same time at most.
const MOST_AT_ONCE: usize = 8;

/// Returns what runs at the same time: neighbours that say so, and never too many.
pub fn in_groups<T>(runs: impl Iterator<Item = T>, parallel: impl Fn(&T) -> bool) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for run in runs {
        match groups.last_mut() {
            Some(group) if parallel(&run) && group.len() < MOST_AT_ONCE && group.iter().all(&parallel) => {
                group.push(run);
            }
            _ => groups.push(vec![run]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::{OnFailure, Timeout};
    use crate::domain::kind::Kind;

    #[test]
    fn times_are_read_as_they_are_written() {
        for (text, millis) in [("10s", 10_000), ("500ms", 500), ("2 m", 120_000), ("10m", 600_000), ("1ms", 1)] {
            let read = Timeout::try_from(text.to_owned()).unwrap();
            assert_eq!(read.millis, millis, "{text}");
            assert_eq!(Timeout::try_from(read.to_string()), Ok(read), "{read}");
        }
        for text in ["", "10", "s", "0s", "11m", "-1s", "1.5s", "1h", "99999999999s", "4294967295m"] {
            assert!(Timeout::try_from(text.to_owned()).is_err(), "{text}");
        }
    }

    #[test]
    fn what_fails_refuses_where_something_can_be_refused() {
        for (kind, expected) in [
            (Kind::ToolBefore, OnFailure::Deny),
            (Kind::ToolAfter, OnFailure::Deny),
            (Kind::Notification, OnFailure::Warn),
            (Kind::AgentAfter, OnFailure::Warn),
            (Kind::CwdChanged, OnFailure::Allow),
        ] {
            assert_eq!(OnFailure::at(kind), expected, "{kind}");
        }
    }
}
