//! An event of one host as another would report it.

use serde_json::{Map, Value, json};

use super::{EncodeContext, EncodedResult, UnsupportedEvent, call};
use crate::adapters::contract::{ArgRole, EventRow, Host, PayloadFields, PayloadShape};
use crate::adapters::payload::output;
use crate::domain::event::tool::ToolCall;
use crate::domain::event::{Event, Payload};

/// Returns the payload that the dialect's host would have sent.
pub(super) fn encode_payload(
    host: &'static Host,
    dialect: &'static Host,
    row: &'static EventRow,
    event: &Event<'_>,
    circumstances: &EncodeContext<'_>,
) -> Result<PayloadFields, UnsupportedEvent> {
    let mut payload = Map::new();
    let mut put = |key: &str, value: Value| {
        if !key.is_empty() {
            payload.insert(key.to_owned(), value);
        }
    };
    put("session_id", json!(event.session.id.unwrap_or_default()));
    put("transcript_path", json!(event.session.transcript.unwrap_or_default()));
    put("cwd", json!(working_dir(host, dialect, event, circumstances)));
    put("hook_event_name", json!(row.wire));
    match (&event.payload, row.payload) {
        (Payload::Tools(_), _) => {
            if let Some(call) = event.call() {
                insert_call(host, dialect, row, event, call, circumstances, &mut payload)?;
            }
        }
        (Payload::Prompt(text), _) => put("prompt", json!(text)),
        (Payload::Answer(answer), PayloadShape::Answer(key)) => {
            put("stop_hook_active", json!(answer.is_retry));
            put("prompt", json!(answer.prompt.unwrap_or_default()));
            put(key, json!(answer.text.unwrap_or_default()));
        }
        (Payload::Model(model), PayloadShape::Model(format)) => {
            put(format.request_key, (format.encode_request)(model));
            if let Some(text) = &model.response {
                put(format.response_key, (format.compose_response)(text));
            }
        }
        (Payload::Notice(notice), PayloadShape::Notice(_, text, path)) => {
            let subject = matcher_subject(host, dialect, row, event);
            if let PayloadShape::Notice(key, ..) = row.payload {
                put(key, json!(subject));
            }
            put(text, json!(notice.text));
            put(path, json!(notice.path));
        }
        _ => {}
    }
    (dialect.dialect.add_fields)(row, event, circumstances, &mut payload);
    Ok(payload)
}

/// Returns the text that matchers of the dialect's host test: the tool's name, or the subject.
pub(super) fn matcher_subject(
    host: &'static Host,
    dialect: &'static Host,
    row: &EventRow,
    event: &Event<'_>,
) -> String {
    match &event.payload {
        Payload::Tools(calls) => calls.first().map_or_else(String::new, |call| {
            if host.name == dialect.name {
                return call.name.to_owned();
            }
            call::encoded_tool_name(dialect, &call::mapping(host, dialect, call), call)
        }),
        Payload::Notice(notice) => {
            let own = notice.subject.unwrap_or_default();
            let word = host.dialect.subjects.iter().find(|(kind, _, word)| *kind == row.kind && *word == own);
            let same = |meaning| {
                dialect.dialect.subjects.iter().find(|(kind, known, _)| *kind == row.kind && *known == meaning)
            };
            word.and_then(|(_, meaning, _)| same(*meaning)).map_or(own, |(.., word)| word).to_owned()
        }
        Payload::Prompt(_) | Payload::Model(_) => String::new(),
        Payload::Answer(_) => event.session.subagent.as_ref().map_or_else(String::new, |agent| agent.name.to_owned()),
    }
}

/// Returns the working directory of the call: the dialect's tool may have no argument for it.
fn working_dir(host: &Host, dialect: &'static Host, event: &Event<'_>, circumstances: &EncodeContext<'_>) -> String {
    let cwd = event.session.cwd.unwrap_or_default();
    let Some(call) = event.call() else { return cwd.to_owned() };
    let base = call.commands.first().and_then(|command| command.base);
    let other = host.tool(call.name).and_then(|tool| call::equivalent_tool(dialect, tool));
    let lost = other.is_some_and(|tool| !tool.args.iter().any(|arg| arg.role == ArgRole::WorkingDir));
    match base {
        Some(base) if lost && host.name != dialect.name => circumstances.place.resolve(base, None),
        _ => cwd.to_owned(),
    }
}

fn insert_call(
    host: &'static Host,
    dialect: &'static Host,
    row: &EventRow,
    event: &Event<'_>,
    call: &ToolCall<'_>,
    circumstances: &EncodeContext<'_>,
    payload: &mut PayloadFields,
) -> Result<(), UnsupportedEvent> {
    let told = call::encode_call(host, dialect, call, circumstances.place)?;
    let server = call.mcp.as_ref().and_then(|mcp| (dialect.dialect.encode_server)(&mcp.server, &mcp.tool));
    payload.extend(server.map(|(key, value)| (key.to_owned(), value)));
    if let PayloadShape::Result { output: key, .. } = row.payload {
        let action = host.tool(call.name).and_then(|tool| tool.action);
        let own = host.event_row(event.wire_name).and_then(|row| output::tool_result(row, event));
        let text = own.map_or_else(String::new, |own| (host.dialect.result_text)(action, own));
        let failed = call.result.as_ref().is_some_and(|outcome| !outcome.is_ok);
        let server = call.mcp.is_some();
        let returned = EncodedResult { action, input: &told.input, text: &text, failed, is_mcp: server };
        payload.insert(key.to_owned(), (dialect.dialect.encode_result)(row, &returned));
    }
    payload.insert("tool_name".into(), json!(told.name));
    payload.insert("tool_input".into(), Value::Object(told.input));
    Ok(())
}
