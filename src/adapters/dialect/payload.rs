//! An event of one host as another would report it.

use serde_json::{Map, Value, json};

use super::{Circumstances, Returned, Unspeakable, call};
use crate::adapters::json::Payload as Fields;
use crate::adapters::llxprt::blocks;
use crate::adapters::{Host, Reads, Role, Row, Talk, compose, output, request};
use crate::domain::event::{Event, Message, ModelCall, Payload};
use crate::domain::tool::ToolCall;

/// Returns the payload that the dialect's host would have sent.
pub(super) fn payload(
    host: &'static Host,
    dialect: &'static Host,
    row: &'static Row,
    event: &Event<'_>,
    circumstances: &Circumstances<'_>,
) -> Result<Fields, Unspeakable> {
    let mut payload = Map::new();
    let mut put = |key: &str, value: Value| {
        if !key.is_empty() {
            payload.insert(key.to_owned(), value);
        }
    };
    put("session_id", json!(event.session.id.unwrap_or_default()));
    put("transcript_path", json!(event.session.transcript.unwrap_or_default()));
    put("cwd", json!(directory(host, dialect, event, circumstances)));
    put("hook_event_name", json!(row.wire));
    match (&event.payload, row.reads) {
        (Payload::Tools(_), _) => {
            if let Some(call) = event.call() {
                put_call(host, dialect, row, event, call, circumstances, &mut payload)?;
            }
        }
        (Payload::Prompt(text), _) => put("prompt", json!(text)),
        (Payload::Answer(answer), Reads::Answer(key)) => {
            put("stop_hook_active", json!(answer.again));
            put("prompt", json!(answer.prompt.unwrap_or_default()));
            put(key, json!(answer.text.unwrap_or_default()));
        }
        (Payload::Model(model), Reads::Model(talk)) => {
            put(request::REQUEST, asked(talk, model));
            if let Some(text) = &model.response {
                put(request::RESPONSE, compose::response(talk, text));
            }
        }
        (Payload::Notice(notice), Reads::Notice(_, text, path)) => {
            let subject = subject(host, dialect, row, event);
            if let Reads::Notice(key, ..) = row.reads {
                put(key, json!(subject));
            }
            put(text, json!(notice.text));
            put(path, json!(notice.path));
        }
        _ => {}
    }
    (dialect.dialect.adds)(row, event, circumstances, &mut payload);
    Ok(payload)
}

/// Returns what matchers of the dialect's host test of an event: the tool's name, or the subject.
pub(super) fn subject(host: &'static Host, dialect: &'static Host, row: &Row, event: &Event<'_>) -> String {
    match &event.payload {
        Payload::Tools(calls) => calls.first().map_or_else(String::new, |call| {
            if host.name == dialect.name {
                return call.name.to_owned();
            }
            call::name(dialect, &call::mapping(host, dialect, call), call)
        }),
        Payload::Notice(notice) => {
            let own = notice.subject.unwrap_or_default();
            let word = host.dialect.words.iter().find(|(kind, _, word)| *kind == row.kind && *word == own);
            let same =
                |meaning| dialect.dialect.words.iter().find(|(kind, known, _)| *kind == row.kind && *known == meaning);
            word.and_then(|(_, meaning, _)| same(*meaning)).map_or(own, |(.., word)| word).to_owned()
        }
        Payload::Prompt(_) | Payload::Model(_) => String::new(),
        Payload::Answer(_) => event.session.subagent.as_ref().map_or_else(String::new, |agent| agent.name.to_owned()),
    }
}

/// Returns the directory that the call starts in: a tool that is told of it has no argument for that.
fn directory(host: &Host, dialect: &'static Host, event: &Event<'_>, circumstances: &Circumstances<'_>) -> String {
    let cwd = event.session.cwd.unwrap_or_default();
    let Some(call) = event.call() else { return cwd.to_owned() };
    let base = call.commands.first().and_then(|command| command.base);
    let other = host.tool(call.name).and_then(|tool| call::told_as(dialect, tool));
    let lost = other.is_some_and(|tool| !tool.args.iter().any(|arg| arg.role == Role::Base));
    match base {
        Some(base) if lost && host.name != dialect.name => circumstances.place.resolve(base, None),
        _ => cwd.to_owned(),
    }
}

fn put_call(
    host: &'static Host,
    dialect: &'static Host,
    row: &Row,
    event: &Event<'_>,
    call: &ToolCall<'_>,
    circumstances: &Circumstances<'_>,
    payload: &mut Fields,
) -> Result<(), Unspeakable> {
    let told = call::told(host, dialect, call, circumstances.place)?;
    if let Some(mcp) = &call.mcp {
        let (key, value) = (dialect.dialect.server)(&mcp.server, &mcp.tool);
        payload.insert(key.to_owned(), value);
    }
    if let Reads::Result { output: key, .. } = row.reads {
        let action = host.tool(call.name).and_then(|tool| tool.action);
        let own = host.row(event.wire).and_then(|row| output::result(row, event));
        let text = own.map_or_else(String::new, |own| (host.dialect.reads)(action, own));
        let failed = call.outcome.as_ref().is_some_and(|outcome| !outcome.ok);
        let server = call.mcp.is_some();
        let returned = Returned { action, input: &told.input, text: &text, failed, server };
        payload.insert(key.to_owned(), (dialect.dialect.returns)(row, &returned));
    }
    payload.insert("tool_name".into(), json!(told.name));
    payload.insert("tool_input".into(), Value::Object(told.input));
    Ok(())
}

/// Returns a request to the model.
fn asked(talk: Talk, model: &ModelCall<'_>) -> Value {
    let whole = |message: &Message<'_>| format!("{}{}", message.preamble.unwrap_or_default(), message.text);
    match talk {
        Talk::Messages => {
            let said = |message: &Message<'_>| {
                let role = if message.by_model { "model" } else { "user" };
                json!({ "role": role, "content": whole(message) })
            };
            let messages: Vec<Value> = model.messages.iter().map(said).collect();
            json!({ "model": model.model.unwrap_or_default(), "messages": messages, "config": {} })
        }
        Talk::Blocks => {
            let said =
                |message: &Message<'_>| blocks::content(if message.by_model { "ai" } else { "human" }, &whole(message));
            let contents: Vec<Value> = model.messages.iter().map(said).collect();
            json!({ "contents": contents, "tools": [] })
        }
    }
}
