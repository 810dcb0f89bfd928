//! Reads calls of tools from Gemini CLI's transcripts.
//!
//! They are in `tmp/<project>/chats/`, those of sub-agents in directories below it. `<project>` is a short name or a
//! hash; the file `.project_root` in that directory holds the project's path. Until 0.3x a transcript was one JSON
//! document, `{"sessionId": …, "messages": […]}`; since then it is JSON Lines: a line with the `sessionId`, a line for
//! each message, and lines of changes (`$set`, `$rewindTo`). A message of the model has `toolCalls` with the id, the
//! name and the `args` of each call; its line is written again when the calls have run.

use serde_json::Value;

use super::HOST;
use crate::adapters::contract::{
    CallContext, RecordReader, TranscriptCall, TranscriptDirectory, TranscriptFormat, text_field,
};

pub(in crate::adapters) const TRANSCRIPT_FORMAT: TranscriptFormat = TranscriptFormat {
    name: HOST.name,
    title: HOST.title,
    host: &HOST,
    directories: &[TranscriptDirectory {
        moved: ("GEMINI_CLI_HOME", &[".gemini", "tmp"]),
        in_home: &[".gemini", "tmp"],
    }],
    is_transcript: |path| {
        path.split('/').any(|part| part == "chats")
            && path.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "json" | "jsonl"))
    },
    recognizes: |text| text.contains("\"sessionId\"") && text.contains("\"projectHash\""),
    list_key: "messages",
    project_file: Some(".project_root"),
    is_relevant: |line| line.contains("\"toolCalls\"") || line.contains("\"sessionId\""),
    reader: || Box::new(Reader::default()),
};

/// Remembers the session of a transcript.
#[derive(Default)]
struct Reader {
    session: String,
}

impl RecordReader for Reader {
    fn read(&mut self, record: &Value, found: &mut Vec<TranscriptCall>) {
        if let Some(session) = text_field(record, "sessionId") {
            self.session = session;
        }
        // A change may hold the whole list of messages again.
        let changed = record.pointer("/$set/messages").and_then(Value::as_array).into_iter().flatten();
        for message in changed.chain([record]) {
            let calls = message.get("toolCalls").and_then(Value::as_array).into_iter().flatten();
            found.extend(calls.filter_map(|call| self.call(message, call)));
        }
    }
}

impl Reader {
    fn call(&self, message: &Value, call: &Value) -> Option<TranscriptCall> {
        let Value::Object(input) = call.get("args")? else { return None };
        let context = CallContext {
            id: text_field(call, "id")?,
            session: self.session.clone(),
            time: text_field(call, "timestamp").or_else(|| text_field(message, "timestamp")),
            ..CallContext::default()
        };
        Some(TranscriptCall::new(&HOST, &context, &text_field(call, "name")?, input.clone()))
    }
}
