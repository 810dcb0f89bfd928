//! llxprt-code: its rows; its answers are spelled as those of Gemini CLI, which it comes from.
//!
//! Contract as of 0.11.0, from its source. Standard output is the answer, as JSON and only with exit
//! code 0; exit code 2 refuses with what stands on standard error; any other lets go ahead.

mod beside;
pub(super) mod blocks;
mod events;
mod registration;
mod speech;
mod tools;

use serde_json::{Value, json};

use super::read::{server_and_tool, server_tool};
use super::{Host, Pieces, gemini};

pub(super) const HOST: Host = Host {
    name: "llxprt",
    title: "llxprt-code",
    version: "0.11.0",
    rows: events::ROWS,
    tools: tools::TOOLS,
    project_vars: &["LLXPRT_PROJECT_DIR"],
    sign: None,
    registration: &registration::REGISTRATION,
    reads_stderr: false,
    write: |row, event, verdict| gemini::write(&HOST, row, event, verdict),
    blind: gemini::blind,
    server: |tool, fields| {
        let named = fields.get("mcp_context").and_then(|context| context.get("server_name")).and_then(Value::as_str);
        server_and_tool(tool, named)
    },
    server_tool,
    transcripts: None,
    // A changed chunk would have to be in another shape than the one that is told, so each stands by itself.
    pieces: Pieces { piece: |_| None, with_text: |payload, _| payload.clone(), request: |_| None },
    returned: |output| json!({ "llmContent": output, "returnDisplay": output }),
    dialect: speech::DIALECT,
};
