//! Claude Code: its tables and the encoding of its answers.
//!
//! Contract as of 2.1.329, from the types of its SDK, its hooks reference, and runs of the real
//! program. A decision is one JSON object and exit code 0; `hookEventName` echoes the event, or the
//! whole answer is dropped; what is not listed for an event is never sent.

mod coexistence;
mod decode;
mod encode;
mod events;
mod matcher;
mod registration;
mod tools;
mod transcript;

pub(super) use decode::decode;
pub(super) use encode::add_fields;
pub(super) use transcript::TRANSCRIPT_FORMAT;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::adapters::answer::rewrite::{rewritten_content, rewritten_input};
use crate::adapters::contract::{
    AnswerForm, Chunk, EventRow, Host, PayloadFields, Response, Streaming, Transcripts, VersionVariable,
};
use crate::adapters::payload::mcp_name::{mcp_tool_name, parse_mcp_name};
use crate::adapters::payload::output;
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::event::tool::ToolKind;
use crate::domain::verdict::note::{Decision, Note};
use crate::domain::verdict::{Verdict, join_texts};

/// The number of characters of a text that the host passes on whole; a longer text goes to a file.
const MAX_CHARACTERS: usize = 10_000;

pub(super) const HOST: Host = Host {
    name: "claude",
    title: "Claude Code",
    version: "2.1.329",
    modeled_on: None,
    events: events::EVENTS,
    tools: tools::TOOLS,
    project_vars: &["CLAUDE_PROJECT_DIR"],
    version_variable: Some(VersionVariable { variable: "AI_AGENT", prefix: "claude-code_" }),
    registration: &registration::REGISTRATION,
    reads_stderr: false,
    render,
    refuse_unknown_event,
    parse_server_tool,
    server_tool_name: mcp_tool_name,
    transcripts: Some(Transcripts {
        path_keys: &["transcript_path", "agent_transcript_path"],
        tokens_used: transcript::tokens_used,
    }),
    streaming: Streaming { chunk, with_text, canonical_request: |_| None },
    tool_result: |output| json!({ "stdout": output, "stderr": "", "interrupted": false, "isImage": false }),
    dialect: encode::DIALECT,
};

fn render(row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Response {
    match row.answer {
        AnswerForm::Silent | AnswerForm::ToolChoice => Response::empty(),
        AnswerForm::ExitCode => render_exit_code(verdict),
        AnswerForm::Tool => render_object(row, verdict, tool_fields(event, verdict)),
        AnswerForm::Permission => render_object(row, verdict, permission_fields(event, verdict)),
        AnswerForm::Switch => render_object(row, verdict, decision_fields(verdict)),
        AnswerForm::Decline => render_object(row, verdict, elicitation_fields(event, verdict)),
        AnswerForm::TryAgain if !verdict.notes.has(EffectKind::Retry) => render_object(row, verdict, Map::new()),
        AnswerForm::TryAgain => render_object(row, verdict, to_map([("retry", json!(true))])),
        AnswerForm::Display => render_object(row, verdict, display_fields(event, verdict)),
        AnswerForm::Block => render_block(row, event, verdict),
    }
}

/// Returns the whole answer around its event-specific part.
fn render_object(row: &EventRow, verdict: &Verdict, specific: Map<String, Value>) -> Response {
    render_answer(row, verdict, specific, common_fields(row, verdict))
}

fn render_answer(
    row: &EventRow,
    verdict: &Verdict,
    mut specific: Map<String, Value>,
    mut answer: Map<String, Value>,
) -> Response {
    if verdict.notes.has(EffectKind::Context) {
        specific.insert(
            "additionalContext".into(),
            json!(truncate(&verdict.notes.join(EffectKind::Context, "\n\n---\n\n"))),
        );
    }
    if !specific.is_empty() {
        specific.insert("hookEventName".into(), json!(row.wire));
        answer.insert("hookSpecificOutput".into(), Value::Object(specific));
    }
    if answer.is_empty() { Response::empty() } else { Response::json(&Value::Object(answer)) }
}

/// Returns the fields that every event has.
fn common_fields(row: &EventRow, verdict: &Verdict) -> Map<String, Value> {
    let mut answer = Map::new();
    if verdict.notes.has(EffectKind::Stop) && row.answer != AnswerForm::Permission {
        answer.insert("continue".into(), json!(false));
        answer.insert("stopReason".into(), json!(verdict.notes.join(EffectKind::Stop, "\n")));
    }
    if verdict.notes.has(EffectKind::Warn) {
        answer.insert("systemMessage".into(), json!(truncate(&verdict.notes.join(EffectKind::Warn, "\n"))));
    }
    answer
}

/// Returns the fields for a tool call. A stop refuses the call as well: the host would end the turn only after the
/// call.
fn tool_fields(event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    let mut specific = decision_fields(verdict);
    if verdict.notes.has(EffectKind::Defer) {
        specific.insert("permissionDecision".into(), json!("defer"));
        specific.insert("permissionDecisionReason".into(), json!(verdict.notes.join(EffectKind::Defer, "\n")));
    }
    if verdict.notes.has(EffectKind::Stop) && !verdict.notes.has(EffectKind::Deny) {
        specific.insert("permissionDecision".into(), json!("deny"));
        specific.insert("permissionDecisionReason".into(), json!(verdict.notes.join(EffectKind::Stop, "\n")));
    }
    if let Some(input) = rewritten_input(&HOST, event, verdict) {
        specific.insert("updatedInput".into(), Value::Object(input));
    }
    specific
}

fn decision_fields(verdict: &Verdict) -> Map<String, Value> {
    verdict.decision().map_or_else(Map::new, |decision| {
        to_map([
            ("permissionDecision", json!(decision.name())),
            ("permissionDecisionReason", json!(join_texts(verdict.reasons(), "\n"))),
        ])
    })
}

/// Returns the fields for a permission request. `ask` sends nothing here: the host is about to ask anyway.
fn permission_fields(event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    let answer = if verdict.notes.has(EffectKind::Stop) {
        json!({ "behavior": "deny", "message": verdict.notes.join(EffectKind::Stop, "\n"), "interrupt": true })
    } else {
        match verdict.decision() {
            Some(Decision::Deny) => {
                json!({ "behavior": "deny", "message": verdict.notes.join(EffectKind::Deny, "\n") })
            }
            Some(Decision::Allow) => {
                let mut allow = to_map([("behavior", json!("allow"))]);
                if let Some(input) = rewritten_input(&HOST, event, verdict) {
                    allow.insert("updatedInput".into(), Value::Object(input));
                } else if let Some(rule) = exact_permission_rule(event).filter(|_| verdict.remember_approval) {
                    let rules =
                        json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" });
                    allow.insert("updatedPermissions".into(), json!([rules]));
                }
                Value::Object(allow)
            }
            Some(Decision::Ask) | None => return Map::new(),
        }
    };
    to_map([("decision", answer)])
}

/// Returns the host's permission rule for exactly this call, if there is one: rules about paths and tool
/// servers are patterns, and so is a command line that contains a star.
fn exact_permission_rule(event: &Event<'_>) -> Option<Value> {
    let call = event.call().filter(|call| call.kind == ToolKind::Shell)?;
    let [command] = call.commands.as_slice() else { return None };
    let text: &str = &command.text;
    let is_plain = !text.is_empty() && text.trim() == text && !text.contains(['*', '\\', '(', ')', '\n', '\r']);
    is_plain.then(|| json!({ "toolName": call.name, "ruleContent": text }))
}

fn chunk(fields: &PayloadFields) -> Option<Chunk> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    Some(Chunk {
        stream_id: format!("{} {}", text("turn_id").unwrap_or_default(), text("message_id")?),
        text: text("delta")?.to_owned(),
        is_first: fields.get("index").and_then(Value::as_u64) == Some(0),
        is_last: fields.get("final").and_then(Value::as_bool).unwrap_or_default(),
    })
}

fn with_text(fields: &PayloadFields, text: &str) -> PayloadFields {
    let mut fields = fields.clone();
    fields.insert("delta".into(), json!(text));
    fields
}

fn display_fields(event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    let shown = output::revised_answer(event, verdict);
    shown.map_or_else(Map::new, |text| to_map([("displayContent", json!(text))]))
}

/// Returns the fields that answer a tool server, or change the user's answer. The content is sent as a whole.
fn elicitation_fields(event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    if verdict.notes.has(EffectKind::Deny) {
        return to_map([("action", json!("decline"))]);
    }
    let action = match event.native.get("action").map(Value::as_str) {
        None => "accept",
        Some(Some(answered @ ("accept" | "decline" | "cancel"))) => answered,
        // The host would drop an answer with any other word, including its changes.
        Some(_) => "decline",
    };
    let content = rewritten_content(event, &verdict.rewrite);
    if !verdict.notes.has(EffectKind::Allow) && content.is_none() {
        return Map::new();
    }
    let mut answer = to_map([("action", json!(action))]);
    if let Some(content) = content {
        answer.insert("content".into(), Value::Object(content));
    }
    answer
}

fn render_block(row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Response {
    let mut answer = common_fields(row, verdict);
    let reasons = blocking_notes(verdict);
    if !reasons.is_empty() {
        answer.insert("decision".into(), json!("block"));
        answer.insert("reason".into(), json!(join_texts(reasons, "\n")));
    }
    let mut specific = Map::new();
    if let Some(result) = changed_result(row, event, verdict) {
        specific.insert("updatedToolOutput".into(), result);
    }
    if verdict.has_secret && verdict.notes.has(EffectKind::Deny) {
        specific.insert("suppressOriginalPrompt".into(), json!(true));
    }
    render_answer(row, verdict, specific, answer)
}

/// Returns the changed result of a tool. It keeps the tool's own shape: the host ignores a result of
/// another shape and shows the original.
fn changed_result(row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Option<Value> {
    if !verdict.notes.has(EffectKind::Replace) {
        return output::redacted_result(row, event, verdict);
    }
    output::replaced_result(output::tool_result(row, event)?, &verdict.notes.join(EffectKind::Replace, "\n"))
}

/// Returns the notes that block: those of a refusal, otherwise those of a retry.
fn blocking_notes(verdict: &Verdict) -> &BTreeSet<Note> {
    let effect = if verdict.notes.has(EffectKind::Deny) { EffectKind::Deny } else { EffectKind::Retry };
    verdict.notes.of(effect)
}

/// Encodes a verdict as an exit code. Standard output stays empty: `WorktreeCreate` would read it as the path.
fn render_exit_code(verdict: &Verdict) -> Response {
    if verdict.notes.has(EffectKind::Stop) {
        return Response::json(&json!({ "continue": false, "stopReason": verdict.notes.join(EffectKind::Stop, "\n") }));
    }
    let reasons = blocking_notes(verdict);
    if reasons.is_empty() {
        return Response::empty();
    }
    // The host takes this phrase as a hook that could not start, and allows the action.
    Response::from_exit_code(2, &join_texts(reasons, "\n").replace("No such file or directory", "no such file"))
}

/// Refuses an unknown event. Exit code 2 blocks every event that can be blocked, except permission requests.
fn refuse_unknown_event(reason: &str) -> Response {
    Response::from_exit_code(2, reason)
}

fn parse_server_tool(tool: &str, fields: &PayloadFields) -> Option<(String, String)> {
    let named = fields.get("mcp_server").and_then(|server| server.get("name")).and_then(Value::as_str);
    parse_mcp_name(tool, named)
}

fn to_map<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Shortens a text that the host would otherwise put into a file and not show.
fn truncate(text: &str) -> String {
    const CUT: &str = "\n[shortened]";
    // The host counts as JavaScript does.
    if text.encode_utf16().count() <= MAX_CHARACTERS {
        return text.to_owned();
    }
    let mut left = MAX_CHARACTERS - CUT.len();
    let fits = |character: &char| {
        let after = left.checked_sub(character.len_utf16());
        left = after.unwrap_or_default();
        after.is_some()
    };
    let head: String = text.chars().take_while(fits).collect();
    head + CUT
}
