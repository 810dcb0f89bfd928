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

/// A program that a rule runs. A list is its `command`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "command"), example = example()))]
pub struct Run {
    /// The program and its arguments as a list, without a shell: an expanded value stays a single
    /// argument. A name is looked up in `PATH`; a path is relative to the working directory or the
    /// home directory (`~/…`).
    #[serde(default)]
    pub command: Vec<Template>,
    /// A shell script instead of `command`: `sh`, on Windows PowerShell. Templates are not expanded
    /// here. Set variables under `env` and quote them: `"$FILE"`.
    #[serde(default)]
    pub shell: Option<String>,
    /// The protocol of its input and output.
    #[serde(default)]
    pub speaks: RunProtocol,
    /// The matcher, as in the settings of the host that it speaks as: a tool name (`Bash`,
    /// `Write|Edit`, `mcp__.*`), or another value that the host's matchers use.
    #[serde(default)]
    pub matcher: Option<String>,
    /// Its timeout, such as `10s`, `500ms` or `2m`; then it and all its child processes are killed.
    #[serde(default)]
    pub timeout: Timeout,
    /// What happens if it fails: it can't be started, times out, is killed by a signal, gives an
    /// invalid answer, or (with `exit-code`) exits with a code other than 0. The default is `deny`,
    /// and `warn` at moments that can't be denied.
    #[serde(default)]
    pub on_failure: Option<OnFailure>,
    /// How to use its output if it succeeds, with `speaks: exit-code`.
    #[serde(default)]
    pub stdout: StdoutUse,
    /// Start it without waiting. Its output and exit code are ignored.
    #[serde(default)]
    pub r#async: bool,
    /// Run it at the same time as adjacent programs with this key; otherwise programs run one after
    /// another, in the order of the policy.
    #[serde(default)]
    pub parallel: bool,
    /// Additional environment variables.
    #[serde(default)]
    pub env: RunEnvironment,
    /// Its working directory (default: the project's root).
    #[serde(default)]
    pub directory: Option<Template>,
}

#[cfg(test)]
fn example() -> serde_json::Value {
    serde_json::json!({ "command": ["rustfmt", "{{ file.path }}"], "timeout": "10s", "on_failure": "context" })
}

/// The protocol of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(from = "String", into = "String")]
pub enum RunProtocol {
    /// The neutral event as input; the exit code shows whether the program succeeded.
    #[default]
    ExitCode,
    /// The neutral event as input; effects as output, with the names they have in a policy.
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
            "description": "The protocol of a program.",
            "x-hosts": true,
            "oneOf": [
                {
                    "type": "string",
                    "const": exit_code,
                    "description": "The neutral event as input; the exit code shows whether the program succeeded."
                },
                {
                    "type": "string",
                    "const": native,
                    "description": "The neutral event as input; effects as output, with the names they have in a policy."
                }
            ]
        })
    }
}

/// What happens if a program fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// The call is denied; the program's standard error is the reason.
    Deny,
    /// The user is asked.
    Ask,
    /// The agent is sent back with the program's output.
    Retry,
    /// The agent receives the program's output.
    Context,
    /// The user is told.
    Warn,
    /// Nothing; the failure is only recorded.
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

/// How to use the output of a successful program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StdoutUse {
    /// Nothing.
    #[default]
    None,
    /// The agent is told.
    Context,
    /// The user is told.
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

/// The environment of a program, in addition to `PATH`, `HOME` and similar variables.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunEnvironment {
    /// Variables to pass on from the host's environment. Programs don't receive secrets unless you
    /// list them here.
    #[serde(default)]
    pub pass: Vec<String>,
    /// Variables to set.
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
