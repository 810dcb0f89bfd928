//! A tool's input with the fields that rules want otherwise.
//!
//! Both hosts take a new input as a whole, so what no rule speaks of is copied.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Host, Role};
use crate::domain::event::Event;
use crate::domain::verdict::Proposal;

/// Returns the whole input of the event's call as the proposals would have it; `None` when there
/// is nothing to change.
pub fn rewritten(
    host: &Host,
    event: &Event<'_>,
    proposals: &BTreeMap<String, Vec<Proposal>>,
) -> Option<Map<String, Value>> {
    let call = event.call()?;
    let mut input = call.input.clone();
    for (field, proposals) in proposals {
        let Some(proposal) = proposals.first() else { continue };
        let key = native_key(host, call.name, field);
        if proposal.value.is_null() {
            input.remove(key);
        } else {
            input.insert(key.to_owned(), proposal.value.clone());
        }
    }
    (input != *call.input).then_some(input)
}

/// Returns the tool's own name of a field that a rule names neutrally.
fn native_key<'k>(host: &Host, tool: &str, field: &'k str) -> &'k str {
    let means = |role: &Role| match field {
        "command" => matches!(role, Role::Command(_)),
        "path" => matches!(role, Role::Path(_)),
        "content" => matches!(role, Role::Content),
        "url" => matches!(role, Role::Url),
        _ => false,
    };
    let args = host.tool(tool).map(|tool| tool.args).unwrap_or_default();
    args.iter().find(|arg| means(&arg.role) && !arg.key.contains("[]")).map_or(field, |arg| arg.key)
}
