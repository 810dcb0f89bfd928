//! Gemini CLI: its tables and the encoding of its answers.
//!
//! Contract as of 0.61.0, from its source and runs of the real program. One shape serves all
//! events: `decision` and `reason`, `continue` and `stopReason`, `systemMessage`, and a
//! `hookSpecificOutput`. JSON on standard output is the answer regardless of the exit code; if
//! standard output is empty, standard error is read instead.

mod coexistence;
pub(super) mod decode;
pub(super) mod encode;
mod events;
pub(super) mod model_request;
mod registration;
mod tools;
mod transcript;

pub(super) use registration::{disabled_hook_issues, hook_entry};
use serde_json::{Map, Value, json};
pub(super) use transcript::TRANSCRIPT_FORMAT;

use crate::adapters::answer::rewrite::rewritten_input;
use crate::adapters::contract::{
    AnswerForm, EventRow, Host, PayloadFields, PayloadShape, Response, Streaming, Support,
};
use crate::adapters::payload::output;
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::policy::limit::ToolMode;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::limit::ToolChoice;
use crate::domain::verdict::note::Decision;

/// The separator between the contexts of several rules.
const CONTEXT_SEPARATOR: &str = "\n\n---\n\n";

pub(super) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    version: "0.61.0",
    modeled_on: None,
    events: events::EVENTS,
    tools: tools::TOOLS,
    project_vars: &["GEMINI_PROJECT_DIR"],
    version_variable: None,
    registration: &registration::REGISTRATION,
    reads_stderr: true,
    render: |row, event, verdict| render(&HOST, row, event, verdict),
    refuse_unknown_event,
    parse_server_tool,
    server_tool_name: |server, tool| format!("mcp_{server}_{tool}"),
    transcripts: None,
    streaming: Streaming {
        chunk: model_request::chunk,
        with_text: model_request::with_text,
        canonical_request: model_request::canonical_request,
    },
    tool_result: |output| json!({ "llmContent": output, "returnDisplay": output }),
    dialect: encode::DIALECT,
};

/// Encodes a verdict for this host and the hosts derived from it.
pub(super) fn render(host: &Host, row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Response {
    if row.answer == AnswerForm::Silent {
        return Response::empty();
    }
    if row.answer == AnswerForm::ToolChoice {
        return render_tool_choice(row, verdict);
    }
    let mut answer = Map::new();
    let mut put = |key: &str, value: Value| answer.insert(key.to_owned(), value);
    if verdict.notes.has(EffectKind::Stop) {
        if !matches!(row.support(EffectKind::Stop), Some(Support::Implicit(_))) {
            put("continue", json!(false));
            put("stopReason", json!(verdict.notes.join(EffectKind::Stop, "\n")));
        }
    } else if verdict.notes.has(EffectKind::Retry) {
        put("decision", json!("deny"));
        put("reason", json!(verdict.notes.join(EffectKind::Retry, "\n")));
    } else if verdict.notes.has(EffectKind::Respond) {
        // Without a refusal, the host drops the answer and asks the model.
        put("decision", json!("deny"));
        put("reason", json!("The policy answers instead of the model."));
    } else {
        match verdict.decision() {
            Some(Decision::Deny) => {
                put("decision", json!("deny"));
                put("reason", json!(verdict.notes.join(EffectKind::Deny, "\n")));
            }
            Some(Decision::Ask) => {
                put("decision", json!("ask"));
                put("reason", json!(verdict.notes.join(EffectKind::Ask, "\n")));
            }
            // Never "allow": at the model events it would lift another hook's refusal.
            Some(Decision::Allow) | None => {
                if let Some(text) = changed_result_text(row, event, verdict) {
                    put("decision", json!("deny"));
                    put("reason", json!(text));
                }
            }
        }
    }
    let mut specific = specific_output(host, row, event, verdict);
    let mut message = system_message(verdict);
    if let Some(text) = output::revised_answer(event, verdict).filter(|_| row.kind == Kind::ModelAfter) {
        // A chunk without a text may contain calls, which a change would remove: text that was held back is sent
        // separately.
        if model_request::has_response_text(event.native) {
            let response = model_request::with_response_text(event.native.get(model_request::RESPONSE_KEY), &text);
            specific.insert("hookEventName".into(), json!(row.wire));
            specific.insert(model_request::RESPONSE_KEY.into(), response);
        } else {
            message = [text, message].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        }
    }
    if !message.is_empty() {
        put("systemMessage", json!(message));
    }
    if !specific.is_empty() {
        put("hookSpecificOutput", Value::Object(specific));
    }
    if answer.is_empty() { Response::empty() } else { Response::json(&Value::Object(answer)) }
}

/// Returns the text that the model reads instead of the tool's result. The host can change a result only by
/// refusing it, and drops all other text for the model.
fn changed_result_text(row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Option<String> {
    if !matches!(row.payload, PayloadShape::Result { .. }) {
        return None;
    }
    let text = if verdict.notes.has(EffectKind::Replace) {
        verdict.notes.join(EffectKind::Replace, "\n")
    } else {
        let result = output::redacted_result(row, event, verdict)?;
        let failure = result.pointer("/error/message").and_then(Value::as_str);
        let (what, text) = match (failure, result.get("llmContent")) {
            (Some(message), _) => ("The call failed; this is its error", message.to_owned()),
            (None, content) => ("This is not an error: the call ran, and this is its output", content_text(content?)),
        };
        format!("{what}, with parts of it redacted.\n\n{text}")
    };
    if !verdict.notes.has(EffectKind::Context) {
        return Some(text);
    }
    Some(format!(
        "{text}\n\n<hook_context>{}</hook_context>",
        verdict.notes.join(EffectKind::Context, CONTEXT_SEPARATOR)
    ))
}

/// Returns the text parts of a result.
fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(content_text).collect::<Vec<_>>().join("\n"),
        other => {
            other.get("text").and_then(Value::as_str).unwrap_or("[a part that is not text was omitted]").to_owned()
        }
    }
}

/// Returns the message for the user. A question is shown by this message; the host shows no reason there.
fn system_message(verdict: &Verdict) -> String {
    let asked = !verdict.notes.has(EffectKind::Stop) && verdict.decision() == Some(Decision::Ask);
    let mut lines = Vec::new();
    if asked {
        lines.push(verdict.notes.join(EffectKind::Ask, "\n"));
    }
    if verdict.notes.has(EffectKind::Warn) {
        lines.push(verdict.notes.join(EffectKind::Warn, "\n"));
    }
    lines.join("\n")
}

fn specific_output(host: &Host, row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    let mut specific = Map::new();
    if verdict.notes.has(EffectKind::Context) {
        specific.insert("additionalContext".into(), json!(verdict.notes.join(EffectKind::Context, CONTEXT_SEPARATOR)));
    }
    if let Some(input) = rewritten_input(host, event, verdict) {
        specific.insert("tool_input".into(), Value::Object(input));
    }
    if verdict.notes.has(EffectKind::ClearContext) {
        specific.insert("clearContext".into(), json!(true));
    }
    if verdict.notes.has(EffectKind::Respond) {
        specific.insert(
            model_request::RESPONSE_KEY.into(),
            model_request::synthetic_response(&verdict.notes.join(EffectKind::Respond, "\n\n")),
        );
    } else if let Some(before) = event.native.get(model_request::REQUEST_KEY).and_then(Value::as_object)
        && let Some(changed) = model_request::rewrite_request(before, &verdict.rewrite)
    {
        specific
            .insert(model_request::REQUEST_KEY.into(), Value::Object(model_request::changed_fields(before, &changed)));
    }
    if !specific.is_empty() {
        specific.insert("hookEventName".into(), json!(row.wire));
    }
    specific
}

/// Encodes a limit on the choice of tools, or returns an empty answer: any answer changes the request.
fn render_tool_choice(row: &EventRow, verdict: &Verdict) -> Response {
    let ToolChoice { mode, names } = ToolChoice::of(verdict.tools.iter());
    let config = match (mode, names) {
        // Names are used only for a model that must call a tool.
        (ToolMode::Auto, _) => return Response::empty(),
        (ToolMode::None, _) => json!({ "mode": "NONE" }),
        (ToolMode::Any, None) => json!({ "mode": "ANY" }),
        (ToolMode::Any, Some(names)) => json!({ "mode": "ANY", "allowedFunctionNames": names }),
    };
    let specific = json!({ "hookEventName": row.wire, "toolConfig": config });
    Response::json(&json!({ "hookSpecificOutput": specific }))
}

/// Refuses and ends the loop: at the end of an answer, a refusal alone would start the next turn
/// again and again.
pub(super) fn refuse_unknown_event(reason: &str) -> Response {
    Response::json(&json!({ "decision": "deny", "reason": reason, "continue": false, "stopReason": reason }))
}

fn parse_server_tool(tool: &str, fields: &PayloadFields) -> Option<(String, String)> {
    let context = fields.get("mcp_context");
    let named = |key: &str| context.and_then(|context| context.get(key)).and_then(Value::as_str);
    if let (Some(server), Some(tool)) = (named("server_name"), named("tool_name")) {
        return Some((server.to_owned(), tool.to_owned()));
    }
    let rest = tool.strip_prefix("mcp_")?;
    let (server, tool) = rest.split_once('_').unwrap_or((rest, ""));
    Some((server.to_owned(), tool.to_owned()))
}
