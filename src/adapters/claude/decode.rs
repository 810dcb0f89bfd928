//! Decodes the answer of a hook of Claude Code as the host does.
//!
//! Source: the hooks reference and runs of 2.1.329. An object on standard output is the answer;
//! exit code 2 blocks regardless of the output; any other exit code but 0 is an error of the hook.
//! The host accepts an object despite such an error. Here it is accepted only when it blocks
//! something; otherwise the error counts, so that a hook that failed halfway approves nothing.

use serde_json::{Map, Value};

use crate::adapters::contract::{AnswerDecoder, AnswerForm, InvalidAnswer};
use crate::adapters::dialect::parse_object;
use crate::adapters::payload::json::str_field;
use crate::domain::effect::EffectKind::{Allow, Ask, Context, Defer, Deny, Replace, Retry, Rewrite, Stop, Warn};
use crate::domain::event::kind::Kind;

/// The text by which the host recognises a hook that could not start, at events that keep the agent working.
const MISSING_FILE_MESSAGE: &str = "No such file or directory";

pub(in crate::adapters) fn decode(hearing: &mut AnswerDecoder<'_>) -> Result<(), InvalidAnswer> {
    let exit = hearing.exit_code()?;
    let (stdout, stderr) = (hearing.output.stdout, hearing.output.stderr.trim());
    let stdout = stdout.trim_start_matches('\u{feff}').trim();
    let answer =
        if stdout.starts_with('{') { Some(parse_object(stdout).and_then(|it| validate(hearing, it))) } else { None };
    if exit == 2 {
        let missing = matches!(hearing.row.kind, Kind::AgentAfter | Kind::SubagentAfter | Kind::TaskCompleted);
        if missing && stdout.is_empty() && stderr.contains(MISSING_FILE_MESSAGE) {
            return Err(InvalidAnswer::Exit(exit));
        }
        let taken = answer.is_some_and(|answer| answer.and_then(|answer| apply_answer(hearing, &answer)).is_ok());
        hearing.verdict.notes.clear(Allow);
        if !taken || hearing.verdict.decision().is_none() && !hearing.is_blocking() || hearing.verdict.notes.has(Ask) {
            hearing.verdict.notes.clear(Ask);
            hearing.verdict.notes.clear(Defer);
            apply_block(hearing, stderr);
        }
        return Ok(());
    }
    if let Some(answer) = answer {
        apply_answer(hearing, &answer?)?;
        return if exit == 0 || hearing.is_blocking() { Ok(()) } else { Err(InvalidAnswer::Exit(exit)) };
    }
    if exit != 0 {
        // Any exit code but 0 prevents a worktree from being created or removed.
        if matches!(hearing.row.kind, Kind::WorktreeCreate | Kind::WorktreeRemove) {
            apply_block(hearing, stderr);
            return Ok(());
        }
        return Err(InvalidAnswer::Exit(exit));
    }
    let reads =
        matches!(hearing.row.kind, Kind::PromptSubmit | Kind::PromptExpand | Kind::SessionStart | Kind::ModelSwitched);
    if reads && !stdout.is_empty() {
        hearing.add_if_supported(Context, stdout);
    }
    Ok(())
}

/// Blocks, as the event does.
fn apply_block(hearing: &mut AnswerDecoder<'_>, reason: &str) {
    match (hearing.row.kind, hearing.row.answer) {
        // Such an exit code has no meaning for these forms.
        (_, AnswerForm::Permission | AnswerForm::TryAgain) => {}
        (Kind::ToolAfter | Kind::ToolFailed, _) => add_result_reason(hearing, reason),
        _ if hearing.supports(Retry) => hearing.add(Retry, reason),
        _ if hearing.supports(Deny) => hearing.add(Deny, reason),
        _ => hearing.add_if_supported(Warn, reason),
    }
}

/// Adds a reason to the result of a call, which is kept. On a host where a refusal replaces the
/// result, a context is added instead; it adds none to a failure.
fn add_result_reason(hearing: &mut AnswerDecoder<'_>, reason: &str) {
    let failed = hearing.event.calls().iter().any(|call| call.result.as_ref().is_some_and(|outcome| !outcome.is_ok));
    let effect = if !hearing.host.dialect.denial_replaces_result || failed { Deny } else { Context };
    hearing.add(effect, reason);
}

/// Types of the fields that the host knows. A field of another type makes it drop the whole answer.
const STRING_FIELDS: &[&str] = &["stopReason", "systemMessage", "reason"];
const BOOLEAN_FIELDS: &[&str] = &["continue", "suppressOutput", "async"];
const SPECIFIC_STRING_FIELDS: &[&str] = &["permissionDecisionReason", "additionalContext", "displayContent"];

/// The fields that are decoded: of an answer, of its event-specific part, and of an answer to a permission
/// request. Fields about what the hook prints have no effect here and count as known.
const KNOWN_FIELDS: &[&str] = &[
    "continue",
    "stopReason",
    "suppressOutput",
    "systemMessage",
    "decision",
    "reason",
    "hookSpecificOutput",
    "async",
    "asyncTimeout",
];
const SPECIFIC_FIELDS: &[&str] = &[
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput",
    "additionalContext",
    "suppressOriginalPrompt",
    "decision",
    "displayContent",
    "updatedToolOutput",
    "updatedMCPToolOutput",
    "action",
    "content",
    "retry",
];
const PERMISSION_FIELDS: &[&str] = &["behavior", "message", "interrupt", "updatedInput"];

fn validate(hearing: &AnswerDecoder<'_>, answer: Map<String, Value>) -> Result<Map<String, Value>, InvalidAnswer> {
    let junk = |what: String| Err(InvalidAnswer::Malformed(what));
    for (keys, fits, what) in [
        (STRING_FIELDS, Value::is_string as fn(&Value) -> bool, "a string"),
        (BOOLEAN_FIELDS, Value::is_boolean, "true or false"),
        (&["hookSpecificOutput"], Value::is_object, "an object"),
    ] {
        if let Some(key) = keys.iter().find(|key| answer.get(**key).is_some_and(|value| !fits(value))) {
            return junk(format!("`{key}` is not {what}"));
        }
    }
    if answer.get("decision").is_some_and(|it| !matches!(it.as_str(), Some("block" | "approve"))) {
        return junk("`decision` is neither `block` nor `approve`".to_owned());
    }
    let Some(specific) = answer.get("hookSpecificOutput").and_then(Value::as_object) else { return Ok(answer) };
    let event = str_field(specific, "hookEventName");
    if event != Some(hearing.row.wire) {
        let named = event.map_or_else(|| "is missing".to_owned(), |name| format!("is `{name}`"));
        return junk(format!("`hookEventName` {named}, at `{}`", hearing.row.wire));
    }
    if let Some(key) = SPECIFIC_STRING_FIELDS.iter().find(|key| specific.get(**key).is_some_and(|it| !it.is_string())) {
        return junk(format!("`{key}` is not a string"));
    }
    let decision = specific.get("permissionDecision");
    if decision.is_some_and(|it| !matches!(it.as_str(), Some("allow" | "deny" | "ask" | "defer"))) {
        return junk("`permissionDecision` is not `allow`, `deny`, `ask` or `defer`".to_owned());
    }
    if specific.get("updatedInput").is_some_and(|input| !input.is_object()) {
        return junk("`updatedInput` is not an object".to_owned());
    }
    Ok(answer)
}

fn apply_answer(hearing: &mut AnswerDecoder<'_>, answer: &Map<String, Value>) -> Result<(), InvalidAnswer> {
    // Such a hook continues in the background, and nobody waits for its output.
    if answer.get("async") == Some(&Value::Bool(true)) {
        return Ok(());
    }
    let reason = str_field(answer, "reason").unwrap_or_default();
    if answer.get("continue") == Some(&Value::Bool(false)) {
        hearing.add_if_supported(Stop, str_field(answer, "stopReason").unwrap_or(reason));
    }
    if let Some(text) = str_field(answer, "systemMessage").filter(|text| !text.is_empty()) {
        hearing.add_if_supported(Warn, text);
    }
    let nothing = Map::new();
    let specific = answer.get("hookSpecificOutput").and_then(Value::as_object).unwrap_or(&nothing);
    hearing.record_unused(answer, KNOWN_FIELDS);
    hearing.record_unused(specific, SPECIFIC_FIELDS);
    match str_field(answer, "decision") {
        Some("block") if hearing.row.answer != AnswerForm::ExitCode => apply_block(hearing, reason),
        Some("approve") if hearing.row.answer == AnswerForm::Tool && !specific.contains_key("permissionDecision") => {
            hearing.add_if_supported(Allow, reason);
        }
        _ => {}
    }
    if specific.get("suppressOriginalPrompt") == Some(&Value::Bool(true)) {
        hearing.verdict.has_secret = true;
    }
    if let Some(text) = str_field(specific, "additionalContext").filter(|text| !text.is_empty()) {
        apply_context(hearing, text);
    }
    match hearing.row.answer {
        AnswerForm::Tool | AnswerForm::Switch => apply_permission_decision(hearing, specific)?,
        AnswerForm::Permission => apply_permission_answer(hearing, specific)?,
        AnswerForm::Decline => apply_elicitation(hearing, specific),
        AnswerForm::TryAgain if specific.get("retry") == Some(&Value::Bool(true)) => {
            hearing.add_if_supported(Retry, reason);
        }
        AnswerForm::Display => {
            if let Some(text) = str_field(specific, "displayContent") {
                hearing.add_if_supported(Replace, text);
            }
        }
        AnswerForm::Block if hearing.row.kind == Kind::ToolAfter => apply_replacement(hearing, specific),
        AnswerForm::Block
        | AnswerForm::ToolChoice
        | AnswerForm::ExitCode
        | AnswerForm::TryAgain
        | AnswerForm::Silent => {}
    }
    Ok(())
}

/// Adds a context for the agent. At the end of an answer, this keeps the agent working.
fn apply_context(hearing: &mut AnswerDecoder<'_>, text: &str) {
    if hearing.supports(Context) {
        let continues = hearing.supports(Retry) && !hearing.is_same_host();
        hearing.add(if continues { Retry } else { Context }, text);
    }
}

fn apply_permission_decision(
    hearing: &mut AnswerDecoder<'_>,
    specific: &Map<String, Value>,
) -> Result<(), InvalidAnswer> {
    let reason = str_field(specific, "permissionDecisionReason").unwrap_or_default();
    let effect = match str_field(specific, "permissionDecision") {
        Some("deny") => Some(Deny),
        Some("ask") => Some(Ask),
        Some("allow") => Some(Allow),
        Some("defer") => Some(Defer),
        _ => None,
    };
    if let Some(effect) = effect {
        hearing.add_if_supported(effect, reason);
    }
    match specific.get("updatedInput").and_then(Value::as_object) {
        // The input of a deferred call is not changed.
        Some(input) if hearing.supports(Rewrite) && effect != Some(Defer) => hearing.propose_input(input),
        _ => Ok(()),
    }
}

/// Decodes an answer to the host's own question. Only an approval may change the input.
fn apply_permission_answer(
    hearing: &mut AnswerDecoder<'_>,
    specific: &Map<String, Value>,
) -> Result<(), InvalidAnswer> {
    let Some(decision) = specific.get("decision").and_then(Value::as_object) else { return Ok(()) };
    hearing.record_unused(decision, PERMISSION_FIELDS);
    match str_field(decision, "behavior") {
        Some("deny") => {
            let interrupts = decision.get("interrupt") == Some(&Value::Bool(true));
            hearing.add_if_supported(
                if interrupts { Stop } else { Deny },
                str_field(decision, "message").unwrap_or_default(),
            );
            Ok(())
        }
        Some("allow") => {
            hearing.add_if_supported(Allow, "");
            decision.get("updatedInput").and_then(Value::as_object).map_or(Ok(()), |it| hearing.propose_input(it))
        }
        _ => Ok(()),
    }
}

fn apply_elicitation(hearing: &mut AnswerDecoder<'_>, specific: &Map<String, Value>) {
    match str_field(specific, "action") {
        Some("decline" | "cancel") => hearing.add_if_supported(Deny, ""),
        Some("accept") => {
            hearing.add_if_supported(Allow, "");
            let content = specific.get("content").and_then(Value::as_object).cloned().unwrap_or_default();
            let before = hearing.event.native.get("content").and_then(Value::as_object);
            let gone = before.into_iter().flat_map(Map::keys).filter(|key| !content.contains_key(*key));
            let gone: Vec<_> = gone.map(|key| (key.clone(), Value::Null)).collect();
            hearing.propose_rewrites(gone.into_iter().chain(content));
        }
        _ => {}
    }
}

/// Replaces the tool's result.
fn apply_replacement(hearing: &mut AnswerDecoder<'_>, specific: &Map<String, Value>) {
    let of_server = hearing.event.call().is_some_and(|call| call.mcp.is_some());
    let output = specific.get("updatedToolOutput");
    let output = output.or_else(|| specific.get("updatedMCPToolOutput").filter(|_| of_server));
    if let Some(output) = output.filter(|output| hearing.event.native.get("tool_response") != Some(*output)) {
        hearing.add_if_supported(Replace, &super::encode::result_text(None, output));
    }
}
