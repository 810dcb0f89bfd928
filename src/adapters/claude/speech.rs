//! What Claude Code tells a hook of an event that another host reports.
//!
//! Source: the input types of the SDK 0.3.329, and payloads of 2.1.329.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value, json};

use super::{hearing, matcher};
use crate::adapters::dialect::{Circumstances, Dialect, Returned, Variable, Word, text_in, texts_of};
use crate::adapters::json::Payload;
use crate::adapters::{Action, Reads, Row};
use crate::domain::event::Event;
use crate::domain::kind::Kind;

pub(super) const DIALECT: Dialect = Dialect {
    variables: &[
        ("CLAUDE_PROJECT_DIR", Variable::Project),
        ("CLAUDE_CODE_SESSION_ID", Variable::Session),
        ("CLAUDECODE", Variable::Fixed("1")),
    ],
    absolute: true,
    replaces: false,
    words: &[(Kind::SessionEnd, Word::Ended, "other"), (Kind::Notification, Word::Permission, "permission_prompt")],
    adds,
    reads,
    returns,
    server: |server, _| ("mcp_server", json!({ "name": server })),
    covers: matcher::covers,
    hears: hearing::hears,
};

fn adds(row: &Row, event: &Event<'_>, _: &Circumstances<'_>, payload: &mut Payload) {
    let mut put = |key: &str, value: Value| payload.insert(key.to_owned(), value);
    match row.reads {
        Reads::Call | Reads::Result { .. } => {
            if let Some(call) = event.call() {
                put("tool_use_id", json!(call.id.map_or_else(|| call_id(event), ToOwned::to_owned)));
            }
            put("permission_mode", json!(event.session.permission_mode.unwrap_or("default")));
        }
        Reads::Prompt | Reads::Answer(_) => {
            put("permission_mode", json!(event.session.permission_mode.unwrap_or("default")));
        }
        Reads::Batch | Reads::Model(_) | Reads::Notice(..) => {}
    }
    match row.kind {
        Kind::ToolFailed => drop(put("is_interrupt", json!(false))),
        // What the agent was asked is not told with its answer.
        Kind::AgentAfter | Kind::SubagentAfter => drop(payload.remove("prompt")),
        _ => {}
    }
}

/// Returns an id of a call on a host that gives none: the same before and after it.
fn call_id(event: &Event<'_>) -> String {
    let mut hasher = DefaultHasher::new();
    event.session.id.hash(&mut hasher);
    if let Some(call) = event.call() {
        call.name.hash(&mut hasher);
        Value::Object(call.input.clone()).to_string().hash(&mut hasher);
    }
    format!("toolu_{:016x}", hasher.finish())
}

/// Returns what the model reads of a result.
pub(super) fn reads(_: Option<Action>, result: &Value) -> String {
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
    texts_of(content.unwrap_or(result))
}

fn returns(row: &Row, returned: &Returned<'_>) -> Value {
    let Returned { action, input, text, failed: _, server } = *returned;
    let given = |key: &str| text_in(input, key).unwrap_or_default();
    if row.kind == Kind::ToolFailed {
        return json!(text);
    }
    let lines = text.lines().count();
    match action {
        _ if server => json!([{ "type": "text", "text": text }]),
        Some(Action::RunShell) => {
            json!({ "stdout": text, "stderr": "", "interrupted": false, "isImage": false })
        }
        Some(Action::ReadFile) => {
            let first = input.get("offset").and_then(Value::as_u64).unwrap_or(1);
            let file = json!({ "filePath": given("file_path"), "content": text, "numLines": lines,
                "startLine": first, "totalLines": lines });
            json!({ "type": "text", "file": file })
        }
        Some(Action::WriteFile) => json!({ "type": "update", "filePath": given("file_path"),
            "content": given("content"), "structuredPatch": [], "originalFile": null, "userModified": false }),
        Some(Action::EditFile) => {
            let all = input.get("replace_all") == Some(&json!(true));
            json!({ "filePath": given("file_path"), "oldString": given("old_string"),
                "newString": given("new_string"), "originalFile": null, "structuredPatch": [],
                "userModified": false, "replaceAll": all })
        }
        Some(Action::FindFiles | Action::SearchText) => {
            json!({ "mode": "content", "filenames": [], "numFiles": 0, "content": text, "numLines": lines })
        }
        Some(Action::FetchUrl) => json!({ "bytes": text.len(), "code": 200, "codeText": "OK", "result": text,
            "durationMs": 0, "url": given("url") }),
        _ => Value::Object(Map::from_iter([("content".to_owned(), json!([{ "type": "text", "text": text }]))])),
    }
}
