//! Reads token counts and calls of tools from Claude Code's transcripts.
//!
//! A transcript is JSON Lines, in `projects/<project>/<session>.jsonl`; sub-agents have files below that directory or,
//! in older versions, lines with `isSidechain` in the file of the session. Each line names its session, time and
//! directory. A line of `"type": "assistant"` holds a part of an answer, with the answer's `message.id`, its
//! `message.usage` so far, and calls as blocks of `"type": "tool_use"`; `input_tokens` does not include tokens read
//! from the cache or written to it. A line of `"type": "progress"` repeats a line of a sub-agent in `data.message`. A
//! session that is resumed or forked begins with copies of earlier lines, in which a call keeps its id.

use serde_json::Value;

use super::HOST;
use crate::adapters::contract::{
    CallContext, RecordReader, TranscriptCall, TranscriptDirectory, TranscriptFormat, text_field,
};
use crate::domain::state::{Tokens, TokensUsed};

pub(in crate::adapters) const TRANSCRIPT_FORMAT: TranscriptFormat = TranscriptFormat {
    name: HOST.name,
    title: HOST.title,
    host: &HOST,
    directories: &[TranscriptDirectory {
        moved: ("CLAUDE_CONFIG_DIR", &["projects"]),
        in_home: &[".claude", "projects"],
    }],
    is_transcript: |path| path.rsplit_once('.').is_some_and(|(_, end)| end == "jsonl"),
    recognizes: |text| {
        let has = |word: &str| text.contains(word);
        has("\"sessionId\"") && has("\"uuid\"") || has("\"file-history-snapshot\"") || has("\"leafUuid\"")
    },
    list_key: "",
    project_file: None,
    is_relevant: |line| line.contains("\"tool_use\""),
    reader: || Box::new(Reader),
};

/// Each record tells everything about its calls.
struct Reader;

impl RecordReader for Reader {
    fn read(&mut self, record: &Value, found: &mut Vec<TranscriptCall>) {
        let message = match record.get("type").and_then(Value::as_str) {
            Some("assistant") => record.get("message"),
            Some("progress") => record.pointer("/data/message/message"),
            _ => None,
        };
        let blocks = message.and_then(|message| message.get("content")?.as_array()).into_iter().flatten();
        for block in blocks.filter(|block| block.get("type").and_then(Value::as_str) == Some("tool_use")) {
            let (Some(id), Some(tool), Some(Value::Object(input))) =
                (text_field(block, "id"), text_field(block, "name"), block.get("input"))
            else {
                continue;
            };
            let context = CallContext {
                id,
                session: text_field(record, "sessionId").unwrap_or_default(),
                time: text_field(record, "timestamp"),
                cwd: text_field(record, "cwd"),
                agent: text_field(record, "agentId")
                    .or_else(|| record.pointer("/data/agentId")?.as_str().map(Into::into)),
            };
            found.push(TranscriptCall::new(&HOST, &context, &tool, input.clone()));
        }
    }
}

/// Returns the tokens that a line reports; `None` for most lines.
pub(super) fn tokens_used(line: &str) -> Option<TokensUsed> {
    // Most lines of a transcript are about something else, and some of them are large.
    if !line.contains("\"usage\"") {
        return None;
    }
    let line: Value = serde_json::from_str(line).ok()?;
    if line.get("type").and_then(Value::as_str) != Some("assistant") {
        return None;
    }
    let message = line.get("message")?;
    let usage = message.get("usage")?;
    let number = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or_default();
    let cached = number("cache_read_input_tokens");
    let input = number("input_tokens").saturating_add(number("cache_creation_input_tokens")).saturating_add(cached);
    let tokens = Tokens { input, output: number("output_tokens"), cached };
    Some(TokensUsed { answer: message.get("id").and_then(Value::as_str).unwrap_or_default().to_owned(), tokens })
}

#[cfg(test)]
mod tests {
    use super::tokens_used;
    use crate::domain::state::Tokens;

    #[test]
    fn only_answers_are_counted() {
        let line = r#"{"type":"assistant","message":{"id":"msg_1","usage":{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":100,"output_tokens":7}}}"#;
        let found = tokens_used(line).unwrap();
        assert_eq!((found.answer.as_str(), found.tokens), ("msg_1", Tokens { input: 113, output: 7, cached: 100 }));
        for line in ["", "{", r#"{"type":"user","message":{"usage":{}}}"#, r#"{"usage":1}"#] {
            assert_eq!(tokens_used(line), None, "{line}");
        }
    }
}
