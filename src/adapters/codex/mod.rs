//! Codex: its tables and the encoding of its answers.
//!
//! Contract as of 0.169.0, from the schemas in the program and from runs of it. Standard output is one JSON object of
//! a closed schema: with one key too many, a `null`, or another exit code than 0, the host drops the answer and goes
//! on without a word. A refusal needs a reason, and so does exit code 2 on standard error.

mod coexistence;
mod dialect;
mod events;
mod matcher;
mod registration;
mod tools;
mod transcript;

pub(super) use transcript::TRANSCRIPT_FORMAT;

use serde_json::{Map, Value, json};

use crate::adapters::answer::rewrite::rewritten_input;
use crate::adapters::claude;
use crate::adapters::contract::{AnswerForm, EventRow, Host, PayloadShape, Response, Streaming, Transcripts};
use crate::adapters::dialect::joined_texts;
use crate::adapters::payload::mcp_name::{mcp_tool_name, parse_mcp_name};
use crate::adapters::payload::output;
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::Decision;

/// What stands before a result of which parts were redacted.
const REDACTED: &str = "This is no error: the call ran, and this is its output, with parts of it redacted.\n\n";
/// A reason where a rule gives none: without one, the host drops a refusal.
const NO_REASON: &str = "The policy refuses this.";

pub(super) const HOST: Host = Host {
    name: "codex",
    title: "Codex",
    version: "0.169.0",
    modeled_on: Some(&claude::HOST),
    events: events::EVENTS,
    tools: tools::TOOLS,
    project_vars: &[],
    version_variable: None,
    registration: &registration::REGISTRATION,
    reads_stderr: false,
    render,
    refuse_unknown_event: |reason| Response::from_exit_code(2, or_no_reason(reason)),
    parse_server_tool: |tool, _| parse_mcp_name(tool, None),
    server_tool_name: mcp_tool_name,
    transcripts: Some(Transcripts {
        path_keys: &["transcript_path", "agent_transcript_path"],
        tokens_used: transcript::tokens_used,
    }),
    streaming: Streaming { chunk: |_| None, with_text: |payload, _| payload.clone(), canonical_request: |_| None },
    tool_result: |output| json!(output),
    dialect: dialect::DIALECT,
};

fn render(row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Response {
    let mut answer = Map::new();
    let mut specific = Map::new();
    match row.answer {
        AnswerForm::Tool => add_call_fields(event, verdict, &mut specific),
        AnswerForm::Permission => add_permission(verdict, &mut specific),
        AnswerForm::Block => add_block_fields(row, event, verdict, &mut answer),
        AnswerForm::Silent
        | AnswerForm::ToolChoice
        | AnswerForm::Switch
        | AnswerForm::Decline
        | AnswerForm::ExitCode
        | AnswerForm::TryAgain
        | AnswerForm::Display => return Response::empty(),
    }
    if verdict.notes.has(EffectKind::Context) {
        let text = verdict.notes.join(EffectKind::Context, "\n\n---\n\n");
        specific.insert("additionalContext".into(), json!(text));
    }
    if verdict.notes.has(EffectKind::Warn) {
        answer.insert("systemMessage".into(), json!(verdict.notes.join(EffectKind::Warn, "\n")));
    }
    if !specific.is_empty() {
        specific.insert("hookEventName".into(), json!(row.wire));
        answer.insert("hookSpecificOutput".into(), Value::Object(specific));
    }
    if answer.is_empty() { Response::empty() } else { Response::json(&Value::Object(answer)) }
}

/// Adds the fields for a call that is about to run. An approval alone says nothing to the host; a changed input
/// counts only together with one.
fn add_call_fields(event: &Event<'_>, verdict: &Verdict, specific: &mut Map<String, Value>) {
    if verdict.decision() == Some(Decision::Deny) {
        specific.insert("permissionDecision".into(), json!("deny"));
        specific.insert("permissionDecisionReason".into(), json!(reason(verdict, EffectKind::Deny)));
    } else if let Some(input) = rewritten_input(&HOST, event, verdict) {
        specific.insert("permissionDecision".into(), json!("allow"));
        specific.insert("updatedInput".into(), Value::Object(input));
    }
}

/// Adds the answer to the host's own question; without one, the host asks.
fn add_permission(verdict: &Verdict, specific: &mut Map<String, Value>) {
    let answer = match verdict.decision() {
        Some(Decision::Deny) => json!({ "behavior": "deny", "message": reason(verdict, EffectKind::Deny) }),
        Some(Decision::Allow) => json!({ "behavior": "allow" }),
        Some(Decision::Ask) | None => return,
    };
    specific.insert("decision".into(), answer);
}

fn add_block_fields(row: &EventRow, event: &Event<'_>, verdict: &Verdict, answer: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| answer.insert(key.to_owned(), value);
    let blocking = [EffectKind::Deny, EffectKind::Retry].into_iter().find(|effect| verdict.notes.has(*effect));
    let ending = match row.kind {
        // Nothing else prevents a compaction.
        Kind::ContextCompact => blocking,
        _ => verdict.notes.has(EffectKind::Stop).then_some(EffectKind::Stop),
    };
    if let Some(effect) = ending {
        put("continue", json!(false));
        put("stopReason", json!(reason(verdict, effect)));
    } else if let Some(effect) = blocking {
        put("decision", json!("block"));
        put("reason", json!(reason(verdict, effect)));
    } else if let Some(text) = changed_result_text(row, event, verdict) {
        put("decision", json!("block"));
        put("reason", json!(text));
    }
}

/// Returns the text that the model reads instead of the tool's result. The host can change a result only by
/// refusing it.
fn changed_result_text(row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Option<String> {
    if !matches!(row.payload, PayloadShape::Result { .. }) {
        return None;
    }
    if verdict.notes.has(EffectKind::Replace) {
        return Some(reason(verdict, EffectKind::Replace));
    }
    let result = output::redacted_result(row, event, verdict)?;
    Some(format!("{REDACTED}{}", joined_texts(result.get("content").unwrap_or(&result))))
}

fn reason(verdict: &Verdict, effect: EffectKind) -> String {
    or_no_reason(&verdict.notes.join(effect, "\n")).to_owned()
}

fn or_no_reason(text: &str) -> &str {
    if text.trim().is_empty() { NO_REASON } else { text }
}

#[cfg(test)]
mod tests {
    use crate::adapters::contract::Host;

    #[test]
    fn a_refusal_has_a_reason_in_any_case() {
        let host = Host::by_name("codex").unwrap();
        for wire in ["PreToolUse", "PermissionRequest", "UserPromptSubmit", "PostToolUse", "PreCompact"] {
            let answer = host.refuse(Some(wire), " \n");
            assert!(answer.stdout.contains(super::NO_REASON), "{wire}: {}", answer.stdout);
        }
        let unreadable = host.refuse(None, "");
        assert_eq!((unreadable.exit_code, unreadable.stderr.trim()), (2, super::NO_REASON));
    }
}
