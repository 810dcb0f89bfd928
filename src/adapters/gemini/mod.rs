//! Gemini CLI: its rows and the spelling of its answers.
//!
//! Contract as of 0.61.0, from its source and runs of the real program. One shape serves all
//! events: `decision` and `reason`, `continue` and `stopReason`, `systemMessage`, and a
//! `hookSpecificOutput`. JSON on standard output is the answer whatever the exit code; with
//! standard output empty, standard error is taken for it.

mod beside;
mod events;
pub(super) mod hearing;
mod registration;
pub(super) mod speech;
mod tools;

pub(super) use registration::{disabled_hooks, entry};
use serde_json::{Map, Value, json};

use super::json::Payload;
use super::response::Response;
use super::rewrite::{rewritten, rewritten_request};
use super::{Form, Host, Pieces, Reads, Row, Support, output, request};
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::kind::Kind;
use crate::domain::limit::{Choice, ToolMode};
use crate::domain::verdict::{Decision, Verdict, texts};

/// What stands between the contexts of several rules.
const CONTEXTS: &str = "\n\n---\n\n";

pub(super) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    version: "0.61.0",
    rows: events::ROWS,
    tools: tools::TOOLS,
    project_vars: &["GEMINI_PROJECT_DIR"],
    sign: None,
    registration: &registration::REGISTRATION,
    reads_stderr: true,
    write: |row, event, verdict| write(&HOST, row, event, verdict),
    blind,
    server,
    server_tool: |server, tool| format!("mcp_{server}_{tool}"),
    transcripts: None,
    pieces: Pieces { piece: request::piece, with_text: request::with_text, request: request::essence },
    returned: |output| json!({ "llmContent": output, "returnDisplay": output }),
    dialect: speech::DIALECT,
};

/// Spells a verdict as this host and those that it was the model for understand it.
pub(super) fn write(host: &Host, row: &Row, event: &Event<'_>, verdict: &Verdict) -> Response {
    if row.form == Form::Silent {
        return Response::silence();
    }
    if row.form == Form::Choice {
        return choice(row, verdict);
    }
    let mut answer = Map::new();
    let mut put = |key: &str, value: Value| answer.insert(key.to_owned(), value);
    if !verdict.stop.is_empty() {
        if !matches!(row.support(EffectKind::Stop), Some(Support::Unsaid(_))) {
            put("continue", json!(false));
            put("stopReason", json!(texts(&verdict.stop, "\n")));
        }
    } else if !verdict.retry.is_empty() {
        put("decision", json!("deny"));
        put("reason", json!(texts(&verdict.retry, "\n")));
    } else if !verdict.respond.is_empty() {
        // Without a refusal beside it, the host drops the answer and asks the model.
        put("decision", json!("deny"));
        put("reason", json!("The policy answers in the model's place."));
    } else {
        match verdict.decision() {
            Some(Decision::Deny) => {
                put("decision", json!("deny"));
                put("reason", json!(texts(&verdict.deny, "\n")));
            }
            Some(Decision::Ask) => {
                put("decision", json!("ask"));
                put("reason", json!(texts(&verdict.ask, "\n")));
            }
            // Never "allow": at the model events it would lift another hook's refusal.
            Some(Decision::Allow) | None => {
                if let Some(text) = changed(row, event, verdict) {
                    put("decision", json!("deny"));
                    put("reason", json!(text));
                }
            }
        }
    }
    let mut specific = specific(host, row, event, verdict);
    let mut message = message(verdict);
    if let Some(text) = output::answer(event, verdict).filter(|_| row.kind == Kind::ModelAfter) {
        // A piece without a text may hold calls, which a change would lose: what was held back before it is said
        // beside it.
        if request::has_text(event.native) {
            let response = request::reworded(event.native.get(request::RESPONSE), &text);
            specific.insert("hookEventName".into(), json!(row.wire));
            specific.insert(request::RESPONSE.into(), response);
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
    if answer.is_empty() { Response::silence() } else { Response::json(&Value::Object(answer)) }
}

/// Returns the text that the model reads in the place of the tool's result. The host knows no other way to change one
/// than to refuse it, and drops all else that is said to the model.
fn changed(row: &Row, event: &Event<'_>, verdict: &Verdict) -> Option<String> {
    if !matches!(row.reads, Reads::Result { .. }) {
        return None;
    }
    let text = if verdict.replace.is_empty() {
        let result = output::redacted(row, event, verdict)?;
        let failure = result.pointer("/error/message").and_then(Value::as_str);
        let (what, text) = match (failure, result.get("llmContent")) {
            (Some(message), _) => ("The call failed; this is its error", message.to_owned()),
            (None, content) => ("This is no error: the call ran, and this is its output", as_text(content?)),
        };
        format!("{what}, with parts of it redacted.\n\n{text}")
    } else {
        texts(&verdict.replace, "\n")
    };
    if verdict.context.is_empty() {
        return Some(text);
    }
    Some(format!("{text}\n\n<hook_context>{}</hook_context>", texts(&verdict.context, CONTEXTS)))
}

/// Returns what the parts of a result say, those that are no text left out.
fn as_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(as_text).collect::<Vec<_>>().join("\n"),
        other => other.get("text").and_then(Value::as_str).unwrap_or("[a part that is no text is left out]").to_owned(),
    }
}

/// A question is shown by its message; the host shows no reason there.
fn message(verdict: &Verdict) -> String {
    let asked = verdict.stop.is_empty() && verdict.decision() == Some(Decision::Ask);
    let mut lines = Vec::new();
    if asked {
        lines.push(texts(&verdict.ask, "\n"));
    }
    if !verdict.warn.is_empty() {
        lines.push(texts(&verdict.warn, "\n"));
    }
    lines.join("\n")
}

fn specific(host: &Host, row: &Row, event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    let mut specific = Map::new();
    if !verdict.context.is_empty() {
        specific.insert("additionalContext".into(), json!(texts(&verdict.context, CONTEXTS)));
    }
    if let Some(input) = rewritten(host, event, verdict) {
        specific.insert("tool_input".into(), Value::Object(input));
    }
    if !verdict.clear_context.is_empty() {
        specific.insert("clearContext".into(), json!(true));
    }
    if !verdict.respond.is_empty() {
        specific.insert(request::RESPONSE.into(), request::response(&texts(&verdict.respond, "\n\n")));
    } else if let (Some(changed), Some(before)) =
        (rewritten_request(event, &verdict.rewrite), event.native.get(request::REQUEST).and_then(Value::as_object))
    {
        specific.insert(request::REQUEST.into(), Value::Object(request::difference(before, &changed)));
    }
    if !specific.is_empty() {
        specific.insert("hookEventName".into(), json!(row.wire));
    }
    specific
}

/// Says what tools there are to choose from, or nothing: any answer at all changes the request.
fn choice(row: &Row, verdict: &Verdict) -> Response {
    let Choice { mode, names } = Choice::of(verdict.tools.iter());
    let config = match (mode, names) {
        // Names count only for a model that must call a tool.
        (ToolMode::Auto, _) => return Response::silence(),
        (ToolMode::None, _) => json!({ "mode": "NONE" }),
        (ToolMode::Any, None) => json!({ "mode": "ANY" }),
        (ToolMode::Any, Some(names)) => json!({ "mode": "ANY", "allowedFunctionNames": names }),
    };
    let specific = json!({ "hookEventName": row.wire, "toolConfig": config });
    Response::json(&json!({ "hookSpecificOutput": specific }))
}

/// Refuses and ends the loop: at the end of an answer a refusal alone would start the next one,
/// for ever.
pub(super) fn blind(reason: &str) -> Response {
    Response::json(&json!({ "decision": "deny", "reason": reason, "continue": false, "stopReason": reason }))
}

fn server(tool: &str, fields: &Payload) -> Option<(String, String)> {
    let context = fields.get("mcp_context");
    let named = |key: &str| context.and_then(|context| context.get(key)).and_then(Value::as_str);
    if let (Some(server), Some(tool)) = (named("server_name"), named("tool_name")) {
        return Some((server.to_owned(), tool.to_owned()));
    }
    let rest = tool.strip_prefix("mcp_")?;
    let (server, tool) = rest.split_once('_').unwrap_or((rest, ""));
    Some((server.to_owned(), tool.to_owned()))
}
