//! `OpenCode`: its tables and the answers to its plugin, which is ours as well.
//!
//! Contract as of 1.18.33, from runs of the real program. The host starts no programs as hooks; a plugin in its own
//! language sends each event as one JSON object and carries out the answer (`plugin.js`). The answer is one JSON
//! object without keys that the plugin does not know; anything else makes it refuse.

mod coexistence;
mod encode;
mod events;
mod registration;
mod tools;

use serde_json::{Map, Value, json};

use crate::adapters::answer::rewrite::rewritten_input;
use crate::adapters::contract::{AnswerForm, EventRow, Host, PayloadFields, Response, Streaming};
use crate::adapters::payload::json::str_field;
use crate::adapters::payload::output;
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::verdict::Verdict;

pub(super) const HOST: Host = Host {
    name: "opencode",
    title: "OpenCode",
    version: "1.18.33",
    modeled_on: None,
    events: events::EVENTS,
    tools: tools::TOOLS,
    project_vars: &[],
    version_variable: None,
    registration: &registration::REGISTRATION,
    reads_stderr: false,
    render: |row, event, verdict| render(&HOST, row, event, verdict),
    refuse_unknown_event: |reason| Response::from_exit_code(2, reason),
    parse_server_tool,
    server_tool_name: |server, tool| format!("{}_{}", plain_name(server), plain_name(tool)),
    transcripts: None,
    streaming: Streaming { chunk: |_| None, with_text: |payload, _| payload.clone(), canonical_request: |_| None },
    tool_result: |output| json!({ "title": "", "output": output, "metadata": {} }),
    dialect: encode::DIALECT,
};

/// Encodes a verdict for the plugins of this host and of others that have the same form of answers.
pub(super) fn render(host: &Host, row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Response {
    if row.answer == AnswerForm::Silent {
        return Response::empty();
    }
    let notes = &verdict.notes;
    let mut answer = Map::new();
    let mut put = |key: &str, value: Value| answer.insert(key.to_owned(), value);
    if notes.has(EffectKind::Deny) {
        put("decision", json!("deny"));
        put("reason", json!(notes.join(EffectKind::Deny, "\n")));
    } else if notes.has(EffectKind::Replace) {
        put("replace", json!(notes.join(EffectKind::Replace, "\n")));
    }
    if let Some(input) = rewritten_input(host, event, verdict) {
        put("input", Value::Object(input));
    }
    if let Some(output) = output::redacted_result(row, event, verdict) {
        put("output", output);
    }
    if notes.has(EffectKind::Context) {
        put("context", json!(notes.join(EffectKind::Context, "\n\n")));
    }
    if answer.is_empty() { Response::empty() } else { Response::json(&Value::Object(answer)) }
}

/// Returns the server that the plugin found in the host's list, and the server's name for the tool.
pub(super) fn parse_server_tool(tool: &str, fields: &PayloadFields) -> Option<(String, String)> {
    let named = fields.get("mcp_server")?.as_object()?;
    let server = str_field(named, "name")?;
    let by_prefix = || tool.strip_prefix(&plain_name(server))?.strip_prefix('_');
    let tool = str_field(named, "tool").or_else(by_prefix).unwrap_or(tool);
    Some((server.to_owned(), tool.to_owned()))
}

/// Returns a name as the host writes it in the names of tools.
fn plain_name(name: &str) -> String {
    name.replace(|character: char| !character.is_ascii_alphanumeric() && !"_-".contains(character), "_")
}
