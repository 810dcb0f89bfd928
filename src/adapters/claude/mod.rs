//! Claude Code: its rows and the spelling of its answers.
//!
//! Contract as of 2.1.329, from the types of its SDK, its hooks reference, and runs of the real
//! program. A decision is one JSON object and exit code 0; `hookEventName` echoes the event, or the
//! whole answer is dropped; what is not listed for an event is never sent.

mod beside;
mod events;
mod hearing;
mod matcher;
mod registration;
mod speech;
mod tools;
mod transcript;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::json::Payload;
use super::read::{server_and_tool, server_tool};
use super::response::Response;
use super::rewrite::{rewritten, rewritten_content};
use super::{Form, Host, Piece, Pieces, Row, Sign, Transcripts, output};
use crate::domain::event::Event;
use crate::domain::tool::ToolKind;
use crate::domain::verdict::{Decision, Note, Verdict, texts};

/// Characters of one text that the host passes on whole; a longer one goes to a file.
const MOST_CHARACTERS: usize = 10_000;

pub(super) const HOST: Host = Host {
    name: "claude",
    title: "Claude Code",
    version: "2.1.329",
    rows: events::ROWS,
    tools: tools::TOOLS,
    project_vars: &["CLAUDE_PROJECT_DIR"],
    sign: Some(Sign { variable: "AI_AGENT", before: "claude-code_" }),
    registration: &registration::REGISTRATION,
    reads_stderr: false,
    write,
    blind,
    server,
    server_tool,
    transcripts: Some(Transcripts { keys: &["transcript_path", "agent_transcript_path"], spent: transcript::spent }),
    pieces: Pieces { piece, with_text, request: |_| None },
    returned: |output| json!({ "stdout": output, "stderr": "", "interrupted": false, "isImage": false }),
    dialect: speech::DIALECT,
};

fn write(row: &Row, event: &Event<'_>, verdict: &Verdict) -> Response {
    match row.form {
        Form::Silent | Form::Choice => Response::silence(),
        Form::ExitCode => by_exit_code(verdict),
        Form::Tool => object(row, verdict, tool(event, verdict)),
        Form::Permission => object(row, verdict, permission(event, verdict)),
        Form::Switch => object(row, verdict, decision(verdict)),
        Form::Decline => object(row, verdict, elicited(event, verdict)),
        Form::TryAgain if verdict.retry.is_empty() => object(row, verdict, Map::new()),
        Form::TryAgain => object(row, verdict, entries([("retry", json!(true))])),
        Form::Display => object(row, verdict, display(event, verdict)),
        Form::Block => block(row, event, verdict),
    }
}

/// Returns the answer around what belongs to the event alone.
fn object(row: &Row, verdict: &Verdict, specific: Map<String, Value>) -> Response {
    sealed(row, verdict, specific, universal(row, verdict))
}

fn sealed(row: &Row, verdict: &Verdict, mut specific: Map<String, Value>, mut answer: Map<String, Value>) -> Response {
    if !verdict.context.is_empty() {
        specific.insert("additionalContext".into(), json!(clip(&texts(&verdict.context, "\n\n---\n\n"))));
    }
    if !specific.is_empty() {
        specific.insert("hookEventName".into(), json!(row.wire));
        answer.insert("hookSpecificOutput".into(), Value::Object(specific));
    }
    if answer.is_empty() { Response::silence() } else { Response::json(&Value::Object(answer)) }
}

/// Returns the fields that every event has.
fn universal(row: &Row, verdict: &Verdict) -> Map<String, Value> {
    let mut answer = Map::new();
    if !verdict.stop.is_empty() && row.form != Form::Permission {
        answer.insert("continue".into(), json!(false));
        answer.insert("stopReason".into(), json!(texts(&verdict.stop, "\n")));
    }
    if !verdict.warn.is_empty() {
        answer.insert("systemMessage".into(), json!(clip(&texts(&verdict.warn, "\n"))));
    }
    answer
}

/// A stop on a tool call refuses the call as well: the host ends the turn after it has run.
fn tool(event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    let mut specific = decision(verdict);
    if !verdict.defer.is_empty() {
        specific.insert("permissionDecision".into(), json!("defer"));
        specific.insert("permissionDecisionReason".into(), json!(texts(&verdict.defer, "\n")));
    }
    if !verdict.stop.is_empty() && verdict.deny.is_empty() {
        specific.insert("permissionDecision".into(), json!("deny"));
        specific.insert("permissionDecisionReason".into(), json!(texts(&verdict.stop, "\n")));
    }
    if let Some(input) = rewritten(&HOST, event, verdict) {
        specific.insert("updatedInput".into(), Value::Object(input));
    }
    specific
}

fn decision(verdict: &Verdict) -> Map<String, Value> {
    verdict.decision().map_or_else(Map::new, |decision| {
        entries([
            ("permissionDecision", json!(decision.name())),
            ("permissionDecisionReason", json!(texts(verdict.reasons(), "\n"))),
        ])
    })
}

/// An open question is the host's own business at this event: it is about to ask.
fn permission(event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    let answer = if verdict.stop.is_empty() {
        match verdict.decision() {
            Some(Decision::Deny) => json!({ "behavior": "deny", "message": texts(&verdict.deny, "\n") }),
            Some(Decision::Allow) => {
                let mut allow = entries([("behavior", json!("allow"))]);
                if let Some(input) = rewritten(&HOST, event, verdict) {
                    allow.insert("updatedInput".into(), Value::Object(input));
                } else if let Some(rule) = exact_rule(event).filter(|_| verdict.remember) {
                    let rules =
                        json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" });
                    allow.insert("updatedPermissions".into(), json!([rules]));
                }
                Value::Object(allow)
            }
            Some(Decision::Ask) | None => return Map::new(),
        }
    } else {
        json!({ "behavior": "deny", "message": texts(&verdict.stop, "\n"), "interrupt": true })
    };
    entries([("decision", answer)])
}

/// Returns the host's rule for just this call, if there is one that means nothing else: rules about paths and tool
/// servers are patterns, and so is a command line with a star in it.
fn exact_rule(event: &Event<'_>) -> Option<Value> {
    let call = event.call().filter(|call| call.kind == ToolKind::Shell)?;
    let [command] = call.commands.as_slice() else { return None };
    let text: &str = &command.text;
    let is_plain = !text.is_empty() && text.trim() == text && !text.contains(['*', '\\', '(', ')', '\n', '\r']);
    is_plain.then(|| json!({ "toolName": call.name, "ruleContent": text }))
}

fn piece(fields: &Payload) -> Option<Piece> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    Some(Piece {
        common: format!("{} {}", text("turn_id").unwrap_or_default(), text("message_id")?),
        text: text("delta")?.to_owned(),
        is_first: fields.get("index").and_then(Value::as_u64) == Some(0),
        is_last: fields.get("final").and_then(Value::as_bool).unwrap_or_default(),
    })
}

fn with_text(fields: &Payload, text: &str) -> Payload {
    let mut fields = fields.clone();
    fields.insert("delta".into(), json!(text));
    fields
}

fn display(event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    let shown = output::answer(event, verdict);
    shown.map_or_else(Map::new, |text| entries([("displayContent", json!(text))]))
}

/// Answers a tool server, or changes what the person answered. The content is taken as a whole.
fn elicited(event: &Event<'_>, verdict: &Verdict) -> Map<String, Value> {
    if !verdict.deny.is_empty() {
        return entries([("action", json!("decline"))]);
    }
    let action = match event.native.get("action").map(Value::as_str) {
        None => "accept",
        Some(Some(answered @ ("accept" | "decline" | "cancel"))) => answered,
        // The host would drop an answer with any other word, and with it what is changed.
        Some(_) => "decline",
    };
    let content = rewritten_content(event, &verdict.rewrite);
    if verdict.allow.is_empty() && content.is_none() {
        return Map::new();
    }
    let mut answer = entries([("action", json!(action))]);
    if let Some(content) = content {
        answer.insert("content".into(), Value::Object(content));
    }
    answer
}

fn block(row: &Row, event: &Event<'_>, verdict: &Verdict) -> Response {
    let mut answer = universal(row, verdict);
    let reasons = objections(verdict);
    if !reasons.is_empty() {
        answer.insert("decision".into(), json!("block"));
        answer.insert("reason".into(), json!(texts(reasons, "\n")));
    }
    let mut specific = Map::new();
    if let Some(result) = changed(row, event, verdict) {
        specific.insert("updatedToolOutput".into(), result);
    }
    if verdict.conceals && !verdict.deny.is_empty() {
        specific.insert("suppressOriginalPrompt".into(), json!(true));
    }
    sealed(row, verdict, specific, answer)
}

/// Returns the tool's result as it is to be. It keeps the tool's own shape: the host ignores one that
/// does not fit, and shows the original.
fn changed(row: &Row, event: &Event<'_>, verdict: &Verdict) -> Option<Value> {
    if verdict.replace.is_empty() {
        return output::redacted(row, event, verdict);
    }
    output::replaced(output::result(row, event)?, &texts(&verdict.replace, "\n"))
}

/// Returns why things cannot stay as they are: a refusal, or else a call back to work.
fn objections(verdict: &Verdict) -> &BTreeSet<Note> {
    if verdict.deny.is_empty() { &verdict.retry } else { &verdict.deny }
}

/// Standard output stays empty: at a worktree's making it would be taken for the path.
fn by_exit_code(verdict: &Verdict) -> Response {
    if !verdict.stop.is_empty() {
        return Response::json(&json!({ "continue": false, "stopReason": texts(&verdict.stop, "\n") }));
    }
    let reasons = objections(verdict);
    if reasons.is_empty() {
        return Response::silence();
    }
    // The host takes this phrase for a hook that could not start, and lets the action go ahead.
    Response::exit(2, &texts(reasons, "\n").replace("No such file or directory", "no such file"))
}

/// Exit code 2 blocks on every event that can be blocked, but for permission requests.
fn blind(reason: &str) -> Response {
    Response::exit(2, reason)
}

fn server(tool: &str, fields: &Payload) -> Option<(String, String)> {
    let named = fields.get("mcp_server").and_then(|server| server.get("name")).and_then(Value::as_str);
    server_and_tool(tool, named)
}

fn entries<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Shortens a text that the host would otherwise put into a file and not show.
fn clip(text: &str) -> String {
    const CUT: &str = "\n[shortened]";
    // The host counts as JavaScript does.
    if text.encode_utf16().count() <= MOST_CHARACTERS {
        return text.to_owned();
    }
    let mut left = MOST_CHARACTERS - CUT.len();
    let fits = |character: &char| {
        let after = left.checked_sub(character.len_utf16());
        left = after.unwrap_or_default();
        after.is_some()
    };
    let head: String = text.chars().take_while(fits).collect();
    head + CUT
}
