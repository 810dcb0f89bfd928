//! A tool's input, or a request to the model, with the fields that rules want otherwise.
//!
//! Hosts take a new input as a whole, so what no rule speaks of is copied.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::json::Payload;
use super::{Host, Role, request};
use crate::domain::event::{self, Event};
use crate::domain::kind::Kind;
use crate::domain::redaction::{NOTHING, with_strings};
use crate::domain::verdict::{Proposal, Verdict};

/// The key of what a person filled in.
const CONTENT: &str = "content";

/// Returns the whole input of the event's call as the verdict would have it; `None` when there is
/// nothing to change. A new value for a field is taken as it is: what is to be redacted in it is
/// found when the changed call is judged.
pub(super) fn rewritten(host: &Host, event: &Event<'_>, verdict: &Verdict) -> Option<Map<String, Value>> {
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
    let fields = call.input.iter().map(|(key, value)| (key.clone(), with_strings(value, NOTHING, &mut redact)));
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

/// Returns the payload that the host would have sent, were it as the verdict would have it; `None`
/// when there is nothing to change.
pub fn rewritten_payload(host: &Host, event: &Event<'_>, verdict: &Verdict) -> Option<Payload> {
    let (key, changed) = match &event.payload {
        event::Payload::Model(_) => (request::REQUEST, rewritten_request(event, &verdict.rewrite)?),
        event::Payload::Notice(_) => (CONTENT, rewritten_content(event, &verdict.rewrite)?),
        _ => ("tool_input", rewritten(host, event, verdict)?),
    };
    let mut payload = event.native.clone();
    payload.insert(key.into(), Value::Object(changed));
    Some(payload)
}

/// Returns the whole request to the model as the proposals would have it; `None` when there is
/// nothing to change.
pub(super) fn rewritten_request(
    event: &Event<'_>,
    proposals: &BTreeMap<String, Vec<Proposal>>,
) -> Option<Map<String, Value>> {
    request::rewritten(event.native.get(request::REQUEST)?.as_object()?, proposals)
}

/// Returns what a person filled in, or is to have filled in, as the proposals would have it; `None`
/// when there is nothing to change.
pub(super) fn rewritten_content(
    event: &Event<'_>,
    proposals: &BTreeMap<String, Vec<Proposal>>,
) -> Option<Map<String, Value>> {
    let mut content = event.native.get(CONTENT).and_then(Value::as_object).cloned().unwrap_or_default();
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

/// Returns the tool's own name of a field; `None` for a neutral name of something that the tool does
/// not have.
fn native_key<'k>(host: &Host, tool: &str, field: &'k str, input: &Map<String, Value>) -> Option<&'k str> {
    let means: fn(&Role) -> bool = match field {
        "command" => |role| matches!(role, Role::Command(_)),
        "path" => |role| matches!(role, Role::Path(_)),
        "content" => |role| matches!(role, Role::Content),
        "url" => |role| matches!(role, Role::Url),
        _ => return Some(field),
    };
    let Some(tool) = host.tool(tool).filter(|_| !input.contains_key(field)) else { return Some(field) };
    tool.args.iter().find(|arg| means(&arg.role) && !arg.key.contains("[]")).map(|arg| arg.key)
}
