//! Transcripts of sessions: where a host keeps them, and how the calls in them are read.

use serde_json::{Map, Value};

use super::{Host, PayloadFields};
use crate::domain::event::kind::Kind;
use crate::domain::event::tool::ToolKind;

/// The format of a host's transcripts.
#[derive(Debug)]
pub struct TranscriptFormat {
    /// The name of the host on the command line.
    pub name: &'static str,
    /// The display name of the host.
    pub title: &'static str,
    /// The host whose payloads the calls are read as.
    pub host: &'static Host,
    /// The directories that hold transcripts.
    pub directories: &'static [TranscriptDirectory],
    /// Returns whether a file is a transcript, by its path in such a directory, separated by `/`.
    pub is_transcript: fn(&str) -> bool,
    /// Returns whether a file is a transcript, by the text that it begins with.
    pub recognizes: fn(&str) -> bool,
    /// The key of the list of records in a transcript that is one JSON document (`.json`).
    pub list_key: &'static str,
    /// The name of a file beside or above a transcript that holds the path of the project.
    pub project_file: Option<&'static str>,
    /// Returns whether a line can be about a call, or about where calls happen; it must be cheap.
    pub is_relevant: fn(&str) -> bool,
    /// Returns a reader for one transcript.
    pub reader: fn() -> Box<dyn RecordReader>,
}

/// A directory of transcripts.
#[derive(Debug, Clone, Copy)]
pub struct TranscriptDirectory {
    /// The variable that names another directory than the home directory, and the path in that directory.
    pub moved: (&'static str, &'static [&'static str]),
    /// The path in the home directory.
    pub in_home: &'static [&'static str],
}

/// Reads one transcript, record by record.
pub trait RecordReader {
    /// Adds the calls in a record.
    fn read(&mut self, record: &Value, found: &mut Vec<TranscriptCall>);
}

/// A call of a tool in a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct TranscriptCall {
    /// The id of the call, which is the same wherever the call was copied to.
    pub id: String,
    /// The id of the session.
    pub session: String,
    /// When it was: RFC 3339.
    pub time: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// What the tool is for.
    pub kind: ToolKind,
    /// The payload that the host sends before the call, without the working directory.
    pub payload: PayloadFields,
}

impl TranscriptCall {
    /// Returns a call of a tool by the host's name for it.
    pub(in crate::adapters) fn new(host: &Host, context: &CallContext, tool: &str, input: Map<String, Value>) -> Self {
        let mut payload = PayloadFields::new();
        let mut put = |key: &str, value: Value| payload.insert(key.to_owned(), value);
        put("session_id", context.session.as_str().into());
        put("transcript_path", "".into());
        put("hook_event_name", host.event_rows(Kind::ToolBefore).next().map_or("", |row| row.wire).into());
        if let Some(agent) = &context.agent {
            put("agent_id", agent.as_str().into());
        }
        put("tool_name", tool.into());
        put("tool_input", Value::Object(input));
        let kind = match host.tool(tool) {
            Some(row) => row.kind,
            None if (host.parse_server_tool)(tool, &payload).is_some() => ToolKind::Mcp,
            None => ToolKind::Other,
        };
        let CallContext { id, session, time, cwd, .. } = context.clone();
        Self { id, session, time, cwd, kind, payload }
    }
}

/// What is known of a call besides the tool and its arguments.
#[derive(Debug, Clone, Default)]
pub(in crate::adapters) struct CallContext {
    pub id: String,
    pub session: String,
    pub time: Option<String>,
    pub cwd: Option<String>,
    /// The id of the sub-agent that calls.
    pub agent: Option<String>,
}

/// Returns a text of an object.
pub(in crate::adapters) fn text_field(record: &Value, key: &str) -> Option<String> {
    record.get(key).and_then(Value::as_str).map(ToOwned::to_owned)
}
