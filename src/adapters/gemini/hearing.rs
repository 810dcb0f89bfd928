//! What a hook of Gemini CLI answers, taken as the host takes it.
//!
//! Source: the hook runner of 0.61.0 and runs of it. JSON on standard output, or on standard error
//! when that is empty, is the answer whatever the exit code; a plain text is a message, and with an
//! exit code of 2 or more the reason of a refusal. Where the host lets go ahead what came with a bad
//! exit code, or in an answer cut short, the hook has failed here.

use serde_json::{Map, Value};

use crate::adapters::dialect::{Hearing, Misunderstood, object, text_in};
use crate::adapters::{Reads, Support, request};
use crate::domain::effect::EffectKind::{
    Ask, ClearContext, Context, Deny, Replace, Respond, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::event;
use crate::domain::kind::Kind;
use crate::domain::limit::ToolMode;

/// What a text is to the host.
enum Heard<'a> {
    Nothing,
    Text(&'a str),
    Answer(Map<String, Value>),
}

impl<'a> Heard<'a> {
    fn of(text: &'a str) -> Result<Self, Misunderstood> {
        let parsed = serde_json::from_str::<Value>(text);
        // A text that holds an answer is one.
        let inner = parsed.as_ref().ok().and_then(Value::as_str).map(serde_json::from_str::<Value>);
        match inner.unwrap_or(parsed) {
            Ok(Value::Object(answer)) => Ok(Self::Answer(answer)),
            Ok(Value::Array(_)) => Ok(Self::Answer(Map::new())),
            Ok(Value::Null | Value::Bool(_) | Value::Number(_)) => Ok(Self::Nothing),
            Err(_) if text.is_empty() => Ok(Self::Nothing),
            Err(_) if text.starts_with('{') => object(text).map(Self::Answer),
            Ok(Value::String(_)) | Err(_) => Ok(Self::Text(text)),
        }
    }
}

pub(super) fn hears(hearing: &mut Hearing<'_>) -> Result<(), Misunderstood> {
    let exit = hearing.exit()?;
    let (stdout, stderr) = (trimmed(hearing.said.stdout), trimmed(hearing.said.stderr));
    let text = if stdout.is_empty() { stderr } else { stdout };
    let heard = match Heard::of(text) {
        Err(_) if exit > 1 => Heard::Text(text),
        heard => heard?,
    };
    match (exit, heard) {
        (_, Heard::Answer(answer)) => {
            take(hearing, &answer)?;
            if exit == 0 || hearing.holds_back() { Ok(()) } else { Err(Misunderstood::Exit(exit)) }
        }
        (0, Heard::Nothing) => Ok(()),
        (0, Heard::Text(text)) => {
            tell(hearing, text);
            Ok(())
        }
        (2.., Heard::Text(text)) => {
            refuse(hearing, text);
            Ok(())
        }
        (_, Heard::Nothing | Heard::Text(_)) => Err(Misunderstood::Exit(exit)),
    }
}

/// Takes an answer of standard output alone, at exit code 0; exit code 2 refuses with what stands on
/// standard error. So do hosts that it was the model for.
pub(in crate::adapters) fn hears_stdout(
    hearing: &mut Hearing<'_>,
    respelled: fn(Map<String, Value>) -> Map<String, Value>,
) -> Result<(), Misunderstood> {
    match hearing.exit()? {
        0 => match Heard::of(trimmed(hearing.said.stdout))? {
            Heard::Answer(answer) => take(hearing, &respelled(answer)),
            Heard::Text(text) => {
                tell(hearing, text);
                Ok(())
            }
            Heard::Nothing => Ok(()),
        },
        2 => {
            refuse(hearing, trimmed(hearing.said.stderr));
            Ok(())
        }
        exit => Err(Misunderstood::Exit(exit)),
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

/// Shows the person a text, or does what the host does in place of that.
fn tell(hearing: &mut Hearing<'_>, text: &str) {
    match hearing.row.support(Warn) {
        Some(Support::As(other, _)) => hearing.put(other, text),
        _ => hearing.say(Warn, text),
    }
}

/// Refuses, as the event does.
fn refuse(hearing: &mut Hearing<'_>, reason: &str) {
    if matches!(hearing.row.reads, Reads::Result { .. }) {
        // The reason takes the result's place, also where a refusal would leave it standing.
        hearing.put(if hearing.host.dialect.replaces { Deny } else { Replace }, reason);
    } else if hearing.row.support(Retry).is_some() {
        hearing.put(Retry, reason);
    } else {
        match hearing.row.support(Deny) {
            Some(Support::As(other, _)) => hearing.put(other, reason),
            Some(_) => hearing.put(Deny, reason),
            None => {}
        }
    }
}

/// The fields that are taken, of an answer and of what is for its event.
const FIELDS: &[&str] =
    &["continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "hookSpecificOutput"];
const INNER_FIELDS: &[&str] = &[
    "hookEventName",
    "additionalContext",
    "clearContext",
    "tool_input",
    "tailToolCallRequest",
    request::REQUEST,
    request::RESPONSE,
    "toolConfig",
];

fn take(hearing: &mut Hearing<'_>, answer: &Map<String, Value>) -> Result<(), Misunderstood> {
    let nothing = Map::new();
    let specific = match answer.get("hookSpecificOutput") {
        None | Some(Value::Null) => &nothing,
        Some(Value::Object(specific)) => specific,
        Some(_) => return Err(Misunderstood::Junk("`hookSpecificOutput` is not an object".to_owned())),
    };
    let reason = text_in(answer, "reason").unwrap_or_default();
    let message = text_in(answer, "systemMessage").unwrap_or_default();
    hearing.uses(answer, FIELDS);
    hearing.uses(specific, INNER_FIELDS);
    let mut asks = false;
    if answer.get("continue") == Some(&Value::Bool(false)) {
        let why = text_in(answer, "stopReason").filter(|why| !why.is_empty()).unwrap_or(reason);
        match hearing.row.support(Stop) {
            Some(Support::As(Deny, _)) => hearing.put(Deny, why),
            _ => hearing.say(Stop, why),
        }
    }
    match text_in(answer, "decision") {
        Some("deny" | "block") => match answered(specific).filter(|_| hearing.row.kind == Kind::ModelBefore) {
            Some(text) => hearing.put(Respond, &text),
            None => refuse(hearing, reason),
        },
        Some("ask") if hearing.listens(Ask) => {
            asks = true;
            hearing.put(Ask, if message.is_empty() { reason } else { message });
        }
        _ => {}
    }
    if !message.is_empty() && !asks {
        tell(hearing, message);
    }
    if let Some(text) = text_in(specific, "additionalContext").filter(|text| !text.is_empty()) {
        hearing.say(Context, text);
    }
    if specific.get("clearContext") == Some(&Value::Bool(true)) && hearing.holds_back() {
        hearing.say(ClearContext, "The conversation begins anew.");
    }
    change(hearing, specific)
}

/// Takes what is to be otherwise: a call, a request, an answer, a choice.
fn change(hearing: &mut Hearing<'_>, specific: &Map<String, Value>) -> Result<(), Misunderstood> {
    let entries = |key: &str| specific.get(key).and_then(Value::as_object);
    match hearing.row.kind {
        Kind::ToolBefore => match entries("tool_input") {
            Some(input) if hearing.row.support(Rewrite).is_some() => hearing.propose_input(input),
            _ => Ok(()),
        },
        Kind::ToolAfter if entries("tailToolCallRequest").is_some() => {
            Err(Misunderstood::Unmapped("it asks for a call of another tool, which cannot be passed on".to_owned()))
        }
        Kind::ModelBefore => entries(request::REQUEST).map_or(Ok(()), |wanted| requested(hearing, wanted)),
        Kind::ModelAfter => {
            if let Some(text) = answered(specific) {
                hearing.say(Replace, &text);
            }
            Ok(())
        }
        Kind::ModelTools => {
            if let Some(config) = entries("toolConfig").filter(|_| hearing.listens(Tools)) {
                choose(hearing, config);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Returns the text of an answer of the model: the parts of its first candidate.
fn answered(specific: &Map<String, Value>) -> Option<String> {
    let parts = specific.get(request::RESPONSE)?.pointer("/candidates/0/content/parts")?.as_array()?;
    let texts = parts.iter().map(|part| part.as_str().or_else(|| part.get("text")?.as_str()));
    let texts: Vec<&str> = texts.collect::<Option<_>>()?;
    (!texts.is_empty()).then(|| texts.concat())
}

fn choose(hearing: &mut Hearing<'_>, config: &Map<String, Value>) {
    let mode = match text_in(config, "mode") {
        Some("NONE") => ToolMode::None,
        Some("ANY") => ToolMode::Any,
        _ => ToolMode::Auto,
    };
    let names = config.get("allowedFunctionNames").and_then(Value::as_array);
    let names: Option<Vec<&str>> = names.map(|names| names.iter().filter_map(Value::as_str).collect());
    let names = names.filter(|names| mode != ToolMode::None && !names.is_empty());
    if mode != ToolMode::Auto || names.is_some() {
        hearing.limit(mode, names);
    }
}

/// Takes a changed request. The four parameters are set together, and messages are matched by their
/// place; of those, only the last one of the user's can be changed here.
fn requested(hearing: &mut Hearing<'_>, wanted: &Map<String, Value>) -> Result<(), Misunderstood> {
    let event::Payload::Model(model) = &hearing.event.payload else { return Ok(()) };
    let mut changes = Vec::new();
    if let Some(name) = text_in(wanted, "model").filter(|name| Some(*name) != model.model) {
        changes.push(("model".to_owned(), Value::from(name)));
    }
    if let Some(config) = wanted.get("config").and_then(Value::as_object) {
        for (name, key) in request::CONFIG {
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
                    let what = "it changes other messages than the last one of the user's";
                    return Err(Misunderstood::Unmapped(what.to_owned()));
                }
            }
        }
    }
    hearing.propose(changes);
    Ok(())
}
