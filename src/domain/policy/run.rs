//! Programs that a rule runs: the command, its protocol, and the use of its answer.
//!
//! Nothing is run here. A rule that holds plans its run; an adapter carries it out, and its answer comes back as a
//! verdict of its own.

#[cfg(test)]
use std::borrow::Cow;
use std::collections::BTreeMap;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::rule::Rule;
use crate::domain::effect::EffectKind;
use crate::domain::event::kind::Kind;
use crate::domain::severity::Mode;
use crate::domain::text::duration::Timeout;
use crate::domain::text::template::Template;

/// A program that a rule has run. A list alone is its `command`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "command"), example = example()))]
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
    pub speaks: RunProtocol,
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
    pub stdout: StdoutUse,
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
    pub env: RunEnvironment,
    /// The directory it runs in; when not given, the project's root.
    #[serde(default)]
    pub directory: Option<Template>,
}

#[cfg(test)]
fn example() -> serde_json::Value {
    serde_json::json!({ "command": ["rustfmt", "{{ file.path }}"], "timeout": "10s", "on_failure": "context" })
}

/// How a program is told of the event, and answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(from = "String", into = "String")]
pub enum RunProtocol {
    /// The event in neutral words; its exit code says whether it succeeded, and nothing else counts.
    #[default]
    ExitCode,
    /// The event in neutral words, and effects under the names they have in a policy.
    Native,
    /// As a hook of the host of this name, whatever the host is.
    Host(String),
}

impl RunProtocol {
    /// The names in a policy of protocols that belong to no host.
    pub const NEUTRAL_NAMES: [&'static str; 2] = ["exit-code", "native"];

    /// Returns its name in a policy.
    pub fn name(&self) -> &str {
        let [exit_code, native] = Self::NEUTRAL_NAMES;
        match self {
            Self::ExitCode => exit_code,
            Self::Native => native,
            Self::Host(name) => name,
        }
    }
}

impl From<String> for RunProtocol {
    fn from(name: String) -> Self {
        [Self::ExitCode, Self::Native].into_iter().find(|known| known.name() == name).unwrap_or(Self::Host(name))
    }
}

impl From<RunProtocol> for String {
    fn from(protocol: RunProtocol) -> Self {
        protocol.name().to_owned()
    }
}

/// The names of hosts are added where the schema is published: see `x-hosts` in `io/policy/schema.rs`.
#[cfg(test)]
impl JsonSchema for RunProtocol {
    fn schema_name() -> Cow<'static, str> {
        "RunProtocol".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let [exit_code, native] = Self::NEUTRAL_NAMES;
        json_schema!({
            "description": "How a program is told of the event, and answers.",
            "x-hosts": true,
            "oneOf": [
                {
                    "type": "string",
                    "const": exit_code,
                    "description": "The event in neutral words; its exit code says whether it succeeded, and nothing else counts."
                },
                {
                    "type": "string",
                    "const": native,
                    "description": "The event in neutral words, and effects under the names they have in a policy."
                }
            ]
        })
    }
}

/// What follows when a program fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
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
    /// Returns the default: the action is refused if it can be, or else the user is told, if that is possible.
    pub fn default_for(kind: Kind) -> Self {
        let carries = |effect| kind.spec().is_some_and(|moment| moment.effects.contains(effect));
        if carries(EffectKind::Deny) {
            Self::Deny
        } else if carries(EffectKind::Warn) {
            Self::Warn
        } else {
            Self::Allow
        }
    }

    /// Returns the corresponding effect, if there is one.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StdoutUse {
    /// Nothing.
    #[default]
    None,
    /// The agent is told.
    Context,
    /// The person is told.
    Warn,
}

impl StdoutUse {
    /// Returns the corresponding effect, if there is one.
    pub const fn effect(self) -> Option<EffectKind> {
        match self {
            Self::None => None,
            Self::Context => Some(EffectKind::Context),
            Self::Warn => Some(EffectKind::Warn),
        }
    }
}

/// The environment of a program, beside `PATH`, `HOME` and the like.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunEnvironment {
    /// Names of variables that it gets from the host's environment. Secrets that stand there reach a
    /// program only when they are named here.
    #[serde(default)]
    pub pass: Vec<String>,
    /// Variables that are set for it.
    #[serde(default)]
    pub set: BTreeMap<String, Template>,
}

impl Run {
    /// Lists the templates in it.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.command.iter().chain(self.env.set.values()).chain(&self.directory)
    }

    /// Returns the command as written.
    pub fn source_text(&self) -> String {
        let words = || self.command.iter().map(Template::source).collect::<Vec<_>>().join(" ");
        self.shell.clone().unwrap_or_else(words)
    }

    /// Returns the effects that may follow without an answer of its own, with the key that sets each.
    pub fn possible_effects(&self) -> impl Iterator<Item = (&'static str, EffectKind)> {
        let failure = self.on_failure.and_then(OnFailure::effect).map(|effect| ("on_failure", effect));
        failure.into_iter().chain(self.stdout.effect().map(|effect| ("stdout", effect)))
    }
}

/// Returns the program of a rule that the hook waits for.
pub fn blocking_run(rule: &Rule) -> Option<&Run> {
    rule.then.run.as_ref().filter(|run| !run.r#async && rule.mode == Mode::Enforce)
}

#[cfg(test)]
mod tests {
    use super::OnFailure;
    use crate::domain::event::kind::Kind;
    use crate::domain::text::duration::Timeout;

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
            assert_eq!(OnFailure::default_for(kind), expected, "{kind}");
        }
    }
}
