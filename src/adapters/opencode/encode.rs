//! What hooks of other hosts are told of `OpenCode`'s results. It has no hooks of its own to speak to.

use serde_json::{Value, json};

use crate::adapters::contract::{Dialect, ToolAction};
use crate::adapters::dialect::joined_texts;

pub(in crate::adapters) const DIALECT: Dialect = Dialect {
    env: &[],
    uses_absolute_paths: true,
    denial_replaces_result: true,
    subjects: &[],
    add_fields: |_, _, _, _| {},
    result_text,
    encode_result: |_, returned| json!(returned.text),
    encode_server: |server, tool| Some(("mcp_server", json!({ "name": server, "tool": tool }))),
    matches: |_, _, _| Ok(false),
    decode: |_| Ok(()),
};

/// Returns the text of a result that the model reads: that of a built-in tool, or the parts from a tool server.
fn result_text(_: Option<ToolAction>, result: &Value) -> String {
    let text = result.get("output").or_else(|| result.get("content"));
    joined_texts(text.unwrap_or(result))
}
