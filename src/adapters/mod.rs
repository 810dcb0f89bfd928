//! The hosts: one coding agent each, with the encoding and decoding of its hooks.
//!
//! Most of a host is tables: which events it reports, where their fields are, which tools it has, and
//! how it supports each effect (`contract`). The reader (`payload`), the degradation of unsupported
//! effects (`answer`), hooks of other hosts (`dialect`), `lint` and the documents all use the same
//! rows; only the encoding of an answer is code. A host is known by name only in its own folder and in
//! [`HOSTS`]. Nothing here touches the machine.

mod answer;
mod claude;
mod codex;
mod contract;
pub mod dialect;
mod gemini;
pub mod judge;
mod llxprt;
mod opencode;
mod payload;
pub mod registration;

use crate::domain::policy::host_name::HostName;

pub use answer::{Degradation, HostMode, RenderedVerdict, capability, rewritten_payload};
pub use contract::{
    AnswerForm, Arg, ArgRole, Chunk, EventRow, Host, ModelFormat, PayloadFields, PayloadShape, RecordReader, Response,
    Streaming, Support, ToolAction, ToolRow, TranscriptCall, TranscriptDirectory, TranscriptFormat, Transcripts,
    VersionVariable,
};
pub use dialect::native;
pub use payload::{NeutralEvent, PayloadError, compose_payload, parse_payload, read_event, sniff_event};

/// Every host. The command line, the documents and the tests iterate over this list.
pub const HOSTS: &[&Host] = &[&gemini::HOST, &claude::HOST, &llxprt::HOST, &codex::HOST, &opencode::HOST];

/// Every format of transcripts. `replay` reads sessions of these hosts.
pub const TRANSCRIPT_FORMATS: &[&TranscriptFormat] =
    &[&claude::TRANSCRIPT_FORMAT, &codex::TRANSCRIPT_FORMAT, &gemini::TRANSCRIPT_FORMAT];

/// Payload fields that identify an event and do not describe what happens.
pub const IDENTITY_FIELDS: &[&str] = &[
    "session_id",
    "transcript_path",
    "agent_transcript_path",
    "timestamp",
    "prompt_id",
    "turn_id",
    "tool_use_id",
    "duration_ms",
];

impl Host {
    /// Returns the host of a name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        HOSTS.iter().find(|host| host.name == name).copied()
    }
}

/// Returns the names of the hosts in policies.
pub fn host_names() -> Vec<HostName> {
    HOSTS.iter().map(|host| host.policy_name()).collect()
}

/// Lists the hosts that have an event of this name, for a hook whose host is not known. Each of them
/// understands the first one's refusal.
pub fn hosts_with_event(wire: &str) -> impl Iterator<Item = &'static Host> {
    HOSTS.iter().copied().filter(move |host| host.event_row(wire).is_some())
}

/// Returns the host that is meant by several that fit: the only one that is not modeled on another of them.
pub fn original_host(hosts: &[&'static Host]) -> Option<&'static Host> {
    let is_copy =
        |host: &Host| host.modeled_on.is_some_and(|original| hosts.iter().any(|other| other.name == original.name));
    let mut originals = hosts.iter().copied().filter(|host| !is_copy(host));
    originals.next().filter(|_| originals.next().is_none())
}
