//! How events are encoded for hooks that were written for a host, and how their answers are decoded.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value};

use super::{EventRow, Host, PayloadFields, ToolAction};
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::severity::Severity;
use crate::domain::text::path::PathContext;
use crate::domain::time::Time;
use crate::domain::verdict::Verdict;

/// The protocol of a host's hooks.
#[derive(Debug)]
pub struct Dialect {
    /// The environment variables that the host sets for hooks, and their values.
    pub env: &'static [(&'static str, EnvValue)],
    /// Whether its file tools use absolute paths.
    pub uses_absolute_paths: bool,
    /// Whether the reason of a refused result replaces the result.
    pub denial_replaces_result: bool,
    /// The host's words for subjects of events that differ between hosts.
    pub subjects: &'static [(Kind, SubjectMeaning, &'static str)],
    /// Adds the host's additional fields to the payload of an event of another host.
    pub(in crate::adapters) add_fields: fn(&EventRow, &Event<'_>, &EncodeContext<'_>, &mut PayloadFields),
    /// Returns the text of a result that the model reads.
    pub(in crate::adapters) result_text: fn(Option<ToolAction>, &Value) -> String,
    /// Returns a result in the shape of the host's tool with this action.
    pub(in crate::adapters) encode_result: fn(&EventRow, &EncodedResult<'_>) -> Value,
    /// Returns the key and the value with which the host names a tool's server, if it does so in a field.
    pub(in crate::adapters) encode_server: fn(&str, &str) -> Option<(&'static str, Value)>,
    /// Returns whether a matcher of the host's settings covers an event with this matcher subject.
    pub(in crate::adapters) matches: fn(&EventRow, &str, &str) -> Result<bool, InvalidMatcher>,
    /// Decodes a hook's output as an answer.
    pub(in crate::adapters) decode: fn(&mut AnswerDecoder<'_>) -> Result<(), InvalidAnswer>,
}

/// The value of an environment variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvValue {
    /// The root of the project.
    Project,
    /// The working directory of the host.
    WorkingDir,
    /// The id of the session.
    Session,
    /// A fixed value.
    Fixed(&'static str),
}

/// A subject that hosts name differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectMeaning {
    /// A session that ended in the usual way.
    SessionEnded,
    /// The user is asked for permission.
    PermissionPrompt,
}

/// A result of a call, to be encoded in a host's shape.
#[derive(Debug, Clone, Copy)]
pub struct EncodedResult<'a> {
    /// The tool's action, if known.
    pub action: Option<ToolAction>,
    /// The arguments of the call, encoded for the host that the result is for.
    pub input: &'a Map<String, Value>,
    /// The text that the model reads.
    pub text: &'a str,
    /// Whether the call failed.
    pub failed: bool,
    /// Whether the tool belongs to a tool server.
    pub is_mcp: bool,
}

/// The context that an event is encoded in.
#[derive(Debug, Clone, Copy)]
pub struct EncodeContext<'a> {
    /// The original payload, if there is one: hooks of the host in use receive it unchanged.
    pub raw: Option<&'a [u8]>,
    /// The base of relative paths, and the project.
    pub place: &'a PathContext,
    /// The time of the event.
    pub now: Time,
}

/// The output of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookOutput<'a> {
    /// Its standard output.
    pub stdout: &'a str,
    /// Its standard error.
    pub stderr: &'a str,
    /// Its exit code; `None` when it was killed by a signal.
    pub exit_code: Option<i32>,
}

/// The rule that a hook's output is attributed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribution<'a> {
    /// The rule's id.
    pub rule: &'a str,
    /// The severity of its notes.
    pub severity: Severity,
}

/// Why a hook's output is not an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidAnswer {
    /// It ended with an exit code that the contract defines as an error of the hook.
    Exit(i32),
    /// A signal ended it.
    Signal,
    /// It started an answer that cannot be decoded.
    Malformed(String),
    /// It asks for something that is not supported here.
    Unsupported(String),
}

impl fmt::Display for InvalidAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "it exited with code {code}"),
            Self::Signal => f.write_str("it was killed by a signal"),
            Self::Malformed(what) => write!(f, "its answer is invalid: {what}"),
            Self::Unsupported(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for InvalidAnswer {}

/// An answer that is being decoded.
#[derive(Debug)]
pub struct AnswerDecoder<'a> {
    pub(in crate::adapters) host: &'static Host,
    pub(in crate::adapters) dialect: &'static Host,
    pub(in crate::adapters) row: &'static EventRow,
    pub(in crate::adapters) event: &'a Event<'a>,
    pub(in crate::adapters) output: HookOutput<'a>,
    pub(in crate::adapters) verdict: Verdict,
    pub(in crate::adapters) unused: BTreeSet<String>,
    pub(in crate::adapters) attribution: Attribution<'a>,
    pub(in crate::adapters) context: EncodeContext<'a>,
}

/// A matcher whose regular expression cannot be parsed. Hosts use JavaScript's, which have a few more features.
#[derive(Debug, Clone, PartialEq)]
pub struct InvalidMatcher {
    /// The matcher.
    pub matcher: String,
    source: regex::Error,
}

impl InvalidMatcher {
    pub(in crate::adapters) fn new(matcher: &str, source: regex::Error) -> Self {
        Self { matcher: matcher.to_owned(), source }
    }
}

impl fmt::Display for InvalidMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the matcher `{}` is an unsupported regular expression", self.matcher)
    }
}

impl std::error::Error for InvalidMatcher {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
