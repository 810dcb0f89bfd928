//! A tool's input, or a request to the model, with the fields that rules rewrite.
//!
//! Hosts expect the whole new input, so fields that no rule rewrites are copied.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::adapters::contract::{ArgRole, Host, PayloadFields, PayloadShape};
use crate::domain::event::kind::Kind;
use crate::domain::event::strings::{SKIP_NONE, map_strings};
use crate::domain::event::{self, Event};
use crate::domain::verdict::{Proposal, Verdict};

/// The key of the user's input in an elicitation.
const CONTENT_KEY: &str = "content";

/// Returns the whole input of the event's call with the verdict's changes; `None` when there is
/// nothing to change. A new value for a field is used as it is: what must be redacted in it is
/// found when the changed call is judged.
pub(in crate::adapters) fn rewritten_input(
    host: &Host,
    event: &Event<'_>,
    verdict: &Verdict,
) -> Option<Map<String, Value>> {
    let redacts = event.kind == Kind::ToolBefore && !verdict.redact.is_empty();
    if verdict.rewrite.is_empty() && !redacts {
        return None;
    }
    let call = event.call()?;
    let mut index = 0;
    let mut redact = |text: &str| {
        index += 1;
        if redacts { verdict.redact.apply(index - 1, text) } else { None }
    };
    let fields = call.input.iter().map(|(key, value)| (key.clone(), map_strings(value, SKIP_NONE, &mut redact)));
    let mut input: Map<String, Value> = fields.collect();
    for (field, proposals) in &verdict.rewrite {
        let Some(proposal) = proposals.first() else { continue };
        let Some(key) = native_key(host, call.name, field, call.input) else { continue };
        if proposal.value.is_null() {
            input.remove(key);
        } else {
            input.insert(key.to_owned(), proposal.value.clone());
        }
    }
    (input != *call.input).then_some(input)
}

/// Returns the payload that the host would have sent with the verdict's changes; `None` when there is
/// nothing to change.
pub fn rewritten_payload(host: &Host, event: &Event<'_>, verdict: &Verdict) -> Option<PayloadFields> {
    let (key, changed) = match &event.payload {
        event::Payload::Model(_) => rewritten_request(host, event, &verdict.rewrite)?,
        event::Payload::Notice(_) => (CONTENT_KEY, rewritten_content(event, &verdict.rewrite)?),
        _ => ("tool_input", rewritten_input(host, event, verdict)?),
    };
    let mut payload = event.native.clone();
    payload.insert(key.into(), Value::Object(changed));
    Some(payload)
}

/// Returns the key of the request to the model, and the whole request with the proposed changes;
/// `None` when there is nothing to change.
fn rewritten_request(
    host: &Host,
    event: &Event<'_>,
    proposals: &BTreeMap<String, Vec<Proposal>>,
) -> Option<(&'static str, Map<String, Value>)> {
    let PayloadShape::Model(format) = host.event_row(event.wire_name)?.payload else { return None };
    let request = event.native.get(format.request_key)?.as_object()?;
    Some((format.request_key, (format.rewrite_request)(request, proposals)?))
}

/// Returns the user's input in an elicitation with the proposed changes; `None` when there is nothing
/// to change.
pub(in crate::adapters) fn rewritten_content(
    event: &Event<'_>,
    proposals: &BTreeMap<String, Vec<Proposal>>,
) -> Option<Map<String, Value>> {
    let mut content = event.native.get(CONTENT_KEY).and_then(Value::as_object).cloned().unwrap_or_default();
    for (field, proposals) in proposals {
        let Some(proposal) = proposals.first() else { continue };
        if proposal.value.is_null() {
            content.remove(field);
        } else {
            content.insert(field.clone(), proposal.value.clone());
        }
    }
    (!proposals.is_empty()).then_some(content)
}

/// Returns the tool's own name of a field; `None` for a neutral name of an argument that the tool
/// does not have.
fn native_key<'k>(host: &Host, tool: &str, field: &'k str, input: &Map<String, Value>) -> Option<&'k str> {
    let means: fn(&ArgRole) -> bool = match field {
        "command" => |role| matches!(role, ArgRole::Command(_)),
        "path" => |role| matches!(role, ArgRole::Path(_)),
        "content" => |role| matches!(role, ArgRole::Content),
        "url" => |role| matches!(role, ArgRole::Url),
        _ => return Some(field),
    };
    let Some(tool) = host.tool(tool).filter(|_| !input.contains_key(field)) else { return Some(field) };
    tool.args.iter().find(|arg| means(&arg.role) && !arg.key.contains("[]")).map(|arg| arg.key)
}
