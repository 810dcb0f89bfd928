//! llxprt-code: its tables; its answers are encoded like those of Gemini CLI, from which it is derived.
//!
//! Contract as of 0.11.0, from its source. Standard output is the answer, as JSON and only with exit
//! code 0; exit code 2 refuses with the text on standard error; any other exit code allows the action.

mod blocks;
mod coexistence;
mod encode;
mod events;
mod registration;
mod tools;

use serde_json::{Value, json};

use crate::adapters::contract::{Host, Streaming};
use crate::adapters::gemini;
use crate::adapters::payload::mcp_name::{mcp_tool_name, parse_mcp_name};

pub(super) const HOST: Host = Host {
    name: "llxprt",
    title: "llxprt-code",
    version: "0.11.0",
    modeled_on: Some(&gemini::HOST),
    events: events::EVENTS,
    tools: tools::TOOLS,
    project_vars: &["LLXPRT_PROJECT_DIR"],
    version_variable: None,
    registration: &registration::REGISTRATION,
    reads_stderr: false,
    render: |row, event, verdict| gemini::render(&HOST, row, event, verdict),
    refuse_unknown_event: gemini::refuse_unknown_event,
    parse_server_tool: |tool, fields| {
        let named = fields.get("mcp_context").and_then(|context| context.get("server_name")).and_then(Value::as_str);
        parse_mcp_name(tool, named)
    },
    server_tool_name: mcp_tool_name,
    transcripts: None,
    // A changed chunk would need another shape than the one that is sent, so chunks are not combined.
    streaming: Streaming { chunk: |_| None, with_text: |payload, _| payload.clone(), canonical_request: |_| None },
    tool_result: |output| json!({ "llmContent": output, "returnDisplay": output }),
    dialect: encode::DIALECT,
};
