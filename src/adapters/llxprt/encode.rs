//! Encodes events of another host as llxprt-code would send them to a hook, and decodes the answers.
//!
//! Source: the hook code of 0.11.0. Both are the same as for Gemini CLI except for the environment and the
//! streams; of Claude Code's answers it supports the refusal of a call.

use serde_json::{Map, Value, json};

use crate::adapters::contract::{Dialect, EnvValue};
use crate::adapters::gemini::{decode, encode};

pub(super) const DIALECT: Dialect = Dialect {
    env: &[("LLXPRT_PROJECT_DIR", EnvValue::Project)],
    uses_absolute_paths: false,
    denial_replaces_result: true,
    subjects: encode::SUBJECTS,
    add_fields: encode::add_fields,
    result_text: encode::result_text,
    encode_result: encode::encode_result,
    encode_server: |server, _| Some(("mcp_context", json!({ "server_name": server }))),
    matches: encode::matches,
    decode: |hearing| decode::decode_stdout(hearing, normalize_answer),
};

fn normalize_answer(mut answer: Map<String, Value>) -> Map<String, Value> {
    let specific = answer.get("hookSpecificOutput").and_then(Value::as_object);
    let refused = specific.and_then(|specific| {
        let decision = specific.get("permissionDecision")?.as_str()?;
        matches!(decision, "deny" | "block").then(|| specific.get("permissionDecisionReason").cloned())
    });
    if let Some(reason) = refused {
        answer.insert("decision".into(), json!("deny"));
        if let Some(reason) = reason {
            answer.insert("reason".into(), reason);
        }
    }
    answer
}
