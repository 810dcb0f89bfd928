//! The definition of a host: the tables of its events and tools, and its encoding functions.
//!
//! Each host's folder defines one [`Host`]; everything else in `adapters` uses these types and knows no
//! host by name.

mod dialect;
mod event;
mod model;
mod registration;
mod response;
pub(super) mod table;
mod tool;
mod transcript;

use serde_json::{Map, Value};

use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::policy::host_name::HostName;
use crate::domain::state::TokensUsed;
use crate::domain::text::version::Version;
use crate::domain::verdict::Verdict;

pub(super) use dialect::InvalidMatcher;
pub use dialect::{
    AnswerDecoder, Attribution, Dialect, EncodeContext, EncodedResult, EnvValue, HookOutput, InvalidAnswer,
    SubjectMeaning,
};
pub use event::{AnswerForm, EventRow, PayloadShape, Support};
pub use model::ModelFormat;
pub use registration::{
    BaseDirectory, Bundle, BundleVariable, Coexistence, ConfigLocation, FailClosed, HookCommand, HookImport, Plugin,
    Registration, RegistrationIssue, SettingsFile, SettingsScope, TimeoutUnit,
};
pub use response::Response;
pub use tool::{Arg, ArgRole, ToolAction, ToolRow};
pub(super) use transcript::{CallContext, text_field};
pub use transcript::{RecordReader, TranscriptCall, TranscriptDirectory, TranscriptFormat};

/// The fields of a payload.
pub type PayloadFields = Map<String, Value>;

/// A coding agent whose hook ruleward can be.
#[derive(Debug)]
pub struct Host {
    /// Its name on the command line and in policies.
    pub name: &'static str,
    /// Its display name.
    pub title: &'static str,
    /// The version whose contract the tables describe.
    pub version: &'static str,
    /// The host whose hooks its own are modeled on, if any: where the names of events do not tell, that one is meant.
    pub modeled_on: Option<&'static Self>,
    /// The events it reports.
    pub events: &'static [EventRow],
    /// The tools it has.
    pub tools: &'static [ToolRow],
    /// The environment variables that hold the project's directory.
    pub project_vars: &'static [&'static str],
    /// Where a hook finds its version.
    pub version_variable: Option<VersionVariable>,
    /// How a hook is registered with it.
    pub registration: &'static Registration,
    /// Whether it reads standard error as the answer when standard output is empty.
    pub reads_stderr: bool,
    /// Encodes a verdict that the row supports.
    pub(super) render: fn(&EventRow, &Event<'_>, &Verdict) -> Response,
    /// Refuses an unknown event.
    pub(super) refuse_unknown_event: fn(&str) -> Response,
    /// Returns the tool server and the server's name for the tool, if the tool belongs to one.
    pub(super) parse_server_tool: fn(&str, &PayloadFields) -> Option<(String, String)>,
    /// Returns the host's name for a tool of a tool server.
    pub(super) server_tool_name: fn(&str, &str) -> String,
    /// The transcripts that report token counts; `None` if the events report them.
    pub transcripts: Option<Transcripts>,
    /// How the model's answers are streamed.
    pub streaming: Streaming,
    /// Wraps a text as a tool's result, as far as the format is documented.
    pub(super) tool_result: fn(&str) -> Value,
    /// The protocol of hooks that were written for it.
    pub dialect: Dialect,
}

impl Host {
    /// Returns whether a policy's programs can be run as hooks of this host.
    pub const fn is_protocol(&self) -> bool {
        self.registration.hook_import.is_some()
    }

    /// Returns whether it starts programs as hooks. If it does not, none are written in its dialect.
    pub const fn has_command_hooks(&self) -> bool {
        self.registration.plugin.is_none()
    }

    /// Returns its name in policies.
    pub const fn policy_name(&self) -> HostName {
        HostName { name: self.name, title: self.title, is_protocol: self.is_protocol() }
    }

    /// Returns the row of an event, by the host's name for it.
    pub fn event_row(&self, wire: &str) -> Option<&'static EventRow> {
        self.events.iter().find(|row| row.wire == wire)
    }

    /// Returns the rows of a neutral kind of event.
    pub fn event_rows(&self, kind: Kind) -> impl Iterator<Item = &'static EventRow> {
        self.events.iter().filter(move |row| row.kind == kind)
    }

    /// Returns the row of a tool, by the host's name for it.
    pub fn tool(&self, wire: &str) -> Option<&'static ToolRow> {
        self.tools.iter().find(|tool| tool.wire == wire)
    }
}

/// How a host streams the model's answers.
#[derive(Debug, Clone, Copy)]
pub struct Streaming {
    /// Returns the chunk that a payload holds; `None` when it holds none.
    pub chunk: fn(&PayloadFields) -> Option<Chunk>,
    /// Returns the payload with another text of the chunk.
    pub with_text: fn(&PayloadFields, &str) -> PayloadFields,
    /// Returns the request to the model without fields that differ between equal requests; `None` where
    /// it cannot be known whether an answer is complete.
    pub canonical_request: fn(&PayloadFields) -> Option<String>,
}

/// A chunk of a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// An id that the chunks of this answer share, and those of no other.
    pub stream_id: String,
    /// Its text.
    pub text: String,
    /// Whether it is known to be the first.
    pub is_first: bool,
    /// Whether it is the last.
    pub is_last: bool,
}

/// The transcripts that a host writes of a session.
#[derive(Debug, Clone, Copy)]
pub struct Transcripts {
    /// The payload keys that hold paths of transcripts.
    pub path_keys: &'static [&'static str],
    /// Returns the tokens that a line of a transcript reports.
    pub tokens_used: fn(&str) -> Option<TokensUsed>,
}

/// An environment variable that contains a host's version.
#[derive(Debug)]
pub struct VersionVariable {
    /// The variable.
    pub variable: &'static str,
    /// The text before the version; its numbers are separated by dashes or dots.
    pub prefix: &'static str,
}

impl VersionVariable {
    /// Returns the version in a value of the variable.
    pub fn version(&self, value: &str) -> Option<Version> {
        Version::in_text(&value.strip_prefix(self.prefix)?.replace('-', "."))
    }
}
