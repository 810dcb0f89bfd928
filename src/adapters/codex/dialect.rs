//! Codex's hooks as a dialect: events of other hosts as Codex would send them, and the answers of its hooks.
//!
//! Source: the schemas in the program 0.169.0 and runs of it. It is Claude Code's dialect with a closed schema.

use serde_json::{Map, Value, json};

use super::matcher;
use crate::adapters::claude;
use crate::adapters::contract::{
    AnswerDecoder, AnswerForm, Dialect, EncodeContext, EncodedResult, EventRow, InvalidAnswer, PayloadFields,
    PayloadShape, SubjectMeaning,
};
use crate::adapters::dialect::{joined_texts, parse_object};
use crate::adapters::payload::json::str_field;
use crate::domain::effect::EffectKind::{Context, Deny};
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;

pub(super) const DIALECT: Dialect = Dialect {
    env: &[],
    uses_absolute_paths: false,
    denial_replaces_result: true,
    subjects: &[(Kind::SessionEnd, SubjectMeaning::SessionEnded, "other")],
    add_fields,
    result_text: |_, result| joined_texts(result.get("content").unwrap_or(result)),
    encode_result,
    encode_server: |_, _| None,
    matches: matcher::matches,
    decode,
};

fn add_fields(row: &EventRow, event: &Event<'_>, place: &EncodeContext<'_>, payload: &mut PayloadFields) {
    claude::add_fields(row, event, place, payload);
    payload.insert("model".into(), json!(""));
    if row.kind == Kind::PermissionRequest {
        payload.remove("tool_use_id");
    }
    if !matches!(row.kind, Kind::SessionStart | Kind::SessionEnd) {
        payload.insert("turn_id".into(), json!(event.session.id.unwrap_or_default()));
    }
}

fn encode_result(_: &EventRow, returned: &EncodedResult<'_>) -> Value {
    let content = json!([{ "type": "text", "text": returned.text }]);
    match (returned.failed, returned.is_mcp) {
        (true, _) => json!({ "content": content, "error": returned.text }),
        (false, true) => json!({ "content": content }),
        (false, false) => json!(returned.text),
    }
}

/// The keys of an answer that every event has, those of events that can be blocked, and those of its event-specific
/// part. With any other key the host drops the whole answer.
const COMMON_KEYS: &[&str] = &["continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"];
const BLOCK_KEYS: &[&str] = &["decision", "reason"];
const CALL_KEYS: &[&str] =
    &["hookEventName", "additionalContext", "permissionDecision", "permissionDecisionReason", "updatedInput"];
const PERMISSION_KEYS: &[&str] = &["hookEventName", "decision"];
const CONTEXT_KEYS: &[&str] = &["hookEventName", "additionalContext"];
const RESULT_KEYS: &[&str] = &["hookEventName", "additionalContext", "updatedMCPToolOutput"];

/// Decodes an answer as the host does. What the host drops without a word is an error of the hook here.
fn decode(hearing: &mut AnswerDecoder<'_>) -> Result<(), InvalidAnswer> {
    let exit = hearing.exit_code()?;
    if exit == 2 && !hearing.output.stderr.trim().is_empty() {
        hearing.output.stdout = "";
        return claude::decode(hearing);
    }
    if exit != 0 {
        return Err(InvalidAnswer::Exit(exit));
    }
    let stdout = hearing.output.stdout.trim();
    if !stdout.starts_with('{') {
        let reads = matches!(hearing.row.kind, Kind::PromptSubmit | Kind::SessionStart | Kind::SubagentStart);
        if reads && !stdout.is_empty() {
            hearing.add_if_supported(Context, stdout);
        }
        return Ok(());
    }
    let answer = parse_object(stdout)?;
    check_answer(hearing, &answer)?;
    if hearing.row.kind == Kind::ContextCompact && answer.get("continue") == Some(&json!(false)) {
        hearing.add_if_supported(Deny, str_field(&answer, "stopReason").unwrap_or_default());
    }
    claude::decode(hearing)
}

/// Checks what makes the host drop an answer.
fn check_answer(hearing: &AnswerDecoder<'_>, answer: &Map<String, Value>) -> Result<(), InvalidAnswer> {
    let wrong = |what: String| Err(InvalidAnswer::Malformed(what));
    let blocks = hearing.row.answer != AnswerForm::Permission && hearing.row.kind != Kind::ContextCompact;
    let is_known = |key: &str| COMMON_KEYS.contains(&key) || blocks && BLOCK_KEYS.contains(&key);
    if let Some(key) = answer.keys().find(|key| !is_known(key)) {
        return wrong(format!("`{key}` is not among the keys that Codex accepts at `{}`", hearing.row.wire));
    }
    let nothing = Map::new();
    let specific = answer.get("hookSpecificOutput").and_then(Value::as_object).unwrap_or(&nothing);
    let known = match (hearing.row.answer, hearing.row.payload) {
        (AnswerForm::Tool, _) => CALL_KEYS,
        (AnswerForm::Permission, _) => PERMISSION_KEYS,
        (_, PayloadShape::Result { .. }) => RESULT_KEYS,
        _ => CONTEXT_KEYS,
    };
    if let Some(key) = specific.keys().find(|key| !known.contains(&key.as_str())) {
        return wrong(format!("`{key}` is not among the keys that Codex accepts in `hookSpecificOutput`"));
    }
    if let Some((key, _)) = answer.iter().chain(specific).find(|(key, value)| value.is_null() && *key != "decision") {
        return wrong(format!("`{key}` is `null`"));
    }
    if hearing.row.answer == AnswerForm::Tool {
        check_call_answer(answer, specific)?;
    }
    let decision = specific.get("decision").and_then(Value::as_object);
    if let Some(key) = decision.and_then(|it| it.keys().find(|key| !["behavior", "message"].contains(&key.as_str()))) {
        return wrong(format!("`{key}` is not supported in an answer to a permission request"));
    }
    Ok(())
}

fn check_call_answer(answer: &Map<String, Value>, specific: &Map<String, Value>) -> Result<(), InvalidAnswer> {
    let wrong = |what: &str| Err(InvalidAnswer::Malformed(what.to_owned()));
    let ends = answer.get("continue") == Some(&json!(false));
    if ends || answer.contains_key("stopReason") || answer.get("suppressOutput") == Some(&json!(true)) {
        return wrong("`continue`, `stopReason` and `suppressOutput` are not supported at `PreToolUse`");
    }
    let has_reason = |key: &str| str_field(specific, key).is_some_and(|text| !text.trim().is_empty());
    match str_field(specific, "permissionDecision") {
        Some("ask") => return wrong("`permissionDecision: ask` is not supported, and the call runs"),
        Some("deny") if !has_reason("permissionDecisionReason") => return wrong("a refusal has no reason"),
        Some("allow") => return Ok(()),
        _ => {}
    }
    if specific.contains_key("updatedInput") {
        return wrong("`updatedInput` is used only with `permissionDecision: allow`");
    }
    Ok(())
}
