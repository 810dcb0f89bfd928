//! Encodes an event of another host as Claude Code would send it to a hook.
//!
//! Source: the input types of the SDK 0.3.329, and payloads of 2.1.329.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value, json};

use super::{decode, matcher};
use crate::adapters::contract::{
    Dialect, EncodeContext, EncodedResult, EnvValue, EventRow, PayloadFields, PayloadShape, SubjectMeaning, ToolAction,
};
use crate::adapters::dialect::joined_texts;
use crate::adapters::payload::json::str_field;
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;

pub(super) const DIALECT: Dialect = Dialect {
    env: &[
        ("CLAUDE_PROJECT_DIR", EnvValue::Project),
        ("CLAUDE_CODE_SESSION_ID", EnvValue::Session),
        ("CLAUDECODE", EnvValue::Fixed("1")),
    ],
    uses_absolute_paths: true,
    denial_replaces_result: false,
    subjects: &[
        (Kind::SessionEnd, SubjectMeaning::SessionEnded, "other"),
        (Kind::Notification, SubjectMeaning::PermissionPrompt, "permission_prompt"),
    ],
    add_fields,
    result_text,
    encode_result,
    encode_server: |server, _| Some(("mcp_server", json!({ "name": server }))),
    matches: matcher::matches,
    decode,
};

pub(in crate::adapters) fn add_fields(
    row: &EventRow,
    event: &Event<'_>,
    _: &EncodeContext<'_>,
    payload: &mut PayloadFields,
) {
    let mut put = |key: &str, value: Value| payload.insert(key.to_owned(), value);
    match row.payload {
        PayloadShape::Call | PayloadShape::Result { .. } => {
            if let Some(call) = event.call() {
                put("tool_use_id", json!(call.id.map_or_else(|| call_id(event), ToOwned::to_owned)));
            }
            put("permission_mode", json!(event.session.permission_mode.unwrap_or("default")));
        }
        PayloadShape::Prompt | PayloadShape::Answer(_) => {
            put("permission_mode", json!(event.session.permission_mode.unwrap_or("default")));
        }
        PayloadShape::Batch | PayloadShape::Model(_) | PayloadShape::Notice(..) => {}
    }
    match row.kind {
        Kind::ToolFailed => drop(put("is_interrupt", json!(false))),
        // The agent's prompt is not sent with its answer.
        Kind::AgentAfter | Kind::SubagentAfter => drop(payload.remove("prompt")),
        _ => {}
    }
}

/// Returns an id for a call on a host that gives none: the same before and after the call.
fn call_id(event: &Event<'_>) -> String {
    let mut hasher = DefaultHasher::new();
    event.session.id.hash(&mut hasher);
    if let Some(call) = event.call() {
        call.name.hash(&mut hasher);
        Value::Object(call.input.clone()).to_string().hash(&mut hasher);
    }
    format!("toolu_{:016x}", hasher.finish())
}

/// Returns the text of a result that the model reads.
pub(super) fn result_text(_: Option<ToolAction>, result: &Value) -> String {
    let text = |pointer: &str| result.pointer(pointer).and_then(Value::as_str);
    if let Some(stdout) = text("/stdout") {
        let stderr = text("/stderr").unwrap_or_default();
        let apart = if stdout.is_empty() || stderr.is_empty() { "" } else { "\n" };
        return format!("{stdout}{apart}{stderr}");
    }
    if let Some(content) = text("/file/content").or_else(|| text("/result")) {
        return content.to_owned();
    }
    let content = result.get("content").or_else(|| result.get("filenames"));
    joined_texts(content.unwrap_or(result))
}

fn encode_result(row: &EventRow, returned: &EncodedResult<'_>) -> Value {
    let EncodedResult { action, input, text, failed: _, is_mcp: server } = *returned;
    let given = |key: &str| str_field(input, key).unwrap_or_default();
    if row.kind == Kind::ToolFailed {
        return json!(text);
    }
    let lines = text.lines().count();
    match action {
        _ if server => json!([{ "type": "text", "text": text }]),
        Some(ToolAction::RunShell) => {
            json!({ "stdout": text, "stderr": "", "interrupted": false, "isImage": false })
        }
        Some(ToolAction::ReadFile) => {
            let first = input.get("offset").and_then(Value::as_u64).unwrap_or(1);
            let file = json!({ "filePath": given("file_path"), "content": text, "numLines": lines,
                "startLine": first, "totalLines": lines });
            json!({ "type": "text", "file": file })
        }
        Some(ToolAction::WriteFile) => json!({ "type": "update", "filePath": given("file_path"),
            "content": given("content"), "structuredPatch": [], "originalFile": null, "userModified": false }),
        Some(ToolAction::EditFile) => {
            let all = input.get("replace_all") == Some(&json!(true));
            json!({ "filePath": given("file_path"), "oldString": given("old_string"),
                "newString": given("new_string"), "originalFile": null, "structuredPatch": [],
                "userModified": false, "replaceAll": all })
        }
        Some(ToolAction::FindFiles | ToolAction::SearchText) => {
            json!({ "mode": "content", "filenames": [], "numFiles": 0, "content": text, "numLines": lines })
        }
        Some(ToolAction::FetchUrl) => json!({ "bytes": text.len(), "code": 200, "codeText": "OK", "result": text,
            "durationMs": 0, "url": given("url") }),
        _ => Value::Object(Map::from_iter([("content".to_owned(), json!([{ "type": "text", "text": text }]))])),
    }
}
