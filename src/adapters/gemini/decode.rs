//! Decodes the answer of a hook of Gemini CLI as the host does.
//!
//! Source: the hook runner of 0.61.0 and runs of it. JSON on standard output, or on standard error
//! when that is empty, is the answer regardless of the exit code; a plain text is a message, and with
//! an exit code of 2 or more the reason of a refusal. Where the host allows the action despite another
//! exit code or a truncated answer, the hook counts as failed here.

use serde_json::{Map, Value};

use super::model_request;
use crate::adapters::contract::{AnswerDecoder, InvalidAnswer, PayloadShape, Support};
use crate::adapters::dialect::parse_object;
use crate::adapters::payload::json::str_field;
use crate::domain::effect::EffectKind::{
    Ask, ClearContext, Context, Deny, Replace, Respond, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::event;
use crate::domain::event::kind::Kind;
use crate::domain::policy::limit::ToolMode;

/// How the host interprets an output text.
enum ParsedOutput<'a> {
    Nothing,
    Text(&'a str),
    Answer(Map<String, Value>),
}

impl<'a> ParsedOutput<'a> {
    fn parse(text: &'a str) -> Result<Self, InvalidAnswer> {
        let parsed = serde_json::from_str::<Value>(text);
        // A JSON string that contains an answer counts as an answer.
        let inner = parsed.as_ref().ok().and_then(Value::as_str).map(serde_json::from_str::<Value>);
        match inner.unwrap_or(parsed) {
            Ok(Value::Object(answer)) => Ok(Self::Answer(answer)),
            Ok(Value::Array(_)) => Ok(Self::Answer(Map::new())),
            Ok(Value::Null | Value::Bool(_) | Value::Number(_)) => Ok(Self::Nothing),
            Err(_) if text.is_empty() => Ok(Self::Nothing),
            Err(_) if text.starts_with('{') => parse_object(text).map(Self::Answer),
            Ok(Value::String(_)) | Err(_) => Ok(Self::Text(text)),
        }
    }
}

pub(super) fn decode(hearing: &mut AnswerDecoder<'_>) -> Result<(), InvalidAnswer> {
    let exit = hearing.exit_code()?;
    let (stdout, stderr) = (trim_bom(hearing.output.stdout), trim_bom(hearing.output.stderr));
    let text = if stdout.is_empty() { stderr } else { stdout };
    let heard = match ParsedOutput::parse(text) {
        Err(_) if exit > 1 => ParsedOutput::Text(text),
        heard => heard?,
    };
    match (exit, heard) {
        (_, ParsedOutput::Answer(answer)) => {
            apply_answer(hearing, &answer)?;
            if exit == 0 || hearing.is_blocking() { Ok(()) } else { Err(InvalidAnswer::Exit(exit)) }
        }
        (0, ParsedOutput::Nothing) => Ok(()),
        (0, ParsedOutput::Text(text)) => {
            apply_message(hearing, text);
            Ok(())
        }
        (2.., ParsedOutput::Text(text)) => {
            apply_refusal(hearing, text);
            Ok(())
        }
        (_, ParsedOutput::Nothing | ParsedOutput::Text(_)) => Err(InvalidAnswer::Exit(exit)),
    }
}

/// Decodes an answer from standard output only, at exit code 0; exit code 2 refuses with the text on
/// standard error. Hosts derived from Gemini CLI do this.
pub(in crate::adapters) fn decode_stdout(
    hearing: &mut AnswerDecoder<'_>,
    respelled: fn(Map<String, Value>) -> Map<String, Value>,
) -> Result<(), InvalidAnswer> {
    match hearing.exit_code()? {
        0 => match ParsedOutput::parse(trim_bom(hearing.output.stdout))? {
            ParsedOutput::Answer(answer) => apply_answer(hearing, &respelled(answer)),
            ParsedOutput::Text(text) => {
                apply_message(hearing, text);
                Ok(())
            }
            ParsedOutput::Nothing => Ok(()),
        },
        2 => {
            apply_refusal(hearing, trim_bom(hearing.output.stderr));
            Ok(())
        }
        exit => Err(InvalidAnswer::Exit(exit)),
    }
}

fn trim_bom(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

/// Adds a message for the user, or what the host does instead.
fn apply_message(hearing: &mut AnswerDecoder<'_>, text: &str) {
    match hearing.row.support(Warn) {
        Some(Support::Substitute(other, _)) => hearing.add(other, text),
        _ => hearing.add_if_supported(Warn, text),
    }
}

/// Adds a refusal, as far as the event supports it.
fn apply_refusal(hearing: &mut AnswerDecoder<'_>, reason: &str) {
    if matches!(hearing.row.payload, PayloadShape::Result { .. }) {
        // The reason replaces the result, even where a refusal would keep it.
        hearing.add(if hearing.host.dialect.denial_replaces_result { Deny } else { Replace }, reason);
    } else if hearing.row.support(Retry).is_some() {
        hearing.add(Retry, reason);
    } else {
        match hearing.row.support(Deny) {
            Some(Support::Substitute(other, _)) => hearing.add(other, reason),
            Some(_) => hearing.add(Deny, reason),
            None => {}
        }
    }
}

/// The fields that are decoded: of an answer, and of its event-specific part.
const KNOWN_FIELDS: &[&str] =
    &["continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "hookSpecificOutput"];
const SPECIFIC_FIELDS: &[&str] = &[
    "hookEventName",
    "additionalContext",
    "clearContext",
    "tool_input",
    "tailToolCallRequest",
    model_request::REQUEST_KEY,
    model_request::RESPONSE_KEY,
    "toolConfig",
];

fn apply_answer(hearing: &mut AnswerDecoder<'_>, answer: &Map<String, Value>) -> Result<(), InvalidAnswer> {
    let nothing = Map::new();
    let specific = match answer.get("hookSpecificOutput") {
        None | Some(Value::Null) => &nothing,
        Some(Value::Object(specific)) => specific,
        Some(_) => return Err(InvalidAnswer::Malformed("`hookSpecificOutput` is not an object".to_owned())),
    };
    let reason = str_field(answer, "reason").unwrap_or_default();
    let message = str_field(answer, "systemMessage").unwrap_or_default();
    hearing.record_unused(answer, KNOWN_FIELDS);
    hearing.record_unused(specific, SPECIFIC_FIELDS);
    let mut asks = false;
    if answer.get("continue") == Some(&Value::Bool(false)) {
        let why = str_field(answer, "stopReason").filter(|why| !why.is_empty()).unwrap_or(reason);
        match hearing.row.support(Stop) {
            Some(Support::Substitute(Deny, _)) => hearing.add(Deny, why),
            _ => hearing.add_if_supported(Stop, why),
        }
    }
    match str_field(answer, "decision") {
        Some("deny" | "block") => match response_text(specific).filter(|_| hearing.row.kind == Kind::ModelBefore) {
            Some(text) => hearing.add(Respond, &text),
            None => apply_refusal(hearing, reason),
        },
        Some("ask") if hearing.supports(Ask) => {
            asks = true;
            hearing.add(Ask, if message.is_empty() { reason } else { message });
        }
        _ => {}
    }
    if !message.is_empty() && !asks {
        apply_message(hearing, message);
    }
    if let Some(text) = str_field(specific, "additionalContext").filter(|text| !text.is_empty()) {
        hearing.add_if_supported(Context, text);
    }
    if specific.get("clearContext") == Some(&Value::Bool(true)) && hearing.is_blocking() {
        hearing.add_if_supported(ClearContext, "The conversation was cleared.");
    }
    apply_changes(hearing, specific)
}

/// Decodes changes: of a call, a request, an answer, or a choice of tools.
fn apply_changes(hearing: &mut AnswerDecoder<'_>, specific: &Map<String, Value>) -> Result<(), InvalidAnswer> {
    let entries = |key: &str| specific.get(key).and_then(Value::as_object);
    match hearing.row.kind {
        Kind::ToolBefore => match entries("tool_input") {
            Some(input) if hearing.row.support(Rewrite).is_some() => hearing.propose_input(input),
            _ => Ok(()),
        },
        Kind::ToolAfter if entries("tailToolCallRequest").is_some() => {
            Err(InvalidAnswer::Unsupported("it requests a call of another tool, which is not supported".to_owned()))
        }
        Kind::ModelBefore => {
            entries(model_request::REQUEST_KEY).map_or(Ok(()), |wanted| apply_request_changes(hearing, wanted))
        }
        Kind::ModelAfter => {
            if let Some(text) = response_text(specific) {
                hearing.add_if_supported(Replace, &text);
            }
            Ok(())
        }
        Kind::ModelTools => {
            if let Some(config) = entries("toolConfig").filter(|_| hearing.supports(Tools)) {
                apply_tool_choice(hearing, config);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Returns the text of an answer of the model: the parts of its first candidate.
fn response_text(specific: &Map<String, Value>) -> Option<String> {
    let parts = specific.get(model_request::RESPONSE_KEY)?.pointer("/candidates/0/content/parts")?.as_array()?;
    let texts = parts.iter().map(|part| part.as_str().or_else(|| part.get("text")?.as_str()));
    let texts: Vec<&str> = texts.collect::<Option<_>>()?;
    (!texts.is_empty()).then(|| texts.concat())
}

fn apply_tool_choice(hearing: &mut AnswerDecoder<'_>, config: &Map<String, Value>) {
    let mode = match str_field(config, "mode") {
        Some("NONE") => ToolMode::None,
        Some("ANY") => ToolMode::Any,
        _ => ToolMode::Auto,
    };
    let names = config.get("allowedFunctionNames").and_then(Value::as_array);
    let names: Option<Vec<&str>> = names.map(|names| names.iter().filter_map(Value::as_str).collect());
    let names = names.filter(|names| mode != ToolMode::None && !names.is_empty());
    if mode != ToolMode::Auto || names.is_some() {
        hearing.limit_tools(mode, names);
    }
}

/// Decodes a changed request. The four parameters are set together, and messages are matched by
/// position; only the user's last message can be changed here.
fn apply_request_changes(hearing: &mut AnswerDecoder<'_>, wanted: &Map<String, Value>) -> Result<(), InvalidAnswer> {
    let event::Payload::Model(model) = &hearing.event.payload else { return Ok(()) };
    let mut changes = Vec::new();
    if let Some(name) = str_field(wanted, "model").filter(|name| Some(*name) != model.model) {
        changes.push(("model".to_owned(), Value::from(name)));
    }
    if let Some(config) = wanted.get("config").and_then(Value::as_object) {
        for (name, key) in model_request::CONFIG_KEYS {
            let before = model.config.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            let now = config.get(*key).filter(|value| value.is_number());
            if before != now {
                changes.push(((*name).to_owned(), now.cloned().unwrap_or(Value::Null)));
            }
        }
    }
    if let Some(messages) = wanted.get("messages").and_then(Value::as_array) {
        let last = model.messages.iter().rposition(|message| !message.by_model);
        for (index, message) in messages.iter().enumerate() {
            let now = message.get("content").and_then(Value::as_str).unwrap_or_default();
            let before = model.messages.get(index);
            let (preamble, text) = before.map_or(("", ""), |before| (before.preamble.unwrap_or_default(), before.text));
            let prompt = now.strip_prefix(preamble);
            match prompt {
                Some(prompt) if before.is_some() && prompt == text => {}
                Some(prompt) if before.is_some() && Some(index) == last => {
                    changes.push(("prompt".to_owned(), Value::from(prompt)));
                }
                _ => {
                    let what = "it changes messages other than the user's last one";
                    return Err(InvalidAnswer::Unsupported(what.to_owned()));
                }
            }
        }
    }
    hearing.propose_rewrites(changes);
    Ok(())
}
