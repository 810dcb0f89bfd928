//! What llxprt-code tells a hook of an event that another host reports, and how it takes its answer.
//!
//! Source: the hook code of 0.11.0. Both are those of Gemini CLI but for the environment and the
//! streams; of Claude Code's answers it knows the refusal of a call.

use serde_json::{Map, Value, json};

use crate::adapters::dialect::{Dialect, Variable};
use crate::adapters::gemini::{hearing, speech};

pub(super) const DIALECT: Dialect = Dialect {
    variables: &[("LLXPRT_PROJECT_DIR", Variable::Project)],
    absolute: false,
    replaces: true,
    words: speech::WORDS,
    adds: speech::adds,
    reads: speech::reads,
    returns: speech::returns,
    server: |server, _| ("mcp_context", json!({ "server_name": server })),
    covers: speech::covers,
    hears: |hearing| hearing::hears_stdout(hearing, respelled),
};

fn respelled(mut answer: Map<String, Value>) -> Map<String, Value> {
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
